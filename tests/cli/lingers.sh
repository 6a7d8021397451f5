#!/bin/sh
# Processes that do not end after their last point are ended, and the campaign continues.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

small s
expect 0 env FAKE_LINGERS=1 "$work/bin/nuce" run --mpiexec "$here/fake-mpiexec" s.yaml
says stderr "its points are recorded, but its processes have not ended for 30 s"
says stdout "12 points: 12 ok"
same "runs" "$(ok_runs campaigns/s.1)" 12
