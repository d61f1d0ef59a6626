#!/usr/bin/env python3
"""Makes builds fail: every call to the system that writes, names, locks or reads a file, too little memory, folders
that cannot be written or vanish. Each has to end with a message and exit code 4, leave no damaged table under a
final name, and the same command has to complete the directory to what an undisturbed build makes.

usage: fault_test.py MILLWRIGHT INJECTOR [EVERY]     EVERY: only one in so many places (default 1, all)
"""

import errno
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

from common import damaged, difference, files, fresh, undisturbed, Failures, Game

GAME = ["--rules", "lg9", "--set", "pieces=3", "--set", "quiet_limit=4", "--start", "--threads", "2"]
# Which call fails, on which files, and how.
CALLS = [
    ("open", "", errno.EACCES),
    ("openat", "", errno.EMFILE),
    ("mkdir", "", errno.EROFS),
    ("flock", "locks", errno.ENOLCK),
    ("pwrite", "", errno.ENOSPC),
    ("write", "", errno.ENOSPC),
    ("fsync", "", errno.EIO),
    ("close", ".tmp-", errno.EIO),
    ("rename", "", errno.EROFS),
    ("mmap", "", errno.ENOMEM),
]


class Faults:
    def __init__(self, millwright, injector, folder, every):
        self.game, self.injector, self.folder, self.every = Game(millwright, GAME), injector, folder, every
        self.failures = Failures()
        self.good, self.seconds = undisturbed(self.game, folder)
        self.counts = {}

    def count(self, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def environment(self, **inject):
        settings = {f"INJECT_{name.upper()}": str(value) for name, value in inject.items()}
        return {**os.environ, "LD_PRELOAD": self.injector, **settings}

    def calls_of(self, call, **inject):
        """How many such calls an undisturbed build makes."""
        file = os.path.join(self.folder, "count")
        code, text = self.game.run(
            fresh(os.path.join(self.folder, "counted")), env=self.environment(call=call, count=file, **inject)
        )
        if code != 0:
            self.failures.add(f"counting {call}: exit code {code}: {text}")
            return 0
        with open(file, encoding="ascii") as counted:
            return int(counted.read())

    def check(self, kind, code, text, tables, says="", codes=(4,), leaves=False):
        """After a disturbed build; goes on with it. `leaves`: it had no means to remove what was half-written."""
        self.count(kind)
        if code not in codes:
            self.failures.add(f"{kind}: exit code {code}, expected {codes}: {text}")
        elif code != 0 and not (text.startswith("millwright: ") and says in text):
            self.failures.add(f"{kind}: the message does not say '{says}': {text!r}")
        for name in damaged(tables, self.good):
            self.failures.add(f"{kind}: {name} has its final name and is damaged")
        if code != 0 and not leaves and any(".tmp-" in name for name in files(tables)):
            self.failures.add(f"{kind}: a half-written file stayed")
        self.complete(kind, tables)

    def complete(self, kind, tables):
        code, text = self.game.run(tables)
        if code != 0:
            self.failures.add(f"{kind}: going on ends with {code}: {text}")
        elif difference(tables, self.good):
            self.failures.add(f"{kind}: {difference(tables, self.good)}")

    def calls(self):
        for call, path, number in CALLS:
            tables = os.path.join(self.folder, "tables")
            # Files of the build only: libraries and the like are loaded by the same calls.
            where = path or tables
            total = self.calls_of(call, path=path or os.path.join(self.folder, "counted"))
            if total == 0:
                self.failures.add(f"an undisturbed build never calls {call}: what is tested here?")
            step = max(1, min(self.every, total // 3))
            for at in range(1, total + 1, step):
                fresh(tables)
                stays = (at // step) % 2
                code, text = self.game.run(
                    tables,
                    env=self.environment(call=call, at=at, path=where, errno=number, stays=stays, short=stays),
                )
                self.check(f"{call} fails", code, text, tables, os.strerror(number))

    def file_sizes(self):
        """The limit for file sizes, as a disk that fills up."""
        largest = max(path.stat().st_size for path in files(self.good).values())
        for n in range(0, 20, 1 + self.every // 5):
            limit = largest * n // 20
            tables = fresh(os.path.join(self.folder, "tables"))
            code, text = self.game.run(
                tables, preexec_fn=lambda most=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            )
            self.check("file size limit", code, text, tables, os.strerror(errno.EFBIG))

    def places(self):
        """Folders and names that cannot be used."""
        root = fresh(os.path.join(self.folder, "places"))
        ruleset = os.listdir(self.good)[0]
        plain = os.path.join(root, "file")
        with open(plain, "w", encoding="ascii"):
            pass
        code, text = self.game.run(os.path.join(plain, "tables"))
        self.count("folder under a file")
        if code != 4 or plain not in text:
            self.failures.add(f"a folder under a file: exit code {code}: {text}")
        for kind, name in (
            ("lock that is a folder", "locks/3-3+0-0/x"),
            ("table that is a folder", "3-3+0-0.dtz/x"),
            ("manifest that is a folder", "manifest.json/x"),
        ):
            tables = os.path.join(root, "tables")
            fresh(os.path.join(tables, ruleset, name))
            code, text = self.game.run(tables)
            self.count(kind)
            if code != 4 or not text.startswith("millwright: ") or name.split("/x")[0] not in text:
                self.failures.add(f"{kind}: exit code {code}: {text}")
            os.removedirs(os.path.join(tables, ruleset, name))
            self.complete(kind, tables)
            fresh(tables)
        tables = os.path.join(root, "locks-file")
        os.makedirs(os.path.join(tables, ruleset))
        with open(os.path.join(tables, ruleset, "locks"), "w", encoding="ascii"):
            pass
        code, text = self.game.run(tables)
        os.remove(os.path.join(tables, ruleset, "locks"))
        self.check("locks that are a file", code, text, tables, "locks")

    def unwritable(self):
        """A folder without the right to write (root has it always; then the kernel is not asked)."""
        if os.geteuid() == 0:
            return
        tables = fresh(os.path.join(self.folder, "tables"))
        os.chmod(tables, 0o555)
        code, text = self.game.run(tables)
        os.chmod(tables, 0o755)
        self.check("read-only folder", code, text, tables, os.strerror(errno.EACCES))

    def vanishing(self, rounds):
        """The directory is taken away while it is built in."""
        for n in range(rounds):
            tables, away = (fresh(os.path.join(self.folder, name)) for name in ("tables", "away"))
            os.rmdir(away)
            process = self.game.start(tables)
            time.sleep(self.seconds * (n + 1) / (rounds + 1))
            os.rename(tables, away)
            _, text = process.communicate()
            if process.returncode == 0:
                # It had been done, or not begun: then it has made a directory of its own, whole as any.
                if not os.path.exists(tables):
                    os.rename(away, tables)
            else:
                # What was written into a folder made anew must be whole as well.
                for name in damaged(fresh(tables) if not os.path.exists(tables) else tables, self.good):
                    self.failures.add(f"vanished folder: {name} is damaged")
                fresh(tables)
                os.rmdir(tables)
                os.rename(away, tables)
            self.check("vanished folder", process.returncode, text.decode().strip(), tables, "", (0, 3, 4), True)

    def memory(self):
        """Address space, from hardly enough for the program itself to more than enough."""
        megabytes, ends = 4.0, set()
        while megabytes < 1000:
            most = int(megabytes * 2**20)
            megabytes *= 1.02 if self.every == 1 else 1.25
            tables = fresh(os.path.join(self.folder, "tables"))
            code, text = self.game.run(
                tables, preexec_fn=lambda size=most: resource.setrlimit(resource.RLIMIT_AS, (size, size))
            )
            if code == 127 or code == -signal.SIGKILL:
                continue  # the program could not even be loaded
            if code == 1 and text.startswith("libgomp: Out of memory"):
                # The OpenMP runtime ended it before main(), which would have turned that into 4: then nothing else works.
                nothing = subprocess.run(
                    [self.game.millwright, "--version"],
                    capture_output=True,
                    check=False,
                    preexec_fn=lambda size=most: resource.setrlimit(resource.RLIMIT_AS, (size, size)),
                )
                if nothing.returncode == 1 and nothing.stdout == b"":
                    continue
            ends.add(code)
            self.check(f"address space ({'enough' if code == 0 else 'too little'})", code, text, tables, "", (0, 4))
        if ends != {0, 4}:
            self.failures.add(f"address space: no limit was too small, or none enough: {ends}")
        total = self.calls_of("malloc", least=4096)
        step = max(1, total // (400 if self.every == 1 else 12))
        for at in range(1, total + 1, step):
            tables = fresh(os.path.join(self.folder, "tables"))
            code, text = self.game.run(tables, env=self.environment(call="malloc", at=at, least=4096))
            self.check("allocation fails", code, text, tables, "", (0, 4))
        tables = fresh(os.path.join(self.folder, "tables"))
        half = self.calls_of("GOMP_parallel") // 2
        code, text = self.game.run(tables, env=self.environment(call="GOMP_parallel", at=half))
        self.count("OpenMP runtime gives up")  # with a message of its own
        if code != 4:
            self.failures.add(f"OpenMP runtime gives up: exit code {code}, expected 4: {text}")
        for name in damaged(tables, self.good):
            self.failures.add(f"OpenMP runtime gives up: {name} has its final name and is damaged")
        self.complete("OpenMP runtime gives up", tables)
        tables = fresh(os.path.join(self.folder, "tables"))
        code, text = self.game.run(tables, "--memory", "100K")
        self.check("too small --memory", code, text, tables, "--memory")

    def clock(self):
        tables = fresh(os.path.join(self.folder, "tables"))
        code, text = self.game.run(tables, env=self.environment(clock=1))
        self.check("time of day jumps", code, text, tables, "", (0,))

    def verify(self):
        """Reading fails as well."""
        for call in ("open", "mmap", "openat"):
            done = subprocess.run(
                [self.game.millwright, "verify", "--rules", "lg9", "--set", "quiet_limit=4", "--tables", self.good],
                env=self.environment(call=call, at=2 if call != "openat" else 1, path=self.good, errno=errno.EIO),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                check=False,
            )
            self.count(f"verify: {call} fails")
            if done.returncode != 4 or not done.stderr.startswith(b"millwright: "):
                self.failures.add(f"verify, {call} fails: exit code {done.returncode}: {done.stderr.decode()}")


def main():
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    with tempfile.TemporaryDirectory() as folder:
        test = Faults(sys.argv[1], sys.argv[2], folder, every)
        test.calls()
        test.file_sizes()
        test.places()
        test.unwritable()
        test.vanishing(40 if every == 1 else 5)
        test.memory()
        test.clock()
        test.verify()
        for kind, number in test.counts.items():
            print(f"{number:6} {kind}")
        test.failures.exit(f"{sum(test.counts.values())} faults")


if __name__ == "__main__":
    main()
