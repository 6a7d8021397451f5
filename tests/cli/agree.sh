#!/bin/sh
# One estimator: a run's last lines, its table, the verdict's table, the database's view, compare and the report have
# the same ratios, intervals and fastest contenders.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
real_kernel nuce-exchange

cat >race.yaml <<YAML
name: race
workload: exchange
ranks: 2
sweep: {schedule: [ac, lp, rs-n, alltoallv], pattern: uniform, degree: 2, item-bytes: [16B, 64KiB]}
measure: {launches: 3, warmup: 1, min-samples: 8, max-samples: 8, time-limit: 10min}
YAML
expect 0 nuce run race.yaml
cp "$work/stdout" ran.txt
nuce query "SELECT json_extract(params, '\$.\"item-bytes\"') AS size, r.name, r.contender, r.ratio, r.ratio_low, r.ratio_high, r.is_best
    FROM ratio AS r JOIN point AS p ON p.id = r.point" --format json >ratio.jsonl
nuce show race --format json >show.jsonl
nuce show race >show.txt
nuce table exchange-verdict --format json >verdict.jsonl
nuce report --output report.html
! grep -q "Pooled from several campaigns" report.html || fail "one campaign is called several"
[ "$(wc -c <report.html)" -le 300000 ] || fail "the report of one campaign has $(wc -c <report.html) bytes"
PATH="$work/bin:$PATH" python3 "$here/notebook.py" "$here/../../docs/example.ipynb" || fail "the notebook does not run"
for contender in lp rs-n alltoallv; do
    status=0
    nuce compare ac "$contender" --campaign race.1 --format json >"compare-$contender.jsonl" 2>/dev/null || status=$?
    [ "$status" != 2 ] || fail "ac and $contender cannot be compared"
done
python3 "$here/agree.py" lp rs-n alltoallv

# One number of messages is not an axis: no figure of one dot, but the table; all figures leave it out.
gives_up "exchange-cost: no figure: all rows have the same number of messages" nuce figure exchange-cost
expect 0 nuce table exchange-cost
expect 0 nuce figure all --output all --format svg
[ -e all/quick.svg ] || fail "figure all has no quick"
[ ! -e all/exchange-cost.svg ] || fail "a figure of one dot"

