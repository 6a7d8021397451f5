#!/bin/sh
# The controller does not answer for 15 s while a campaign is submitted; the next one loses its
# controller, by signal 9, right after it was submitted.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 3

profile
sweep 6 0.5 '[2, 3]'
controller() {
    cluster exec control -- pkill -"$1" -x slurmctld
}
controller STOP
(
    sleep 15
    controller CONT
) &
submit
wait
eventually 90 no_jobs
resume_all
finished 12

submit
cluster kill control
cluster revive control
eventually 90 no_jobs
resume_all
# The same points again: a second run of each.
expect 0 nuce collect
same "good runs" "$(value "SELECT count(*) FROM run WHERE status = 'ok'")" 24
same "of a campaign" "$(value "SELECT count(DISTINCT point) FROM run WHERE status = 'ok' AND campaign LIKE '%.2'")" 12
