"""Two steps of an example program by Glia and by PyTorch, from the same weights on the same rows: the losses agree.

Usage: two_steps.py GLIA SHARED PROGRAM. Exit 0: they agree within 1e-5, 1: they do not, 77: there is no PyTorch.
"""
import sys
import tempfile

try:
    import torch
except ImportError:
    sys.exit(77)

from glia_run import GliaRun
from models import PROGRAMS


def torch_losses(task, w, first_step):
    params = list(w.values())
    optimizer = type(task).optimizer(params)
    losses = []
    for step in range(2):
        rows = range(step * task.batch, (step + 1) * task.batch)
        loss = sum(task.loss(w, task.rows[i], (first_step + step, i)) for i in rows) / task.batch
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        if hasattr(task, "clip"):
            torch.nn.utils.clip_grad_norm_(params, task.clip)
        optimizer.step()
    return losses


def main(glia, shared, program):
    task = PROGRAMS[program](shared)
    with tempfile.TemporaryDirectory() as folder:
        run = GliaRun(glia, shared, program + ".ml", task.batch, folder)
        ours, theirs = run.losses(), torch_losses(task, run.start_weights(), 1)
    worst = max(abs(a - b) / abs(b) for a, b in zip(ours, theirs))
    print(f"{program}: Glia {ours}, PyTorch {theirs}, relative difference {worst:.1e}")
    return 0 if worst <= 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
