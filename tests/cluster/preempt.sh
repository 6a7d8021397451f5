#!/bin/sh
# A job of a higher partition takes the nodes: ours is requeued by Slurm, and ends well.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 4 --conf PreemptType=preempt/partition_prio --conf PreemptMode=REQUEUE \
    --conf 'PartitionName=low Nodes=ALL PriorityTier=1 PreemptMode=REQUEUE State=UP' \
    --conf 'PartitionName=high Nodes=ALL PriorityTier=9 PreemptMode=OFF State=UP'

profile 'partition: low' 'requeue: true'
hold 2
sweep 6 0.3 4
submit
eventually 60 has_runs 2 ok
printf '#!/bin/sh\nsleep 5\n' >urgent.sh
expect 0 cluster sbatch -p high -N 4 -o /dev/null urgent.sh
eventually 60 requeued
go
eventually 60 has_runs 6 ok
eventually 60 no_jobs
# Its ranks record this themselves if they are in time; else the second run does.
has_runs 1 interrupted || fail "no run is recorded as interrupted"
finished 6
