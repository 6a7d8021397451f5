#!/bin/sh
# fault.sh MPIEXEC PROGRAM FAULT: the remains of a launch in which something goes wrong.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2 fault=$3
begin

# A plan of three points, made by the program itself.
cat >all.com <<'EOF'
3
0 1 1000
1 2 1000
2 0 1000
EOF

# start OPTIONS...: on three ranks; standard output in `out`, errors in `err`, its exit status in $status.
start() {
    start_on 3 "$@"
}

# start_on RANKS OPTIONS...: likewise.
start_on() {
    on=$1
    shift
    launched "$mpiexec" -n "$on" "$program" "$@"
}

case $fault in
counts)
    # Calls with counts beyond int, as if 1000 bytes were too many for one: every byte arrives. On few ranks the call
    # that blocks, if there are processors, on many the one that does not.
    export NUCE_FAULT=counts
    printf '2\n0 1 1000\n1 0 40\n1 1 8\n' >two.com
    start_on 2 --com two.com --schedule ac,alltoallv,neighbor,neighbor-persistent --format json
    [ "$status" -eq 0 ] || fail "exit status $status"
    start --com all.com --schedule ac,alltoallv,neighbor,neighbor-persistent --wait yield --format json
    [ "$status" -eq 0 ] || fail "exit status $status"
    [ "$(grep -c '"status":"ok"' out)" -eq 4 ] || fail "expected four good runs"
    ;;
counts-refused)
    export NUCE_FAULT=counts
    start --com all.com --schedule ac,alltoallv,neighbor --format json
    [ "$status" -eq 2 ] || fail "exit status $status, expected 2"
    [ "$(grep -c '"status":"ok"' out)" -eq 1 ] || fail "expected a good run"
    [ "$(grep -c 'counts bytes as int, and a rank sends or receives 1000: expected at most' err)" -ge 1 ] ||
        fail "it is not said why"
    ;;
corrupt)
    export NUCE_FAULT=corrupt
    start --com all.com --schedule ac,rs-n,twill --group-ranks 2 --format json
    [ "$status" -eq 1 ] || fail "exit status $status, expected 1"
    [ "$(grep -c '"status":"corrupt"' out)" -eq 3 ] || fail "expected three corrupt runs"
    grep -q 'rank 1: 1 of 1000 received bytes are wrong, the first is byte 999' err ||
        fail "the message does not name rank and byte"
    ;;
transit)
    # Distance 3 goes by way of rank 1 in radix 2, and so does what is for number 1 of another node, and the
    # second half of the message where rank 1 is one of two leaders or has its share of what the node
    # sends: it gets that right, flips a bit and sends it on.
    printf '4\n0 3 1000\n0 1 40\n' >far.com
    export NUCE_FAULT=transit
    for how in 'tuna --radix 2' 'bruck-padded --radix 2' 'tuna-nodes --node-ranks 2' 'fast --node-ranks 2' \
        'multi-leader --node-ranks 2' 'two-level --between rs-n --node-ranks 2'; do
        # shellcheck disable=SC2086 # a list of words
        start_on 4 --com far.com --schedule ac,$how --format json
        [ "$status" -eq 1 ] || fail "$how: exit status $status, expected 1"
        [ "$(grep -c '"status":"corrupt"' out)" -eq 1 ] || fail "$how: expected one corrupt run"
        [ "$(grep -c '"status":"ok"' out)" -eq 1 ] || fail "expected that ac is good: it forwards nothing"
        grep -q 'rank 1: byte 999 of the message from rank 0 to rank 3 is wrong at rank 1, which had it from rank 0 in phase 0' err ||
            fail "$how: the message does not name the way"
    done
    ;;
flip)
    # One bit in one exchange of the rounds: only the contender that had it is corrupt.
    for sync in barrier window; do
        measure="--warmup 1 --min-samples 30 --max-samples 30 --time-limit 10min --batch 1 --sync $sync"
        # shellcheck disable=SC2086 # a list of words
        start --com all.com --schedule ac,rs-n $measure --format json
        [ "$status" -eq 0 ] || fail "exit status $status, expected 0"
        # shellcheck disable=SC2086 # a list of words
        NUCE_FAULT='flip 40' start --com all.com --schedule ac,rs-n $measure --format json
        [ "$status" -eq 1 ] || fail "exit status $status, expected 1"
        [ "$(grep -c '"status":"corrupt"' out)" -eq 1 ] || fail "expected one corrupt run"
        [ "$(grep -c '"status":"ok"' out)" -eq 1 ] || fail "expected one good run"
        grep -q 'rank 1: received bytes differ between turns: 1 of' err ||
            fail "the message does not say what was seen"
    done
    ;;
skip)
    # One exchange of the rounds that brings nothing: the buffer still has the bytes of the last one.
    for wait in spin yield; do
        NUCE_SKIP=25 start --com all.com --schedule ac,alltoallv --warmup 1 --min-samples 30 --max-samples 30 \
            --time-limit 10min --batch 1 --wait $wait --format json
        [ "$status" -eq 1 ] || fail "exit status $status, expected 1"
        [ "$(grep -c '"status":"corrupt"' out)" -eq 1 ] || fail "expected one corrupt run"
        grep '"status":"ok"' out | grep -q '"schedule":"ac"' || fail "expected that ac is good"
        grep -q 'received bytes differ between turns: [12] of' err || fail "the message does not say what was seen"
    done
    ;;
