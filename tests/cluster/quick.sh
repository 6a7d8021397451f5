#!/bin/sh
# Nothing goes wrong: submit, status, explain, collect, and the job's facts.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 4

profile
sweep 8 0.2 '[2, 4]'
expect 0 nuce submit sweep.yaml --profile profile.yaml --dry-run
says "#SBATCH"
[ ! -e campaigns ] || fail "a dry run wrote something"
submit
same "jobs" "$(cluster squeue -h -t all -o %j | grep -c "^nuce-$name.1-")" 2
expect 0 nuce resume
says " 0 points in 0 jobs"
eventually 60 no_jobs
finished 16
same "jobs in the database" "$(value 'SELECT count(*) FROM job')" 2
same "topology" "$(value "SELECT count(*) FROM environment WHERE json_extract(described, '$.cluster.topology') LIKE '%SwitchName=%'")" 1
same "hosts" "$(value "SELECT max(json_array_length(facts, '$.hosts')) FROM job")" 4
point=$(value "SELECT point FROM run LIMIT 1")
expect 0 nuce explain "$(printf %.8s "$point")"
says "-slurm-"
# The one line that reruns it.
sed -n 's/^again *//p' said >again.sh
expect 0 sh again.sh
says ok
