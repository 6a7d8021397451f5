#!/bin/sh
# Other links are another machine: times from before and after are never pooled.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 4

profile 'describe: /etc/slurm/network'
sweep 2 0.2 2
submit
eventually 60 no_jobs
finished 2
printf 'ranks 4\nport 0 4e6 4e6\n' >links.txt
expect 0 cluster reshape --links links.txt
expect 0 cluster exec n1 -- cat /etc/slurm/network
says "port 0 out 32000000 bit/s in 32000000 bit/s"
submit
eventually 60 no_jobs
expect 0 nuce collect
printf 'ranks 4\n' >links.txt
expect 0 cluster reshape --links links.txt
same "good runs" "$(value "SELECT count(*) FROM run WHERE status = 'ok'")" 4
same "environments" "$(value 'SELECT count(DISTINCT environment) FROM result')" 2
same "runs that are pooled" "$(value 'SELECT max(runs) FROM result')" 1
same "described by" "$(value "SELECT DISTINCT json_extract(described, '$.cluster.files[0].name') FROM environment")" network
# Links as at first are the same machine again.
cluster exec n1 -- cat /etc/slurm/network | cmp - /dev/null || fail "links are left"
