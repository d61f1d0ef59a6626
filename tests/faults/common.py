"""What the fault tests share: a build as a process, comparing table directories, telling what went wrong."""

import filecmp
import os
import pathlib
import shutil
import subprocess
import sys
import time

TABLES = (".wdl", ".dtz", ".dte")
# Many builds at once: their threads must not burn the time in which the others could work.
os.environ["OMP_WAIT_POLICY"] = "passive"


class Failures:
    """Counts what went wrong, and says it at once."""

    def __init__(self):
        self.count = 0

    def add(self, text):
        self.count += 1
        print("FAILED " + text, file=sys.stderr, flush=True)

    def exit(self, summary):
        print(summary + (": all good" if self.count == 0 else f": {self.count} FAILED"))
        sys.exit(1 if self.count else 0)


class Game:
    """One build command; its tables go to the directory that a call names."""

    def __init__(self, millwright, options):
        self.millwright = millwright
        self.options = options

    def command(self, tables, *more):
        return [self.millwright, "build", *self.options, "--tables", str(tables), "--progress", "none", *more]

    def start(self, tables, *more, **how):
        how.setdefault("stdout", subprocess.DEVNULL)
        how.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen(self.command(tables, *more), **how)

    def run(self, tables, *more, **how):
        """Exit code and standard error."""
        done = subprocess.run(self.command(tables, *more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **how)
        return done.returncode, done.stderr.decode(errors="replace").strip()


def undisturbed(game, folder):
    """Tables to compare with, and how long they take."""
    tables = os.path.join(folder, "undisturbed")
    began = time.monotonic()
    code, text = game.run(tables)
    if code != 0:
        sys.exit(f"the undisturbed build fails: {code} {text}")
    return tables, time.monotonic() - began


def files(tables):
    """All files of a table directory by relative path, without locks and the log of solving times."""
    root = pathlib.Path(tables)
    found = {}
    for path in root.rglob("*"):
        if path.is_file() and path.parent.name != "locks" and path.name != "solve-log.jsonl":
            found[str(path.relative_to(root))] = path
    return found


def damaged(tables, good):
    """Tables under their final name that are not what an undisturbed build makes."""
    reference = files(good)
    return [
        name
        for name, path in files(tables).items()
        if path.suffix in TABLES and (name not in reference or not filecmp.cmp(path, reference[name], shallow=False))
    ]


def difference(tables, good):
    """Why two directories are not the same, or ''."""
    ours, reference = files(tables), files(good)
    for name in sorted(set(ours) ^ set(reference)):
        return f"{name} is only in {'the disturbed' if name in ours else 'the undisturbed'} build"
    for name, path in ours.items():
        if not filecmp.cmp(path, reference[name], shallow=False):
            return f"{name} differs"
    return ""


def fresh(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path
