#!/bin/sh
# nuce verify --recompute: the metrics of runs are recomputed from the bundle alone, and changed ones are found even
# if every checksum matches. And the ratios of docs/evidence/statistics.md, by hand.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
real_kernel nuce-exchange
cp "$programs/nuce-stencil" "$programs/nuce-redistribute" "$programs/nuce-model" "$programs/nuce-calibrate" "$work/bin"

mkdir there
cat >there/links.txt <<'EOF'
ranks 3
0 1 1e-6 1e9
0 2 2e-6 5e8
1 0 1e-6 1e9
1 2 1e-6 1e9
2 0 1e-6 2e9
2 1 1e-6 1e9
EOF
cat >there/given.com <<'EOF'
3
0 1 100
0 2 3000
1 0 50
2 0 700
EOF
measure='measure: {launches: 1, warmup: 1, min-samples: 3, max-samples: 3, time-limit: 10min}'
cat >there/race.yaml <<EOF
name: race
workload: exchange
ranks: 3
sweep:
  - {schedule: [ac, lp, rs-nh, greedy, preemptive], pattern: uniform, degree: 2, item-bytes: 1KiB, network: links.txt}
  - {schedule: [ac, lp], mesh: wing-2800, item-bytes: 16B}
  - {schedule: [ac, lp], com: given.com}
  - {schedule: rs-n, pattern: moe, network: links.txt}
$measure
EOF
cat >there/cut.yaml <<EOF
name: cut
workload: stencil
ranks: 3
sweep: {decomposition: [xy2, slabs], rows: 60, columns: 60, weights: "1,2,3", network: links.txt}
$measure
EOF
cat >there/cyclic.yaml <<EOF
name: cyclic
workload: redistribute
ranks: 3
sweep: {schedule: [direct, greedy], elements: 3000, block: 2, factor: 3, network: links.txt}
$measure
EOF
# A network that is found at the launch, by the hosts, is kept with the runs.
cat >there/links.yaml <<'EOF'
name: links
workload: links
ranks: 3
sweep: {smallest: 1KiB, largest: 16KiB, sizes: 2, repetitions: 2, centres: 4}
measure: {launches: 1, warmup: 1}
EOF
cat >there/found.yaml <<EOF
name: found
workload: exchange
ranks: 2
sweep: {schedule: [ac, greedy], mesh: wing-2800, item-bytes: 1KiB, network: measured}
$measure
EOF
# Measured weights are those of the run's record.
cat >there/rated.yaml <<EOF
name: rated
workload: stencil
ranks: 3
sweep: {decomposition: [xy2, tile], rows: 60, columns: 60, weights: measured, emulate-speeds: "1,2,4",
        network: links.txt}
$measure
EOF
for name in race cut cyclic links found rated; do
    expect 0 nuce run "there/$name.yaml"
done
# A network that is slower than the machine is reported: the measured time is below its bound.
sed 's/e-6/e-1/' there/links.txt >there/slow.txt
sed 's/name: cyclic/name: slow/; s/links.txt/slow.txt/' there/cyclic.yaml >there/slow.yaml
expect 0 nuce run there/slow.yaml
expect 0 nuce show slow
tr '\n' ' ' <"$work/stdout" | tr -s ' ' | grep -qF \
    "2 of 2 points are below lower_bound_s: the machine is faster than its assumed network (slow.txt)" ||
    fail "a network that was refuted is not told"
