#!/bin/sh
# redistribute_input.sh MPIEXEC PROGRAM: what is refused when it is about to run, and legal but odd input,
# with a note. On two ranks: each start costs what all of its ranks cost.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2
begin

# start STATUS OPTIONS...
start() {
    wanted=$1
    shift
    launched "$mpiexec" -n 2 "$program" --min-samples 2 --max-samples 2 "$@"
    [ "$status" -eq "$wanted" ] || fail "$*: exit status $status, expected $wanted"
}

# refused MESSAGE OPTIONS...: found when it is about to run; the run is recorded as failed.
refused() {
    message=$1
    shift
    start 2 --format json "$@"
    grep -qF -- "nuce-redistribute: $message" err || fail "$*: expected: $message"
    [ "$(grep -c '"status":"failed"' out)" -eq 1 ] || fail "$*: expected a failed run"
}

# Before it is allocated: two parts of 2^47 bytes, before and after, and their buffers.
refused "the 2 ranks of this node need 562949953421312 bytes" --schedule ac --elements 17592186044416 \
    --block 64 --factor 3
if "$mpiexec" -n 1 "$program" --schedule pdgemr2d --elements 10 --block 1 --factor 2 --min-samples 2 --max-samples 2 \
    >out 2>err; then
    refused "pdgemr2d: element-bytes: '3': expected 4, 8 or 16" --schedule pdgemr2d --elements 100 \
        --block 2 --factor 2 --element-bytes 3
fi

start 0 --schedule ac,greedy --format json --elements 3 --block 4 --factor 2
same "good runs" "$(grep -c '"status":"ok"' out)" 2
same "notes" "$(grep -c '^nuce-redistribute: note: 1 of 2 ranks have no elements before, 1 have none after' err)" 1

# An emulated network is not a network: the error is at its name.
start 0 --schedule ac --elements 100 --block 2 --factor 2 --network emulated --bandwidth 10MB..200MB
grep -q '^redistribute, .*network emulated, .*, EMULATED' out || fail "nothing says EMULATED"
start 0 --schedule ac --elements 100 --block 2 --factor 2 --bandwidth 10MB..200MB
! grep -q EMULATED out || fail "a drawn network is EMULATED"
