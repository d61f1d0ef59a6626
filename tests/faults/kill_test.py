#!/usr/bin/env python3
"""Kills builds at random moments. However they end, what lies under a final name is whole, and the same command
completes the directory to what an undisturbed build makes, byte for byte.

usage: kill_test.py MILLWRIGHT [KILLS [SEED]]
"""

import os
import random
import signal
import sys
import tempfile
import time

from common import damaged, difference, files, fresh, undisturbed, Failures, Game

GAME = ["--rules", "lg9", "--set", "pieces=3", "--set", "quiet_limit=12", "--start", "--threads", "2"]
LONG = ["--rules", "lg9", "--stones", "10", "--threads", "2"]


class Kills:
    def __init__(self, millwright, folder, seed):
        self.game = Game(millwright, GAME)
        self.folder, self.random, self.failures = folder, random.Random(seed), Failures()
        self.good, self.seconds = undisturbed(self.game, folder)
        self.kills = self.late = self.comparisons = 0

    def check_names(self, tables, when):
        for name in damaged(tables, self.good):
            self.failures.add(f"{when}: {name} has its final name and is damaged")

    def complete(self, tables, when):
        """Goes on with the build, which has to end like an undisturbed one."""
        code, text = self.game.run(tables)
        self.comparisons += 1
        if code != 0:
            self.failures.add(f"{when}: going on ends with {code}: {text}")
        elif difference(tables, self.good):
            self.failures.add(f"{when}: {difference(tables, self.good)}")

    def wait_and_kill(self, process):
        """Whether the process was still at work when it was killed."""
        time.sleep(self.random.random() * self.seconds)
        process.kill()
        _, text = process.communicate()
        if process.returncode == -signal.SIGKILL:
            self.kills += 1
            return True
        self.late += 1
        if process.returncode != 0:
            self.failures.add(f"a build nobody killed ends with {process.returncode}: {text.decode()}")
        return False

    def alone(self, wanted):
        """One process at a time; about every second kill hits a directory that has been killed before."""
        tables, begun = fresh(os.path.join(self.folder, "alone")), self.kills
        while self.kills < begun + wanted and self.late < 20 * wanted:
            killed = self.wait_and_kill(self.game.start(tables))
            when = f"kill {self.kills}"
            self.check_names(tables, when)
            if not killed or self.random.random() < 0.5:
                self.complete(tables, when)
                fresh(tables)
        self.complete(tables, "after the last kill")

    def together(self, wanted):
        """Two processes in one directory: either is killed, sometimes replaced, and the other completes it."""
        begun = self.kills
        while self.kills < begun + wanted and self.late < 20 * wanted:
            tables = fresh(os.path.join(self.folder, "together"))
            pair = [self.game.start(tables), self.game.start(tables)]
            victim = pair.pop(self.random.randrange(2))
            self.wait_and_kill(victim)
            when = f"kill {self.kills} (of two)"
            if self.random.random() < 0.5:
                pair.append(self.game.start(tables))
            for process in pair:
                _, text = process.communicate()
                if process.returncode != 0:
                    self.failures.add(f"{when}: the other process ends with {process.returncode}: {text.decode()}")
            self.check_names(tables, when)
            if difference(tables, self.good):
                self.failures.add(f"{when}: {difference(tables, self.good)}")
            self.comparisons += 1

    def signals(self, rounds):
        """SIGTERM and SIGINT are obeyed within seconds, wherever they come, and leave nothing half-written."""
        game, slowest = Game(self.game.millwright, LONG), 0.0
        for n in range(rounds):
            tables = fresh(os.path.join(self.folder, "signals"))
            number, code = (signal.SIGTERM, 143) if n % 2 else (signal.SIGINT, 130)
            process = game.start(tables)
            time.sleep(0.3 + self.random.random() * 2)
            began = time.monotonic()
            process.send_signal(number)
            _, text = process.communicate()
            slowest = max(slowest, time.monotonic() - began)
            if process.returncode != code:
                self.failures.add(f"{number.name}: exit code {process.returncode}, expected {code}")
            if b"goes on" not in text:
                self.failures.add(f"{number.name}: says nothing of going on: {text.decode()}")
            if any(".tmp-" in name for name in files(tables)):
                self.failures.add(f"{number.name}: a half-written file stayed")
        if slowest > 5:
            self.failures.add(f"a signal was obeyed only after {slowest:.1f} s")
        return slowest


def main():
    millwright = sys.argv[1]
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 25
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with tempfile.TemporaryDirectory() as folder:
        test = Kills(millwright, folder, seed)
        test.alone(wanted - wanted // 3)
        test.together(wanted // 3)
        rounds = max(2, wanted // 10)
        slowest = test.signals(rounds)
        if test.kills < wanted:
            test.failures.add(f"only {test.kills} kills came before the end of their build")
        test.failures.exit(
            f"{test.kills} processes killed at work ({test.late} had ended before), {test.comparisons} directories "
            f"completed and compared; {rounds} stopped by a signal, the slowest in {slowest:.2f} s"
        )


if __name__ == "__main__":
    main()