# But not where a rank came so late that all was there before its own time began: bounds and predictions
# count from the common start.
sed -i 's/"last_late_s":[^,}]*/"last_late_s":10/' campaigns/slow.1/records/*.jsonl
python3 "$here/seal.py" campaigns/slow.1/records/*.jsonl
rm nuce.db
for name in race cut cyclic found rated slow; do
    expect 0 nuce collect "$name.1"
done
prints "cyclic(2)" nuce show slow
! grep -q "below lower_bound_s" "$work/stdout" || fail "a network was refuted by a rank that came late"

expect 0 nuce bundle race.1 cut.1 cyclic.1 found.1 rated.1 --output all.tar.gz
mkdir elsewhere
mv all.tar.gz elsewhere
rm -r there campaigns networks
cd elsewhere
prints "of 18 runs" nuce verify all.tar.gz --recompute
says stdout "all.tar.gz: intact and valid: 5 campaigns, 18 points, 18 runs"
! grep -q "not recomputed" "$work/stderr" || fail "something was not recomputed"
expect 0 nuce verify all.tar.gz --recompute --format json
python3 - "$work/stdout" <<'PYTHON' || fail "too little is recomputed"
import json, sys
said = json.load(open(sys.argv[1]))
assert said["valid"] and said["problems"] == []
assert said["recomputed"]["runs"] == 18 and said["recomputed"]["skipped"] == 0, said
assert said["recomputed"]["quantities"] >= 18 * 8, said
PYTHON
expect 0 nuce verify all.tar.gz --format json
! grep -q recomputed "$work/stdout" || fail "something was recomputed without --recompute"

# changed NAME EDIT TEXT: the bundle with EDIT made in it and all checksums made to match says TEXT.
changed() {
    rm -rf unpacked
    mkdir unpacked
    tar -xzf all.tar.gz -C unpacked
    (cd unpacked/nuce-bundle/campaigns && sh -c "$2")
    cmp -s unpacked/nuce-bundle/campaigns/race.1/plan.jsonl /dev/null && fail "no plan"
    python3 "$here/seal.py" unpacked/nuce-bundle/campaigns/*/records/*.jsonl
    (cd unpacked/nuce-bundle && find campaigns -type f | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
    tar -czf "$1.tar.gz" -C unpacked nuce-bundle
    expect 1 nuce verify "$1.tar.gz" --recompute
    says stdout "$3"
}
changed pattern "sed -i '0,/\"pattern_sha256\":\"./s//&f/; s/\\(\"pattern_sha256\":\"[0-9a-f]\\{64\\}\\)[0-9a-f]/\\1/' race.1/records/0001.jsonl" \
    "pattern_sha256 was recorded as"
changed phases "sed -i 's/\"phases\":3/\"phases\":2/' race.1/records/*.jsonl" \
    "phases was recorded as 2, recomputed it is 3"
changed bound "sed -i 's/\"lower_bound_s\":[0-9]/&1/' cyclic.1/records/*.jsonl" "lower_bound_s was recorded as"
# A faster link in the network that was found, under names that fit it.
# shellcheck disable=SC2016 # for the shell that makes the edit
changed found 'cd found.1/inputs/*; was=$(sha256sum *.network | cut -d" " -f1)
    sed -i "s/^\([01] [01] [^ ]* \)/\19/" *.network; is=$(sha256sum *.network | cut -d" " -f1)
    cd ..; mv "$(echo "$was" | cut -c1-16)" "$(echo "$is" | cut -c1-16)"
    sed -i "s/$was/$is/" ../records/*.jsonl' "lower_bound_s was recorded as"
changed rated "sed -i 's/\(\"weights_taken\":\"[^\"]*,\)[^,\"]*\"/\10.9\"/' rated.1/records/*.jsonl" "acost was recorded as"
# A file other than the one that the points used is refused by its SHA-256, and nothing is recomputed from it.
rm -rf unpacked
mkdir unpacked
tar -xzf all.tar.gz -C unpacked
sed -i 's/5e8/6e8/' unpacked/nuce-bundle/campaigns/*/inputs/*/links.txt
(cd unpacked/nuce-bundle && find campaigns -type f | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
tar -czf network.tar.gz -C unpacked nuce-bundle
expect 1 nuce verify network.tar.gz --recompute
says stdout "links.txt: not the file that points were run on"

# The code of docs/evidence/statistics.md, as it stands there.
cd "$work/here"
cat >race.yaml <<EOF
name: race
workload: exchange
ranks: 2
sweep: {schedule: [ac, lp], mesh: wing-2800, item-bytes: [64B, 4KiB]}
measure: {launches: 3, warmup: 1, min-samples: 9, max-samples: 9, time-limit: 10min}
EOF
rm -f nuce.db
expect 0 nuce run race.yaml
expect 0 nuce bundle race.1
# shellcheck disable=SC2016 # the backticks are those of the document
sed -n '/^## One race by hand/,$p' "$here/../../docs/evidence/statistics.md" |
    sed -n '/^```python/,/^```$/p' | sed '1d;$d' >by_hand.py
expect 0 python3 by_hand.py
sort "$work/stdout" >said
nuce query "SELECT substr(race, 1, 8) AS h, ratio, ratio_low, ratio_high FROM ratio
    WHERE contender = 'contender' ORDER BY h" --format csv | tail -n +2 >wanted
python3 - <<'PYTHON' || fail "the doc's ratios are not those of the database"
import csv, math
said = [line.split() for line in open("said")]
wanted = list(csv.reader(open("wanted")))
assert len(said) == len(wanted) == 2, (said, wanted)
for one, other in zip(said, wanted):
    assert one[0] == other[0]
    for a, b in zip(one[1:], other[1:]):  # Student's t has four digits there
        assert math.isclose(float(a), float(b), rel_tol=1e-3), (one, other)
PYTHON
