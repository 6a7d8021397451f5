#!/usr/bin/env bash
# Run inside the root file system: build.sh PROJECT BUILD-FOLDER ROOT-NAME
set -eu
project=$1
build=$2
root=$3
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
# Whoever owns the sources, git may tell their revision.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'

# What CMake found belongs to the root file system that it looked at.
if [ ! -f "$build/build.ninja" ] || [ "$(cat "$build/root" 2>/dev/null)" != "$root" ]; then
    # A compiler's launcher of the host, such as ccache, is not in the nodes' root file system.
    unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER
    cmake --fresh -S "$project" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
    printf '%s\n' "$root" >"$build/root"
fi
cmake --build "$build" -j "$(nproc)"
