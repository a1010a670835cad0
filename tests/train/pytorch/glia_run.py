"""Runs the first two steps of a program's train block, without shuffling, and reads losses and weights."""
import json
import re
import struct
import subprocess
from pathlib import Path

import numpy as np
import torch


def plain_block(text, batch, optimizer=None):
    """The train block with rows in order, and without what does not belong to its first two steps."""
    head, block = text[: text.index("train {")], text[text.index("train {"):]
    block = re.sub(r"metrics:\s*\{[^}]*\}\n", "\n", block)
    block = re.sub(r"\n\s*(validate|validate_every|on_epoch|epochs|steps|batch):[^\n]*", "", block)
    if optimizer:
        block = re.sub(r"optimizer:[^\n]*", f"optimizer: {optimizer}", block)
    return head + block.rstrip().rstrip("}") + f"  batch:     {batch}\n  shuffle:   false\n}}\n"


def weights(path):
    blob = Path(path).read_bytes()
    size = struct.unpack("<Q", blob[:8])[0]
    out = {}
    for name, t in json.loads(blob[8:8 + size]).items():
        if name == "__metadata__":
            continue
        begin, end = t["data_offsets"]
        a = np.frombuffer(blob[8 + size + begin:8 + size + end], dtype=np.float32).reshape(t["shape"])
        out[name] = torch.tensor(a.astype(np.float64), requires_grad=True)
    return out


class GliaRun:
    def __init__(self, glia, shared, program, batch, folder):
        self.glia, self.shared, self.batch, self.folder = glia, shared, batch, Path(folder)
        self.text = (Path(shared) / "programs" / program).read_text()

    def _train(self, steps, optimizer=None, out=None):
        file = self.folder / "program.ml"
        file.write_text(plain_block(self.text, self.batch, optimizer))
        command = [self.glia, "train", str(file), "--backend", "interp", "--log", "json", "--train.steps", str(steps)]
        run = subprocess.run(command + (["--out", out] if out else []), cwd=self.shared, capture_output=True, text=True)
        if run.returncode != 0:
            raise SystemExit(run.stderr)
        events = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        return next(e["loss"] for e in reversed(events) if e["event"] == "end")

    def start_weights(self):
        out = str(self.folder / "start.safetensors")
        self._train(1, "optim.sgd(0.0)", out)
        return weights(out)

    def losses(self):
        first = self._train(1)
        return [first, 2 * self._train(2) - first]
