#!/usr/bin/env python3
"""Prints what a build took, as a table: one line per group of subspaces that were solved together.

usage: tools/build_report.py FOLDER      a ruleset's folder in a table directory

Columns, separated by tabs: group, metrics, positions (entries up to symmetry), threads, seconds of solving, seconds
in all (with loading, compressing and writing), seconds of processor time in all (which other work on the machine does
not lengthen; - where a log lacks it), millions of positions per second and core while solving, most memory
of the process meanwhile in MiB (tables kept for later groups included), bytes of its files.
"""
import json
import os
import sys


def main(folder):
    latest = {}
    with open(os.path.join(folder, "solve-log.jsonl"), encoding="utf-8") as log:
        for line in log:
            try:
                record = json.loads(line)
            except ValueError:
                continue  # a line cut off by a crash
            latest[record["subspace"]] = record
    print("group\tmetrics\tpositions\tthreads\tsolve_s\ttotal_s\tcpu_s\tM_per_s_core\tpeak_MiB\tbytes")
    sums = [0, 0.0, 0.0, 0, 0, 0.0]
    for r in sorted(latest.values(), key=lambda r: -r["positions"]):
        size = 0
        for subspace in r["subspace"].split(","):
            for metric in ("wdl", "dtz", "dte"):
                path = os.path.join(folder, f"{subspace}.{metric}")
                size += os.path.getsize(path) if os.path.exists(path) else 0
        peak = r.get("peak_memory", 0) >> 20
        rate = r["positions"] / r["seconds"] / r["threads"] / 1e6
        cpu = f"{r['cpu_seconds']:.1f}" if "cpu_seconds" in r else "-"
        metrics = "wdl,dtz,dte" if r["dte"] else "wdl,dtz"
        print(f"{r['subspace']}\t{metrics}\t{r['positions']}\t{r['threads']}\t{r['seconds']:.1f}\t{r['total_seconds']:.1f}"
              f"\t{cpu}\t{rate:.2f}\t{peak}\t{size}")
        sums = [sums[0] + r["positions"], sums[1] + r["seconds"], sums[2] + r["total_seconds"],
                max(sums[3], peak), sums[4] + size, sums[5] + r.get("cpu_seconds", 0)]
    threads = max(r["threads"] for r in latest.values())
    print(f"all\t\t{sums[0]}\t{threads}\t{sums[1]:.1f}\t{sums[2]:.1f}\t{sums[5]:.1f}\t{sums[0] / sums[2] / threads / 1e6:.2f}\t{sums[3]}\t{sums[4]}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    main(sys.argv[1])
