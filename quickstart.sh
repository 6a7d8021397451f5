#!/bin/sh
# Builds nuce, runs three races on this machine (configs/first-*.yaml), and prints and draws which schedule is
# fastest. Its results are in build/, campaigns/, figures/ and nuce.db; running it again adds runs.
set -eu
cd "$(dirname "$0")"
if [ $# -gt 0 ]; then
    sed -n 's/^# //p' "$0" | head -n 2
    [ "$1" = --help ] && exit 0
    echo "quickstart.sh: '$1': it takes no arguments" >&2
    exit 2
fi

./cmake/install-dependencies.sh
if [ -e build ] && ! [ -w build ]; then
    echo "quickstart.sh: build/ is another user's: run it in a clone of your own, or remove that folder" >&2
    exit 2
fi
mkdir -p build
# Prints the progress of the build that writes this log, four times a minute.
progress() {
    begun=$(date +%s)
    while sleep 15; do
        passed=$(($(date +%s) - begun))
        percent=$(sed -n 's/^\[ *\([0-9]*\)%\].*/\1/p' "$1" | tail -n 1)
        [ "${percent:-0}" -eq 0 ] ||
            echo "  $percent % after $passed s, about $((passed * (100 - percent) / percent)) s to go"
    done
}
# built NAME OPTION...: builds and prints one line; if the build fails, prints the error and ends.
built() {
    log=build/$1.log
    shift
    progress "$log" &
    progress=$!
    trap 'kill "$progress" 2>/dev/null || :' EXIT
    trap 'exit 130' INT TERM HUP
    cmake --build "$@" -j "$(nproc)" >"$log" 2>&1 || {
        tail -n 40 "$log"
        echo "the build failed: $log" >&2
        exit 1
    }
    kill "$progress"
    trap - EXIT INT TERM HUP
    tail -n 1 "$log"
}
# Make starts more programs for each file: its build takes a quarter more processor time.
command -v ninja >/dev/null && export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}" NINJA_STATUS='[%p] '
[ -e build/release ] && was_there=yes || was_there=no
cmake --preset release >/dev/null
# Open MPI starts programs as root only if these variables allow it.
root_may() {
    [ "$(id -u)" != 0 ] || [ -n "${OMPI_ALLOW_RUN_AS_ROOT:-}${OMPI_ALLOW_RUN_AS_ROOT_CONFIRM:-}" ]
}
if [ "$(sed -n 's/^name //p' build/release/share/nuce/mpi.conf)" = openmpi ] && ! root_may; then
    [ "$was_there" = yes ] || rm -rf build/release # or another user could not build here
    rmdir build 2>/dev/null || :
    echo "quickstart.sh: Open MPI does not start programs as root: run it as another user, or, in a container, where" >&2
    echo "root can do no harm, export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 before" >&2
    exit 2
fi
echo "building nuce: the first time a minute on two idle processors, up to ten where they have other work"
built release --preset release

nuce=build/release/bin/nuce
for sweep in first-exchange first-redistribution first-stencil; do
    "$nuce" run "configs/$sweep.yaml"
done
# Builds the programs also for Open MPI, if it is installed next to MPICH: `mpi: [mpich, openmpi]` in a
# sweep runs both. This comes last, so that the results above do not wait for it.
if [ "$(sed -n 's/^name //p' build/release/share/nuce/mpi.conf)" = mpich ] &&
    command -v mpicc.openmpi >/dev/null && command -v mpiexec.openmpi >/dev/null; then
    echo
    echo "Open MPI is here beside MPICH: builds the programs for it as well, so that a sweep can compare it with"
    echo "the other (mpi: [mpich, openmpi])"
    root_may || echo "(as root with OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 in the environment)"
    cmake -S . -B build/release/mpi/openmpi -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
        -DMPI_C_COMPILER="$(command -v mpicc.openmpi)" \
        -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.openmpi)" -DNUCE_SIMGRID=OFF >/dev/null
    built openmpi build/release/mpi/openmpi --target nuce-kernels
fi

"$nuce" table quick
figures=$("$nuce" figure quick --output figures)

echo
echo "The figures:"
echo "$figures"
echo "Next, your own mesh (README.md), with"
echo "  export PATH=\"$PWD/build/release/bin:\$PATH\""
