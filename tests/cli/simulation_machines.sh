#!/bin/sh
# The kernels on simulated machines that are large or take long.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# The numbers that the platform is for: node contention of 4096 bytes, within 15 % of all receive times
# of Table 2, and RS_NH of Table 5, d = 8, within 20 %, here of one pattern.
expect 0 nuce run exchange-table2-cm5
expect 0 nuce table exchange-table2 --format csv
same "receive times within 15 %" "$(awk -F, '$2 == "to-one" && $3 == 4096 && $7 == "one ms" &&
    $12 / $13 > 0.85 && $12 / $13 < 1.15' "$work/stdout" | wc -l)" 6
same "all of 4096 bytes" "$(awk -F, '$2 == "to-one" && $3 == 4096 && $7 == "one ms"' "$work/stdout" | wc -l)" 6

# A point that takes too long fails without affecting others. (256 ranks take a minute of processor time, 2 a moment.)
cat >long.yaml <<'YAML'
name: long
workload: exchange
ranks: [2, 256]
sweep: {schedule: ac, pattern: uniform, degree: 1, item-bytes: 16B}
measure: {launches: 1, warmup: 500, min-samples: 500, max-samples: 500, timeout: 20s}
YAML
expect 1 nuce run long.yaml --platform fat-tree-256
says stdout "2 points: 1 ok, 1 timeout"
says stderr "took longer to simulate than it may"

# Many points are many starts of the simulator, one after another.
cat >many.yaml <<'YAML'
name: many
workload: exchange
ranks: 8
platform: cm5-32
sweep: {schedule: [ac, credits, rs-nh], pattern: uniform, degree: 4, item-bytes: 256B, instances: 21}
measure: {launches: 1, warmup: 1, min-samples: 2, max-samples: 2}
YAML
prints "63 points: 63 ok" nuce run many.yaml
same "launches" "$(find campaigns/many.1/records -name '*.jsonl' | wc -l)" 4
rm -r campaigns nuce.db

# In a sweep of so many ranks ends that are near each other are one: its times are nearly those of another,
# and the environment says so.
cat >near.yaml <<'YAML'
name: near
workload: exchange
ranks: 64
platform: fat-tree-256
sweep: {schedule: [ac, rs-n], pattern: uniform, degree: 4, item-bytes: 1KiB}
measure: {launches: 1, warmup: 1, min-samples: 1, max-samples: 1}
YAML
sed 's/near/wide/; s/ranks: 64/ranks: [64, 256]/' near.yaml >wide.yaml
expect 0 nuce run near.yaml
expect 0 nuce run wide.yaml
expect 0 nuce query --format csv "WITH time AS (SELECT run.campaign, point.ranks, schedule, sample.step_s AS s
        FROM sample JOIN run ON run = run.id JOIN point ON point = point.id)
    SELECT count(*), max(abs(w.s / n.s - 1)) > 0, max(abs(w.s / n.s - 1)) < 0.005
    FROM time AS n JOIN time AS w USING (ranks, schedule) WHERE n.campaign = 'near.1' AND w.campaign = 'wide.1'"
same "times of 64 ranks, alone and beside 256" "$(tail -1 "$work/stdout")" 2,1,1
(sed 's/near/told/; s/ranks: 64/ranks: 8/' near.yaml && echo 'precision: 100ns') >told.yaml
expect 0 nuce run told.yaml
expect 0 nuce query --format csv "SELECT group_concat(s, ' ') FROM (SELECT DISTINCT json_extract(described, '\$.cluster.precision_s') AS s
    FROM environment WHERE s > 0 ORDER BY s)"
same "precision" "$(tail -1 "$work/stdout")" "1.0e-09 1.0e-08 1.0e-07"
# One that is too coarse for the machine would give other times, and one of nothing means nothing.
refused() { # PRECISION MESSAGE
    sed "s/100ns/$1/" told.yaml >refused.yaml
    refuses "$2" nuce run refused.yaml
    same "campaigns" "$(ls campaigns)" "$before"
}
before=$(ls campaigns)
refused 0 "refused.yaml:7:12: precision: '0': expected more than 0"
refused 150ns "precision: '150ns': expected at most 100ns, a fifth of the latency from host 'node-0' to host 'node-1'"
refused 100 "precision: '100s': expected at most 100ns"
sed -i '/^platform/d' told.yaml
refused 10ns "refused.yaml:6:12: precision: expected a platform with it: nothing else is simulated"
