#!/bin/sh
# The real kernel under the real mpiexec, killed at many moments: the launcher, its proxy, a rank and
# nuce itself by signal 9; nuce by INT and TERM. In the end every planned point has exactly one good
# run in the database, but for references, and no process is left.
# NUCE_KILLS: how often each is killed (1).
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
real_kernel nuce-exchange

rounds=${NUCE_KILLS:-1}
points=$((24 * rounds + 12))

# Points of about 0.1 s.
cat >killed.yaml <<YAML
name: killed
workload: exchange
ranks: 4
sweep:
  schedule: [ac, lp, rs-n]
  pattern: uniform
  degree: 2
  item-bytes: [16B, 1KiB]
  instances: $((4 * rounds + 2))
measure: {launches: 1, warmup: 1, min-samples: 2, max-samples: 1000000, target-ci: 0, time-limit: 100ms, timeout: 60s}
YAML

# victim NAME: the id of one process of the launch that nuce $pid has under way; empty if none.
victim() {
    launcher=$(pgrep -P "$pid" | head -n 1)
    proxy=$([ -z "$launcher" ] || pgrep -P "$launcher" | head -n 1)
    case $1 in
    nuce) echo "$pid" ;;
    mpiexec) echo "$launcher" ;;
    proxy) echo "$proxy" ;;
    rank) [ -z "$proxy" ] || pgrep -P "$proxy" | tail -n 1 ;;
    esac
}

processes() {
    pgrep -f "^$work/bin/nuce-exchange " || true
}

