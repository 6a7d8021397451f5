#!/usr/bin/env bash
# Run inside a root file system: in_root.sh PROJECT FOLDER ROOT-NAME MPI...
# Builds the kernels and their tests for each of the libraries in FOLDER/MPI, and runs them.
set -euo pipefail
project=$1
folder=$2
root=$3
shift 3
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
# git may print the revision of the sources, whoever owns them.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
# A compiler's launcher of the host, such as ccache, is not there.
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER

failed=
for mpi in "$@"; do
    build=$folder/$mpi
    if [ ! -f "$build/build.ninja" ] || [ "$(cat "$build/root" 2>/dev/null)" != "$root" ]; then
        cmake --fresh -S "$project" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DNUCE_WERROR=ON \
            -DMPI_C_COMPILER="$(command -v "mpicc.$mpi")" \
            -DMPIEXEC_EXECUTABLE="$(command -v "mpiexec.$mpi")" -DNUCE_SIMGRID=OFF >"$build.log"
        printf '%s\n' "$root" >"$build/root"
    fi
    cmake --build "$build" --target nuce nuce-model nuce-kernels tests/kernels/all tests/polite/all \
        -j "$(nproc)" >"$build.log" 2>&1 || {
        tail -n 50 "$build.log" >&2
        exit 1
    }
    "$project/tests/kernels/all.sh" "$build" "$mpi" || failed="$failed $mpi"
done
[ -z "$failed" ] || {
    echo "roots: tests failed:$failed" >&2
    exit 1
}
