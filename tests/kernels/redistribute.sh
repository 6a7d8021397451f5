#!/bin/sh
# redistribute.sh MPIEXEC PROGRAM RANKS all|few: every algorithm for a factor (all: and back), and each way of
# executing for blocks and grids of all sorts; every run must end as ok, with the messages, bytes and
# phases that nuce-model has.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2 ranks=$3 which=$4
bin=$(dirname "$program")
begin

# Schedules that need at most $1 of the workload, a regular expression.
algorithms() {
    "$bin/nuce" list schedules --format json |
    grep -vE "\"name\":\"(${NUCE_WITHOUT:-none})\"" | grep -E "\"needs\":\"($1)\"" |
        sed 's/.*"name":"\([^"]*\)".*/\1/'
}

# Only some sizes of elements, and only where there is ScaLAPACK.
with_pdgemr2d=no
if "$mpiexec" -n 1 "$program" --schedule pdgemr2d --elements 10 --block 1 --factor 2 --min-samples 2 --max-samples 2 \
    >out 2>err; then
    with_pdgemr2d=yes
else
    grep -q 'built without ScaLAPACK: install it' err || fail "pdgemr2d is neither there nor missing"
fi

# facts FILE: the metrics that kernel and model have in common, in one order.
facts() {
    for key in schedule messages bytes phases pieces; do
        sed 's/,"candidates":.*//; s/.*"'$key'":"\{0,1\}\([^,"}]*\).*/\1/; s/\.0$//' "$1" >"$key"
    done
    paste schedule messages bytes phases pieces | sort
}

# One schedule for each discipline, preemptive, which splits messages, those ordered by MPI or a protocol of ours, and
# those that move arrays.
executors='ac|lp|greedy|preemptive|alltoallv|neighbor|neighbor-persistent|rma|credits|grants|node-aware'
executors="$executors|alltoallw-types|pdgemr2d"

# Nodes that kernel and model both know, for schedules of two levels.
of_node=$((ranks > 1 ? 2 : 1))

# run NEEDS OPTIONS...: every algorithm that needs no more than NEEDS; few: the executors.
run() {
    list=$(if [ "$1" = few ]; then
        algorithms "pattern|arrays" | grep -xE "$executors"
    else
        algorithms "$1"
    fi | if [ "$with_pdgemr2d" = yes ] && [ "$sized" = yes ]; then
        cat
    else
        grep -vx pdgemr2d
    fi | paste -sd ,)
    shift
    "$mpiexec" -n "$ranks" "$program" --schedule "$list" --min-samples 2 --max-samples 2 --timeout 2min \
        --node-ranks "$of_node" --format json "$@" >out 2>err || fail "$*"
    wanted=$(echo "$list" | tr , '\n' | wc -l)
    [ "$(grep -c '"status":"ok"' out)" -eq "$wanted" ] || fail "$*: expected $wanted that are ok"
    [ "$(grep -c '"step_s":[0-9]' out)" -eq "$wanted" ] || fail "$*: a line has no time of the step"
    "$bin/nuce-model" redistribute --ranks "$ranks" --schedule "$list" --node-ranks "$of_node" \
        --format json "$@" >model 2>err || fail "nuce-model: $*"
    facts out >measured
    facts model >modelled
    diff measured modelled >&2 || fail "$*: kernel and model differ"
}

sized=yes
every="pattern|redistribution|arrays"
[ "$which" = all ] || every=few
run "pattern|redistribution|arrays" --elements 997 --block 3 --factor 2
for factor in "$ranks" $((ranks + 3)); do
    run few --elements 997 --block 3 --factor "$factor"
done
run $every --elements $((7 * ranks * 3)) --block 3 --factor 7 --reverse
run few --elements 997 --block 3 --to-block 5 --element-bytes 16
run few --elements 997 --block 30 --to-block 4 --reverse --element-bytes 4
run few --elements 10007 --block 64 --factor 3 --to-grid $(((ranks + 1) / 2))x1
run few --elements 1 --block 5 --to-block 2
columns=1
[ $((ranks % 2)) -ne 0 ] || columns=2
run few --elements 61 --block 3 --to-block 4 --columns 17 --column-block 2 \
    --to-column-block 5 --grid $((ranks / columns))x$columns --to-grid 1x"$ranks"
sized=no
run few --elements 997 --block 3 --factor 2 --element-bytes 1
run few --elements 997 --block 3 --to-block 5 --element-bytes 3 \
    --network random --bandwidth 10MB..200MB
