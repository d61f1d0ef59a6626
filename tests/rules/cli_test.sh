#!/bin/sh
# millprobe rules, legal, perft and referee: answers, errors and exit codes.
# usage: cli_test.sh PATH-OF-MILLPROBE
probe=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

# expect NAME CODE PATTERN COMMAND...: the exit code, and a fixed string in what is printed on either stream.
expect() {
    name=$1 code=$2 pattern=$3
    shift 3
    output=$("$@" 2>&1 </dev/null)
    check "$name" "$code" $? "$pattern" "$output"
}

# expect_input NAME INPUT CODE PATTERN COMMAND...: the same with standard input.
expect_input() {
    name=$1 input=$2 code=$3 pattern=$4
    shift 4
    output=$(printf '%b' "$input" | "$@" 2>&1)
    check "$name" "$code" $? "$pattern" "$output"
}

check() {
    if [ "$2" != "$3" ]; then
        echo "FAILED $1: exit code $3, expected $2"
        echo "$5"
        failures=$((failures + 1))
    elif ! printf '%s\n' "$5" | grep -qF -e "$4"; then
        echo "FAILED $1: no '$4' in:"
        echo "$5"
        failures=$((failures + 1))
    fi
}

start='3/3/3/6/3/3/3 w 9,9 - 0'

# Help and usage
expect 'help' 0 'commands:' "$probe" --help
expect 'no command' 2 'commands:' "$probe"
expect 'unknown command' 2 "'lgal'" "$probe" lgal
expect 'version' 0 'millprobe 0.' "$probe" --version
for command in rules legal perft referee; do
    expect "$command --help" 0 'examples:' "$probe" "$command" --help
    expect "help $command" 0 'examples:' "$probe" help "$command"
    expect "$command with a bad option" 2 '--nonsense' "$probe" "$command" --nonsense
done

# rules
expect 'rules lists presets' 0 'twelve-tournament' "$probe" rules
expect 'rules prints INI' 0 'mill_return = no-reverse' "$probe" rules --rules lg12
expect 'rules --json' 0 '"placement_counts":false' "$probe" rules --rules gf9 --json
expect 'fingerprint' 0 '"fingerprint":"7dd00445470f9628"' "$probe" rules --rules lg12 --json
expect 'rules --set' 0 '"pieces":4' "$probe" rules --rules lg9 --set pieces=4 --set quiet_limit=20 --json
expect 'bad key' 2 "'colour'" "$probe" rules --rules lg9 --set colour=red
expect 'bad value' 2 '3 to 12' "$probe" rules --rules lg9 --set pieces=99
expect 'no such preset' 2 'solved12' "$probe" rules --rules nine
expect 'no such file' 3 'cannot read' "$probe" rules --rules "$work/none.ini"
expect 'set without rules' 2 '--rules' "$probe" rules --set pieces=4
expect 'stray argument' 2 'not expected' "$probe" rules stray
"$probe" rules --rules lg9 --set pieces=4 --set name=small > "$work/small.ini"
expect 'rules reads its own output' 0 '"pieces":4' "$probe" rules --rules "$work/small.ini" --json

# legal
expect 'legal, initial position' 0 '24 legal turns' "$probe" legal --rules lg9
expect 'legal --json' 0 '"turns":["a1","a4"' "$probe" legal --rules lg9 --json "$start"
expect 'legal, open' 0 '"ends":null,"result":"open"}' "$probe" legal --rules lg9 --json
expect 'legal, sanmill' 0 "\"position\":\"$start\"" "$probe" legal --rules lg9 --json \
    '********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1'
expect 'legal, over' 0 '"turns":[],"ends":"too few stones","result":"black"}' \
    "$probe" legal --rules lg9 --json 'WW1/3/3/6/3/3/BBB w 0,0'
expect 'legal, over, for people' 0 'Black wins: too few stones' "$probe" legal --rules lg9 'WW1/3/3/6/3/3/BBB w 0,0'
expect 'legal, full board' 0 '"ends":"full board","result":"draw"' \
    "$probe" legal --rules solved12 --json 'WBW/BWB/WBW/BWBWBW/BWB/WBW/BWB w 0,0'
