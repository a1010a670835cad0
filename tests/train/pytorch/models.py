"""The example programs again in PyTorch, in f64, on weights by name. Each gives the loss of one row of its data."""
import gzip
import re
import struct
from collections import Counter
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from counter_random import draw, normal, shuffled, site, stream_mix


def mnist(shared, count):
    folder = Path(shared) / "data/mnist"

    def part(kind, header):
        blob = gzip.decompress((folder / f"train-{kind}-ubyte.gz").read_bytes())
        return np.frombuffer(blob[header:], dtype=np.uint8)

    images = part("images-00000-19999-idx3", 16).reshape(-1, 28, 28)[:count]
    labels = part("labels-00000-19999-idx1", 8)[:count]
    return [(torch.tensor(x.astype(np.float64) / 255), int(y)) for x, y in zip(images, labels)]


def dense(w, name, x):
    return x @ w[name + ".w"].T + w[name + ".b"]


def loss_of(logits, label):
    return F.cross_entropy(logits.reshape(1, -1), torch.tensor([label]))


class Mlp:
    batch, optimizer = 8, lambda p: torch.optim.Adam(p, 1e-3)

    def __init__(self, shared):
        self.rows = mnist(shared, 2 * self.batch)

    def loss(self, w, row, at):
        image, label = row
        return loss_of(dense(w, "fc2", torch.relu(dense(w, "fc1", image.reshape(-1)))), label)


class LeNet(Mlp):
    def conv(self, w, name, x, pad):
        return torch.max_pool2d(torch.relu(F.conv2d(x, w[name + ".w"], w[name + ".shift.b"], padding=pad)), 2)

    def loss(self, w, row, at):
        image, label = row
        x = self.conv(w, "c2", self.conv(w, "c1", image.reshape(1, 1, 28, 28), 2), 0).reshape(-1)
        return loss_of(dense(w, "f3", torch.relu(dense(w, "f2", torch.relu(dense(w, "f1", x))))), label)


class CharLstm:
    batch, optimizer, clip = 4, lambda p: torch.optim.Adam(p, 5e-3), 1.0

    def __init__(self, shared):
        names = (Path(shared) / "data/text/names/names.txt").read_text().splitlines()
        ids = {c: i for i, c in enumerate(["\n"] + sorted(set("".join(names)) - {"\n"}))}
        order = shuffled(len(names), 1)[: 2 * self.batch]
        self.rows = [[ids[c] for c in names[i] + "\n"] for i in order]

    def loss(self, w, row, at):
        h = w["cell.wh"].shape[1]
        s, c, total = torch.zeros(h).double(), torch.zeros(h).double(), 0
        for before, token in zip([0] + row[:-1], row):
            gates = w["cell.wx"] @ w["embed.w"][before] + w["cell.bx"] + w["cell.wh"] @ s + w["cell.bh"]
            i, f, g, o = gates.chunk(4)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            s = torch.sigmoid(o) * torch.tanh(c)
            total = total + loss_of(dense(w, "out", s), token)
        return total / len(row)


