#!/bin/sh
# speeds.sh MPIEXEC CALIBRATE STENCIL RANKS: the ranks' sweep rates, into a network file by which nuce-stencil cuts
# arrays; and refused input.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2 stencil=$3 ranks=$4
begin

# measure OPTIONS...: one run, ok, with the speeds of all ranks.
measure() {
    "$mpiexec" -n "$ranks" "$program" speeds --side 60 --min-samples 6 --max-samples 8 --format json "$@" >out 2>err ||
        fail "$*"
    [ "$(grep -c '"status":"ok"' out)" -eq 1 ] || fail "$*: expected one run that is ok"
    [ "$(sed 's/.*"speeds":\(\[\[.*\]\]\).*/\1/' out | grep -o '\[[0-9]' | wc -l)" -eq "$ranks" ] ||
        fail "$*: expected a speed of each rank"
}

# refused MESSAGE OPTIONS...
refused() {
    message=$1 status=0
    shift
    "$mpiexec" -n "$ranks" "$program" speeds "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] || fail "$*: exit status $status, expected 2"
    grep -qF -- "$message" err || fail "$*: does not say: $message"
    [ ! -s out ] || fail "$*: results of what was refused"
}

measure
! grep -q '"network_file":"' out || fail "a network file that nobody asked for"
measure --stencil 9 --element float --emulate-speeds "$(seq -s , "$ranks")"
refused "one for each of $ranks ranks" --emulate-speeds "$(seq -s , $((ranks + 1)))"
refused "network: nowhere.network" --network nowhere.network

# A network file gets the speeds, whatever it had before; arrays are then cut by the file, not by new measurements.
measure --network cm5 --networks made
file=$(sed 's/.*"network_file":"\([^"]*\)".*/\1/' out)
[ "$(grep -c '^speed [0-9]* [0-9.e-]*$' "$file")" -eq "$ranks" ] || fail "$file: expected $ranks speeds"
grep -q '^speed [0-9]* 1$' "$file" || fail "$file: the fastest is not 1"
sed 's/^speed \([0-9]*\) .*/speed \1 0.5/; s/^speed 0 .*/speed 0 0.125/' "$file" >given.network
"$mpiexec" -n "$ranks" "$stencil" --weights measured --network given.network --rows 40 --columns 40 \
    --min-samples 2 --max-samples 2 --format json >out 2>err || fail "nuce-stencil"
wanted=0.25$(i=1; while [ "$i" -lt "$ranks" ]; do printf ,1; i=$((i + 1)); done)
[ "$ranks" -gt 1 ] || wanted=1
grep -qF "\"weights_taken\":\"$wanted\"" out || fail "nuce-stencil: expected the weights $wanted"
