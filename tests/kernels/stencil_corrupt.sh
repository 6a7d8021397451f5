#!/bin/sh
# stencil_corrupt.sh MPIEXEC PROGRAM: one wrong byte of a halo is found, with overlap and without.
# PROGRAM has injected faults (fault.h).
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2
begin

for options in "" --overlap "--schedule alltoallv" "--border periodic --stencil 9 --element float" \
    "--speeds-after 2:3,2,1 --iterations 8 --look-every 2 --rebalance after-change"; do
    status=0
    # shellcheck disable=SC2086 # words
    NUCE_FAULT=corrupt "$mpiexec" -n 3 "$program" --decomposition xy2 --rows 40 --columns 50 $options \
        --min-samples 2 --max-samples 2 --format json >out 2>err || status=$?
    { [ "$status" -eq 1 ] && grep -q '"status":"corrupt"' out && grep -qE 'bytes? .*wrong|serial run|its owner' err; } ||
        fail "$options: exit status $status, expected 1 and what is wrong"
done

# One bit of a halo is wrong in one step of many. Later steps carry it on, and the check of a long run does not search
# for it: the check compares received bytes with sent ones. With so many cells a turn is long enough to check all.
flipped() {
    status=0
    # shellcheck disable=SC2086 # words
    "$mpiexec" -n 3 "$program" --decomposition xy2 --rows 1500 --columns 1500 --min-samples 60 --max-samples 60 --warmup 1 \
        --batch 1 --time-limit 10min $1 --format json >out 2>err || status=$?
}
for options in "" --overlap; do
    flipped "$options"
    { [ "$status" -eq 0 ] && grep -q '"looked":1' out; } ||
        fail "$options: exit status $status, expected 0 and looked 1"
    NUCE_FAULT='flip 40' flipped "$options"
    { [ "$status" -eq 1 ] && grep -q 'wrong bytes were received in .* of the checked turns' err; } ||
        fail "$options: exit status $status, expected 1 and that a bit flipped"
done
