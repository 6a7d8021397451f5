#!/bin/sh
# Contenders of one instance race in rounds: every round has each once, the reference twice, in orders
# that change; and the ratios that the database gives are those that follow from the records.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
real_kernel nuce-exchange

cat >race.yaml <<YAML
name: race
workload: exchange
ranks: 2
sweep:
  schedule: [lp, ac, lp-xor]
  pattern: uniform
  degree: 2
  item-bytes: [64B, 4KiB]
measure: {launches: 1, warmup: 1, min-samples: 15, max-samples: 15, time-limit: 10min}
YAML

expect 0 nuce run race.yaml
status=0
nuce collect race.1 >/dev/full 2>"$work/stderr" || status=$?
same "exit status of sentences without read permission" "$status" 1
says stderr "cannot write the results: No space left on device"
status=0
nuce figure race.1 --output full --format svg >/dev/full 2>"$work/stderr" || status=$?
same "exit status of names of figures without read permission" "$status" 1
same "ratios of one launch, with an interval" \
    "$(value "SELECT count(*) || ' ' || count(ratio_low) FROM ratio")" "8 0"
prints " messages, mean " nuce show race
says stdout ", longest "
awk 'length > 100 { exit 1 }' "$work/stdout" || fail "wider than 100 columns"
! grep -q schedule_cost "$work/stdout" || fail "wide without --wide"
prints schedule_cost nuce show race --wide
expect 0 nuce run race.yaml
expect 0 nuce run race.yaml
[ -z "$(find campaigns -name '*.turn')" ] || fail "a file of turns is left behind"
same "launches and rounds of ratios" "$(value "SELECT count(*) || ' ' || group_concat(DISTINCT launches || ' ' || rounds)
    FROM ratio WHERE contender <> 'reference' AND ratio_low < ratio_high")" "6 3 45"

# (recompute.sh computes the results of the rounds again.)
python3 - <<'PYTHON' || fail "the rounds are not whole"
import glob, json
for path in glob.glob("campaigns/*/records/*.jsonl"):
    runs = [r for r in map(json.loads, open(path)) if r["record"] == "run"]
    for race in {r["race"] for r in runs}:
        of = [r for r in runs if r["race"] == race]
        assert len({r["order_seed"] for r in of}) == 1
        reference, = [r for r in of if "duplicate" in r]
        assert reference["params"]["schedule"] == "lp", "the reference is not the first"
        assert [r["params"]["schedule"] for r in of] == ["lp", "ac", "lp-xor"]
        turns = list(zip(*[r["place"] for r in of], reference["duplicate"]["place"]))
        assert len(turns) == 15 and all(sorted(t) == [0, 1, 2, 3] for t in turns)
        assert len(set(turns)) > 1, "the order is the same in all rounds"
PYTHON

# The same in windows: rounds that are late do not count, for anybody; turns of three steps.
sed 's/^name: .*/name: windows/; s/max-samples: 15/max-samples: 15, sync: window, batch: 3/' race.yaml >windows.yaml
expect 0 nuce run windows.yaml --database windows.db
same "how turns began" "$(value "SELECT DISTINCT sync || ' ' || batch || ' ' || criterion FROM run" windows.db)" \
    "window 3 communication"
same "rounds of contenders and duplicates" "$(value 'SELECT count(*) FROM round_ratio' windows.db)" 90
same "what is known of starts and clocks" \
    "$(value 'SELECT count(*) FROM run WHERE late_rounds >= 0 AND skew_s >= 0 AND skew_high_s >= skew_s
              AND sync_residual_s = 0 AND sync_error_s = 0 AND too_short IN (0, 1)' windows.db)" 6
same "times from the common start hold the own" \
    "$(value "SELECT count(*) || ' ' || min(step_s >= own_s AND own_s >= communication_s) FROM sample" windows.db)" \
    "90 1"
sed 's/max-samples: 15/max-samples: 15, sync: nosuch/' race.yaml >nosuch.yaml
refuses "'nosuch'" nuce run nosuch.yaml
says stderr "window"

# A query can read the members of JSON columns.
same "values of a JSON array" "$(value "SELECT sum(value) FROM json_each('[1,2]')")" 3

