#!/bin/sh
# Tables are the same bytes whatever the number of threads, 1 to 16, and for either path of the solver.
#
# usage: threads_test.sh MILLWRIGHT
set -eu
millwright=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tables() { find "$1" -name '*.wdl' -o -name '*.dtz' -o -name '*.dte' -o -name manifest.json; }
for rules in "lg9 pieces=4" "lg12 pieces=4" "lg10 pieces=3"; do
    set -- --rules "${rules% *}" --set "${rules#* }" --start --progress none
    for metrics in wdl,dtz wdl,dtz,dte; do
        for threads in $(seq 1 16); do
            "$millwright" build "$@" --metrics "$metrics" --threads "$threads" --tables "$work/$threads"
            [ "$threads" = 1 ] && continue
            (cd "$work/1" && tables .) | sort > "$work/one"
            (cd "$work/$threads" && tables .) | sort | diff - "$work/one"
            while read -r file; do cmp "$work/1/$file" "$work/$threads/$file"; done < "$work/one"
        done
        echo "$rules, $metrics: $(wc -l < "$work/one") files, the same for 1 to 16 threads"
        # The files of outcomes and DTZ must not depend on the metrics asked for.
        (cd "$work/1" && find . -name '*.wdl' -o -name '*.dtz' | sort | xargs cat | cksum) > "$work/sum-$metrics"
        rm -r "$work"/[0-9]*
    done
    cmp "$work/sum-wdl,dtz" "$work/sum-wdl,dtz,dte"
done
