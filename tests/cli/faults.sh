#!/bin/sh
# nuce runs a kernel with injected faults: the outcome of each point is recorded and reported, the others continue,
# and no table or figure takes a time from a run that is not ok.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
real_kernel nuce-exchange-faulty

# On one rank nothing is faulty: rank 1 is.
cat >quick.yaml <<'YAML'
name: quick
workload: exchange
ranks: [1, 3]
sweep:
  schedule: [ac, rs-n]
  mesh: wing-2800
  item-bytes: 64B
measure: {launches: 1, warmup: 1, min-samples: 2, max-samples: 4, time-limit: 10min, timeout: 60s}
YAML

# holds SQL WANTED: the database answers WANTED.
holds() {
    same "$1" "$(nuce query --format csv "$1" | tail -n +2 | tr '\n' ' ')" "$2"
}

expect 1 env NUCE_FAULT=corrupt "$work/bin/nuce" run quick.yaml
says stdout "4 points: 2 ok, 2 corrupt"
says stderr "corrupt: 3 ranks: ac"
says stderr "received bytes are wrong"
holds "SELECT point.ranks, status, count(*) FROM run JOIN point ON point = point.id
       GROUP BY point.ranks, status ORDER BY point.ranks" "1,ok,2 3,corrupt,2 "
holds "SELECT DISTINCT ranks FROM result" "1 "
holds "SELECT count(*) FROM outcome JOIN point ON outcome.point = point.id WHERE ranks = 3" "0 "
same "messages in the records" "$(cat campaigns/quick.1/records/*.jsonl |
    grep '"record":"run"' | grep '"status":"corrupt"' | grep -c '"message":"')" 2
pgrep -f "^$work/bin/nuce-exchange " >/dev/null && fail "a rank lives on"
# Nothing of it is in the table: neither a row nor a column of 3 ranks.
expect 0 nuce table quick --format csv
[ "$(wc -l <"$work/stdout")" -gt 1 ] || fail "the table is empty"
grep -q '3 ranks' "$work/stdout" && fail "the table shows a corrupt run"
# One rank has nothing to send, and of three there is none that is good.
gives_up "quick: no figure: none of its patterns has a message" nuce figure quick --output figures
[ ! -e figures/quick.svg ] || fail "a figure of corrupt runs"
prints "4 points: 4 ok" nuce resume quick.1
prints "3 ranks" nuce table quick --format csv
expect 0 nuce figure quick --output figures
grep -q ', 3 ranks[^0-9]' figures/quick.svg || fail "mended, the points are still not in the figure"
grep -q ', 1 rank[^s]' figures/quick.svg && fail "a panel of no message"

# One contender of three: the others have all their launches, and it has one run with its outcome.
cat >race.yaml <<'YAML'
name: race
workload: exchange
ranks: 3
sweep: {schedule: [ac, greedy, alltoallv], mesh: wing-2800, item-bytes: 64B}
measure: {launches: 2, warmup: 1, min-samples: 6, max-samples: 6, time-limit: 10min, timeout: 60s}
YAML

# race_with FAULT EXECUTOR SCHEDULE STATUS MESSAGE: the runs of that schedule, which the executor
# executes, have STATUS.
race_with() {
    rm -rf campaigns nuce.db nuce.db.lock
    expect 1 env NUCE_FAULT="$1" NUCE_FAULT_EXECUTOR="$2" "$work/bin/nuce" run race.yaml
    says stdout "3 points, each in 2 launches: 2 ok, 1 $4"
    says stderr "$5"
    holds "SELECT count(*), count(DISTINCT schedule), count(DISTINCT job) FROM run JOIN point
           ON point = point.id WHERE status = 'ok' AND schedule <> '$3'" "4,2,2 "
    holds "SELECT status, count(*) FROM run JOIN point ON point = point.id
           WHERE schedule = '$3' GROUP BY status" "$4,1 "
    holds "SELECT count(*) FROM run WHERE race IS NULL" "0 "
    # Every launch of the others has its noise, even if the reference failed.
    holds "SELECT count(*) FROM duplicate" "2 "
    prints "3 points, each in 2 launches: 3 ok" nuce resume race.1
    holds "SELECT count(*) FROM run WHERE status = 'ok'" "$6 "
}

race_with crash streams greedy failed "failed: 3 ranks: greedy" 8
race_with crash post-all ac failed "failed: 3 ranks: ac" 10
# A timeout of 5 s, and on a machine so busy that good points last longer one of 60 s.
sed -i 's/timeout: 60s/timeout: 5s/' race.yaml
(race_with hang streams greedy timeout "timeout: 3 ranks: greedy" 8) || {
    sed -i 's/timeout: 5s/timeout: 60s/' race.yaml
    race_with hang streams greedy timeout "timeout: 3 ranks: greedy" 8
}
