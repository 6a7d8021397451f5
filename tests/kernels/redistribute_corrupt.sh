#!/bin/sh
# redistribute_corrupt.sh MPIEXEC PROGRAM: one wrong byte is found under every algorithm, all in one launch. PROGRAM
# has injected faults (fault.h).
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2
begin

# pdgemr2d only if it was built.
algorithms=$("$(dirname "$program")/nuce" list schedules --format json |
    grep -vE "\"name\":\"(${NUCE_WITHOUT:-none})\"" |
    sed 's/.*"name":"\([^"]*\)".*/\1/')
"$mpiexec" -n 1 "$program" --schedule pdgemr2d --elements 10 --block 1 --factor 2 --min-samples 2 --max-samples 2 >out 2>err ||
    ! grep -q 'built without ScaLAPACK' err || algorithms=$(echo "$algorithms" | grep -vx pdgemr2d)
status=0
NUCE_FAULT=corrupt "$mpiexec" -n 3 "$program" --schedule "$(echo "$algorithms" | paste -sd ,)" --elements 1000 \
    --block 4 --factor 2 --group-ranks 2 --min-samples 2 --max-samples 2 --format json >out 2>err || status=$?
[ "$status" -eq 1 ] || fail "exit status $status, expected 1"
for algorithm in $algorithms; do
    grep -F "\"schedule\":\"$algorithm\"" out |
        grep -q '"status":"corrupt","message":"rank 1: after the redistribution: 1 bytes of rank 1 are wrong' ||
        fail "$algorithm: expected the place of the wrong byte"
done
