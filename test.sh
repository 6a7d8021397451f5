#!/bin/sh
# Builds nuce twice, optimised and with the sanitizers, and runs the tests in both.
set -eu
cd "$(dirname "$0")"

./cmake/install-dependencies.sh --tests
for preset in ci asan; do
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" -j "$(nproc)" | tail -n 1
done

# Tests labelled optimised-only say nothing new under the sanitizers: they look at the source, or
# start many ranks, which the sanitizers make slow.
ctest --preset asan -LE optimised-only -j 2
# Those on clusters mostly wait, one at a time: the others run beside them.
ctest --preset ci -j 2
