#!/bin/sh
# A race of programs under Slurm: each contender is an srun of its own in one allocation. A node dies in the middle;
# missing launches are raced again, and none is lost or counted twice.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 4

profile
hold 4
step="srun --mpi=pmi2 -n {ranks} $build/bin/nuce-exchange --pattern uniform --degree 1 --item-bytes 16KiB"
step="$step --warmup 1 --min-samples 3 --max-samples 3 --format json --schedule"
cat >sweep.yaml <<YAML
name: $name
workload: program
ranks: [4]
zip: [{command: ["$step ac", "$step rs-n"], name: [ac, rs-n]}]
sweep: {metric: json:/communication_s, unit: s}
measure: {launches: 6, warmup: 0, timeout: 120s}
YAML
submit
eventually 60 has_runs 4 ok
dies n2
eventually 90 no_jobs
go
cluster revive n2
resume_all
expect 0 nuce collect
# A contender that was good in the launch in which the other one died has one launch more.
same "contenders with all launches" "$(value "SELECT count(*) FROM (SELECT count(DISTINCT job) AS n FROM run
    WHERE status = 'ok' GROUP BY point) WHERE n >= 6")" 2
same "launches of the race" "$(value "SELECT max(launches) FROM ratio")" 6
# The ranks are children of Slurm's daemons, and no other load.
same "runs that tell of other load" "$(value "SELECT count(others_cpus) FROM run")" 0
expect 0 nuce show "$name"
says "noise (ac vs ac)"
