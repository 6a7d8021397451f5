#!/bin/sh
# A node dies under a job that may be requeued: it starts again by itself and goes on where it was.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 4

profile 'requeue: true'
sweep 8 5 3
submit
eventually 60 has_runs 1 ok
node=$(cluster squeue -h -t RUNNING -o %N | head -n 1 | sed 's/.*\(n\)\[*\([0-9]\).*/\1\2/')
job=$(cluster squeue -h -t RUNNING -o %A | head -n 1)
cluster kill "$node"
# What is left of the first run on the other nodes is killed by the job's number, which the second has
# as well. Each slurmd does so until it has seen that nothing is left, and after KillWait (5 s) by
# SIGKILL, also where the controller has the node as idle: it had it as down meanwhile. So the second
# run may begin when that is over, as it is in the two minutes that Slurm would wait.
first_is_over() {
    for other in n0 n1 n2 n3; do
        [ "$other" = "$node" ] || [ "$(cluster sinfo -h -n "$other" -o %T | head -n 1)" = idle ] || return 1
        [ "$other" = "$node" ] || ! cluster exec "$other" -- pgrep -f "^slurmstepd: \[$job\." >/dev/null || return 1
    done
}
eventually 60 first_is_over
sleep 15
eventually 60 first_is_over
eventually 60 requeued
eventually 180 has_runs 8 ok
cluster revive "$node"
eventually 60 no_jobs
same "jobs" "$(find campaigns/*/jobs -name '*.id' | wc -l)" 1
finished 8
same "restarts" "$(value "SELECT count(DISTINCT json_extract(facts, '$.launch.restart')) FROM job")" 2
