#!/bin/sh
# A node dies in the middle of a run: a rank's, then the one with the batch step. One point is lost
# each time, recorded as interrupted, and measured again.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"

profile
sweep 12 2 4
submit
for node in n2 n0; do
    eventually 60 running
    before=$(runs ok)
    eventually 60 has_runs $((before + 2)) ok
    cluster kill "$node"
    eventually 90 no_jobs
    cluster revive "$node"
    expect 0 nuce status
    expect 0 nuce resume
    says "had died with their jobs"
done
eventually 120 no_jobs
resume_all
finished 12
same "runs that died" "$(value "SELECT count(*) FROM run WHERE status = 'interrupted'")" 2
same "reason" "$(value "SELECT count(*) FROM run WHERE message LIKE '%its job%'")" 2
