#!/bin/sh
# exchange.sh MPIEXEC PROGRAM RANKS all|few: every algorithm on a small mesh, cut each way, with and without
# overlap, and on random patterns and a COM file; every run must end as ok and name its measurement.
# few: every algorithm with a COM file alone, which kernels.engine tries on many patterns.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2 ranks=$3 which=$4
begin

# A 6 x 6 grid of nodes as a METIS graph.
{
    echo "36 60"
    for node in $(seq 0 35); do
        line=
        [ $((node % 6)) -gt 0 ] && line="$line $node"
        [ $((node % 6)) -lt 5 ] && line="$line $((node + 2))"
        [ "$node" -ge 6 ] && line="$line $((node - 5))"
        [ "$node" -lt 30 ] && line="$line $((node + 7))"
        echo "$line"
    done
} >grid.graph

# Every rank to every other, and to itself.
{
    echo "$ranks"
    for i in $(seq 0 $((ranks - 1))); do
        for j in $(seq 0 $((ranks - 1))); do
            echo "$i $j $((100 * i + j + 1))"
        done
    done
} >all.com

# Those that take any pattern.
all=$("$(dirname "$program")/nuce" list schedules --format json |
    grep -vE "\"name\":\"(${NUCE_WITHOUT:-none})\"" | grep '"needs":"pattern"' |
    sed 's/.*"name":"\([^"]*\)".*/\1/' | paste -sd ,)
n=$(echo "$all" | tr , '\n' | wc -l)
few=ac,rs-nh,alltoallv
quick="--min-samples 2 --max-samples 4 --format json --timeout 2min"

# run WANTED ALGORITHMS OPTIONS...: so many lines, all ok.
run() {
    wanted=$1
    algorithms=$2
    shift 2
    # shellcheck disable=SC2086 # a list of options
    "$mpiexec" -n "$ranks" "$program" --schedule "$algorithms" $quick "$@" >out 2>err || fail "$*"
    found=$(grep -c '"status":"ok"' out)
    { [ "$found" -eq "$wanted" ] && [ "$(wc -l <out)" -eq "$wanted" ]; } ||
        fail "$*: $found lines are ok, expected $wanted"
    [ "$(grep -c '"step_s":[0-9]' out)" -eq "$wanted" ] || fail "$*: a line has no time of the step"
}

run "$n" "$all" --com all.com
[ "$ranks" -lt 5 ] || run 3 $few --pattern skewed --item-bytes 64KiB
if [ "$which" = all ]; then
    run "$n" "$all" --mesh grid.graph --overlap --item-bytes 16B
    run "$n" "$all" --com all.com --trace --trace-events 7
    run 12 $few --mesh grid.graph --partition kway,kway-volume --item-bytes 8B,4KiB
    run 6 $few --pattern uniform --degree "$ranks" --instance 0,1 --item-bytes 100B
    run 3 $few --pattern fft --fft-grid 9x8x7 --fft-step yz --item-bytes 16B
    run 3 $few --pattern hotspot --degree 1 --item-bytes 1KiB
    # A rank's memory for its own messages does not grow with those of others. The busiest rank has one message
    # each way, both of two messages in all and of one per rank. A schedule made of all messages grows, once per node.
    if [ "$ranks" -ge 3 ]; then
        printf '%s\n' "$ranks" "0 1 100" "1 0 100" >pair.com
        { echo "$ranks"; for i in $(seq 0 $((ranks - 1))); do echo "$i $(((i + 1) % ranks)) 100"; done; } >ring.com
        run 6 ac,lp,rs-n --com "pair.com,ring.com"
        python3 - out <<'PYTHON'
import json, os, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
found = {(r["schedule"], os.path.basename(r["com"].split("@")[0])): r for r in rows}
for schedule in "ac", "lp", "rs-n":
    pair, ring = found[schedule, "pair.com"], found[schedule, "ring.com"]
    assert 0 < pair["plan_bytes"] == ring["plan_bytes"], (pair, ring)
    if schedule == "rs-n":
        assert pair["plan_bytes"] <= pair["whole_bytes"] < ring["whole_bytes"], (pair, ring)
    else:
        assert pair["whole_bytes"] is None and ring["whole_bytes"] is None, (pair, ring)
PYTHON
    fi
fi
