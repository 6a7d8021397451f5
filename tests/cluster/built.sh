#!/bin/sh
# Without another build the cluster has nuce built for its nodes, with their libraries.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up_built --nodes 2

profile
sweep 2 0.2 2
submit
eventually 60 no_jobs
finished 2
