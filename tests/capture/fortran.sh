#!/bin/sh
# The same by mpif.h, use mpi and mpi_f08.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
if ! command -v "mpifort.$mpi" >/dev/null || ! command -v gfortran >/dev/null; then
    echo "skipped: gfortran is not installed" >&2
    exit 77
fi
for interface in mpif mpi mpi_f08; do
    # mpif.h has no interfaces: buffers of several types are an error to newer compilers.
    "mpifort.$mpi" -w -std=legacy -I "$here" -o styles "$here/styles_$interface.f90"
    for yields in '' --yield; do
        captured 0 ./styles counts
        # 14 rounds, 14 of persistent requests, 14 of sendrecv, alltoallv, allgather in two halves; 14 that are
        # tested for, 14 of persistent requests again, and one on a grid.
        [ "$got" = "exact 74 merged 0 epoch 0" ] || fail "$interface $yields: $got"
        ! grep -q 'not captured' told || fail "$interface $yields: $(cat told)"
    done
done
