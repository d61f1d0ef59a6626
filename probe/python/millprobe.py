"""Perfect play for the mill games, from tables: Python's view of libmillprobe.

    tables = Tables("lg9")
    tables.add_directory("tables")
    print(tables.probe("3/3/2W/B1W3/1W1/2B/B2 w 0,0"))
    for turn in tables.moves("3/3/2W/B1W3/1W1/2B/B2 w 0,0"):
        print(turn.move, turn.outcome, turn.dte)

Positions and turns are texts. Needs nothing but the shared library, which is looked for by name, or at the path in
the environment variable MILLPROBE_LIBRARY. A Tables may be used from several threads.
"""

import ctypes
import ctypes.util
import os
from ctypes import POINTER, c_char, c_char_p, c_int, c_int8, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import List, NamedTuple, Optional, Tuple

__all__ = ["Error", "File", "Move", "Result", "Tables"]

OUTCOMES = ("draw", "win", "loss")
_ALL = 7
_MAX_TURNS = 2048
_TEXT_SIZE = 64


class _Error(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("status", c_int), ("text", c_char * 500)]


class _Options(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("cache_bytes", c_uint64), ("flags", c_uint32)]


class _File(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("path", c_char_p), ("subspace", c_char_p), ("metric", c_char_p),
                ("bytes", c_uint64), ("status", c_int), ("reason", c_char_p)]


_FileCallback = ctypes.CFUNCTYPE(None, POINTER(_File), c_void_p)
_NameCallback = ctypes.CFUNCTYPE(None, c_char_p, c_void_p)


class _Report(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("found", c_uint64), ("refused", c_uint64), ("callback", _FileCallback),
                ("user", c_void_p)]


class _Position(ctypes.Structure):
    _fields_ = [("stones", c_uint32 * 2), ("reserve", c_uint8 * 2), ("side", c_uint8), ("counter", c_uint8),
                ("restriction", (c_int8 * 2) * 2)]


class _Turn(ctypes.Structure):
    _fields_ = [("from_", c_int8), ("to", c_int8), ("capture", c_int8)]


class _Result(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("fields", c_uint32), ("outcome", c_int32), ("dtz", c_int32),
                ("dte", c_int32), ("ends", c_int32), ("status", c_int32)]


class _RankedTurn(ctypes.Structure):
    _fields_ = [("turn", _Turn), ("zeroing", c_uint8), ("outcome", c_int32), ("dtz", c_int32), ("dte", c_int32),
                ("ends", c_int32)]


class _Step(ctypes.Structure):
    _fields_ = [("budget", c_int32), ("dte", c_int32)]


class _CacheStats(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t)] + [(name, c_uint64) for name in
                                              ("hits", "misses", "evictions", "blocks", "bytes", "limit",
                                               "table_bytes")]


class _Progress(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("path", c_char_p)] + [
        (name, c_uint64) for name in ("tables", "tables_done", "blocks", "blocks_done")]


_ProgressCallback = ctypes.CFUNCTYPE(c_int, POINTER(_Progress), c_void_p)


