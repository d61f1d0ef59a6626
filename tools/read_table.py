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


def levels(term, which, cap):
    """How many levels a term of a context has."""
    if term == 0:
        return 5 if which in (2, 3) else 3 if which in (8, 9) else 4
    return (0, 4, cap + 2, 2, cap + 1, cap + 2, cap + 1, cap + 1)[term]


def _geometry(diagonal):
    """Lines and neighbours of the board, as sets."""
    rings = [["a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4"], ["b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4"],
             ["c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"]]
    runs = [[ring[i], ring[i + 1], ring[(i + 2) % 8]] for ring in rings for i in range(0, 8, 2)]
    runs += [[ring[i] for ring in rings] for i in range(0 if diagonal else 1, 8, 1 if diagonal else 2)]
    number = {name: p for p, name in enumerate(POINTS)}
    lines, neighbours = [], [0] * 24
    for run in runs:
        a, b, c = (number[name] for name in run)
        lines.append(1 << a | 1 << b | 1 << c)
        for p, q in ((a, b), (b, c)):
            neighbours[p] |= 1 << q
            neighbours[q] |= 1 << p
    return lines, neighbours


def points(stones):
    while stones:
        yield (stones & -stones).bit_length() - 1
        stones &= stones - 1


class Features:
    """What contexts of codec 3 say about positions and entries."""

    def __init__(self, rules, subspace):
        self.lines, self.neighbours = _geometry(rules & 1)
        self.sides = rules >> 1 & 7, rules >> 4 & 7
        self.own, self.opp = subspace[0], subspace[1]
        self.row_size = comb(24 - self.own, self.opp)
        self.rows = sorted(orbit_numbers(self.own))

    def position(self, entry):
        """own, opp, and opp packed"""
        own, rest = self.rows[entry // self.row_size], entry % self.row_size
        packed, i = 0, self.opp
        for p in range(23, -1, -1):
            if i and comb(p, i) <= rest:
                rest -= comb(p, i)
                packed |= 1 << p
                i -= 1
        free = [p for p in range(24) if not own >> p & 1]
        return own, sum(1 << free[p] for p in points(packed)), packed

    def _completes(self, stones, free, may):
        out = 0
        for line in self.lines:
            gap = line & free
            if bin(line & stones).count("1") != 2 or not gap:
                continue
            beside = -1 if may & 2 else self.neighbours[gap.bit_length() - 1]
            if may & 4 or may & 1 and stones & ~line & beside:
                out |= gap
        return out

    def level(self, feature, position):
        own, opp, _ = position
        free = ~(own | opp) & (1 << 24) - 1
        of_opp = feature in (1, 3, 5, 7, 8, 10)
        stones, other, may = (opp, own, self.sides[1]) if of_opp else (own, opp, self.sides[0])
        if feature in (0, 1):
            return min(bin(self._completes(stones, free, may)).count("1"), 3)
        if feature in (2, 3):
            n = sum(bin(self.neighbours[p] & free).count("1") for p in points(stones))
            return sum(n > most for most in (1, 3, 6, 10))
        if feature in (4, 5):
            return min(sum(stones & line == line for line in self.lines), 3)
        if feature in (6, 7):
            gaps = 0
            for line in self.lines:
                if bin(line & stones).count("1") == 2:
                    gaps |= line & free
            return min(bin(gaps).count("1"), 3)
        if feature in (8, 9):
            reached = 0
            for p in points(other):
                reached |= self.neighbours[p]
            return min(bin(self._completes(stones, free, may) & ~reached).count("1"), 2)
        return min(sum(not self.neighbours[p] & free for p in points(stones)), 3)

    def link(self, which, entry, position):
        """The linked entry, in whatever block, or None."""
        own, _, packed = position
        row = entry - entry % self.row_size
        if which < 2:
            return entry - 1 - which if entry % self.row_size > which else None
        places = list(points(~own & (1 << 24) - 1))
        found, crossing = [], 0
        for e in points(packed):
            for p in range(e - 1, -1, -1):
                if not self.neighbours[places[e]] >> places[p] & 1:
                    continue
                if e > 6 and p < 7:
                    crossing += 1
                    if crossing > 2:
                        continue
                if not packed >> p & 1:
                    found.append(row + rank(packed ^ (1 << e | 1 << p)))
        found.sort(reverse=True)
        return found[which - 2] if which - 2 < len(found) else None


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
        if header_size != 192 or codec not in (1, 3):
            self.fail("unknown header size or codec")
        self.small = codec == 3
        model_bytes, model_checksum, group, rules = struct.unpack_from("<IQII", h, 108)
        self.group = group if self.small else 1
        if xxh3 and xxh3(h[:184]) != header_checksum:
            self.fail("header checksum mismatch")
        if self.blocks != -(-self.entries // self.block_entries):
            self.fail("wrong number of blocks")
        if self.small and not (1 <= self.group <= 64 and model_bytes <= 1 << 22 and self.block_entries <= 8192):
            self.fail("impossible header")
        groups = -(-self.blocks // self.group)
        if os.path.getsize(path) != self.index_offset + 12 * groups:
            self.fail("wrong size")
        models = self.file.read(model_bytes)
        if self.small and xxh3 and xxh3(models) != model_checksum:
            self.fail("models: checksum mismatch")
        self.file.seek(self.index_offset)
        index = self.file.read(12 * groups)
        if xxh3 and xxh3(index) != index_checksum:
            self.fail("index checksum mismatch")
        self.index = []
        at = 192 + (model_bytes if self.small else 0)
        for size, checksum in struct.iter_unpack("<IQ", index):
            self.index.append((at, size, checksum))
            at += size
        if at != self.index_offset:
            self.fail("blocks do not add up")
        self.block = functools.lru_cache(maxsize=64)(self._block)
        self.beside = None  # the folder that has the other metrics
        if self.small:
            self.features = Features(rules, self.subspace)
            self._read_models(models)

    def fail(self, what):
        raise TableError(f"{self.path}: {what}")

    def _entries_in(self, block):
        return min(self.block_entries, self.entries - block * self.block_entries)

    def _code_bytes(self, block):
        return (self._entries_in(block) * self.bits + 7) // 8

    def _read_models(self, models):
        n = ZSTD.ZSTD_getFrameContentSize(models, len(models))
        if n > 1 << 22:
            self.fail("models: impossible content size")
        raw = ctypes.create_string_buffer(n)
        if ZSTD.ZSTD_decompress(raw, n, models, len(models)) != n:
            self.fail("models: do not decompress")
        data, at = raw.raw, 0
        self.terms, self.models = [], []
        for _ in range(4 if self.metric == 3 else 1):
            count = data[at]
            self.terms.append([tuple(data[at + 1 + 3 * i:at + 4 + 3 * i]) for i in range(count)])
            at += 1 + 3 * count
        for terms in self.terms:
            contexts = 1
            for kind, which, cap in terms:
                contexts *= levels(kind, which, cap)
            counts = struct.unpack_from(f"<{contexts + 1}H", data, at)
            at += 2 * (contexts + 1)
            total = sum(counts)
            symbols = struct.unpack_from(f"<{total}H", data, at)
            sizes = struct.unpack_from(f"<{total}H", data, at + 2 * total)
            at += 4 * total
            firsts, first = [], 0
            for count in counts:
                firsts.append(first if count else total - counts[-1])
                first += count
            self.models.append((firsts, symbols, sizes))
        if at != len(data):
            self.fail("models: wrong size")

    def _small_block(self, block):
        """Codes and steps of a block in codec 3, as bytes like those of codec 1."""
        at, size, checksum = self.index[block // self.group]
        self.file.seek(at)
        data = self.file.read(size)
        if xxh3 and xxh3(data) != checksum:
            self.fail(f"block {block}: checksum mismatch")
        first = block // self.group * self.group
        count = min(self.group, self.blocks - first)
        at, lengths = 0, []
        for _ in range(count):
            length = shift = 0
            while True:
                byte, at = data[at], at + 1
                length |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            lengths.append(length)
        at += sum(lengths[:block - first])
        stream = data[at:at + lengths[block - first]]
        in_state = len(stream) if len(stream) < 5 else 4 - len(stream) % 2
        state, used = int.from_bytes(stream[:in_state], "little"), in_state

        def take(kind, context):
            nonlocal state, used
            firsts, symbols, sizes = self.models[kind]
            slot, start, i = state & 16383, 0, firsts[context]
            while slot >= start + (sizes[i] or 16384):
                start += sizes[i]
                i += 1
            state = (sizes[i] or 16384) * (state >> 14) + slot - start
            if state < 1 << 16 and used < len(stream):
                state = state << 16 | stream[used] | stream[used + 1] << 8
                used += 2
            return symbols[i]

        n, base = self._entries_in(block), block * self.block_entries
        codes = [self.beside.table(self.subspace, "wdl").code(base + i) for i in range(n)] if self.metric > 1 else []
        depths = [self.beside.table(self.subspace, "dtz").code(base + i) for i in range(n)] if self.metric > 2 else None
        values, steps, latest = [], b"", {}
        for i in range(n):
            position = self.features.position(base + i)
            links = {}

            def link(which):
                if which not in links:
                    to = self.features.link(which, base + i, position)
                    links[which] = to - base if to is not None and to >= base else None
                return links[which]

            def context(kind, value=0, budget=0):
                number, stride = 0, 1
                depth = depths[i] if depths else 0
                for term, which, cap in self.terms[kind]:
                    if term == 0:
                        level = self.features.level(which, position)
                    elif term == 1:
                        level = 3 if link(which) is None else codes[link(which)]
                    elif term == 2:
                        to = link(which)
                        level = cap + 1 if to is None or codes[to] != codes[i] else min(max(values[to] - depth, 0), cap)
                    elif term == 3:
                        level = codes[i] - 1
                    elif term == 4:
                        level = min(depth, cap)
                    elif term == 5:
                        last = latest.get((codes[i], min(depth, 255)))
                        level = cap + 1 if last is None else min(last, cap)
                    elif term == 6:
                        level = min(max(value - depth, 0), cap)
                    else:
                        level = min(max(budget - depth, 0), cap)
                    number += stride * level
                    stride *= levels(term, which, cap)
                return number

            if self.metric == 1:
                codes.append(take(0, context(0)))
                continue
            if codes[i] == 0:
                values.append(0)
                continue
            extra = take(0, context(0))
            latest[codes[i], min(depths[i], 255) if depths else 0] = extra
            value = extra + depths[i] & 65535 if depths else extra
            values.append(value)
            if self.metric == 2 or self.limit < 2:
                continue
            budget = depths[i]
            for _ in range(take(1, context(1, value))):
                budget += take(2, context(2, value, budget))
                steps += struct.pack("<IHH", i, budget, (value + take(3, context(3, value, budget))) & 65535)
        if state or used != len(stream):
            self.fail(f"block {block}: does not decode")
        if self.metric == 1:
            codes += [0] * (-n % 4)
            return bytes(codes[i] | codes[i + 1] << 2 | codes[i + 2] << 4 | codes[i + 3] << 6 for i in range(0, n, 4))
        return struct.pack(f"<{n}{'B' if self.bits == 8 else 'H'}", *values) + steps

    def _block(self, block):
        if self.small:
            return self._small_block(block)
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
            if table:
                table.beside = self
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
