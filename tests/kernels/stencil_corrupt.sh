#!/bin/sh
# stencil_corrupt.sh MPIEXEC PROGRAM: one wrong byte of a halo is seen, with overlap and without.
# PROGRAM has faults put in (fault.h).
set -eu
mpiexec=$1 program=$2
# Requests of MPICH's own live until the process ends.
LSAN_OPTIONS="suppressions=$(cd "$(dirname "$0")" && pwd)/lsan.supp"
export LSAN_OPTIONS
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

for options in "" --overlap "--schedule alltoallv" "--border periodic --stencil 9 --element float" \
    "--speeds-after 2:3,2,1 --iterations 8 --look-every 2 --rebalance after-change"; do
    status=0
    # shellcheck disable=SC2086 # words
    NUCE_FAULT=corrupt "$mpiexec" -n 3 "$program" --decomposition xy2 --rows 40 --columns 50 $options \
        --min 2 --max 2 --format json >out 2>err || status=$?
    if [ "$status" -ne 1 ] || ! grep -q '"status":"corrupt"' out || ! grep -qE 'bytes? .*wrong|serial run has|its owner' err; then
        echo "$options: exit status $status, expected 1 and what is wrong" >&2
        cat err out >&2
        exit 1
    fi
done
