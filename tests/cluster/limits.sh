#!/bin/sh
# 60 points, each a job of its own, where arrays have at most 5 tasks and Slurm at most 20 jobs: they
# are submitted in turns.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"

up --nodes 2 --cpus 2 --conf MaxArraySize=5 --conf MaxJobCount=20 --conf MinJobAge=2

profile 'time: 1' 'exclusive: false'
# Instances of one algorithm, of an estimate that leaves no room for a second in a job.
cat >sweep.yaml <<YAML
name: $name
workload: exchange
ranks: 2
sweep: {schedule: ac, pattern: uniform, degree: 1, item-bytes: 1KiB, instances: 60}
measure: {launches: 1, warmup: 0, min-samples: 1, max-samples: 2, target-ci: 0, time-limit: 40s}
YAML
expect 75 nuce submit sweep.yaml --profile profile.yaml
says "wait for room"
rounds=0
while :; do
    [ "$(cluster squeue -h -r -o %i | wc -l)" -le 20 ] || fail "more jobs than allowed"
    status=0
    nuce resume >said 2>&1 || status=$?
    cat said
    [ "$status" = 75 ] || [ "$status" = 0 ] || fail "resume ended with $status"
    grep -q ' 0 points in 0 jobs submitted$' said && no_jobs && break
    rounds=$((rounds + 1))
    [ "$rounds" -lt 60 ] || fail "never all submitted"
    sleep 2
done
finished 60
largest=$(grep -ho 'array=0-[0-9]*' campaigns/*/jobs/*.sh | sort -u | tail -n 1)
same "largest array" "$largest" "array=0-4"
