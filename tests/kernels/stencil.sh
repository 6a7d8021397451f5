#!/bin/sh
# stencil.sh MPIEXEC PROGRAM RANKS all|few: sweeps of every stencil, border, depth and decomposition, each
# algorithm (few: one of each kind) carrying the halo once; every run must end as ok, with the messages and bytes that
# nuce-model has.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2 ranks=$3 which=$4
bin=$(dirname "$program")
begin

# names FAMILY NEEDS: those that nuce lists there, one per line.
names() {
    "$bin/nuce" list "$1" --format json | grep -vE "\"name\":\"(${NUCE_WITHOUT:-none})\"" | grep -E "$2" |
        sed 's/.*"name":"\([^"]*\)".*/\1/'
}

# run WANTED OPTIONS...: so many points, all ok.
run() {
    wanted=$1
    shift
    "$mpiexec" -n "$ranks" "$program" --min-samples 2 --max-samples 2 --timeout 2min --format json "$@" \
        >out 2>err || fail "$*"
    [ "$(grep -c '"status":"ok"' out)" -eq "$wanted" ] || fail "$*: expected $wanted that are ok"
    [ "$(grep -c '"step_s":[0-9]' out)" -eq "$wanted" ] || fail "$*: a line has no time of the step"
}

# 1, 2, 3, ... and the same backwards.
weights=$(seq -s , "$ranks")
speeds=$(seq -s , "$ranks" -1 1)

decompositions=$(names decompositions . | grep -vx optimal)
[ "$ranks" -gt 6 ] || decompositions="$decompositions optimal"
count=$(echo "$decompositions" | wc -w)
list=$(echo "$decompositions" | paste -s -d ' ' | tr ' ' ,)
run "$count" --rows 61 --columns 47 --decomposition "$list" --weights "$weights" --iterations 3
for options in "--element float --stencil 9 --border periodic" \
    "--halo-depth 3 --iterations 7" "--halo-depth 3 --border periodic --stencil 9 --iterations 2" \
    "--overlap" "--overlap --halo-depth 2 --stencil 9 --border periodic --iterations 5" \
    "--ratio 8 --instance 0,1" "--overlap --emulate-speeds $speeds"; do
    number=2
    [ "${options#*instance}" = "$options" ] || number=4
    # shellcheck disable=SC2086 # words
    run $number --rows 61 --columns 47 --decomposition grid,xy2 $options
done
# The race's ratio stands beside the option `ratio`, not in its place.
run 4 --rows 61 --columns 47 --decomposition grid,xy2 --ratio 3,8
for ratio in 3 8; do
    [ "$(grep -cE "\"ratio\":$ratio(\.0)?,.*\"race_ratio\":[0-9]" out)" -eq 2 ] || fail "rows of --ratio $ratio"
done
# As few rows as there are layers, an array that is a line, and parts without a cell.
run 1 --rows 3 --columns 97 --halo-depth 3 --decomposition strips --border periodic
run 1 --rows 1 --columns 97 --stencil 9 --border periodic --decomposition slabs
run 1 --rows "$ranks" --columns 1 --weights "$weights" --decomposition slabs --allow-empty --border periodic

# Every schedule that needs only a pattern carries the halo; with a periodic border also to the rank itself.
exchanges=$(names schedules '"needs":"pattern"')
[ "$which" = all ] || exchanges=$(echo "$exchanges" | grep -xE 'ac|lp|preemptive|alltoallv|neighbor|rma|node-aware')
count=$(echo "$exchanges" | wc -l)
list=$(echo "$exchanges" | paste -s -d , -)
for border in fixed periodic; do
    run "$count" --rows 61 --columns 47 --weights "$weights" --schedule "$list" --border $border --stencil 9
done
run "$count" --rows 61 --columns 47 --weights "$weights" --schedule "$list" --overlap
