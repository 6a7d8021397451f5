#!/bin/sh
# Figures and tables of redistributions, from small campaigns with the real kernel and the model: the tables' means
# agree with the model's values for single networks, and every figure is drawn.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

command -v gnuplot >/dev/null || {
    echo "skipped: gnuplot is not installed" >&2
    exit 77
}
for program in nuce-model nuce-redistribute nuce-calibrate; do
    cp "$programs/$program" "$work/bin/$program"
done
shipped=$work/share/nuce/configs

# Figure 5, three networks at two ranges.
cat >figure5.yaml <<'YAML'
name: figure5
workload: redistribute
ranks: 64
sweep:
  - {schedule: [direct, greedy, load-list, best], elements: 10000000, block: 2, factor: 40,
     bandwidth: [10e6..20e6, 10e6..200e6], instances: 3}
  - {schedule: [direct, greedy, load-list, best], elements: 10000000, block: 2, factor: [9, 63],
     bandwidth: 10e6..200e6, instances: 3}
YAML
prints "48 ok" nuce run figure5.yaml --modelled

# ratio ALGORITHM FACTOR BANDWIDTH: to the lower bound, the mean of the networks by nuce-model itself.
ratio() {
    for instance in 0 1 2; do
        "$work/bin/nuce-model" redistribute --ranks 64 --elements 10000000 --block 2 --schedule "$1" \
            --factor "$2" --bandwidth "$3" --instance "$instance" --format json
    done | sed 's/.*"makespan":\([^,]*\),.*"lower_bound":\([^,]*\),.*/\1 \2/' |
        awk '{ sum += $1 / $2 } END { printf "%.9f\n", sum / NR }'
}

# shown AT ALGORITHM: the ratio that the table in $work/stdout has at a factor or heterogeneity.
shown() {
    awk -F, -v at="$1" -v series="$2" \
        '$1 == "over the lower bound" && $2 == at && $3 == series { printf "%.9f\n", $4 }' "$work/stdout"
}

# between WHAT GOT LEAST MOST
between() {
    awk -v got="$2" -v least="$3" -v most="$4" 'BEGIN { exit !(got >= least && got <= most) }' ||
        fail "$1: $2, expected $3 to $4"
}

expect 0 nuce table redistribution-figure5b --format csv
same "greedy at 1900 %" "$(shown 1900 greedy)" "$(ratio greedy 40 10e6..200e6)"
same "direct at 1900 %" "$(shown 1900 direct)" "$(ratio direct 40 10e6..200e6)"
same "direct at 100 %" "$(shown 100 direct)" "$(ratio direct 40 10e6..20e6)"
between "direct at 1900 %" "$(shown 1900 direct)" 1.8 2.4
between "direct at 100 %" "$(shown 100 direct)" 1.1 1.3
between "greedy at 100 %" "$(shown 100 greedy)" 1 1.1
expect 0 nuce table redistribution-figure5a --format csv
same "direct at K = 63" "$(shown 63 direct)" "$(ratio direct 63 10e6..200e6)"
same "load-list at K = 9" "$(shown 9 load-list)" "$(ratio load-list 9 10e6..200e6)"
same "rows" "$(wc -l <"$work/stdout")" 28
expect 0 nuce table redistribution-claims
grep -q 'Figure 5(b) .* 64 modelled .*2 of 2' "$work/stdout" || fail "the heuristic is not near the bound"
grep -q 'at most 2 .* 64 modelled .*12 of 12' "$work/stdout" || fail "the heuristic is above twice the bound"