expect 'legal, bad position' 2 'side: found' "$probe" legal --rules lg9 '3/3/3/6/3/3/3 x 9,9'
expect 'legal, bad position, JSON' 2 '{"position":"x","error":"' "$probe" legal --rules lg9 --json x
expect 'legal, unquoted position' 2 'quotes' "$probe" legal --rules lg9 3/3/3/6/3/3/3 w 9,9
expect 'legal without rules' 2 '--rules is missing' "$probe" legal
expect_input 'stream of good lines' "$start\n$start\n" 0 '"result":"open"' "$probe" legal --rules lg9 --json -
expect_input 'stream goes on after an error' "nonsense\n$start\n" 2 '"result":"open"' "$probe" legal --rules lg9 --json -
expect_input 'stream reports the error' "$start\nnonsense\n" 2 '{"position":"nonsense","error":"' \
    "$probe" legal --rules lg9 --json -
expect_input 'stream with bytes that are no text' '\0377\0376 w 9,9\n' 2 '"error":"' "$probe" legal --rules lg9 --json -
lines=$(printf '%s\n\nx\n%s' "$start" "$start" | "$probe" legal --rules lg9 --json - | wc -l)
[ "$lines" -eq 4 ] || { echo "FAILED one answer per line: $lines"; failures=$((failures + 1)); }

# perft
expect 'perft --json' 0 "{\"position\":\"$start\",\"depth\":3,\"turns\":12144}" \
    "$probe" perft --rules lg9 --depth 3 --json
expect 'perft for people' 0 '255024 turns' "$probe" perft --rules lg9 --depth 4
expect 'perft --divide' 0 'd6: 23' "$probe" perft --rules lg9 --depth 2 --divide
expect 'perft --divide --json' 0 '"turns":552,"divide":{"a1":23,' "$probe" perft --rules lg9 --depth 2 --divide --json
expect 'perft without depth' 2 '--depth is missing' "$probe" perft --rules lg9
expect 'perft, bad depth' 2 '--depth' "$probe" perft --rules lg9 --depth x
expect 'perft, depth 0' 2 'expected 1' "$probe" perft --rules lg9 --depth 0
expect_input 'perft stream' "$start\n" 0 '"turns":552' "$probe" perft --rules lg9 --depth 2 --json -

# referee
expect_input 'referee' 'd6 f4 d5 f6 d7xf4' 0 'open, after 5 plies' "$probe" referee --rules lg9
expect_input 'referee --json' 'd6 f4\nd5' 0 \
    '{"result":"open","reason":null,"plies":3,"position":"3/1W1/1W1/4B1/3/3/3 b 7,8 - 0"}' "$probe" referee --rules lg9 --json
expect_input 'referee --from' 'd1-a1' 0 '"result":"white","reason":"blocked","plies":1' \
    "$probe" referee --rules lg9 --json --from 'BBB/1W1/3/BW3W/3/3/1W1 w 0,0 - 49'
expect_input 'referee, limit' 'd1-g1' 0 '"result":"draw","reason":"quiet limit"' \
    "$probe" referee --rules lg9 --json --from 'BBB/1W1/3/BW3W/3/3/1W1 w 0,0 - 49'
expect_input 'referee, over at the start' '' 0 '"reason":"too few stones","plies":0' \
    "$probe" referee --rules lg9 --json --from 'WW1/3/3/6/3/3/BBB w 0,0'
expect_input 'referee, illegal turn' 'd6 d6' 2 'ply 2: d6: d6 is occupied' "$probe" referee --rules lg9
expect_input 'referee, illegal turn, JSON' 'd6 d6 a1' 2 '"plies":1' "$probe" referee --rules lg9 --json
expect_input 'referee, bad turn' 'd6 zz' 2 '"turn":"zz"' "$probe" referee --rules lg9 --json
expect_input 'referee, bad start' '' 2 '{"position":"x","error":"' "$probe" referee --rules lg9 --json --from x

# Answers that cannot be written are no success.
if [ -w /dev/full ]; then
    "$probe" rules > /dev/full 2> /dev/null
    [ $? -eq 4 ] || { echo "FAILED full disk"; failures=$((failures + 1)); }
fi

[ "$failures" -eq 0 ] && echo "all passed"
exit "$failures"