runs() {
    cat campaigns/killed.1/records/*.jsonl 2>/dev/null | grep -c '"record":"run"' || true
}

# wait_for WORDS COMMAND...: until it succeeds, 10 min at most; fails if nuce has ended before.
wait_for() {
    words=$1
    shift
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 3000 ] || fail "$words: waited in vain"
        sleep 0.2
    done
}

nothing_left() {
    [ -z "$(processes)" ]
}

# Enough runs, or nothing more to come.
so_far() {
    [ "$(runs)" -ge "$1" ] || ! kill -0 "$pid" 2>/dev/null
}

# nuce handles signals once it has started a launcher: before that TERM ends it like any program.
has_victim() {
    { [ -n "$(pgrep -P "$pid")" ] && [ -n "$(victim "$1")" ]; } ||
        ! kill -0 "$pid" 2>/dev/null
}

# strike SIGNAL VICTIM RUNS SECONDS SUBCOMMAND ARGUMENT: sends SIGNAL to VICTIM once RUNS more runs are recorded and
# SECONDS have passed. A launch that lost a rank continues with the next point, and is then stopped.
strike() {
    signal=$1 who=$2 more=$3 pause=$4
    shift 4
    goal=$(($(runs) + more))
    env --default-signal=INT "$work/bin/nuce" "$@" >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    wait_for "start" has_victim "$who"
    wait_for "$goal runs" so_far "$goal"
    sleep "$pause"
    target=$(victim "$who")
    [ -z "$target" ] || kill -"$signal" "$target" 2>/dev/null || true
    case $who in
    rank | proxy)
        wait_for "a run after $signal of $who" so_far $(($(runs) + 2))
        kill "$pid" 2>/dev/null || true
        ;;
    esac
    status=0
    wait "$pid" || status=$?
    wait_for "end of all ranks after $signal of $who" nothing_left
    echo "$signal $who after $more runs and $pause s: status $status, $(runs) runs"
    case $who-$signal-$status in
    mpiexec-9-75)
        says stderr "was killed by signal 9"
        says stderr "nuce resume campaigns/killed.1"
        ;;
    nuce-9-137 | *-75) ;;
    # Too late: all points have run, and nuce no longer handles signals.
    *-0 | proxy-* | rank-* | nuce-TERM-143 | nuce-INT-130) [ "$(ok_points campaigns/killed.1)" -gt $((points - 4)) ] ;;
    *) false ;;
    esac || {
        cat "$work/stderr" >&2
        fail "status $status after $signal of $who"
    }
}

strike 9 mpiexec 0 0 run killed.yaml
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    strike 9 mpiexec 2 0.0$((round % 10)) resume killed.1
    strike 9 nuce 1 0.1 resume killed.1
    strike 9 rank 1 0.05 resume killed.1
    strike TERM nuce 1 0.1 resume killed.1
    strike INT nuce 1 0.15 resume killed.1
    strike 9 mpiexec 0 0.$((round % 10)) resume killed.1
done
# During the last point; and ranks whose proxy is dead, which continue to the end unless nuce ends them.
missing=$((points - $(ok_points campaigns/killed.1)))
[ "$missing" -lt 1 ] || strike 9 mpiexec $((missing - 1)) 0.03 resume killed.1
strike 9 proxy 0 0.02 resume killed.1
prints "$points points: $points ok" nuce resume killed.1
expect 0 nuce collect killed.1
# A reference races again with the missing contenders of its race, and the two others with a reference that was
# killed.
same "points in the database" \
    "$(value "SELECT count(DISTINCT point) FROM run WHERE status = 'ok'")" "$points"
same "points that have two runs of one launch" "$(value "SELECT count(*) FROM
    (SELECT 1 FROM run WHERE status = 'ok' GROUP BY point HAVING count(*) <> count(DISTINCT job))")" 0
same "whether contenders have one run, and one more for each killed reference" "$(value "SELECT
    sum(status = 'ok' AND schedule <> 'ac') BETWEEN $((points * 2 / 3))
    AND $((points * 2 / 3)) + 2 * sum(status = 'failed' AND schedule = 'ac')
    FROM run JOIN point ON point = point.id")" 1
same "planned points with good runs" "$(value "SELECT count(*) FROM outcome WHERE runs >= 1")" "$points"
nothing_left || fail "a process is left"

# Rank 0, which writes the records, is stopped: the others tell that their time was up. On a busy machine it may be up
# before rank 0 is found: then there is more of it.
first_rank() {
    for process in $(processes); do
        ! { tr '\0' '\n' <"/proc/$process/environ" | grep -qxE 'PMIX?_RANK=0'; } 2>/dev/null || echo "$process"
    done
}
# Rank 0 in $rank, with a point in flight.
has_begun() {
    rank=$(first_rank)
    { [ -n "$rank" ] && grep -q '"record":"begin"' "campaigns/stopped.$tried/records"/* 2>/dev/null; } ||
        ! kill -0 "$pid" 2>/dev/null
}
tried=0
timeout_s=5
while
    tried=$((tried + 1))
    timeout_s=$((timeout_s * 2))
    cat >stopped.yaml <<YAML
name: stopped
workload: exchange
ranks: 3
sweep: {schedule: ac, pattern: uniform, degree: 2, item-bytes: 4KiB}
measure: {launches: 1, min-samples: 1000000, max-samples: 1000000, time-limit: 1h, timeout: ${timeout_s}s}
YAML
    "$work/bin/nuce" run stopped.yaml >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    wait_for "a point in flight" has_begun
    ! kill -STOP "$rank" 2>/dev/null
do
    [ "$tried" -lt 5 ] || fail "rank 0 was never found in time"
    wait "$pid" || :
done
status=0
wait "$pid" || status=$?
same "status" "$status" 1
says stdout "1 point: 1 timeout"
# They name rank 0 as the one waited for or furthest behind; if all are in one collective of nuce's own, the missing
# rank is unknown.
same "what is recorded" "$(value "SELECT status || ': ' || CASE
    WHEN message LIKE 'timeout: after % s rank %'
        AND (message LIKE '% rank 0%' OR message LIKE '% in a collective operation of nuce')
    THEN 'named' ELSE message END FROM run
    JOIN point ON point = point.id WHERE campaign = 'stopped.$tried'")" "timeout: named"
wait_for "end of all ranks" nothing_left
