#!/bin/sh
# The disk is full under the records: the job stops, what was measured until then is kept, and the
# rest is measured when there is room.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"

cd "$shared/small"
rm -rf ./*
profile
sweep 10 0.5 2
submit
eventually 60 has_runs 2 ok
dd if=/dev/zero of=filler bs=4k 2>/dev/null || :
eventually 60 no_jobs
rm filler
kept=$(runs ok)
[ "$kept" -lt 10 ] || fail "the disk was never full"
resume_all
finished 10
rm -rf ./*
