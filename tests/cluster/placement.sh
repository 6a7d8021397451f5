#!/bin/sh
# Ranks placed by hand: they run on the hosts of the file, or the run fails.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 4

profile
printf 'n3\nn1\nn0\n' >hosts.txt
sweep 2 0.2 3 'slurm: {hostfile: hosts.txt}'
submit
eventually 60 no_jobs
finished 2
same "hosts of the ranks" "$(value "SELECT json_extract(facts, '$.hosts') FROM job")" '"[""n3"",""n1"",""n0""]"'
printf 'n3\nn1\n' >hosts.txt
expect 2 nuce submit sweep.yaml --profile profile.yaml
says "hosts.txt: 2 lines"
