#!/bin/sh
# stencil_input.sh MPIEXEC PROGRAM: what is refused, with one line that says what was expected. On
# two ranks: each start costs what all of its ranks cost.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2
# Requests of MPICH's own live until the process ends.
LSAN_OPTIONS="suppressions=$(cd "$(dirname "$0")" && pwd)/lsan.supp"
export LSAN_OPTIONS
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "FAILED: $*" >&2
    cat out err >&2
    exit 1
}

# start STATUS OPTIONS...
start() {
    wanted=$1
    shift
    launched "$mpiexec" -n 2 "$program" --min 2 --max 2 --format json "$@"
    [ "$status" -eq "$wanted" ] || fail "$*: exit status $status, expected $wanted"
}

# bad MESSAGE OPTIONS...: nothing runs.
bad() {
    message=$1
    shift
    start 2 "$@"
    grep -qF -- "nuce-stencil: $message" err || fail "$*: expected: $message"
    [ "$(wc -l <err)" -eq 1 ] || fail "$*: expected one line"
    [ ! -s out ] || fail "$*: a result"
}

bad "--weights: '1,2,3': 3 numbers: expected one for each of 2 ranks" --weights 1,2,3
bad "--weights: number 2 of 2: '0': expected a number above 0" --weights 1,0
bad "--weights: number 2 of 2: '-1': expected a number above 0" --weights 1,-1
bad "--weights: number 2 of 2: 'nan'" --weights 1,nan
bad "--weights: number 1 of 2: 'inf'" --weights inf,1
bad "--weights: number 2 of 2: 'fast'" --weights 1,fast
bad "--emulate-speeds: number 1 of 2: '0': expected a number above 0" --emulate-speeds 0,1
bad "--emulate-speeds: '1,2,4': 3 numbers: expected one for each of 2 ranks" --weights equal --emulate-speeds 1,2,4
bad "--stencil: '7': expected 5 or 9" --stencil 7
bad "--decomposition: unknown decomposition 'xy3' (did you mean 'xy'?); expected one of: rb, rb2" --decomposition xy3
bad "--latency: '-1'" --latency -1
bad "--speeds-after: '10': expected ITERATION:LIST, such as 100:8,4,2,1" --iterations 20 --speeds-after 10
bad "--speeds-after: '1,2,3': 3 numbers: expected one for each of 2 ranks" --iterations 20 --speeds-after 10:1,2,3
bad "--speeds-after: number 2 of 2: '0': expected a number above 0" --iterations 20 --speeds-after 10:1,0
bad "--speeds-after: 'x'" --iterations 20 --speeds-after x:1,1
bad "--speeds-after: '20': expected iterations that ascend, from 1 to one less than the 20 of the run" \
    --iterations 20 --speeds-after 20:1,1
bad "--speeds-after: '5': expected iterations that ascend" --iterations 20 --speeds-after 10:1,1/5:2,1
bad "--speeds-after: '0': expected iterations that ascend" --iterations 20 --speeds-after 0:1,1
bad "--rebalance: 'after-change': expected speeds that change: speeds-after" --iterations 20 --rebalance after-change
bad "--iterations: '30': expected more than 30" --iterations 30 --speeds-after 12:1,1 --rebalance after-change
bad "--look-every: '20': expected less than the 20 iterations" --iterations 20 --look-every 20 --rebalance every-look
bad "--look-every: '0'" --iterations 20 --look-every 0 --rebalance every-look
bad "--allow-empty: not with rebalance" --iterations 20 --allow-empty --rebalance every-look
bad "--rebalance: unknown rebalance 'sometimes'" --iterations 20 --rebalance sometimes

# refused MESSAGE OPTIONS...: found at the latest when it is about to run.
refused() {
    message=$1
    shift
    start 2 "$@"
    grep -qF -- "$message" err || fail "$*: expected: $message"
    ! grep -q '"status":"ok"' out || fail "$*: a result"
}

refused "1 x 1" --rows 1 --columns 1
refused "part 1" --rows 1 --columns 4 --weights 100,1 --decomposition slabs
refused "halo" --rows 40 --columns 40 --halo-depth 21 --decomposition grid
refused "bytes" --rows 10000000 --columns 10000000
