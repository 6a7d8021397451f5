#!/bin/sh
# redistribute_corrupt.sh MPIEXEC PROGRAM: one wrong byte is seen under every algorithm. PROGRAM has
# faults put in (fault.h).
set -eu
mpiexec=$1 program=$2
# Requests of MPICH's own live until the process ends.
LSAN_OPTIONS="suppressions=$(cd "$(dirname "$0")" && pwd)/lsan.supp"
export LSAN_OPTIONS
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

algorithms=$("$(dirname "$program")/nuce" list schedules --format json |
    grep -vE "\"name\":\"(${NUCE_WITHOUT:-none})\"" |
    sed 's/.*"name":"\([^"]*\)".*/\1/')
for algorithm in $algorithms; do
    status=0
    NUCE_FAULT=corrupt "$mpiexec" -n 3 "$program" --schedule "$algorithm" --elements 1000 --block 4 \
        --factor 2 --min 2 --max 2 --format json >out 2>err || status=$?
    grep -qE 'built without ScaLAPACK|this MPI has no' err && continue
    if [ "$status" -ne 1 ] || ! grep -q '"status":"corrupt"' out ||
        ! grep -q 'rank 1: after the redistribution: 1 bytes of rank 1 are wrong' err; then
        echo "$algorithm: exit status $status, expected 1 and the place of the wrong byte" >&2
        cat err out >&2
        exit 1
    fi
done
