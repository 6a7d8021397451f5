#!/bin/sh
# Arrays that were really swept: the table of times, the figure and the verdict of a small campaign, and
# what a calibration of the same hosts adds.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
for program in nuce-stencil nuce-calibrate; do
    cp "$programs/$program" "$work/bin/$program"
done
mpiexec=${3:-mpiexec}
export LSAN_OPTIONS="suppressions=$here/../kernels/lsan.supp"

# sweep NAME: a file of that name with the lines of standard input and few samples.
sweep() {
    { cat; echo 'measure: {launches: 1, warmup: 1, min: 6, max: 6}'; } >"$1.yaml"
    expect 0 nuce run "$1.yaml" --mpiexec "$mpiexec"
}

# Without data the sweep is named.
small other
expect 0 launch run other.yaml
for name in measured gain verdict; do
    gives_up "run 'nuce run arrays-measured'" nuce table arrays-$name
done

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
expect 0 nuce table arrays-measured --format csv
[ "$(grep -c '^3,30 x 40,4,' "$work/stdout")" -eq 7 ] || fail "not 7 rows: $(cat "$work/stdout")"
grep -q '^3,30 x 40,4,grid,.*,emulated,6$' "$work/stdout" || fail "no row of grid"
same "predicted without a calibration" "$(cut -d , -f 12-14 <"$work/stdout" | sort -u | tail -n +2 |
    grep -c '[0-9]' || true)" 0
expect 0 nuce show arrays-verdict
grep -q ' takes .* times as long\| as fast as grid\|^ *3 *30 x 40 *4 grid' "$work/stdout" ||
    fail "no winner: $(cat "$work/stdout")"
says stdout "Acost and time: "
grep -q '^ *all  *Acost and time: ' "$work/stdout" || fail "no row of all: $(cat "$work/stdout")"
! grep -q 'predicted and time' "$work/stdout" || fail "predicted without a calibration"

# What the hosts can do, and what their links carry.
sweep rates <<'YAML'
name: rates
workload: speeds
ranks: 3
sweep: {side: 20}
YAML
sweep wires <<'YAML'
name: wires
workload: links
ranks: 3
sweep: {smallest: 1KiB, largest: 4KiB, sizes: 2, repetitions: 2, centres: 1}
YAML
expect 0 nuce table arrays-measured --format csv
[ "$(cut -d , -f 12-14 <"$work/stdout" | grep -c '^[0-9.e-]*,[0-9.e-]*,[0-9.e-]*$')" -eq 7 ] ||
    fail "not 7 predictions: $(cat "$work/stdout")"
prints "; predicted and time: " nuce show arrays-verdict --format csv

command -v gnuplot >/dev/null || exit 0
expect 0 nuce figure arrays-gain --format svg
grep -q '>3 ranks, 30 x 40<' figures/arrays-gain.svg || fail "the figure has no panel"
