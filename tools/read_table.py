#!/usr/bin/env python3
"""Reads table files: a second reader, written from docs/FORMAT.md alone. Plain Python 3 and libzstd.

    read_table.py DIRECTORY/5-4+0-0.wdl                     what the header says
    read_table.py DIRECTORY 'BOARD SIDE RESERVES'           stored values of a position without restrictions
    read_table.py DIRECTORY - < positions                   one line per position: outcome dtz dte

Prints for each position: outcome, DTZ, DTE at the counter given in the position ("-" where there is none).
Checksums of blocks and headers are checked where the Python package xxhash is installed; sizes always.
"""

import ctypes
import ctypes.util
import functools
import os
import struct
import sys
from math import comb

try:
    import xxhash

    def xxh3(data):
        return xxhash.xxh3_64_intdigest(data)
except ImportError:  # sizes and structure are still checked
    xxh3 = None

POINTS = ("a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1").split()
ROWS = (3, 3, 3, 6, 3, 3, 3)
OUTCOMES = ("draw", "win", "loss")


class TableError(Exception):
    pass


def _symmetry(s):
    """Where symmetry s takes each point."""
    places = {name: p for p, name in enumerate(POINTS)}
    out = []
    for name in POINTS:
        x, y = ord(name[0]) - ord("d"), int(name[1]) - 4
        if s & 1:
            x = -x
        for _ in range(s >> 1 & 3):
            x, y = -y, x
        if s & 8:
            r = max(abs(x), abs(y))
            x, y = x * (4 - r) // r, y * (4 - r) // r
        out.append(places[chr(x + ord("d")) + str(y + 4)])
    return out


SYMMETRIES = [_symmetry(s) for s in range(16)]
BYTE_IMAGES = [[[sum(1 << m[8 * part + i] for i in range(8) if v >> i & 1) for v in range(256)] for part in range(3)]
               for m in SYMMETRIES]


def image(stones, s):
    t = BYTE_IMAGES[s]
    return t[0][stones & 255] | t[1][stones >> 8 & 255] | t[2][stones >> 16]


def canonical(stones):
    """The smallest image and the smallest symmetry that gives it."""
    return min((image(stones, s), s) for s in range(16))


@functools.lru_cache(maxsize=None)
def orbit_numbers(size):
    """Orbit number of every canonical set of that size."""
    numbers = {}
    stones, last = (1 << size) - 1, (1 << 24) - 1
    while stones <= last:
        if all(image(stones, s) >= stones for s in range(1, 16)):
            numbers[stones] = len(numbers)
        if stones == 0:
            break
        low = stones & -stones
        ripple = stones + low
        stones = ripple | ((stones ^ ripple) >> 2) // low
    return numbers


def rank(stones):
    total, i = 0, 0
    for p in range(24):
        if stones >> p & 1:
            i += 1
            total += comb(p, i)
    return total


def pack(stones, free):
    out, i = 0, 0
    for p in range(24):
        if free >> p & 1:
            out |= (stones >> p & 1) << i
            i += 1
    return out


def entry_number(own, opp):
    smallest, s = canonical(own)
    numbers = orbit_numbers(bin(own).count("1"))
    packed = pack(image(opp, s), ~smallest & (1 << 24) - 1)
    return numbers[smallest] * comb(24 - bin(own).count("1"), bin(opp).count("1")) + rank(packed)


def _zstd():
    lib = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    lib.ZSTD_getFrameContentSize.restype = ctypes.c_uint64
    lib.ZSTD_getFrameContentSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    lib.ZSTD_decompress.restype = ctypes.c_size_t
    lib.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    return lib


ZSTD = _zstd()


