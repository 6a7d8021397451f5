#!/bin/sh
# nuce-model arrays: Figure 16 of the paper, its keys, whole cells, means over samples, bad input. Measured arrays:
# the table of times, the figure and the verdict of a small campaign, and the columns that a calibration of the same
# hosts adds.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
cp "$programs/nuce-model" "$work/bin/nuce-model"

arrays() {
    "$work/bin/nuce-model" arrays "$@"
}

# values KEY: of each line of stdout, without its rectangles, in one line.
values() {
    sed 's/"rectangles".*//; s/.*"'"$1"'":"\{0,1\}\([^,"}]*\).*/\1/' "$work/stdout" | tr '\n' ' '
}

# Figure 16.
weights=0.5,0.1,0.1,0.1,0.1,0.05,0.05
all=rb,xy2,tile,rb2,rb3,xy,xy2-all,strips,slabs,grid
expect 0 arrays --decomposition $all --rows 1000 --columns 3K --weights $weights --format json
same "names" "$(values decomposition)" "$(echo $all | tr , ' ') "
same "Figure 16" "$(values acost)" \
    "5750.0 4500.0 4500.0 4666.66666666667 4700.0 4500.0 4500.0 4500.0 6000.0 6000.0 "
same "cost at latency 0" "$(values cost)" "$(values acost)"
for key in bcost internal_edges seconds rectangles owner row column rows columns; do
    [ "$(grep -c "\"$key\":" "$work/stdout")" -eq 10 ] || fail "no key $key in every line"
done
expect 0 arrays --decomposition xy2 --rows 1000 --columns 3000 --weights $weights --latency 100 --format json
same "cost with latency" "$(values cost)" "5400.0 "
same "edges" "$(values internal_edges)" "9 "

# Four in a square: corners that coincide are one, or two.
expect 0 arrays --decomposition grid,xy2 --rows 10 --columns 10 --weights 1,1,1,1 --format csv
says stdout "decomposition,array_rows,array_columns,processors,latency,samples,acost,bcost,internal_edges,cost"
says stdout "grid,10,10,4,0,1,20,40,4,20,"
expect 0 arrays --decomposition grid --rows 10 --columns 10 --weights 1,1,1,1 --naive-edges --latency 1 --format csv
says stdout "grid,10,10,4,1,1,20,40,5,25,"
prints "2400" arrays --decomposition optimal --rows 1000 --columns 1000 --weights .24,.24,.24,.24,.04

# Whole cells.
expect 0 arrays --decomposition slabs --rows 2 --columns 10 --weights 1,1,1 --integer --format json
says stdout '{"owner":1,"row":0,"column":3,"rows":2,"columns":4}'
expect 2 arrays --decomposition slabs --rows 2 --columns 10 --weights 50,.1,50 --integer
says stderr "slabs: part 1 of 3: gets no cell of 2 x 10"
expect 0 arrays --decomposition slabs --rows 2 --columns 10 --weights 50,.1,50 --integer --allow-empty --format json
says stdout '{"owner":1,"row":0,"column":5,"rows":2,"columns":0}'

# Means over samples: the same seed, the same weights.
drawn="--rows 1000 --columns 2000 --processors 7 --ratio 8 --latency 100 --format json"
# shellcheck disable=SC2086 # several options
expect 0 arrays --decomposition rb2,xy2 --samples 50 --seed 3 $drawn
first=$(values cost)
! grep -q rectangles "$work/stdout" || fail "rectangles of drawn weights"
# shellcheck disable=SC2086
expect 0 arrays --decomposition rb2,xy2 --samples 50 --seed 3 $drawn
same "the same seed" "$(values cost)" "$first"
# shellcheck disable=SC2086
expect 0 arrays --decomposition rb2,xy2 --samples 50 --seed 4 $drawn
[ "$(values cost)" != "$first" ] || fail "another seed gives the same weights"
expect 0 arrays --decomposition rb2 --samples 3 --ratio 1 --processors 4 --rows 1000 --columns 1000 --format json
same "equal weights" "$(values acost)" "2000.0 "

