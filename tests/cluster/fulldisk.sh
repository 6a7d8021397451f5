#!/bin/sh
# The disk is full under the records: the job stops, the earlier runs are kept, and the rest is measured when there is
# room.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"

# Mounted before the nodes share it. Records of all points have room on it: how many samples they hold is as fast
# as the machine.
leave() {
    cluster down
    umount campaigns
}
mkdir campaigns
mount -t tmpfs -o size=64m nuce-small campaigns || exit 77
up --nodes 2

filler=campaigns/filler
profile
hold 2
sweep 10 0.5 2
submit
eventually 60 has_runs 2 ok
dd if=/dev/zero of="$filler" bs=4k 2>/dev/null || :
go
eventually 60 no_jobs
# The job says so; its log, which is on that disk too, may not.
expect 0 nuce status
rm "$filler"
kept=$(runs ok)
[ "$kept" -lt 10 ] || fail "the disk was never full"
resume_all
finished 10
