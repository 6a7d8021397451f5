#!/bin/sh
# INT and TERM: the sample is finished, the point recorded as interrupted, status 75; one nuce at a time; resume
# continues.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# Twelve points last longer than the second nuce takes to say that it keeps out.
export FAKE_SLEEP_MS=1500
small stopped

# stopped_by SIGNAL SUBCOMMAND ARGUMENT...
stopped_by() {
    signal=$1
    shift
    rm -f "$FAKE_PID"
    # Through env: a shell without job control starts background processes with INT ignored.
    env --default-signal=INT "$work/bin/nuce" "$@" --mpiexec "$here/fake-mpiexec" \
        >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    tries=0
    until [ -s "$FAKE_PID" ] && grep -q '"record":"begin"' campaigns/stopped.1/records/* 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 15000 ] || fail "the launch never began"
        sleep 0.02
    done
    # A second nuce keeps out.
    gives_up "another nuce is running" launch resume stopped.1
    kill -"$signal" "$pid"
    status=0
    wait "$pid" || status=$?
    same "status after $signal" "$status" 75
    pgrep -f "$work/bin/nuce-exchange" >/dev/null && fail "a rank lives on"
    return 0
}

stopped_by INT run stopped.yaml
stopped_by TERM resume stopped.1
grep -q '"status":"interrupted"' campaigns/stopped.1/records/*.jsonl ||
    fail "no run is recorded as interrupted"

# A job whose nuce is gone still writes: resume keeps off.
exec 9>>campaigns/stopped.1/records/0001.jsonl
flock -n 9
gives_up "still writing" launch resume stopped.1
exec 9>&-

FAKE_SLEEP_MS=1
expect 0 launch resume stopped.1
# The reference of a race whose other contender was interrupted races with that again.
same "ok runs of contenders" "$(cat campaigns/stopped.1/records/*.jsonl | grep '"record":"run"' |
    grep '"status":"ok"' | grep -c '"schedule":"rs-n"')" 6
same "points" "$(ok_points campaigns/stopped.1)" 12
