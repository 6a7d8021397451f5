#!/bin/sh
# mpiexec dies by signal 9 at several moments: nothing runs on, and resume ends with every point
# measured exactly once, but for references, which race again with the missing contenders.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

export FAKE_SLEEP_MS=400
small killed

# killed_after RUNS SUBCOMMAND ARGUMENT...: kills the launcher once that many runs are recorded.
killed_after() {
    runs=$1
    shift
    rm -f "$FAKE_PID"
    launch "$@" >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    tries=0
    until [ -s "$FAKE_PID" ] &&
        [ "$(cat campaigns/killed.*/records/*.jsonl 2>/dev/null | grep -c '"record":"run"')" -ge "$runs" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 15000 ] || fail "the launch never came to $runs runs"
        sleep 0.02
    done
    # Between two launches there is none, and its number may be another's.
    until launcher=$(cat "$FAKE_PID") && grep -qs "FAKE_PID=$FAKE_PID" "/proc/$launcher/environ" &&
        kill -9 "$launcher" 2>/dev/null; do
        sleep 0.02
    done
    status=0
    wait "$pid" || status=$?
    same "status after the kill" "$status" 75
    says stderr "mpiexec was killed by signal 9"
    says stderr "nuce resume campaigns/killed.1"
    pgrep -f "$work/bin/nuce-exchange" >/dev/null && fail "a rank lives on"
    return 0
}

killed_after 0 run killed.yaml
for runs in 1 3 4; do
    killed_after "$runs" resume killed.1
done
# Half a line at the end of a record file: its point counts as not measured.
last=$(find campaigns/killed.1/records -name '*.jsonl' | sort | tail -n 1)
printf '{"record":"ru' >>"$last"
FAKE_SLEEP_MS=1
expect 0 launch resume killed.1
says stderr "middle of a line"
says stdout "12 points: 12 ok"
same "ok runs of contenders" "$(cat campaigns/killed.1/records/*.jsonl | grep '"record":"run"' |
    grep '"status":"ok"' | grep -c '"schedule":"rs-n"')" 6
same "points" "$(ok_points campaigns/killed.1)" 12
