#!/bin/sh
# The manual's commands for a cluster: submitted, watched, cancelled, resumed, submitted by hand.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 8
expect 0 python3 "$project/tests/cli/documented.py" "$programs" "$project" \
    "$(sed -n 's/^MPIEXEC_EXECUTABLE:[^=]*=//p' "$build/CMakeCache.txt")" cluster
