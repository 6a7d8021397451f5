#!/bin/sh
# The program is another one when the second job starts: its results are of another environment, and
# never pooled with those of the first.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 2

cp -r "$programs" bin
mkdir -p share
ln -s "$build/share/nuce" share/nuce
profile
sed -i "s|^programs:.*|programs: $PWD/bin|" profile.yaml
sweep 4 0.2 2
submit
eventually 60 no_jobs
# The effect of another compiler: other bytes, the same work.
printf x >>bin/nuce-exchange
submit
eventually 60 no_jobs
expect 0 nuce collect
same "environments" "$(value "SELECT count(*), count(DISTINCT json_extract(described, '$.program')) FROM environment")" 2,2
same "outcomes" "$(value "SELECT count(*), max(runs) FROM outcome")" 8,1
