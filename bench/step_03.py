#!/usr/bin/python3
"""Times one training step of the MNIST perceptron (784-128-10, batch 64, Adam 1e-3) in Glia and in PyTorch eager, each on
one thread, in turns within one run, and prints the ratio of the medians.

    bench/step_03.py [--rounds 7] [--glia build/release/glia] [--shared ../shared]

Both take u8 images from memory, gather the rows of a shuffled minibatch and divide by 255 in every step. A round of
Glia is a process that trains one epoch without validation, timed by its own log; a round of PyTorch is the same number of
steps. Needs python3-torch and libopenblas0-pthread. The shared folder holds the data (data/mnist), the program and the settings that PyTorch runs best with.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def arguments():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--rounds", type=int, default=7)
    p.add_argument("--glia", default=os.path.join(ROOT, "build/release/glia"))
    p.add_argument("--shared", default=os.environ.get("GLIA_SHARED", os.path.join(ROOT, "../shared")))
    return p.parse_args()


def without_validation(source):
    """The program with its `validate:` line and metrics left out, so that only training steps are timed."""
    text = re.sub(r"(?m)^\s*(validate|metrics):.*\n", "", source)
    assert text != source, "the program has changed: nothing to leave out"
    return text


def glia_step(glia, program, data):
    """Seconds of one step, from the examples per second that the epoch's event tells."""
    out = subprocess.run([glia, "train", program, "--dir", data, "--train.epochs", "1", "--threads", "1", "--log", "json"],
                         capture_output=True, text=True)
    if out.returncode != 0:
        sys.exit("glia failed:\n" + out.stderr)
    events = [json.loads(line) for line in out.stdout.splitlines() if line.startswith("{")]
    start = next(e for e in events if e["event"] == "start")
    epoch = next(e for e in events if e["event"] == "epoch")
    assert start["batch"] == 64 and start["parameters"] == 101770, "another model than the one compared with"
    return 64 / epoch["examples_per_s"], epoch["step"], epoch["loss"]


def read_idx(path):
    import gzip
    import struct
    import numpy as np
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        rank = struct.unpack(">HBB", f.read(4))[2]
        shape = struct.unpack(">" + "I" * rank, f.read(4 * rank))
        return np.frombuffer(f.read(), np.uint8).reshape(shape)


def read_parts(folder, prefix):
    import numpy as np
    names = sorted(n for n in os.listdir(folder) if n.startswith(prefix))
    names = [n for n in names if not (n.endswith(".gz") and n[:-3] in names)]
    return np.concatenate([read_idx(os.path.join(folder, n)) for n in names])


class Peer:
    """The same training in PyTorch: continues from round to round."""

    def __init__(self, data):
        import torch
        self.torch = torch
        torch.set_num_threads(1)
        torch.manual_seed(0)
        self.images = torch.from_numpy(read_parts(data, "train-images").copy())
        self.labels = torch.from_numpy(read_parts(data, "train-labels").copy()).long()
        self.model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def step(self, rows):
        x = self.images[rows].float() / 255
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.torch.nn.functional.cross_entropy(self.model(x), self.labels[rows])
        loss.backward()
        self.optimizer.step()
        return loss

    def epoch(self):
        """Seconds of one step, and the mean loss."""
        order = self.torch.randperm(len(self.images))
        batches = order[:len(order) // 64 * 64].split(64)
        begin, total = time.perf_counter(), 0.0
        for rows in batches:
            total += float(self.step(rows))
        return (time.perf_counter() - begin) / len(batches), total / len(batches)


def main():
    a = arguments()
    sys.path.insert(0, os.path.join(a.shared, "peers"))
    import peer_env  # sets the environment: before numpy and torch
    data = os.path.join(a.shared, "data/mnist")
    with open(os.path.join(a.shared, "programs/03_mnist_mlp.ml"), encoding="utf-8") as f:
        program = without_validation(f.read())
    peer = Peer(data)
    if peer_env.openblas_core() in (None, "Prescott"):
        sys.exit("torch runs on slow matrix kernels (%s), so the figures would be worthless: apt-get install libopenblas0-pthread"
                 % (peer_env.openblas_core() or "no OpenBLAS"))
    peer.epoch()  # warm
    glia, torch = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mlp.ml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(program)
        for i in range(a.rounds):
            g, steps, g_loss = glia_step(a.glia, path, data)
            t, t_loss = peer.epoch()
            glia.append(g)
            torch.append(t)
            print("round %d: glia %.1f us a step (%d steps, loss %.3f), torch %.1f us (loss %.3f)" %
                  (i + 1, g * 1e6, steps, g_loss, t * 1e6, t_loss), flush=True)
    g, t = statistics.median(glia), statistics.median(torch)
    print("median of %d: glia %.1f us, torch %s %.1f us (OpenBLAS kernels %s): torch takes %.2f times as long as glia" %
          (a.rounds, g * 1e6, peer.torch.__version__, t * 1e6, peer_env.openblas_core(), t / g))


if __name__ == "__main__":
    main()
