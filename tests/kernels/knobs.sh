#!/bin/sh
# Settings of the MPI library that 'nuce advise' names take effect on MPI_Alltoallv: how many messages a rank has in
# flight. Usage: knobs.sh MPIEXEC held_back
set -eu
mpiexec=$1 program=$2
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
begin

# finds WHAT LATE WATCHED SECONDS [VARIABLE=VALUE...]
finds() {
    what=$1 late=$2 watched=$3 seconds=$4
    shift 4
    rm -f release
    launched env "$@" "$mpiexec" -n 3 "$program" "$late" "$watched" "$seconds"
    [ $status -eq 0 ] || fail "$*: status $status"
    [ "$(cat out)" = "$what" ] || fail "$*: expected $what"
}

launched "$mpiexec" -n 1 "$program"
case $(cat out) in
MPICH*)
    finds early 1 2 60 MPIR_CVAR_ALLTOALL_THROTTLE=0
    finds early 1 2 60 MPIR_CVAR_ALLTOALL_THROTTLE=32
    finds held 1 2 1 MPIR_CVAR_ALLTOALL_THROTTLE=1
    ;;
Open\ MPI*)
    rules=OMPI_MCA_coll_tuned_use_dynamic_rules=1
    finds early 2 1 60 $rules OMPI_MCA_coll_tuned_alltoallv_algorithm=1
    finds held 2 1 1 $rules OMPI_MCA_coll_tuned_alltoallv_algorithm=2
    ;;
*)
    echo "$(cat out): no setting is known" >&2
    exit 77
    ;;
esac
