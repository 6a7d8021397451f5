#!/bin/sh
# stencil_input.sh MPIEXEC PROGRAM: bad input, refused with one line that names the expected value; only a few options
# (unit.workloads has all). On two ranks.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2
begin

# start STATUS OPTIONS...
start() {
    wanted=$1
    shift
    launched "$mpiexec" -n 2 "$program" --min-samples 2 --max-samples 2 --format json "$@"
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
bad "--decomposition: unknown decomposition 'xy3' (did you mean 'xy'?); expected one of: rb, rb2" --decomposition xy3
bad "--speeds-after: '20': expected iterations that ascend, from 1 to one less than the 20 of the run" \
    --iterations 20 --speeds-after 20:1,1

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
