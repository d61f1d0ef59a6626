#!/bin/sh
# Builds every subspace of the golden figures, all metrics, and derives every value again by the plain rules.
#
# usage: golden_verify.sh MILLWRIGHT GOLDEN_FOLDER
set -eu
millwright=$1 golden=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lines "ruleset;subspace". Rulesets are a preset and keys, as in 'lg9 pieces=3'.
for file in solved_counts.tsv limit_counts.tsv; do
    grep -v '^#' "$golden/$file" | awk -F'\t' 'NF > 1 {print $1 ";" $2}'
done | sort -u > "$work/all"
cut -d';' -f1 "$work/all" | sort -u > "$work/rulesets"

number=0
while read -r ruleset; do
    number=$((number + 1))
    set -- --rules "${ruleset%% *}"
    for key in ${ruleset#"${ruleset%% *}"}; do set -- "$@" --set "$key"; done
    for subspace in $(awk -F';' -v r="$ruleset" '$1 == r {print $2}' "$work/all"); do
        set -- "$@" --subspace "$subspace"
    done
    "$millwright" build "$@" --tables "$work/$number" --progress none
    # Selections are for building: verify takes all tables of the ruleset.
    set -- --rules "${ruleset%% *}"
    for key in ${ruleset#"${ruleset%% *}"}; do set -- "$@" --set "$key"; done
    printf '%s: ' "$ruleset"
    "$millwright" verify --full "$@" --tables "$work/$number" | tail -1
done < "$work/rulesets"
[ "$number" -ge 8 ] || { echo "FAILED: only $number rulesets in the golden figures"; exit 1; }
