#!/bin/sh
# millprobe value, moves, line and missing on small tables; the Python reader on the same positions.
# usage: cli_test.sh MILLPROBE MILLWRIGHT READ_TABLE
set -u
probe=$1 wright=$2 reader=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

expect() { # name, expected, found
    [ "$2" = "$3" ] && return
    printf 'FAILED %s\n  expected: %s\n  found:    %s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
}
code() { # expected code, command...
    wanted=$1
    shift
    "$@" > "$work/out" 2> "$work/err"
    expect "exit code of $*" "$wanted" $?
}

"$wright" build --rules lg9 --set pieces=3 --all --tables "$work/t" --threads 2 > "$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
start='3/3/3/6/3/3/3 w 3,3 - 0'

expect "value without --rules" \
    "{\"position\":\"$start\",\"ruleset\":\"lg9\",\"outcome\":\"win\",\"dte\":23,\"dtz\":1,\"counter\":0,\"ends\":null}" \
    "$("$probe" value --tables "$work/t" --json)"
expect "the same with --rules and --set" "$("$probe" value --tables "$work/t" --json)" \
    "$("$probe" value --tables "$work/t" --rules lg9 --set pieces=3 --json "$start")"
expect "profile" '[[1,23]]' "$("$probe" value --tables "$work/t" --json --profile | sed 's/.*"profile"://; s/}$//')"
expect "turns of the first position" 24 "$("$probe" moves --tables "$work/t" --json | grep -o '"move":' | wc -l | tr -d ' ')"
expect "length of the line" 23 "$("$probe" line --tables "$work/t" --json | sed 's/.*"line":\[//' | tr ',' '\n' | wc -l | tr -d ' ')"
expect "nothing missing" "{\"position\":\"$start\",\"missing\":[]}" "$("$probe" missing --tables "$work/t" --json)"
expect "one missing" '{"position":"3/3/3/6/3/3/3 w 9,9 - 0","missing":["0-1+9-8"]}' \
    "$("$probe" missing --tables "$work/t" --rules lg9 --json)"
expect "a finished game" \
    '{"position":"WW1/3/3/3BBB/3/3/3 w 0,0 - 0","ruleset":"lg9","outcome":"loss","dte":0,"dtz":0,"counter":0,"ends":"too few stones"}' \
    "$("$probe" value --tables "$work/t" --json 'WW1/3/3/3BBB/3/3/3 w 0,0')"
expect "board, subspace and verdict for people" 1 "$("$probe" value --tables "$work/t" | grep -c 'subspace 0-0+3-3')"
expect "groups for people" "    1  g7xc5 (too few stones) g7xd5 (too few stones)" \
    "$("$probe" moves --tables "$work/t" 'WW1/3/BB1/6/3/3/3 w 1,1' | sed -n '/^winning/{n;p;}')"

code 0 "$probe" value --tables "$work/t"
code 2 "$probe" value --tables "$work/t" nonsense
code 3 "$probe" value --tables "$work/t" --rules lg9 '3/3/3/6/3/3/3 w 9,9'
code 3 "$probe" value --tables "$work/t" --rules lg12
code 3 "$probe" value --tables "$work/nowhere"
code 3 "$probe" moves --tables "$work" # a directory without tables
code 2 "$probe" value --tables "$work/t" --no-such-option
code 2 "$probe" value --tables "$work/t" --cache much
code 0 "$probe" value --tables "$work/t" --cache 1M --profile
code 2 "$probe" value --tables "$work/t" --rules lg9 --set pieces

code 0 "$probe" line --tables "$work/t"
expect "the line for people" 1 "$(grep -c '23\. ' "$work/out")"
expect "how it ends" 1 "$(tail -3 "$work/out" | grep -c '^White wins')"
code 0 "$probe" line --tables "$work/t" 'WW1/3/3/3BBB/3/3/3 w 0,0'
code 0 "$probe" value --tables "$work/t" 'WW1/3/3/3BBB/3/3/3 w 0,0'
expect "a finished game for people" 1 "$(grep -c 'The game is over' "$work/out")"
code 0 "$probe" missing --tables "$work/t"
code 0 "$probe" missing --tables "$work/t" --rules lg9 '3/3/3/6/3/3/3 w 9,9'

