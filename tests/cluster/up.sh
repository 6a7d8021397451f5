#!/bin/sh
# The cluster for the tests of campaigns: up.sh PROJECT SHARED.
set -eu
project=$1
shared=$2
export NUCE_CLUSTER=nuce-faults
# What is left of a run that was cut short.
sh "$(dirname "$0")/down.sh" "$project" "$shared" || exit $?
mkdir -p "$shared/small"
# For a full disk: shared with the nodes like the rest.
mount -t tmpfs -o size=1m nuce-small "$shared/small" || exit 77
status=0
"$project/slurm/virtual/cluster" up --nodes 4 --cpus 1 --share "$shared" --conf SlurmdTimeout=6 \
    --conf PreemptType=preempt/partition_prio --conf PreemptMode=REQUEUE \
    --conf 'PartitionName=low Nodes=ALL PriorityTier=1 PreemptMode=REQUEUE State=UP' \
    --conf 'PartitionName=high Nodes=ALL PriorityTier=9 PreemptMode=OFF State=UP' || status=$?
[ "$status" = 0 ] || {
    umount "$shared/small"
    exit "$status"
}
: >"$shared/up"
