#!/bin/sh
# A node dies under a job that may be requeued: Slurm starts the job again, and it continues where it was.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 4

profile 'requeue: true'
hold 1
sweep 8 0.3 3
submit
eventually 60 has_runs 1 ok
node=$(cluster squeue -h -t RUNNING -o %N | head -n 1 | sed 's/.*\(n\)\[*\([0-9]\).*/\1\2/')
job=$(cluster squeue -h -t RUNNING -o %A | head -n 1)
dies "$node"
# Processes of the first run on the other nodes are killed by the job's number, which is also that of the second run.
# Each slurmd kills until nothing is left, after KillWait (5 s) by SIGKILL, even if the controller shows the node as
# idle because it was down meanwhile. So the second run may begin only after that, which takes less than the two
# minutes that Slurm would wait.
first_is_over() {
    for other in n0 n1 n2 n3; do
        [ "$other" = "$node" ] || [ "$(cluster sinfo -h -n "$other" -o %T | head -n 1)" = idle ] || return 1
        [ "$other" = "$node" ] || ! cluster exec "$other" -- pgrep -f "^slurmstepd: \[$job\." >/dev/null || return 1
    done
}
eventually 60 first_is_over
sleep 15
go
eventually 60 first_is_over
eventually 60 requeued
eventually 180 has_runs 8 ok
cluster revive "$node"
eventually 60 no_jobs
same "jobs" "$(find campaigns/*/jobs -name '*.id' | wc -l)" 1
finished 8
same "restarts" "$(value "SELECT count(DISTINCT json_extract(facts, '$.launch.restart')) FROM job")" 2
