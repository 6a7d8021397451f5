#!/bin/sh
# A rank that is stopped for ever: the watchdog ends the run, the other points continue.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 3

profile
sweep 4 1 3
sed -i 's/timeout: 120s/timeout: 6s/' sweep.yaml
submit
eventually 60 has_runs 1 ok
victim=$(ranks n1 | head -n 1)
cluster exec n1 -- kill -STOP "$victim"
eventually 90 no_jobs
has_runs 1 timeout || fail "no run is recorded as timeout"
resume_all
finished 4
same "timeouts" "$(value "SELECT count(*) FROM run WHERE status = 'timeout'")" 1
