#!/usr/bin/env bash
# The signature is the expected one, with any number of threads and any kernels.
#
# usage: signature_test.sh MILLWRIGHT EXPECTED [THREADS KERNELS]
#
# After a change that is meant to alter values or tables: millwright signature >tests/data/signature.txt
set -uo pipefail

millwright=$1
expected=$2
threads=${3:-2}
export OMP_WAIT_POLICY=passive # other tests run at the same time
[ -z "${4:-}" ] || export MILLWRIGHT_KERNELS=$4

found=$("$millwright" signature --threads "$threads") || exit 1
line() { sed -n "s/^$1 //p"; }
failed=0

want=$(line values <"$expected")
got=$(line values <<<"$found")
if [ -z "$want" ] || [ "$want" != "$got" ]; then
    echo "FAILED values: signature is $got, expected $want: a rule, a text or a value has changed" >&2
    failed=1
fi
read -r want compressor < <(line tables <"$expected")
read -r got found_compressor < <(line tables <<<"$found")
if [ "$compressor" != "$found_compressor" ]; then
    echo "tables not compared: written by $found_compressor, expected $compressor"
elif [ -z "$want" ] || [ "$want" != "$got" ]; then
    echo "FAILED tables: signature is $got, expected $want: table files have changed" >&2
    failed=1
fi
[ $failed -eq 0 ] && echo "signature as expected"
exit $failed