hang)
    export NUCE_FAULT=hang
    # On a busy machine the ranks may not have come that far in two seconds, or rank 0 may speak after the others.
    for limit in 2 10 60; do
        start --com all.com --schedule lp --format json --timeout "${limit}s"
        [ "$status" -ne 0 ] || fail "exit status 0"
        named=$(grep -c 'timeout: after [0-9]* s rank 0 was in .*; furthest behind, rank 1 was in the exchange' err) ||
            continue
        [ "$(grep -c '^nuce: timeout' err)" -ne 1 ] || break
    done
    [ "$named" -eq 1 ] || fail "the message does not name the rank that hangs"
    [ "$(grep -c '^nuce: timeout' err)" -eq 1 ] || fail "expected one message"
    # The runs that finished before the hang are printed, and so is the one that did not.
    for limit in 2 10 60; do
        NUCE_FAULT='hang 40' start --pattern uniform --degree 2 --schedule lp --timeout "${limit}s" --warmup 1 --min-samples 2 \
            --max-samples 2 --batch 1 --item-bytes 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --format json
        [ "$status" -ne 0 ] || fail "exit status 0"
        ! grep -q '"status":"ok"' out || ! grep -q '"status":"timeout"' out || break
    done
    [ "$(grep -c '"status":"timeout"' out)" -eq 1 ] || fail "expected one run that timed out"
    [ "$(grep -c '"status":"ok"' out)" -ge 1 ] || fail "what was finished is not printed"
    grep '"status":' out | tail -n 1 | grep -q '"status":"timeout"' || fail "the run that timed out is not the last"
    ;;
crash)
    export NUCE_FAULT=crash
    start --com all.com --schedule ac
    [ "$status" -ne 0 ] || fail "exit status 0"
    ;;
setup)
    export NUCE_FAULT=setup
    start --com all.com --schedule ac,lp --format json
    [ "$status" -eq 1 ] || fail "exit status $status, expected 1"
    [ "$(grep -c '"status":"failed"' out)" -eq 2 ] || fail "expected two failed runs"
    [ "$(grep -c 'rank 1: the set-up fails on purpose' err)" -eq 1 ] || fail "expected one message"
    ;;
memory)
    # A rank that memory runs out on ends the whole launch, with its one line. Launchers end with its exit status 1 or
    # with that of the ranks that they kill.
    export NUCE_FAULT=memory ASAN_OPTIONS="${ASAN_OPTIONS:-}:allocator_may_return_null=1"
    start --com all.com --schedule ac --format json
    [ "$status" -ne 0 ] || fail "exit status 0"
    [ "$(grep '^nuce' err)" = "nuce: out of memory: asked for 9223372036854775807 bytes" ] || fail "expected one line"
    ! grep -q '"status"' out || fail "expected no run"
    ;;
clocks)
    # Rank 2 is on a clock of its own, 2000 s ahead: samples are times all the same, and the error is
    # that of round trips.
    export NUCE_FAULT=clocks
    for sync in barrier window; do
        start --com all.com --schedule ac,lp --sync $sync --min-samples 5 --max-samples 5 --time-limit 10min --format json
        [ "$status" -eq 0 ] || fail "exit status $status, expected 0"
        python3 - "$sync" out <<'PYTHON' || fail "what is said of clocks and starts is wrong"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[2])]
assert len(rows) == 2
for row in rows:
    assert row["status"] == "ok" and row["sync"] == sys.argv[1] and row["n"] == 5, row
    assert 0 < row["sync_error_s"] < 1 and 0 <= row["sync_residual_s"] < 1, row
    assert 0 <= row["skew_s"] <= row["skew_high_s"] < 60, row
    assert 0 < row["own_s"] < 60 and 0 < row["step_s"] < 60, row
PYTHON
    done
    params='{"degree":1,"instance":0,"item-bytes":64,"pattern":"uniform","schedule":"ac","seed":1}'
    point=$(printf '{"params":%s,"ranks":3,"workload":"exchange"}' "$params" | sha256sum | cut -d ' ' -f 1)
    printf '{"point":"%s","workload":"exchange","ranks":3,"params":%s,"measure":{"min-samples":2,"max-samples":4}}\n' \
        "$point" "$params" >plan.jsonl
    start --points plan.jsonl --records clocks.jsonl
    [ "$status" -eq 0 ] || fail "exit status $status, expected 0"
    grep '"record":"job"' clocks.jsonl | grep -q '"clocks":{"count":2,"synchronised_s":[0-9]' ||
        fail "the job does not say what it took to synchronise two clocks"
    ;;
interrupt)
    # On a busy machine the first sample may be missing after half a second. MPICH's mpiexec then ended with 0 in one
    # of 25 runs, although its ranks did the same.
    for pause in 0.5 2 5 20; do
        "$mpiexec" -n 3 "$program" --com all.com --schedule ac --target-ci 0 --max-samples 1000000 --time-limit 1min \
            --format json >out 2>err &
        launcher=$!
        # Printed when all ranks are up, just before the first sample.
        until grep -q '^3 ranks' err; do
            kill -0 "$launcher" || fail "the ranks did not start"
            sleep 0.1
        done
        sleep "$pause"
        kill -USR1 "$launcher"
        status=0
        wait "$launcher" || status=$?
        grep -q '"status":"interrupted"' out || fail "expected an interrupted run"
        [ "$status" -ne 75 ] || grep -q '"n":0' out || break
    done
    [ "$status" -eq 75 ] || fail "exit status $status, expected 75"
    grep -q '"n":0' out && fail "the samples taken before the signal are lost"
    ;;
esac
exit 0
