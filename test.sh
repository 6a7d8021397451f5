#!/bin/sh
# Builds nuce twice, optimised and with the sanitizers, and runs the tests in both.
set -eu
cd "$(dirname "$0")"

./cmake/install-dependencies.sh --tests
for preset in ci asan; do
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" -j "$(nproc)" | tail -n 1
done

# Tests named *.sanitized-elsewhere would run twice; none does. The sanitizers slow MPI programs
# down, so what only shells out to built programs runs in the optimised build alone.
ctest --preset asan -LE optimised-only
ctest --preset ci
