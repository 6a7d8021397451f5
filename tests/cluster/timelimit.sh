#!/bin/sh
# The time limit comes in the middle of a point: the job gets the signal in time, records its runs, ends with 75, and
# loses nothing.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 2

profile
sweep 12 6 2 'slurm: {time: 10}'
# More than fits: the estimate keeps a job within its limit, so the limit is shortened by hand.
submit
eventually 30 running
for job in $(jobs); do
    cluster scontrol update "JobId=$job" TimeLimit=1
done
eventually 150 no_jobs
expect 0 nuce status
resume_all
finished 12