# With a noise of [0.9, 1.1], 3 % is no difference for any contender; with little noise it is one. Synthetic ratios to
# ac: lp 0.97, rs-n 1.2, alltoallv 1.3. made DUPLICATE... [LP...]: the records of three launches, with these ratios of
# the duplicate, and these of lp, beside which rs-n takes 1.05.
made() {
    python3 "$here/remake.py" race.1 "$@" <<'PYTHON'
factors = {"ac": 1, "lp": 0.97, "rs-n": 1.2, "alltoallv": 1.3}
seen = {}
def change(r):
    launch = seen[r["point"]] = seen.get(r["point"], -1) + 1
    noise = 1 + 0.002 * (launch - 1) * (1 if r["params"]["schedule"] in ("lp", "rs-n") else 0)
    base = [1e-3 * (1 + 0.01 * i) for i in range(8)]
    if len(arguments) > 3:
        factors["lp"] = float(arguments[3 + launch])
        factors["rs-n"] = 1.05 * factors["lp"]
    for part in r["samples"]:
        r["samples"][part] = [factors[r["params"]["schedule"]] * noise * t for t in base]
    for part in r.get("duplicate", {}):
        if part != "place":
            r["duplicate"][part] = [float(arguments[launch]) * t for t in base]
    r.pop("too_short", None)
    r["metrics"].pop("others_cpus", None)  # the load of this machine does not affect synthetic times
PYTHON
    rm -f nuce.db
    expect 0 nuce collect
    same "launches" "$(value "SELECT group_concat(DISTINCT launches) FROM ratio")" 3
    expect 0 nuce show race
    tr -s ' \n' ' ' <"$work/stdout" >shown
    expect 0 nuce table exchange-verdict --format csv
    cp "$work/stdout" verdict
    nuce compare ac lp --format csv >compared 2>/dev/null || true
    # Races compare communication: `--part communication` gives the same output.
    nuce compare ac lp --part communication --format csv >parted 2>/dev/null || true
    [ -s parted ] || fail "nothing is compared of the communication"
    cmp -s compared parted || fail "compare says something else of the part that is compared anyhow"
    same "contenders, and those whose verdict is not their side" "$(value "SELECT count(*) || ' ' || total(a.side IS NOT
        CASE r.verdict WHEN 'slower' THEN 1 WHEN 'faster' THEN -1 ELSE 0 END) FROM ratio AS r JOIN against AS a
        ON a.race = r.race AND a.point = r.point AND a.baseline = r.reference WHERE r.contender = 'contender'")" "6 0.0"
    verdicts=$(nuce query "SELECT DISTINCT name || ' ' || verdict || ' ' || is_best FROM ratio
        WHERE contender = 'contender' ORDER BY 1" --format csv | tail -n +2 | tr '\n' ';')
}
made 0.95 1.0 1.05
same "verdicts beside a loud noise" "$verdicts" "alltoallv slower 0;lp same 1;rs-n slower 0;"
grep -qF "Fastest: ac, lp (no significant difference)." shown || fail "3 % are told beside a noise of 10 %"
grep -q '"ac, lp"\|"lp, ac"' verdict || fail "the verdict's table has another set"
! grep -q ',faster,\|,worse,\|,slower,' compared || fail "compare claims what the noise came to"
# With very large noise, a contender with a ratio of 1.34 is not called one of the fastest.
made 0.5 1.0 2.0
grep -qE "Inconclusive: 3 launches are too few to separate [a-z, -]* \(largest ratio: alltoallv over lp, 1.34x\); (more|about) " shown ||
    fail "contenders of which one has a ratio of 1.34 are called the fastest"
# The number of launches that would suffice is not named if some of the planned ones are missing.
sed -i 's/"launches": 3/"launches": 7/' campaigns/race.1/campaign.json
expect 0 nuce collect
expect 0 nuce show race
tr -s ' \n' ' ' <"$work/stdout" | grep -qF "(largest ratio: alltoallv over lp, 1.34x); the rest of the 7 launches asked for may suffice." ||
    fail "launches are advised that were asked for"
sed -i 's/"launches": 7/"launches": 3/' campaigns/race.1/campaign.json
# A noise interval without 1: what it means, and what to do; none of a loud one that has 1 in it.
! grep -q "A copy of" shown || fail "a noise around 1 is called a difference"
made 0.79 0.8 0.81
grep -qF "Noise (ac vs ac): 0.80x, within [0.78, 0.83]; 3 launches. A copy of ac differs from ac: a ratio between 0.78 and 1.29 is no difference. Repeat the run, with more launches (launches: below measure:)." shown ||
    fail "a noise interval without 1 is passed over: $(cat shown)"
made 0.999 1.0 1.001
same "verdicts beside a quiet noise" "$verdicts" "alltoallv slower 0;lp faster 1;rs-n slower 0;"
grep -qF "Fastest: lp, 0.97x the time of ac. Slower than the fastest; ratio to ac: rs-n 1.20x, alltoallv 1.30x. Noise" shown ||
    fail "3 % are not told beside a quiet noise"
grep -q ',faster,' compared || fail "compare does not see 3 %"
# rs-n is slower than lp alone, so the line does not say that it is slower than the reference.
made 0.999 1.0 1.001 0.95 1.0 1.02
grep -qE "Fastest: ac, lp \(no significant difference\)\. Slower than the fastest; ratio to ac: rs-n 1\.04x[^(]* \(slower than lp\), alltoallv 1\.30x" shown ||
    fail "a contender that is not slower than the reference is said to be: $(cat shown)"

# A result pooled from several campaigns says so.
expect 0 nuce run race.yaml
expect 0 nuce report --output two.html
grep -q "Pooled from several campaigns: race.1, race.2" two.html || fail "the report does not say that it pools"
expect 0 nuce report --campaign race.2 --output one.html
grep -q "campaigns/race.2/sweep.yaml" one.html || fail "the report of a campaign has not its sweep"
! grep -q "campaigns/race.1/sweep.yaml" one.html || fail "the report of a campaign has another's sweep"
! grep -q "Pooled from several campaigns" one.html || fail "one campaign is called several"

# A pattern without a message has no winner and no panel.
printf '2\n' >none.com
sed 's/^name.*/name: none/; s/pattern: uniform, degree: 2, item-bytes:.*}/com: none.com}/; s/: 8/: 3/g' race.yaml >none.yaml
prints "Nothing to send: no contender wins." nuce run none.yaml
gives_up "none: no figure: none of its patterns has a message" nuce figure none

# Beside instances with messages, such an instance is left out of the mean and of the output.
sed 's/^name.*/name: some/; s/sweep: .*/sweep: {schedule: [ac, lp], pattern: uniform, degree: 1, item-bytes: 16B, seed: [1, 2, 3, 5]}/
    s/: 8/: 3/g' race.yaml >some.yaml
expect 0 nuce run some.yaml
tr -s ' \n' ' ' <"$work/stdout" >said
grep -qi "nothing to send" said && fail "an instance without a message hides the others"
instances=$(value "SELECT count(*) FROM result AS r JOIN campaign AS c ON c.id = r.campaign
    WHERE c.id = 'some.1' AND schedule = 'ac' AND messages > 0")
case $instances in
2 | 3) ;;
*) fail "$instances of 4 instances have messages: expected some of them" ;;
esac
grep -q "2 ranks ($instances instances), mean message [^:]* (item-bytes 16 B):" said || fail "not $instances instances: $(cat said)"

# The size from which another contender is fastest. Synthetic times: lp takes half the time of ac up to 64 B, and then
# twice.
cat >sizes.yaml <<YAML
name: sizes
workload: exchange
ranks: 2
sweep: {schedule: [ac, lp], pattern: uniform, degree: 2, item-bytes: [16B, 64B, 1KiB, 4KiB]}
measure: {launches: 2, warmup: 1, min-samples: 3, max-samples: 3, time-limit: 10min}
YAML
expect 0 nuce run sizes.yaml
python3 "$here/remake.py" sizes.1 <<'PYTHON'
def change(r):
    factor = {"ac": 1, "lp": 0.5 if r["params"]["item-bytes"] <= 64 else 2}[r["params"]["schedule"]]
    for times in [r["samples"], r.get("duplicate", {})]:
        times.update({part: [1e-3 * factor] * 3 for part in times if part != "place"})
    r.pop("too_short", None)
    r["metrics"].pop("others_cpus", None)  # the load of this machine does not affect synthetic times
PYTHON
rm -f nuce.db
expect 0 nuce collect
expect 0 nuce show sizes
tr -s ' \n' ' ' <"$work/stdout" >shown
grep -q "(item-bytes up to 64 B): Fastest: lp, 0.50x the time of ac\." shown || fail "up to which size lp is the fastest: $(cat shown)"
grep -q "(item-bytes from 1 KiB on): Fastest: ac\. Slower than ac: lp 2.00x\." shown || fail "from which size on ac is the fastest"