class TreeLstm:
    batch, optimizer = 3, lambda p: torch.optim.Adagrad(p, 0.05, weight_decay=1e-4, eps=1e-10)

    def __init__(self, shared):
        text = gzip.decompress((Path(shared) / "data/sst/train.txt.gz").read_bytes()).decode()
        trees = [self.parse(line) for line in text.split("\n") if line]
        words = []
        for tree in trees:
            self.words(tree, words)
        count = Counter(words)  # in the order of appearance; sorted() keeps that among equals
        known = [w for w in sorted(count, key=lambda w: -count[w]) if count[w] >= 2]
        self.ids = {w: i for i, w in enumerate(["<unk>"] + known)}
        self.rows = trees[: 2 * self.batch]

    def parse(self, line):
        open_, tokens = [[]], re.findall(r"[()]|[^() ]+", line)
        for t in tokens:
            if t == "(":
                open_.append([])
            elif t == ")":
                done = open_.pop()
                open_[-1].append(done)
            else:
                open_[-1].append(t)
        return open_[0][0]

    def words(self, tree, into):
        if isinstance(tree[1], str):
            into.append(tree[1])
        for part in tree[1:]:
            if isinstance(part, list):
                self.words(part, into)

    def walk(self, w, tree):
        if isinstance(tree[1], str):
            e = w["embed.w"][self.ids.get(tree[1], 0)]
            i, o, u = (w["wx"] @ e + w["bx"]).chunk(3)
            c, before = torch.sigmoid(i) * torch.tanh(u), 0
        else:
            (hl, cl, ll), (hr, cr, lr) = self.walk(w, tree[1]), self.walk(w, tree[2])
            i, fl, fr, o, u = (w["wl"] @ hl + w["wr"] @ hr + w["bn"]).chunk(5)
            c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(fl) * cl + torch.sigmoid(fr) * cr
            before = ll + lr
        h = torch.sigmoid(o) * torch.tanh(c)
        return h, c, before + loss_of(dense(w, "out", h), int(tree[0]))

    def loss(self, w, row, at):
        return self.walk(w, row)[2]


class Gpt:
    batch, optimizer, clip = 2, lambda p: torch.optim.AdamW(p, 1e-3, weight_decay=0.1), 1.0

    def __init__(self, shared):
        text = (Path(shared) / "data/text/tinyshakespeare/input.txt").read_text()
        ids = {c: i for i, c in enumerate(sorted(set(text)))}
        self.rows = [torch.tensor([ids[c] for c in text[i:i + 65]]) for i in range(2 * self.batch)]

    def norm(self, w, name, x):
        return F.layer_norm(x, x.shape[-1:], w[name + ".w"], w[name + ".b"], 1e-5)

    def attention(self, w, name, x):
        t, d = x.shape
        heads = 4
        q, k, v = (y.reshape(t, heads, d // heads).transpose(0, 1) for y in dense(w, name + ".qkv", x).chunk(3, 1))
        score = q @ k.transpose(1, 2) / (d // heads) ** 0.5
        score = score.masked_fill(torch.ones(t, t).triu(1).bool(), float("-inf"))
        return dense(w, name + ".out", (score.softmax(-1) @ v).transpose(0, 1).reshape(t, d))

    def loss(self, w, row, at):
        ids = row[:-1]
        x = w["tok.w"][ids] + w["pos.w"][: len(ids)]
        for k in range(4):
            b = f"blocks.{k}"
            x = x + self.attention(w, b + ".att", self.norm(w, b + ".n1", x))
            x = x + dense(w, b + ".dn", F.gelu(dense(w, b + ".up", self.norm(w, b + ".n2", x))))
        return F.cross_entropy(dense(w, "head", self.norm(w, "norm", x)), row[1:])


class Vae:
    batch, optimizer = 4, lambda p: torch.optim.Adam(p, 1e-3)

    def __init__(self, shared):
        self.rows = [x for x, _ in mnist(shared, 2 * self.batch)]

    def noise(self, step, row):
        stream = stream_mix(stream_mix(0, step), row)
        return torch.tensor([normal(draw(stream, site("example", "0"), i)) for i in range(16)]).double()

    def loss(self, w, row, at):
        x = row.reshape(-1)
        h = torch.relu(dense(w, "enc", x))
        m, v = dense(w, "mu", h), dense(w, "lv", h)
        code = m + torch.exp(v / 2) * self.noise(*at)
        logits = dense(w, "d2", torch.relu(dense(w, "d1", code)))
        kl = -0.5 * (1 + v - m ** 2 - torch.exp(v)).sum()
        return F.binary_cross_entropy_with_logits(logits, x, reduction="sum") + kl


PROGRAMS = {"03_mnist_mlp": Mlp, "04_mnist_lenet": LeNet, "06_char_lstm": CharLstm, "07_treelstm": TreeLstm,
            "08_gpt": Gpt, "09_vae": Vae}
