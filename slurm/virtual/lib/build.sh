#!/usr/bin/env bash
# Run inside the root file system: build.sh PROJECT BUILD-FOLDER ROOT-NAME
set -eu
project=$1
build=$2
root=$3
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
# git may read the sources' revision, even if another user owns them.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'

# A compiler launcher of the host, such as ccache, does not exist in the nodes' root file system.
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER

# built FOLDER TARGET CMAKE-OPTION...: the results of CMake's searches belong to the root file system that
# it searched.
built() {
    local folder=$1 target=$2
    shift 2
    if [ ! -f "$folder/build.ninja" ] || [ "$(cat "$folder/root" 2>/dev/null)" != "$root" ]; then
        cmake --fresh -S "$project" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF "$@"
        printf '%s\n' "$root" >"$folder/root"
    fi
    cmake --build "$folder" --target "$target" -j "$(nproc)"
}
built "$build" all
# Builds the programs a second time, for `mpi: openmpi` in a sweep.
built "$build/mpi/openmpi" nuce-kernels -DMPI_C_COMPILER="$(command -v mpicc.openmpi)" \
    -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.openmpi)" -DNUCE_SIMGRID=OFF
