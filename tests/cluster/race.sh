#!/bin/sh
# A race of programs under Slurm: each contender is an srun of its own in one allocation. A node dies in the middle;
# missing launches are raced again, and none is lost or counted twice.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 4

profile
step="srun --mpi=pmi2 -n {ranks} $build/bin/$exchange"
program_race ac "$step ac" rs-n "$step rs-n" 4 6
submit_and_lose_node 4 # two whole launches
# A contender that was good in the launch in which the other one died has one launch more.
same "contenders with all launches" "$(value "SELECT count(*) FROM (SELECT count(DISTINCT job) AS n FROM run
    WHERE status = 'ok' GROUP BY point) WHERE n >= 6")" 2
same "launches of the race" "$(value "SELECT max(launches) FROM ratio")" 6
# The ranks are children of Slurm's daemons, and no other load.
same "runs that tell of other load" "$(value "SELECT count(others_cpus) FROM run")" 0
expect 0 nuce show "$name"
says "noise (ac vs ac)"
