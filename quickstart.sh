#!/bin/sh
# Builds nuce, runs three heats on this machine (configs/first-*.yaml), and says and draws who is fastest.
# What it makes lies in build/, campaigns/, figures/ and nuce.db; running it again adds runs.
set -eu
cd "$(dirname "$0")"

./cmake/install-dependencies.sh
echo "building (a minute or two the first time)"
cmake --preset release >/dev/null
cmake --build --preset release -j "$(nproc)" | tail -n 1

nuce=build/release/bin/nuce
for sweep in first-exchange first-redistribution first-stencil; do
    "$nuce" run "configs/$sweep.yaml"
done
"$nuce" table quick
figures=$("$nuce" figure quick --output figures)

echo
echo "The figures:"
echo "$figures"