# A point that ran alone has neither reference nor ratio.
sed -i 's/^name: .*/name: alone/; s/\[lp, ac, lp-xor\]/ac/' race.yaml
expect 0 nuce run race.yaml --database alone.db
same "races of points that ran alone" \
    "$(value "SELECT count(DISTINCT race) || ' of ' || count(*) FROM run" alone.db)" "2 of 2"
same "ratios of points that ran alone" "$(value 'SELECT count(*) FROM ratio' alone.db)" 0

# Stencils that differ in three keys meet in one race, and the record names the keys. Contenders with and without
# overlap are compared by the whole step.
cp "$programs/nuce-stencil" "$work/bin/nuce-stencil"
cat >cut.yaml <<YAML
name: cut
workload: stencil
ranks: 2
sweep: {decomposition: [xy2, slabs], schedule: [ac, lp], overlap: [false, true], rows: 40, columns: 40}
compare: [decomposition, schedule, overlap]
reference: {decomposition: slabs, schedule: lp, overlap: false}
measure: {launches: 2, warmup: 1, min-samples: 7, max-samples: 7, time-limit: 10min}
YAML
prints "races        1, of up to 8 contenders each" nuce plan cut.yaml
expect 0 nuce run cut.yaml --database cut.db
python3 - <<'PYTHON' || fail "the race of stencils is not whole"
import glob, json
paths = glob.glob("campaigns/cut.1/records/*.jsonl")
assert len(paths) == 2
races = set()
for path in paths:
    runs = [r for r in map(json.loads, open(path)) if r["record"] == "run"]
    assert len(runs) == 8 and all(r["status"] == "ok" for r in runs)
    races |= {r["race"] for r in runs}
    assert {r["compared"] for r in runs} == {runs[0]["compared"]}
    assert set(json.loads(runs[0]["compared"])) >= {"decomposition", "schedule", "overlap", "in-flight"}
    first = runs[0]["params"]
    assert (first["decomposition"], first["schedule"], first["overlap"]) == ("slabs", "lp", False)
    assert "duplicate" in runs[0] and not any("duplicate" in r for r in runs[1:])
assert len(races) == 1
PYTHON
same "what the database says is compared" \
    "$(value "SELECT count(*) FROM run WHERE compared LIKE '%\"overlap\"%'" cut.db)" 16

# Workloads without races have their sentences in a table of their own.
ln -sf "$programs/nuce-calibrate" "$work/bin/nuce-calibrate"
cat >receive.yaml <<YAML
name: exchange-table2
workload: contention
ranks: 3
sweep: {direction: to-one, size: 4KiB, partners: [1, 2]}
measure: {launches: 2, min-samples: 3, max-samples: 5, time-limit: 10min}
YAML
prints "The time to receive d messages of 4096 bytes grows with d (3.1)" nuce run receive.yaml --database receive.db

# A contender that ran alone has no place in the figure of those that raced on its instance.
for only in ac 'neighbor-persistent, rs-n'; do
    cat >apart.yaml <<YAML
name: apart-${only%%,*}
workload: exchange
ranks: 3
sweep: {schedule: [$only], pattern: uniform, degree: 2, item-bytes: 16B}
measure: {launches: 2, min-samples: 3, max-samples: 3, time-limit: 10min}
YAML
    expect 0 nuce run apart.yaml --database apart.db
done
expect 0 nuce table quick --database apart.db --format csv
grep -q ',ac,' "$work/stdout" || fail "the table has no time of ac"
if command -v gnuplot >/dev/null; then
    expect 0 nuce figure quick --database apart.db --output apart --format svg
    # The column at the right edge, with its head, has a margin. A letter is half as wide as high, or wider.
    python3 - <<'PYTHON' || fail "a text near the right edge"
import re
text = open("apart/quick.svg").read()
width = float(re.search(r'width="(\d+)"', text)[1])
right = [(float(x) + len(words) * float(size) / 2, words) for x, size, words in re.findall(
    r'translate\(([\d.]+),.*font-size="([\d.]+)" +text-anchor="start">\s*<text>(.*)</text>', text) if float(x) > width / 2]
assert len(right) == 4 and all(end < width - 10 for end, _ in right), (right, width)
PYTHON
fi
