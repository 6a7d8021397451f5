#!/bin/sh
# redistribute_input.sh MPIEXEC PROGRAM: bad input, refused with one line that names the expected value, and legal but
# odd input, with a note. On two ranks: each start costs what all of its ranks cost.
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

# bad MESSAGE OPTIONS...: nothing runs.
bad() {
    message=$1
    shift
    start 2 --schedule ac "$@"
    grep -qF -- "nuce-redistribute: $message" err || fail "$*: expected: $message"
    [ "$(wc -l <err)" -eq 1 ] || fail "$*: expected one line"
    [ ! -s out ] || fail "$*: a result"
}

bad "--elements: not given" --block 2 --factor 2
bad "factor and to-block: expected one of them" --elements 100 --block 2 --factor 2 --to-block 3
bad "--factor: '0': expected at least 1" --elements 100 --block 2 --factor 0

# Networks.
printf 'ranks 2\n0 1 0 1e6\n' >lacks.net
bad "--network: lacks.net: no line for the pair 1 0" --elements 100 --block 2 --factor 2 --network lacks.net
for algorithm in alltoallw-types pdgemr2d; do
    bad "--network: 'emulated': changes the messages, and $algorithm moves the arrays" --elements 100 \
        --block 2 --factor 2 --network emulated --bandwidth 10MB..200MB --schedule "$algorithm"
done

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

# More events than one set of PAPI takes here.
"$mpiexec" -n 1 "$program" --schedule ac --elements 10 --block 1 --factor 2 --min-samples 2 --max-samples 2 --papi NONE >out 2>err ||
    fail "an event that nobody knows"
grep -q 'built without PAPI' err || refused "papi: more than 16 events" --schedule ac --elements 100 --block 2 \
    --factor 2 --papi "$(seq -s , 17)"

# noted NOTE OPTIONS...: runs, and says so once for both algorithms.
noted() {
    note=$1
    shift
    start 0 --schedule ac,greedy --format json "$@"
    [ "$(grep -c '"status":"ok"' out)" -eq 2 ] || fail "$*: expected two runs"
    [ "$(grep -c "^nuce-redistribute: note: $note" err)" -eq "${notes:-1}" ] || fail "$*: expected: $note"
}
noted "1 of 2 ranks have no elements before, 1 have none after" --elements 3 --block 4 --factor 2
noted "0 of 2 ranks have no elements before, 1 have none after" --elements 40 --block 10 --factor 20
notes=0 noted "" --elements 400 --block 10 --factor 2

# An emulated network is not a network: the error is at its name.
start 0 --schedule ac --elements 100 --block 2 --factor 2 --network emulated --bandwidth 10MB..200MB
grep -q '^redistribute, .*network emulated, .*, EMULATED' out || fail "nothing says EMULATED"
start 0 --schedule ac --elements 100 --block 2 --factor 2 --bandwidth 10MB..200MB
! grep -q EMULATED out || fail "a drawn network is EMULATED"
