#!/bin/sh
# The tests of the kernels of a build, and of nuce apply in front of an application: all.sh BUILD MPI. Those that a
# library cannot run are left out by name here.
set -eu
build=$1
named=
case $2 in
openmpi)
    # Root may start it here, with more ranks than processors, and waiting ranks yield: variables for Open MPI 4,
    # whose launcher can be silenced as well, and for 5.
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_orte_execute_quiet=1
    export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    # Ranks of one machine need no TCP, which prints its opinion of interfaces on stderr. Not libfabric (ofi) either,
    # besides the components that Debian leaves out: MPI_Put of 4.1.4 delivers wrong bytes over it.
    export OMPI_MCA_btl=^tcp,uct,openib,ofi
    case $(mpiexec.openmpi --version) in
    # They make a window for one rank, which Open MPI 4.1 refuses (MPI_ERR_WIN).
    *' 4.'*) named='[.](engine|trace)[.]np1' ;;
    # It starts two programs in one launch, of which the launcher of Open MPI 5.0.7 dies (SIGSEGV).
    *' 5.'*) named='[.]launch[.]program' ;;
    esac
    ;;
*) ;;
esac
[ -z "$named" ] || echo "all.sh: left out under $2: kernels$named" >&2
ctest --test-dir "$build" --output-on-failure -R 'kernels[.]|^apply$' -E "kernels${named:-nothing}$" -j 2
