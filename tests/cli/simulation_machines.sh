#!/bin/sh
# The kernels on simulated machines that are large or take long.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
ln -s "$programs/../libexec" "$work/libexec"

# The numbers that the platform is for: node contention of 4096 bytes, within 15 % of all receive times
# of Table 2, and RS_NH of Table 5, d = 8, within 20 %, here of one pattern.
expect 0 nuce run exchange-table2-cm5
expect 0 nuce table exchange-table2 --format csv
same "receive times within 15 %" "$(awk -F, '$2 == "to-one" && $3 == 4096 && $7 == "one ms" &&
    $12 / $13 > 0.85 && $12 / $13 < 1.15' "$work/stdout" | wc -l)" 6
same "all of 4096 bytes" "$(awk -F, '$2 == "to-one" && $3 == 4096 && $7 == "one ms"' "$work/stdout" | wc -l)" 6

# A point that takes too long costs itself alone. (256 ranks take seconds.)
cat >long.yaml <<'YAML'
name: long
workload: exchange
ranks: [2, 256]
sweep: {schedule: ac, pattern: uniform, density: 1, unit: 16B}
measure: {launches: 1, warmup: 500, min: 500, max: 500, timeout: 1s}
YAML
expect 1 nuce run long.yaml --platform fat-tree-256
says stdout "2 points: 1 ok, 1 timeout"
says stderr "took longer to simulate than it may"

# Many points are many starts of the simulator, one after another.
cat >many.yaml <<'YAML'
name: many
workload: exchange
ranks: 32
platform: cm5-32
sweep: {schedule: [ac, credits, rs-nh], pattern: uniform, density: 8, unit: 256B, instances: 21}
measure: {launches: 1, warmup: 1, min: 2, max: 2}
YAML
expect 0 nuce run many.yaml
says stdout "63 points: 63 ok"
same "launches" "$(find campaigns/many.1/records -name '*.jsonl' | wc -l)" 2