# bad TEXT OPTION...: bad input, which stderr names.
bad() {
    text=$1
    shift
    refuses "$text" arrays "$@"
}
square="--decomposition xy2 --rows 10 --columns 10"
# shellcheck disable=SC2086
{
    bad "--weights: number 2 of 3: '0': expected a number above 0" $square --weights 1,0,2
    bad "--weights: number 2 of 2: '1e400'" $square --weights 1,1e400
    bad "--weights: number 2 of 3: ''" $square --weights 1,,2
    bad "--weights: number 2 of 2: '2x'" $square --weights 1,2x
    bad "--weights: expected LIST, got nothing" $square --weights ""
    bad "--weights: not given" $square
    bad "'1,2': expected only options" $square 1,2
    bad "--samples: '5'" $square --weights 1,2 --samples 5
    bad "--ratio: '2'" $square --weights 1,2 --ratio 2
    bad "samples: '0'" $square --processors 4 --samples 0
    bad "samples: '-3'" $square --processors 4 --samples=-3
    bad "samples: '1.5'" $square --processors 4 --samples 1.5
    bad "ratio: 'nan'" $square --processors 4 --ratio nan
    bad "processors: '0'" $square --processors 0
    bad "processors: '101': expected at most one for each of the 100 cells" $square --processors 101
    bad "processors: '1000001'" $square --processors 1000001
    bad "latency: 'x'" $square --weights 1,2 --latency x
    bad "--allow-empty: expected --integer" $square --weights 1,2 --allow-empty
}
bad "rows: '0'" --decomposition xy2 --rows 0 --columns 10 --weights 1,2
bad "columns: '-5'" --decomposition xy2 --rows 10 --columns=-5 --weights 1,2
bad "--columns: not given" --decomposition xy2 --rows 10 --weights 1,2
bad "--decomposition: not given" --rows 10 --columns 10 --weights 1,2
bad "unknown decomposition 'xy3' (did you mean 'xy'?); expected one of: rb, rb2, rb3, xy, xy2, xy2-all, tile, strips, grid, slabs, optimal" \
    --decomposition rb,xy3 --rows 10 --columns 10 --weights 1,2
bad "--processors: '7': the decomposition optimal is for at most 6" \
    --decomposition optimal --rows 10 --columns 10 --weights 1,2,3,4,5,6,7

# Many weights in full are one list still.
many=$(seq 1 400 | sed 's/$/.123456789012345/' | tr '\n' ',' | sed 's/,$//')
prints 'rb2,1000,1000,400,' arrays --decomposition rb2 --rows 1000 --columns 1000 --weights "$many" --format csv

# Swept arrays.
for program in nuce-stencil nuce-calibrate; do
    cp "$programs/$program" "$work/bin/$program"
done
mpiexec=${3:-mpiexec}

# sweep NAME: a file of that name with the lines of standard input and few samples.
sweep() {
    { cat; echo 'measure: {launches: 1, warmup: 1, min-samples: 6, max-samples: 6}'; } >"$1.yaml"
    expect 0 nuce run "$1.yaml" --mpiexec "$mpiexec"
}

sweep swept <<'YAML'
name: swept
workload: stencil
ranks: 3
sweep:
  decomposition: [grid, slabs, rb, rb2, xy2, tile, strips]
  rows: 30
  columns: 40
  emulate-speeds: "1,2,4"
  iterations: 2
YAML
same "the arrays are whole" "$(value "SELECT count(*) FROM (SELECT run FROM rectangle GROUP BY run
    HAVING count(*) = 3 AND sum(rows * columns) = 1200)")" 7
same "balances" "$(value "SELECT count(*) FROM result WHERE load_balance >= 1 AND acost > 0")" 7
expect 0 nuce table arrays-measured --format csv
[ "$(grep -c '^3,30 x 40,4,' "$work/stdout")" -eq 7 ] || fail "not 7 rows: $(cat "$work/stdout")"
grep -q '^3,30 x 40,4,grid,.*,emulated,6$' "$work/stdout" || fail "no row of grid"
# predictions: how many cells of the table's rows predict something.
predictions() {
    python3 -c 'import csv, sys
print(sum(row[key] != "" for row in csv.DictReader(sys.stdin)
          for key in ("predicted", "computation_model", "halo_model")))' <"$work/stdout"
}
same "predicted without a calibration" "$(predictions)" 0
expect 0 nuce show arrays-verdict
grep -q ' the time of grid\|^ *3 *30 x 40 *4 grid' "$work/stdout" ||
    fail "no winner: $(cat "$work/stdout")"
says stdout "Acost and time: "
grep -q '^ *all  *Acost and time: ' "$work/stdout" || fail "no row of all: $(cat "$work/stdout")"
! grep -q 'predicted and time' "$work/stdout" || fail "predicted without a calibration"

# The speeds of the hosts and of their links.
sweep rates <<'YAML'
name: rates
workload: speeds
ranks: 3
sweep: {side: 20}
YAML
same "speeds" "$(value "SELECT count(*) FROM speed WHERE low <= median AND median <= high AND low > 0")" 3
sweep wires <<'YAML'
name: wires
workload: links
ranks: 3
sweep: {smallest: 1KiB, largest: 4KiB, sizes: 2, repetitions: 2, centres: 1}
YAML
expect 0 nuce table arrays-measured --format csv
same "predictions of 7 decompositions" "$(predictions)" 21
prints "; predicted and time: " nuce show arrays-verdict --format csv

command -v gnuplot >/dev/null || exit 0
expect 0 nuce figure arrays-gain --format svg
grep -q '>3 ranks, 30 x 40<' figures/arrays-gain.svg || fail "the figure has no panel"
