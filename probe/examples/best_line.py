"""Best play to the end of the game, in Python.

    python3 best_line.py lg9 tables '3/3/2W/B1W3/1W1/2B/B2 w 0,0'
"""
import sys

import millprobe


def main() -> int:
    if len(sys.argv) != 4:
        print("usage: best_line.py RULESET DIRECTORY POSITION", file=sys.stderr)
        return 2
    ruleset, directory, position = sys.argv[1:]
    try:
        with millprobe.Tables(ruleset) as tables:
            tables.add_directory(directory)
            value = tables.probe(position)
            print(value.outcome if value.dte is None else f"{value.outcome} in {value.dte}")
            print(" ".join(tables.line(position)))
    except millprobe.Error as e:
        print(f"best_line.py: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
