#!/bin/sh
# exchange.sh MPIEXEC PROGRAM RANKS: every algorithm on a small mesh, cut each way, with and without
# overlap, and on random patterns and a COM file; every run must end as ok and say what it measured.
# All of it on 3 ranks, elsewhere a COM file and, where it differs, a skewed pattern: what each
# algorithm does with other patterns at each number of ranks is kernels.engine's.
set -eu
mpiexec=$1 program=$2 ranks=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

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
} >"$folder/grid.graph"

# Every rank to every other, and to itself.
{
    echo "$ranks"
    for i in $(seq 0 $((ranks - 1))); do
        for j in $(seq 0 $((ranks - 1))); do
            echo "$i $j $((100 * i + j + 1))"
        done
    done
} >"$folder/all.com"

# Those that take any pattern.
algorithms=$("$(dirname "$program")/nuce" list algorithms --format json | grep '"needs":"pattern"' |
    sed 's/.*"name":"\([^"]*\)".*/\1/' | paste -sd ,)
n=$(echo "$algorithms" | tr , '\n' | wc -l)
quick="--min 2 --max 4 --format json --timeout 2min"

# run WANTED OPTIONS...: so many lines, all ok.
run() {
    wanted=$1
    shift
    # shellcheck disable=SC2086 # a list of options
    "$mpiexec" -n "$ranks" "$program" --algorithm $algorithms $quick "$@" \
        >"$folder/out" 2>"$folder/err" || { cat "$folder/err" "$folder/out" >&2; exit 1; }
    found=$(grep -c '"status":"ok"' "$folder/out")
    if [ "$found" -ne "$wanted" ] || [ "$(wc -l <"$folder/out")" -ne "$wanted" ]; then
        echo "$*: $found lines are ok, expected $wanted" >&2
        cat "$folder/out" >&2
        exit 1
    fi
    if [ "$(grep -c '"step_s":[0-9]' "$folder/out")" -ne "$wanted" ]; then
        echo "$*: a line has no time of the step" >&2
        exit 1
    fi
}

run "$n" --com "$folder/all.com"
[ "$ranks" -lt 5 ] || run "$n" --pattern skewed --unit 64KiB
[ "$ranks" = 3 ] || exit 0
run $((4 * n)) --mesh "$folder/grid.graph" --partition kway,kway-volume --unit 8B,4KiB
run "$n" --mesh "$folder/grid.graph" --overlap --unit 16B
run $((2 * n)) --pattern uniform --density "$ranks" --instance 0,1 --unit 100B
run "$n" --pattern hotspot --density 1 --unit 1KiB
run "$n" --com "$folder/all.com" --trace --trace-events 7
