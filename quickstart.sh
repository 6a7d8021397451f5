#!/bin/sh
# Builds nuce, runs three heats on this machine (configs/first-*.yaml), and says and draws who is fastest.
# What it makes lies in build/, campaigns/, figures/ and nuce.db; running it again adds runs.
set -eu
cd "$(dirname "$0")"

./cmake/install-dependencies.sh
echo "building (a minute or two the first time)"
cmake --preset release >/dev/null
cmake --build --preset release -j "$(nproc)" | tail -n 1
# Of the programs, once more for Open MPI where that is there beside MPICH: `mpi: [mpich, openmpi]` in a
# sweep runs both.
if [ "$(sed -n 's/^name //p' build/release/share/nuce/mpi.conf)" = mpich ] &&
    command -v mpicc.openmpi >/dev/null && command -v mpiexec.openmpi >/dev/null; then
    cmake -S . -B build/release/mpi/openmpi -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
        -DMPI_C_COMPILER="$(command -v mpicc.openmpi)" \
        -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.openmpi)" -DNUCE_SIMGRID=OFF >/dev/null
    cmake --build build/release/mpi/openmpi -j "$(nproc)" --target nuce-kernels | tail -n 1
fi

nuce=build/release/bin/nuce
for sweep in first-exchange first-redistribution first-stencil; do
    "$nuce" run "configs/$sweep.yaml"
done
"$nuce" table quick
figures=$("$nuce" figure quick --output figures)

echo
echo "The figures:"
echo "$figures"
