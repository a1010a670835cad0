"""The random numbers of a Glia run, again: Philox 4x32-10 (Salmon et al. 2011) keyed by streams and sites."""
import math

M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def philox(c, k):
    c, k = list(c), list(k)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & M32, (p0 >> 32) ^ c[3] ^ k[1], p0 & M32]
        k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
    return c


def draw(stream, site, index):
    s, t, i = stream & M64, site & M64, index & M64
    return philox((i & M32, i >> 32, t & M32, t >> 32), (s & M32, s >> 32))


def uniform53(high, low):
    return ((high << 32 | low) >> 11) / (1 << 53)


def normal(words):
    u, v = 1.0 - uniform53(words[0], words[1]), uniform53(words[2], words[3])
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)


def _mix(x):
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & M64
    return x ^ (x >> 31)


def stream_mix(stream, k):
    return _mix((_mix(stream & M64) + 0x9E3779B97F4A7C15 * ((k + 1) & M64)) & M64)


def site(*parts):
    h = 0xCBF29CE484222325  # FNV-1a
    for part in parts:
        for byte in part.encode():
            h = (h ^ byte) * 0x100000001B3 & M64
        h = (h ^ 0xFF) * 0x100000001B3 & M64
    return h


def shuffled(n, seed):
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        words = draw(seed, 0, i)
        at = int(uniform53(words[0], words[1]) * (i + 1))
        order[i], order[at] = order[at], order[i]
    return order