class Error(Exception):
    """A call that failed; status is the negative code of millprobe.h."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status


class Result(NamedTuple):
    """Value of a position for the side to move. Distances are None for draws and without their table."""
    outcome: str
    dte: Optional[int]
    dtz: Optional[int]
    ends: Optional[str]


class Move(NamedTuple):
    """A legal turn, seen from the side that plays it; dte includes it."""
    move: str
    outcome: str
    dte: Optional[int]
    dtz: Optional[int]
    zeroing: bool
    ends: Optional[str]


class File(NamedTuple):
    path: str
    subspace: str
    metric: str
    bytes: int
    status: int
    reason: str


def _load(path: Optional[str]) -> ctypes.CDLL:
    name = path or os.environ.get("MILLPROBE_LIBRARY") or ctypes.util.find_library("millprobe") or "libmillprobe.so.0"
    lib = ctypes.CDLL(name)
    tables, position, error = c_void_p, POINTER(_Position), POINTER(_Error)
    signatures = {
        "mp_open": [c_char_p, POINTER(_Options), POINTER(c_void_p), error],
        "mp_add_directory": [tables, c_char_p, POINTER(_Report), error],
        "mp_list_files": [tables, _FileCallback, c_void_p, error],
        "mp_start": [tables, position, error],
        "mp_parse_position": [tables, c_char_p, position, error],
        "mp_position_text": [position, c_char_p, c_size_t, error],
        "mp_parse_turn": [c_char_p, POINTER(_Turn), error],
        "mp_turn_text": [POINTER(_Turn), c_char_p, c_size_t, error],
        "mp_play": [tables, position, POINTER(_Turn), position, error],
        "mp_subspace_text": [position, c_char_p, c_size_t, error],
        "mp_probe": [tables, position, c_uint32, POINTER(_Result), error],
        "mp_probe_soft": [tables, position, c_uint32, POINTER(_Result), error],
        "mp_probe_many": [tables, position, c_size_t, c_uint32, POINTER(_Result), error],
        "mp_rank_turns": [tables, position, c_uint32, POINTER(_RankedTurn), POINTER(c_size_t), error],
        "mp_best_line": [tables, position, POINTER(_Turn), POINTER(c_size_t), error],
        "mp_profile": [tables, position, POINTER(_Step), POINTER(c_size_t), error],
        "mp_missing": [tables, position, _NameCallback, c_void_p, error],
        "mp_set_cache_size": [tables, c_uint64, error],
        "mp_get_cache_stats": [tables, POINTER(_CacheStats), error],
        "mp_verify": [tables, _ProgressCallback, c_void_p, error],
    }
    for function, arguments in signatures.items():
        getattr(lib, function).argtypes = arguments
        getattr(lib, function).restype = c_int
    lib.mp_close.argtypes = [tables]
    lib.mp_close.restype = None
    for function, arguments in (("mp_strerror", [c_int]), ("mp_reason_text", [c_int]), ("mp_version", []),
                                ("mp_ruleset_name", [tables])):
        getattr(lib, function).argtypes = arguments
        getattr(lib, function).restype = c_char_p
    return lib


class Tables:
    """The tables of one ruleset: a preset such as "lg9", or "lg9;pieces=4", or the text of an INI file."""

    def __init__(self, ruleset: str, cache_bytes: int = 0, library: Optional[str] = None):
        self._handle = None
        self._lib = _load(library)
        options = _Options(ctypes.sizeof(_Options), cache_bytes, 0)
        handle = c_void_p()
        self._call(self._lib.mp_open, ruleset.encode(), ctypes.byref(options), ctypes.byref(handle))
        self._handle = handle

    def close(self) -> None:
        if self._handle:
            self._lib.mp_close(self._handle)
            self._handle = None

    def __enter__(self) -> "Tables":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self):
        self.close()

    def version(self) -> str:
        return self._lib.mp_version().decode()

    def ruleset(self) -> str:
        return self._lib.mp_ruleset_name(self._handle).decode()

    def add_directory(self, path: str) -> List[File]:
        """Takes the tables of a directory; tells which were found, and which refused (status is not 0)."""
        files: List[File] = []
        report = _Report(ctypes.sizeof(_Report), 0, 0, self._collect(files), None)
        self._call(self._lib.mp_add_directory, self._handle, os.fsencode(path), ctypes.byref(report))
        return files

    def files(self) -> List[File]:
        files: List[File] = []
        self._call(self._lib.mp_list_files, self._handle, self._collect(files), None)
        return files

    def start(self) -> str:
        p = _Position()
        self._call(self._lib.mp_start, self._handle, ctypes.byref(p))
        return self._text(p)

    def subspace(self, position: str) -> str:
        return self._write(self._lib.mp_subspace_text, self._parse(position))

    def play(self, position: str, move: str) -> str:
        p, turn = self._parse(position), _Turn()
        self._call(self._lib.mp_parse_turn, move.encode(), ctypes.byref(turn))
        self._call(self._lib.mp_play, self._handle, ctypes.byref(p), ctypes.byref(turn), ctypes.byref(p))
        return self._text(p)

    def probe(self, position: str, fields: int = _ALL) -> Result:
        r = _Result(ctypes.sizeof(_Result))
        self._call(self._lib.mp_probe, self._handle, ctypes.byref(self._parse(position)), fields, ctypes.byref(r))
        return self._result(r)

    def probe_many(self, positions: List[str], fields: int = _ALL) -> List[Result]:
        if not positions:
            return []
        ps = (_Position * len(positions))(*[self._parse(p) for p in positions])
        results = (_Result * len(positions))()
        results[0].struct_size = ctypes.sizeof(_Result)
        self._call(self._lib.mp_probe_many, self._handle, ps, len(positions), fields, results)
        return [self._result(r) for r in results]

    def moves(self, position: str, fields: int = _ALL) -> List[Move]:
        """All legal turns, best first."""
        turns, count = (_RankedTurn * _MAX_TURNS)(), c_size_t(_MAX_TURNS)
        self._call(self._lib.mp_rank_turns, self._handle, ctypes.byref(self._parse(position)), fields, turns,
                   ctypes.byref(count))
        return [Move(self._write(self._lib.mp_turn_text, t.turn), OUTCOMES[t.outcome], self._number(t.dte),
                     self._number(t.dtz), bool(t.zeroing), self._reason(t.ends)) for t in turns[:count.value]]

    def line(self, position: str) -> List[str]:
        """Best play to the end of the game; empty for draws."""
        room = 4096
        while True:
            turns, count = (_Turn * room)(), c_size_t(room)
            self._call(self._lib.mp_best_line, self._handle, ctypes.byref(self._parse(position)), turns,
                       ctypes.byref(count))
            if count.value <= room:
                return [self._write(self._lib.mp_turn_text, t) for t in turns[:count.value]]
            room = count.value

    def profile(self, position: str) -> List[Tuple[int, int]]:
        """(budget, dte) where the distance changes with the budget of quiet plies."""
        steps, count = (_Step * 256)(), c_size_t(256)
        self._call(self._lib.mp_profile, self._handle, ctypes.byref(self._parse(position)), steps,
                   ctypes.byref(count))
        return [(s.budget, s.dte) for s in steps[:count.value]]

    def missing(self, position: str) -> List[str]:
        """The subspaces that ranking all turns needs and that are not there."""
        names: List[str] = []
        callback = _NameCallback(lambda name, _: names.append(name.decode()))
        self._call(self._lib.mp_missing, self._handle, ctypes.byref(self._parse(position)), callback, None)
        return names

    def set_cache_size(self, size: int) -> None:
        self._call(self._lib.mp_set_cache_size, self._handle, size)

    def cache_stats(self) -> dict:
        s = _CacheStats(ctypes.sizeof(_CacheStats))
        self._call(self._lib.mp_get_cache_stats, self._handle, ctypes.byref(s))
        return {name: getattr(s, name) for name, _ in _CacheStats._fields_[1:]}

    def verify(self, progress=None) -> None:
        """Checks every block; progress(path, blocks_done, blocks) returns False to stop."""
        def step(at, _):
            if progress is None:
                return 0
            p = at.contents
            return 1 if progress(os.fsdecode(p.path), p.blocks_done, p.blocks) is False else 0
        self._call(self._lib.mp_verify, self._handle, _ProgressCallback(step), None)

    def _call(self, function, *arguments) -> int:
        error = _Error(ctypes.sizeof(_Error))
        status = function(*arguments, ctypes.byref(error))
        if status < 0:
            raise Error(status, error.text.decode(errors="replace") or self._lib.mp_strerror(status).decode())
        return status

    def _parse(self, position: str) -> _Position:
        p = _Position()
        self._call(self._lib.mp_parse_position, self._handle, position.encode(), ctypes.byref(p))
        return p

    def _write(self, function, value) -> str:
        buffer = ctypes.create_string_buffer(_TEXT_SIZE)
        self._call(function, ctypes.byref(value), buffer, _TEXT_SIZE)
        return buffer.value.decode()

    def _text(self, p: _Position) -> str:
        return self._write(self._lib.mp_position_text, p)

    def _reason(self, code: int) -> Optional[str]:
        return self._lib.mp_reason_text(code).decode() or None

    @staticmethod
    def _number(n: int) -> Optional[int]:
        return None if n < 0 else n

    def _result(self, r: _Result) -> Result:
        return Result(OUTCOMES[r.outcome], self._number(r.dte), self._number(r.dtz), self._reason(r.ends))

    @staticmethod
    def _collect(files: List[File]):
        def take(f, _):
            f = f.contents
            files.append(File(os.fsdecode(f.path), f.subspace.decode(), f.metric.decode(), f.bytes, f.status,
                              f.reason.decode(errors="replace")))
        return _FileCallback(take)