class Table:
    """One table file."""

    def __init__(self, path):
        self.path = path
        self.file = open(path, "rb")
        h = self.file.read(192)
        if len(h) < 192 or h[:8] != b"MILLTBL\n":
            self.fail("no table file")
        (version, header_size, self.fingerprint) = struct.unpack_from("<IIQ", h, 8)
        if version != 1:
            self.fail(f"version {version}, expected 1")
        self.subspace = tuple(h[24:28])
        self.metric, self.bits, codec, self.level = h[28:32]
        (self.limit, self.block_entries, self.entries, self.blocks, _, self.index_offset, self.steps, self.wins,
         self.draws, self.losses, self.sum, self.max) = struct.unpack_from("<IIQIIQQQQQQi", h, 32)
        index_checksum, header_checksum = struct.unpack_from("<QQ", h, 176)
        if header_size != 192 or codec != 1:
            self.fail("unknown header size or codec")
        if xxh3 and xxh3(h[:184]) != header_checksum:
            self.fail("header checksum mismatch")
        if self.blocks != -(-self.entries // self.block_entries):
            self.fail("wrong number of blocks")
        if os.path.getsize(path) != self.index_offset + 12 * self.blocks:
            self.fail("wrong size")
        self.file.seek(self.index_offset)
        index = self.file.read(12 * self.blocks)
        if xxh3 and xxh3(index) != index_checksum:
            self.fail("index checksum mismatch")
        self.index = []
        at = 192
        for size, checksum in struct.iter_unpack("<IQ", index):
            self.index.append((at, size, checksum))
            at += size
        if at != self.index_offset:
            self.fail("blocks do not add up")
        self.block = functools.lru_cache(maxsize=64)(self._block)

    def fail(self, what):
        raise TableError(f"{self.path}: {what}")

    def _entries_in(self, block):
        return min(self.block_entries, self.entries - block * self.block_entries)

    def _code_bytes(self, block):
        return (self._entries_in(block) * self.bits + 7) // 8

    def _block(self, block):
        at, size, checksum = self.index[block]
        self.file.seek(at)
        data = self.file.read(size)
        if xxh3 and xxh3(data) != checksum:
            self.fail(f"block {block}: checksum mismatch")
        n = ZSTD.ZSTD_getFrameContentSize(data, len(data))
        codes = self._code_bytes(block)
        if n < codes or (n - codes) % 8 or n > codes + 8 * self._entries_in(block) * max(self.limit - 1, 0):
            self.fail(f"block {block}: impossible content size")
        raw = ctypes.create_string_buffer(n)
        if ZSTD.ZSTD_decompress(raw, n, data, len(data)) != n:
            self.fail(f"block {block}: does not decompress")
        return raw.raw

    def code(self, entry):
        raw, i = self.block(entry // self.block_entries), entry % self.block_entries
        if self.bits == 2:
            return raw[i // 4] >> 2 * (i % 4) & 3
        return raw[i] if self.bits == 8 else raw[2 * i] | raw[2 * i + 1] << 8

    def dte(self, entry, budget):
        """The distance at a budget; 0 = the full one."""
        block, i = divmod(entry, self.block_entries)
        raw, codes = self.block(block), self._code_bytes(block)
        if budget:
            low, high = 0, (len(raw) - codes) // 8
            while low < high:
                middle = (low + high) // 2
                e, b, _ = struct.unpack_from("<IHH", raw, codes + 8 * middle)
                if (e, b) <= (i, budget):
                    low = middle + 1
                else:
                    high = middle
            if low < (len(raw) - codes) // 8:
                e, _, d = struct.unpack_from("<IHH", raw, codes + 8 * low)
                if e == i:
                    return d
        return self.code(entry)


class Folder:
    """The tables of one ruleset."""

    def __init__(self, path):
        self.path = path
        self.tables = {}

    def table(self, subspace, metric):
        key = subspace, metric
        if key not in self.tables:
            name = os.path.join(self.path, "{}-{}+{}-{}.{}".format(*subspace, metric))
            table = Table(name) if os.path.exists(name) else None
            if table and (table.subspace != subspace or ("", "wdl", "dtz", "dte")[table.metric] != metric):
                table.fail("holds another table than its name says")
            self.tables[key] = table
        return self.tables[key]

    def values(self, own, opp, own_reserve, opp_reserve, counter=0):
        """Outcome, DTZ and DTE; None where unknown or meaningless."""
        subspace = bin(own).count("1"), bin(opp).count("1"), own_reserve, opp_reserve
        wdl = self.table(subspace, "wdl")
        if wdl is None:
            raise TableError("no table {}-{}+{}-{}.wdl".format(*subspace))
        entry = entry_number(own, opp)
        outcome = wdl.code(entry)
        if outcome == 0:
            return "draw", None, None
        dtz, dte = self.table(subspace, "dtz"), self.table(subspace, "dte")
        depth = dtz.code(entry) if dtz else None
        budget = wdl.limit - counter if wdl.limit and counter else 0
        if budget:
            if depth is None:
                raise TableError("no table {}-{}+{}-{}.dtz".format(*subspace))
            if depth > budget:
                return "draw", None, None
        return OUTCOMES[outcome], depth, dte.dte(entry, budget) if dte else None


def parse_position(text):
    """own, opp, their reserves, counter"""
    board, side, reserves, *rest = text.split()
    stones = {"W": 0, "B": 0}
    p = 0
    for c in board.replace("/", ""):
        if c.isdigit():
            p += int(c)
        else:
            stones[c] |= 1 << p
            p += 1
    if p != 24 or side not in ("w", "b"):
        raise TableError(f"no position: {text}")
    white, black = (int(n) for n in reserves.split(","))
    if rest and rest[0] != "-":
        raise TableError("restricted positions are not stored")
    counter = int(rest[1]) if len(rest) > 1 else 0
    if side == "w":
        return stones["W"], stones["B"], white, black, counter
    return stones["B"], stones["W"], black, white, counter


def main():
    if len(sys.argv) == 2 and os.path.isfile(sys.argv[1]):
        t = Table(sys.argv[1])
        for name in ("subspace", "metric", "fingerprint", "limit", "bits", "entries", "blocks", "block_entries", "steps",
                     "wins", "draws", "losses", "sum", "max"):
            value = getattr(t, name)
            print(f"{name:14}{value:016x}" if name == "fingerprint" else f"{name:14}{value}")
        return 0
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Folder(sys.argv[1])
    status = 0
    for line in sys.stdin if sys.argv[2] == "-" else [sys.argv[2]]:
        try:
            print(*("-" if v is None else v for v in folder.values(*parse_position(line))))
        except (TableError, ValueError, KeyError) as e:
            print(f"error: {e}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
