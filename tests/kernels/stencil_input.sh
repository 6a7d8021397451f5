#!/bin/sh
# stencil_input.sh MPIEXEC PROGRAM: what is refused, with one line that says what was expected. On
# four ranks.
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
    launched "$mpiexec" -n 4 "$program" --min 2 --max 2 --format json "$@"
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

bad "--weights: '1,2': 2 numbers: expected one for each of 4 ranks" --weights 1,2
bad "--weights: number 2 of 4: '0': expected a number above 0" --weights 1,0,2,3
bad "--weights: number 2 of 4: '-1': expected a number above 0" --weights 1,-1,2,3
bad "--weights: number 4 of 4: 'nan'" --weights 1,1,2,nan
bad "--weights: number 1 of 4: 'inf'" --weights inf,1,2,3
bad "--weights: number 3 of 4: 'fast'" --weights 1,1,fast,3
bad "--emulate-speeds: number 1 of 4: '0': expected a number above 0" --emulate-speeds 0,1,2,4
bad "--emulate-speeds: '1,2,4': 3 numbers: expected one for each of 4 ranks" --weights equal --emulate-speeds 1,2,4
bad "--stencil: '7': expected 5 or 9" --stencil 7
bad "--decomposition: unknown decomposition 'xy3' (did you mean 'xy'?); expected one of: rb, rb2" --decomposition xy3
bad "--latency: '-1'" --latency -1
bad "--speeds-after: '10': expected ITERATION:LIST, such as 100:8,4,2,1" --iterations 20 --speeds-after 10
bad "--speeds-after: '1,2': 2 numbers: expected one for each of 4 ranks" --iterations 20 --speeds-after 10:1,2
bad "--speeds-after: number 2 of 4: '0': expected a number above 0" --iterations 20 --speeds-after 10:1,0,1,1
bad "--speeds-after: 'x'" --iterations 20 --speeds-after x:1,1,1,1
bad "--speeds-after: '20': expected iterations that ascend, from 1 to one less than the 20 of the run" \
    --iterations 20 --speeds-after 20:1,1,1,1
bad "--speeds-after: '5': expected iterations that ascend" --iterations 20 --speeds-after 10:1,1,1,1/5:2,1,1,1
bad "--speeds-after: '0': expected iterations that ascend" --iterations 20 --speeds-after 0:1,1,1,1
bad "--rebalance: 'after-change': expected speeds that change: speeds-after" --iterations 20 --rebalance after-change
bad "--iterations: '30': expected more than 30" --iterations 30 --speeds-after 12:1,1,1,1 --rebalance after-change
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

refused "1 x 3" --rows 1 --columns 3
refused "part 3" --rows 1 --columns 4 --weights 10,10,10,1 --decomposition slabs
refused "halo" --rows 40 --columns 40 --halo-depth 21 --decomposition grid
refused "bytes" --rows 10000000 --columns 10000000