# Figures 2(b) and 3: the plan and the trace.
sed 's/elements: 3000000/elements: 3000/' "$shipped/redistribution-figure3.yaml" >figure3.yaml
expect 0 nuce run figure3.yaml
prints "| 1 | planned | to 0 | to 3 | to 2 | to 1 |" nuce table redistribution-figure2b --format markdown
says stdout "| 2 | traced | to 1 | to 0 | to 3 | to 2 |"
says stdout "| 3 | paper | to 2 | to 1 | to 0 | to 3 |"
expect 0 nuce table redistribution-figure3 --format csv
same "panels" "$(cut -d, -f1 "$work/stdout" | sort -u | grep -c '^"\(direct\|greedy\): \(planned\|traced\)')" 4
expect 0 nuce table timeline --format csv
same "panels of one run" "$(tail -n +2 "$work/stdout" | cut -d: -f1 | sort -u | wc -l)" 1

# Figure 4, measured beside modelled.
cat >figure4.yaml <<'YAML'
name: figure4
workload: redistribute
ranks: [4, 8]
sweep: {schedule: [direct, greedy], elements: 20000, block: 2, factor: [2, 3], network: emulated,
        bandwidth: 10e6..200e6}
measure: {launches: 1, warmup: 1, min-samples: 6, max-samples: 6, target-ci: 0, time-limit: 10s}
YAML
expect 0 nuce run figure4.yaml
expect 0 nuce run figure4.yaml --modelled
expect 0 nuce table redistribution-figure4 --format csv
grep -c '^"P = [48], N = 20,000",[23],\(direct\|greedy\),[0-9.e-]*,[0-9.e-]*,[0-9.e-]*,,[0-9.e-]*,[0-9.e-]*,1$' \
    "$work/stdout" >count || true
same "rows with both" "$(cat count)" 8

# On a measured network; the machine becomes another one in between.
cat >links.yaml <<'YAML'
name: links
workload: links
ranks: 4
sweep: {smallest: 1KiB, largest: 64KiB, sizes: 3, repetitions: 4, centres: 2}
measure: {launches: 1, warmup: 1}
YAML
"$work/bin/nuce-model" network --ranks 4 --bandwidth 5e6..50e6 >before.network
cat >measured.yaml <<'YAML'
name: measured
workload: redistribute
ranks: 4
sweep:
  - {schedule: greedy, in-flight: [1, 2, auto], elements: 20000, block: 2, factor: 3, network: measured}
  - {schedule: [direct, alltoallv], elements: 20000, block: 2, factor: 3, network: measured}
  - {schedule: greedy, elements: 20000, block: 2, factor: 3, network: before.network}
  - {schedule: [greedy, direct], elements: 20000, block: 2, factor: 3}
measure: {launches: 1, warmup: 1, min-samples: 6, max-samples: 6, target-ci: 0, time-limit: 10s}
YAML
expect 0 nuce run links.yaml
expect 0 nuce run measured.yaml
expect 0 env UCX_NET_DEVICES=another "$work/bin/nuce" run measured.yaml
expect 0 nuce table redistribution-depth --format csv
same "rows, five an environment" "$(wc -l <"$work/stdout")" 11
expect 0 nuce table redistribution-adaptivity --format csv
same "rows, four and three an environment" "$(wc -l <"$work/stdout")" 15
says stdout '"communication time, ms",2,'

for name in figure2b figure3 figure4 figure5a figure5b adaptivity; do
    expect 0 nuce figure "redistribution-$name" --format svg
    grep -q '</svg>' "figures/redistribution-$name.svg" || fail "$name is not drawn whole"
done
grep -q '>lower bound<' figures/redistribution-figure5b.svg || fail "the key names no lower bound"
grep -q '>greedy, before.network<' figures/redistribution-adaptivity.svg || fail "no stale network"

# Several at once; the first that there is not ends it.
rm -r figures
prints "figures/redistribution-figure5a.svg" nuce figure redistribution-figure5a redistribution-figure5b --format svg
[ -s figures/redistribution-figure5b.svg ] || fail "the second of two figures is not drawn"
expect 2 nuce figure nothing redistribution-figure5b --format svg
prints "Figure 5(a)" nuce table redistribution-figure5a redistribution-figure5b
says stdout "Figure 5(b)"
