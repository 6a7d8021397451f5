#!/bin/sh
# Several collects at once, while jobs write: the same database as one collect at the end.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 2

profile
sweep 8 0.3 2
submit
eventually 60 has_runs 1 ok
until no_jobs; do
    for _ in 1 2; do
        nuce collect >/dev/null 2>&1 &
    done
    wait
done
nuce collect &
nuce collect
wait
finished 8
nuce collect --database fresh.db
for table in run sample point job environment; do
    same "rows of $table" "$(value "SELECT count(*) FROM $table")" \
        "$(nuce query "SELECT count(*) FROM $table" --database fresh.db --format csv | tail -n 1)"
done
