#!/bin/sh
# test.sh [--all]: builds nuce twice, optimised and with the sanitizers, and runs the tests that each
# change must pass; with --all, every test in both builds.
set -eu
cd "$(dirname "$0")"

# Labels: `dear` tests run only with --all. `sanitized` tests find nothing in the optimised build that they do
# not find under the sanitizers. They run in both only with --all; those of one program are built there only
# with it. `optimised-only` tests, which check the source or start many ranks, never run under the sanitizers.
# `slow-asan` tests, which take many times as long there, run there only with --all.
everywhere='cluster|dear|sanitized'
slow='slow-asan'
all=OFF
case ${1:-} in
'') dear=dear ;;
--all)
    dear=none
    all=ON
    slow='none'
    everywhere=cluster
    ;;
*)
    echo "test.sh: '$1': expected --all or nothing" >&2
    exit 2
    ;;
esac

./cmake/install-dependencies.sh --tests

# Launchers find their place by these variables: in a step of Slurm, for example, they would wait
# for ever.
for name in $(env | sed -n 's/^\(\(SLURM\|SBATCH\|PMI[0-9]*\|PMIX\|PRTE\|HYDRA\|OMPI_COMM\)_[A-Za-z0-9_]*\)=.*/\1/p'); do
    unset "$name"
done

# Uses ninja and ccache if they exist.
command -v ninja >/dev/null && export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
command -v ccache >/dev/null && export CMAKE_C_COMPILER_LAUNCHER="${CMAKE_C_COMPILER_LAUNCHER:-ccache}"

# Files of tests go to memory if there is a gigabyte from which programs can run, so that no test waits
# for the disk.
memory=
if memory=$(mktemp -d /dev/shm/nuce-tests.XXXXXX 2>/dev/null); then
    cp /bin/true "$memory/true" && "$memory/true" 2>/dev/null &&
        [ "$(df --output=avail -k "$memory" | tail -n 1)" -gt 1048576 ] && export TMPDIR="$memory"
fi

# configure PRESET: unless it is configured already.
configure() {
    grep -qx "NUCE_ALL_TESTS:BOOL=$all" "build/$1/CMakeCache.txt" 2>/dev/null ||
        cmake --preset "$1" -DNUCE_ALL_TESTS="$all" >/dev/null
}

# build FOLDER
build() {
    cmake --build "build/$1" -j "$(nproc)" >"build/$1.log" 2>&1 || {
        tail -n 50 "build/$1.log" >&2
        exit 1
    }
}

# Runs the kernels' tests again under Open MPI, if it is installed next to MPICH.
openmpi() {
    cmake -S . -B build/ci/mpi/openmpi -DCMAKE_BUILD_TYPE=RelWithDebInfo -DNUCE_WERROR=ON \
        -DMPI_C_COMPILER="$(command -v mpicc.openmpi)" \
        -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.openmpi)" -DNUCE_SIMGRID=OFF >/dev/null
    build ci/mpi/openmpi
    tests/kernels/all.sh build/ci/mpi/openmpi openmpi
}

# Runs them also under both libraries of another Debian, if a root file system can be made; prints
# the reason if it cannot.
left_out=
roots() {
    status=0
    env -u TMPDIR tests/roots.sh || status=$?
    [ "$status" != 77 ] || left_out="the kernels' tests under Debian 13's MPICH and Open MPI (why: see roots: above)"
    [ "$status" = 0 ] || [ "$status" = 77 ]
}

# Runs the database's tests with the oldest SQLite that nuce supports, if a mirror has it.
sqlite() {
    status=0
    nice tests/sqlite.sh || status=$?
    [ "$status" = 0 ] || [ "$status" = 77 ]
}

# Always takes down the clusters of interrupted tests.
clusters=
optimised=
finish() {
    # shellcheck disable=SC2086 # one or two
    [ -z "$clusters" ] || kill $clusters $optimised 2>/dev/null || :
    sh tests/cluster/down.sh "$PWD" "$PWD/build/ci" "$PWD/build/ci/tests/cluster/shared" || :
    [ -z "$memory" ] || rm -rf "$memory"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

configure ci
build ci
# Tests wait now and then, especially those on clusters: the other build runs at the same time.
env -u TMPDIR ctest --preset ci -L cluster -LE "$dear" -j 4 >build/clusters.log 2>&1 &
clusters=$!
jobs=$(nproc)
ctest --preset ci -LE "$everywhere" -j "$jobs" >build/optimised.log 2>&1 &
optimised=$!
configure asan
build asan
failed=
ctest --preset asan -LE "optimised-only|$slow|$dear" -j "$jobs" || failed="$failed asan"
wait "$optimised" || failed="$failed ci"
cat build/optimised.log
if [ "$dear" = none ] && command -v mpicc.openmpi >/dev/null && command -v mpiexec.openmpi >/dev/null; then
    openmpi || failed="$failed openmpi"
fi
[ "$dear" != none ] || roots || failed="$failed roots"
[ "$dear" != none ] || sqlite || failed="$failed sqlite"
wait "$clusters" || failed="$failed clusters"
clusters='' optimised=''
cat build/clusters.log
[ -z "$failed" ] || {
    echo "test.sh: tests failed:$failed" >&2
    exit 1
}
[ -z "$left_out" ] || echo "test.sh: left out: $left_out" >&2