# Tables without a manifest go by the fingerprint in their headers; those of no preset need --rules.
cp -r "$work/t" "$work/bare"
rm "$work"/bare/*/manifest.json
expect "value without manifest" "$("$probe" value --tables "$work/t" --json)" \
    "$("$probe" value --tables "$work/bare" --json "$start")"
# Hostile manifests are as good as none: without end, a pipe that nobody writes to, nested deeper than memory goes.
manifest=$(echo "$work"/bare/*)/manifest.json
hostile() { # what it is
    expect "value with a manifest that is $1" "$("$probe" value --tables "$work/t" --json)" \
        "$( (ulimit -v 300000; timeout 60 "$probe" value --tables "$work/bare" --json "$start"))"
    rm "$manifest"
}
truncate -s 1T "$manifest"
hostile huge
mkfifo "$manifest"
hostile "a pipe"
{ printf '{"tables":'; head -c 8000000 /dev/zero | tr '\0' '['; } > "$manifest"
hostile nested
"$wright" build --rules lg9 --set pieces=3 --set quiet_limit=3 --start --tables "$work/own" --progress none
rm "$work"/own/*/manifest.json
code 2 "$probe" value --tables "$work/own" "$start"

printf '%s\nnonsense\n%s\n' "$start" '3/3/3/6/3/3/3 w 9,9' > "$work/lines"
"$probe" value --tables "$work/t" --rules lg9 --json - < "$work/lines" > "$work/out"
expect "exit code of a stream with both kinds of failure" 3 $?
expect "one object per line" 3 "$(wc -l < "$work/out" | tr -d ' ')"
expect "errors within the stream" 2 "$(grep -c '"error"' "$work/out")"
head -2 "$work/lines" | "$probe" value --tables "$work/t" --json - > /dev/null
expect "exit code of a stream with a bad position" 2 $?

"$wright" build --rules solved9 --set pieces=3 --all --tables "$work/t" --threads 2 > "$work/log" 2>&1
code 2 "$probe" value --tables "$work/t" # two rulesets
code 0 "$probe" value --tables "$work/t" --rules solved9 --set pieces=3

# Random positions, both readers.
python3 - > "$work/positions" <<'PY'
import random
random.seed(4)
for _ in range(400):
    reserve = random.choice((0, 0, 1, 2))
    points = random.sample(range(24), 2 * (3 - reserve))
    board = ["1"] * 24
    for i, p in enumerate(points):
        board[p] = "WB"[i % 2]
    rows, at = [], 0
    for n in (3, 3, 3, 6, 3, 3, 3):
        rows.append("".join(board[at:at + n]))
        at += n
    counter = random.randrange(50) if reserve == 0 else 0
    print("/".join(rows), random.choice("wb"), f"{reserve},{reserve}", "-", counter)
PY
"$probe" value --tables "$work/t" --rules lg9 --json - < "$work/positions" |
    sed 's/.*"outcome":"\([a-z]*\)","dte":\([0-9nul]*\),"dtz":\([0-9nul]*\).*/\1 \3 \2/; s/null/-/g' > "$work/a"
python3 "$reader" "$(ls -d "$work"/t/lg9-*)" - < "$work/positions" > "$work/b"
expect "values read" 400 "$(grep -c '[a-z]* [-0-9]* [-0-9]*$' "$work/b")"
expect "the Python reader" "" "$(diff "$work/a" "$work/b" | head -5)"

# The same in the small codec, wherever that is smaller.
"$wright" repack --rules lg9 --set pieces=3 --tables "$work/t" --output "$work/s" --json > "$work/repacked" 2>&1
expect "tables in the small codec" yes "$(grep -q '"codec":"small"' "$work/repacked" && echo yes)"
python3 "$reader" "$(ls -d "$work"/s/lg9-*)" - < "$work/positions" > "$work/b"
expect "the Python reader of the small codec" "" "$(diff "$work/a" "$work/b" | head -5)"

[ $failures -eq 0 ] && echo passed
exit $((failures > 0))
