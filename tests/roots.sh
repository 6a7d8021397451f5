#!/usr/bin/env bash
# The tests of the kernels with another Debian's compiler and MPI libraries than this machine's: those of
# Debian 13 (MPICH 4.2, Open MPI 5), in the root file system of the virtual cluster's nodes. They are built
# in build/roots. roots.sh [MPI...]: of these alone, mpich or openmpi. Exit status 77: this machine does not allow it,
# and the omitted tests are named.
set -euo pipefail
tests=$(cd -P "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
here=$(cd -P "$tests/../slurm/virtual" && pwd -P)
# shellcheck source=slurm/virtual/lib/common.sh
. "$here/lib/common.sh"
# shellcheck source=slurm/virtual/lib/rootfs.sh
. "$here/lib/rootfs.sh"

say() {
    printf 'roots: %s\n' "$*" >&2
}

# shellcheck disable=SC2317 # called by those of common.sh
die() {
    local status=$1
    shift
    say "$*"
    [ "$status" != 77 ] || say "left out: kernels.* with Debian $suite's MPICH and Open MPI"
    exit "$status"
}

[ $# -gt 0 ] || set -- mpich openmpi
for mpi in "$@"; do
    [ "$mpi" = mpich ] || [ "$mpi" = openmpi ] || die 2 "'$mpi': expected mpich or openmpi"
done
check_room_rights
ensure_root
mkdir -p "$project/build/roots"
history=$(history_folder)
contained "$BASH" "$here/lib/enter.sh" "$root" "$project" "$project" ${history:+"$history" "$history"} -- \
    /bin/bash "$tests/kernels/in_root.sh" "$project" "$project/build/roots" "${root##*/}" "$@"
