#!/bin/sh
# One estimator: what a run says at its end, its table, the verdict's, the database's view, compare and the
# report have the same ratios, intervals and fastest ones.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
real_kernel nuce-exchange

cat >race.yaml <<YAML
name: race
workload: exchange
ranks: 2
sweep: {schedule: [ac, lp, rs-n, alltoallv], pattern: uniform, density: 2, unit: [16B, 64KiB]}
measure: {launches: 3, warmup: 1, min: 8, max: 8}
YAML
expect 0 nuce run race.yaml
cp "$work/stdout" ran.txt
nuce query "SELECT params ->> '\$.unit' AS size, r.name, r.contender, r.ratio, r.ratio_low, r.ratio_high, r.is_best
    FROM ratio AS r JOIN point AS p ON p.id = r.point" --format json >ratio.jsonl
nuce show race --format json >show.jsonl
nuce show race >show.txt
nuce table exchange-verdict --format json >verdict.jsonl
nuce report --output report.html
for contender in lp rs-n alltoallv; do
    status=0
    nuce compare ac "$contender" --campaign race.1 --format json >"compare-$contender.jsonl" 2>/dev/null || status=$?
    [ "$status" != 2 ] || fail "ac and $contender cannot be compared"
done
python3 "$here/agree.py" lp rs-n alltoallv
