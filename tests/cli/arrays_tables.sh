#!/bin/sh
# The arrays paper's tables and figures from modelled points: numbers that the paper prints or that follow by hand,
# and columns that a model leaves empty.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
cp "$programs/nuce-model" "$work/bin/nuce-model"

# table NAME: the rows of a plot, in the file stdout.
table() {
    expect 0 nuce table "$1" --database arrays.db --format csv
}

# cell START VALUE: the only line of stdout with this beginning continues with VALUE, to six digits.
cell() {
    awk -v start="$1," -v wanted="$2" 'index($0, start) == 1 {
            lines++
            split(substr($0, length(start) + 1), fields, ",")
            wrong += sprintf("%.6g", fields[1]) != sprintf("%.6g", wanted)
        } END { exit lines != 1 || wrong }' "$work/stdout" ||
        fail "not one line '$1,$2': $(grep -F -e "$1," "$work/stdout")"
}

# Figure 16: the five decompositions and their costs.
expect 0 nuce run arrays-figure16 --modelled --database arrays.db
same "runs" "$(value "SELECT count(*) FROM run WHERE kind = 'modelled' AND status = 'ok'" arrays.db)" 5
same "rectangles" "$(value "SELECT count(*) FROM rectangle" arrays.db)" 35
same "the array is whole" \
    "$(value "SELECT count(*) FROM (SELECT run FROM rectangle GROUP BY run HAVING abs(sum(rows * columns) - 3e6) < 1e-6)" arrays.db)" 5
expect 0 nuce table arrays-figure16 --database arrays.db
for line in 'Acost  *5750  *4500  *4500  *4666.67  *4700' 'Acost, paper  *5750  *4500  *4500  *4666  *4700' \
    'internal edges  *10  *9  *10  *11  *10' 'part 0, 50 %  *0, 0: 750 x 2000  *0, 0: 1000 x 1500'; do
    grep -q -e "^$line" "$work/stdout" || fail "Figure 16 has no line '$line'"
done
same "what the schedules would need" \
    "$(value "SELECT count(*) FROM result WHERE bytes > 0 AND lower_bound_s > 0 AND phases > 0" arrays.db)" 5

# Figure 6 by hand: at n = 1.5 m layout (a) costs m + n / 2 and is best, at n = 3 m layout (c), 2 m.
expect 0 nuce run arrays-figure6 --modelled --database arrays.db
table arrays-figure6
for series in 'layout (a)' xy2 tile optimal; do
    cell "Acost / m,1.5,$series" 1.75
    cell "Bcost / m,1.5,$series" 3.5
done
for series in 'layout (c)' slabs xy2 tile optimal; do
    cell "Acost / m,3,$series" 2
    cell "Bcost / m,3,$series" 3
done

# Figure 17: the pinwheel of .24 four times and .04 costs 2400, no other less than 2520.
expect 0 nuce run arrays-figure17 --modelled --database arrays.db
table arrays-figure17
cell 'Acost / side of the square,6,optimal' 2.4
cell 'Acost / side of the square,6,pinwheel' 2.4
cell 'Acost / side of the square,6,strips' 2.52
cell '"Acost above the optimum, %",3.2,strips' 0
cell '"Acost above the optimum, %",3.3,pinwheel' 0

# Equal weights are drawn once, however many samples: the cells of ratio 1 of Tables 2, 3, 5, 6.
cat >equal.yaml <<'YAML'
name: equal
workload: stencil
ranks: [4, 5, 7, 10, 15, 20]
sweep:
  decomposition: [rb2, xy2, tile]
  rows: 1000
  columns: [1000, 2000, 3000, 5000, 10000, 20000]
  ratio: 1
  latency: [0, 100]
  samples: 2000
YAML
expect 0 nuce run equal.yaml --modelled --database arrays.db
table arrays-agreement
for line in '2,tile,0,ours,36,.*,36,35' '3,tile,100,ours,36,.*,36,26' '5,xy2,0,ours,36,.*,36,35' \
    '6,xy2,100,ours,36,.*,36,36'; do
    grep -q -e "^$line\$" "$work/stdout" || fail "the agreement has no line '$line'"
done
table arrays-table6
cell '1K x 2K,1,ours,10' 8.75
cell '1K x 2K,1,paper,10' 9

# Table 1.
table arrays-table1
for p in 4:5:192 5:7:1920 7:15:322560 10:42:1.85795e+09 20:627:1.27554e+24; do
    parts=${p%%:*} rest=${p#*:}
    cell "$parts,${rest%:*},${rest%:*}" "${rest#*:}"
    cell "$parts,${rest%:*},${rest%:*},${rest#*:}" "${rest#*:}"
done

# Means over draws are those of nuce-model arrays; a mean has no schedule and no rectangles.
cat >drawn.yaml <<'YAML'
name: drawn
workload: stencil
ranks: [5]
sweep: {decomposition: [xy2, tile], rows: 1000, columns: 2000, ratio: 8, latency: 100, samples: 20, seed: 3}
YAML
expect 0 nuce run drawn.yaml --modelled --database drawn.db
for algorithm in xy2 tile; do
    "$work/bin/nuce-model" arrays --decomposition $algorithm --rows 1000 --columns 2000 --ratio 8 \
        --latency 100 --samples 20 --seed 3 --processors 5 --format json >model.json
    expected=$(sed 's/.*"cost":\([^,]*\),.*/\1/' model.json)
    same "mean cost of $algorithm" \
        "$(value "SELECT abs(cost - $expected) < 1e-6 AND decompose_s > 0 FROM result WHERE decomposition = '$algorithm'" drawn.db)" 1
done
same "schedules" "$(value "SELECT count(*) FROM run WHERE json_extract(metrics, '$.bytes') IS NOT NULL" drawn.db)" 0
same "rectangles of means" "$(value "SELECT count(*) FROM rectangle" drawn.db)" 0
expect 0 nuce run drawn.yaml --modelled --database drawn.db
same "the same points again" "$(value "SELECT count(*) FROM point" drawn.db)" 2

# Speeds that are measured are known only where the ranks run; a part may have no cell.
cat >bad.yaml <<'YAML'
name: bad
workload: stencil
ranks: [3]
sweep:
  - {weights: measured}
  - {decomposition: slabs, weights: "50,.1,50", rows: 2, columns: 10}
YAML
expect 1 nuce run bad.yaml --modelled --database bad.db
same "points that failed" "$(value "SELECT count(*) FROM run WHERE status = 'failed'" bad.db)" 2
same "why" "$(value "SELECT count(*) FROM run WHERE message LIKE 'weights: ''measured'': known only%' OR message LIKE 'part 1 of 3: gets no cell%'" bad.db)" 2
cat >bad.yaml <<'YAML'
name: bad
workload: stencil
ranks: [4]
sweep:
  weights: ["1,2,3", "1,0,2,3"]
YAML
refuses "bad.yaml:5:13: weights: '1,2,3': 3 numbers: expected one for each of 4 ranks" nuce plan bad.yaml
says stderr "weights: number 2 of 4: '0': expected a number above 0"

# Pictures.
command -v gnuplot >/dev/null || exit 0
for figure in figure6 figure16 figure17; do
    expect 0 nuce figure arrays-$figure --database arrays.db --format svg
done
grep -q '50 %' figures/arrays-figure16.svg || fail "Figure 16 has no shares in its parts"
grep -q '>(d) rb2: Acost 4666.67 (paper: 4666)<' figures/arrays-figure16.svg || fail "no panel (d)"
