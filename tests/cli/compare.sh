#!/bin/sh
# nuce compare and nuce env diff on synthetic records: slower contenders and no others are found, points that cannot
# be compared are reported, and bad input ends with 2.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

small base
export FAKE_SAMPLES=40

# campaigns COUNT [SWEEP]: runs it so often, as base.N, base.N+1, ...
campaigns() {
    left=$1
    while [ "$left" -gt 0 ]; do
        expect 0 launch run "${2:-base}.yaml"
        left=$((left - 1))
    done
}

# with NAME=VALUE... COMMAND: the command with these in its environment, for functions too.
with() {
    names=
    while [ "${1%%=*}" != "$1" ]; do
        export "${1?}"
        names="$names ${1%%=*}"
        shift
    done
    "$@"
    # shellcheck disable=SC2086 # names
    unset $names
}

# race CAMPAIGN: makes races of its runs: the contenders of an instance, of which ac has a duplicate.
race() {
    python3 "$here/remake.py" "$1" <<'PYTHON'
import hashlib
def change(r):
    problem = {k: v for k, v in r["params"].items() if k != "schedule"}
    r["race"] = hashlib.sha256(json.dumps([r["ranks"], problem], sort_keys=True).encode()).hexdigest()
    r["order_seed"], r["criterion"] = 1, "communication"
    count = len(r["samples"]["step"])
    r["place"] = [["ac", "rs-n", "lp"].index(r["params"]["schedule"])] * count
    if r["params"]["schedule"] == "ac":
        r["duplicate"] = {part: times[::-1] for part, times in r["samples"].items()}
        r["duplicate"]["place"] = [3] * count
PYTHON
}

# recollect: the database anew, from records that were changed.
recollect() {
    rm -f nuce.db
    nuce collect >/dev/null 2>&1 || fail "collect"
}

# counts VERDICT: how many points have it.
counts() {
    column verdict | grep -cx "$1" || true
}

# 1 to 6 are alike, 7 to 9 slower, 10 to 12 faster, 13 to 15 slower at one size: a launch of 40 samples each
# at 12 points.
campaigns 6
with FAKE_PERCENT=110 campaigns 3
with FAKE_PERCENT=90 campaigns 3
with FAKE_PERCENT=110 FAKE_SLOW=32 campaigns 3
with FAKE_KIND=simulated campaigns 1
with FAKE_KIND=simulated FAKE_PERCENT=103 campaigns 1
same=base.1,base.3,base.5
again=base.2,base.4,base.6
slower=base.7,base.8,base.9
faster=base.10,base.11,base.12

# The same again is the same, and no difference.
expect 0 nuce compare "$same" "$again"
same "columns" "$(head -n 1 "$work/stdout" | tr -s ' ')" \
    "workload part ranks contender item-bytes A B ratio [95 %] launches verdict"
awk 'NF == 0 { exit } NR > 1 && !/ (0\.99|1\.00)[0-9]x \[(0\.99|1\.00)[0-9], (0\.99|1\.00)[0-9]\] +3\+3 same$/ { exit 1 }' \
    "$work/stdout" || fail "not every row is about 1 with its interval"
says stdout "A = campaign base.1, base.3, base.5"
says stdout "B = campaign base.2, base.4, base.6"
tells "geometric mean over 12 points."
tells "Verdict: same or better. B is not slower than A by more than 5 % at any of 12 points (same at 12)."
expect 0 nuce compare base.1,base.2,base.3 campaigns/base.4/,campaign:base.5,base.6 --format csv
same "the same again" "$(counts same)" 12
says stderr "A machine that drifts looks like a difference"
says stderr "Verdict: same or better."

# One launch per side shows nothing, whatever it gave.
expect 3 nuce compare base.1 base.7
tells "base.7 took 1.1"
tells "x the time of base.1 in the geometric mean over 12 points. One launch has no interval."
tells "Verdict: inconclusive: base.7 may be slower than base.1 by more than 5 %, or not (of 12 points: inconclusive at 12)"
tells "'launches: 5' below 'measure:'"
expect 3 nuce compare base.1,base.3 base.7 --format csv
same "nothing of one launch" "$(counts inconclusive)$(column ratio_low | sort -u)" 12
expect 0 nuce compare base.1,base.3 base.2,base.4

# Slower, faster, and slower at one size.
expect 1 nuce compare "$same" "$slower" --format csv
same "worse" "$(counts worse)" 12
same "compared" "$(column compared | sort -u)" launches
same "launches" "$(column a_launches | sort -u)+$(column b_launches | sort -u)" 3+3
column ratio | awk '$1 < 1.08 || $1 > 1.12 { exit 1 }' || fail "a ratio is not about 1.1"
column ratio >ratios
sort -gr ratios | cmp - ratios || fail "not sorted by what it is about"
column detectable | awk '$1 <= 0 || $1 > 0.05 { exit 1 }' || fail "what could have been shown is no few per cent"
expect 1 nuce compare "$same" "$slower"
tells "B takes 1.100x [1."
tells "Verdict: worse, unless the machine changed. B is slower than A by more than 5 % at 12 of 12 points, most at exchange, "
tells "(worse at 12)"
expect 0 nuce compare "$same" "$faster" --format csv
same "faster" "$(counts faster)" 12
expect 0 nuce compare "$slower" "$same" --format json
same "faster, as JSON" "$(grep -c '"verdict":"faster"' "$work/stdout")" 12
expect 1 nuce compare "$same" base.13,base.14,base.15 --format csv
same "worse at one size" "$(counts worse)" 4
same "others" "$(counts same)" 8
same "worst first" "$(column instance | head -n 4 | sort -u)" item-bytes=32
column instance | sort -u >instances
printf 'item-bytes=16\nitem-bytes=32\nitem-bytes=64\n' | cmp - instances || fail "an instance is not what tells it apart"
expect 1 nuce compare "$same" base.13,base.14,base.15
tells "at 4 of 12 points"
tells "(worse at 4, same at 8)"

# CI servers use the exit status; the message for a removed format names the present ones.
refuses "'junit': expected text, json or csv" nuce compare "$same" base.13,base.14,base.15 --format junit

# The interval contains the variation between launches: one slow launch among three does not make a side slower.
expect 3 nuce compare "$same" base.2,base.4,base.7 --format csv
same "nothing to be told" "$(counts inconclusive)" 12
# It is named, beside the others of its side. Of two launches neither is the slow one.
sed 's/name: base/name: odd/' base.yaml >odd.yaml
with FAKE_PERCENT=900 campaigns 1 odd
expect 3 nuce compare "$same" base.2,base.4,odd.1
tells "At 12 of 12 points one launch alone makes the interval wide. Most at exchange, "
tr "\n" " " <"$work/stdout" | grep -qE "Without it the ratio is (0\.99|1\.00)" || fail "the ratio without it is not about 1"
run=$(tr '\n' ' ' <"$work/stdout" | sed -n "s/.*Next: find its cause ('nuce explain \([0-9a-f]*\)' has its host.*/\1/p")
tells ": job $(value "SELECT job FROM run WHERE substr(hash, 1, 12) = '$run' AND campaign = 'odd.1'") of odd.1 has 4."
tells ", the median of the others of B is 50"
! grep -q "Next: more launches" "$work/stdout" || fail "two things are to be done next"
expect 3 nuce compare "$same" base.2,odd.1
! grep -q "makes the interval wide" "$work/stdout" || fail "one of two launches is called the slow one"
tells "Next: the launches of one side differ too much among themselves"

# Launches that agree to the last digit show that the clock is coarse: their interval is not nothing.
sed 's/name: base/name: still/; s/, 3]/]/' base.yaml >still.yaml
with FAKE_SAMPLES=0 campaigns 2 still
with FAKE_SAMPLES=0 FAKE_PERCENT=110 campaigns 2 still
export FAKE_SAMPLES=40
expect 1 nuce compare still.1,still.2 still.3,still.4
tells "B takes 1.100x [1.100, 1.100] the time of A"
expect 1 nuce compare still.1,still.2 still.3,still.4 --format csv
column ratio_low | awk '$1 >= 1.1 { exit 1 }' || fail "an interval of no width"

# A machine that drifts: campaigns of one side differ as much as the two sides do. This is not a difference, however
# many launches they have. A true difference is found with the same number.
sed 's/name: base/name: drift/; s/, 3]/]/; s/, rs-n]/]/; s/item-bytes: .*/item-bytes: 16B/; s/launches: 1/launches: 3/' \
    base.yaml >drift.yaml
for percent in 100 112 112 124 101 111 100 112; do
    with FAKE_PERCENT=$percent expect 0 launch run drift.yaml
done
gives_up "Verdict: worse, unless the machine changed." nuce compare drift.1 drift.3 --format csv
sed 's/name: drift/name: apart/; s/16B/64B/' drift.yaml >apart.yaml
expect 0 launch run apart.yaml
with FAKE_PERCENT=112 expect 0 launch run apart.yaml
expect 1 nuce compare drift.1,apart.1 drift.3,apart.2 --format csv
same "launches of two sweeps" "$(column a_launches | sort -u)+$(column b_launches | sort -u)" 3+3
says stderr "Verdict: worse, unless the machine changed."
expect 3 nuce compare drift.1,drift.3 drift.2,drift.4
tells " 2+2 inconclusive"
tells "the interval contains the variation from campaign to campaign"
tells "Next: more campaigns, about "
expect 1 nuce compare drift.1,drift.5,drift.7 drift.2,drift.6,drift.8
tells "Verdict: worse. B is slower than A by more than 5 % at 1 of 1 point, "
expect 1 nuce compare drift.1,drift.5,drift.7 drift.2,drift.6,drift.8 --format csv
same "campaigns" "$(column compared)$(column a_launches)+$(column b_launches)" campaigns3+3

# Computed times are exact, however many campaigns and launches they have.
with FAKE_KIND=simulated campaigns 3 drift
expect 0 nuce compare drift.9,drift.10 drift.11 --kind simulated --format csv
same "exact" "$(column compared)" exact

# By another way: means of the logarithms of the records' medians.
nuce compare "$same" "$slower" --format json >rows.json 2>/dev/null || true
python3 - <<'PYTHON' || fail "the ratios do not follow from the records"
import glob, json, math, statistics as st
def means(campaigns):
    found = {}
    for campaign in campaigns:
        for path in glob.glob(f"campaigns/base.{campaign}/records/*.jsonl"):
            for r in map(json.loads, open(path)):
                if r["record"] == "run":
                    found.setdefault(r["point"], []).append(math.log(st.median(r["samples"]["communication"])))
    return {point: st.mean(logs) for point, logs in found.items() if len(logs) == 3}
a, b = means([1, 3, 5]), means([7, 8, 9])
rows = [json.loads(line) for line in open("rows.json")]
assert len(rows) == len(a) == len(b) == 12
for row in rows:
    assert math.isclose(row["ratio"], math.exp(b[row["point"]] - a[row["point"]]), rel_tol=1e-9)
    assert math.isclose(row["ratio"] ** 2, row["ratio_low"] * row["ratio_high"], rel_tol=1e-9)
PYTHON

# Beyond the threshold or not; of the whole step or a part of it.
expect 0 nuce compare "$same" "$slower" --threshold 20% --format csv
same "slower by less" "$(counts slower)" 12
says stderr "Verdict: not worse. B is not slower than A by more than 20 % at any of 12 points (slower at 12)"
expect 1 nuce compare "$same" "$slower" --threshold 0.02
expect 1 nuce compare "$same" "$slower" --part step --format csv
same "part" "$(column part | sort -u)" step
expect 2 nuce compare "$same" "$slower" --part pack
says stderr "12 points left out: some time of pack is unknown, 0, too short to measure, or of no message"
says stderr "nothing to compare"

# With --require, a difference that could not have been shown is not a success.
expect 0 nuce compare "$same" "$again" --require 10%
expect 3 nuce compare "$same" "$again" --require 0.01%
tells "a slow-down of 0.01 % could not have been shown"
expect 1 nuce compare "$same" "$slower" --require 0.01%

# Kinds are never mixed; simulated times are exact.
refuses "12 runs left out: not measured" nuce compare base.1 base.16
says stderr "no point with measured times in common"
expect 0 nuce compare base.16 base.17 --kind simulated --format csv
same "exact" "$(column compared | sort -u)" exact
expect 0 nuce compare base.16 base.17 --kind simulated
same "columns of what is exact" "$(head -n 1 "$work/stdout" | tr -s ' ')" \
    "workload part ranks contender item-bytes base.16 base.17 ratio verdict"
says stdout " 1.030x "
tells "computed times are exact"

# A modelled point has a prediction of communication only.
cp "$programs/nuce-model" "$work/bin"
cat >modelled.yaml <<EOF
name: modelled
workload: exchange
ranks: 32
sweep: {schedule: [rs-n, lp, ac], pattern: uniform, degree: 8, instances: 2, item-bytes: [16B, 1KiB], network: cm5}
EOF
expect 0 nuce run modelled.yaml --modelled --database modelled.db
expect 1 nuce compare rs-n lp --kind modelled --database modelled.db
same "columns of what is modelled" "$(head -n 1 "$work/stdout" | tr -s ' ')" \
    "workload part ranks instance item-bytes rs-n lp ratio verdict"
tells "Verdict: worse. lp is slower than rs-n by more than 5 % at 4 of 4 points"
expect 1 nuce compare rs-n lp --kind modelled --database modelled.db --format csv
column b_s | awk '{ printf "%.9g\n", $1 }' | sort >seconds
nuce query "SELECT printf('%.9g', predicted_s) FROM result WHERE contender = 'lp' " \
    --database modelled.db --format csv | tail -n +2 | sort | cmp - seconds || fail "the times are not those predicted"
expect 2 nuce compare rs-n lp --kind modelled --part step --database modelled.db
says stderr "4 points left out: some time of step is unknown, 0, too short to measure, or of no message"
expect 2 nuce compare rs-n ac --kind modelled --database modelled.db
says stderr "4 points left out: some time of theirs is unknown, 0, too short to measure, or of no message"

# Points that only one side has; runs that are not ok.
sed -e 's/64B/128B/' base.yaml >wider.yaml
sed -i 's/name: base/name: wider/' wider.yaml
expect 0 launch run wider.yaml
expect 3 nuce compare base.1 wider.1
says stderr "4 points only base.1 has:"
says stderr "4 points only wider.1 has:"
says stderr "exchange, 2 ranks, rs-n, item-bytes 128"
with FAKE_CRASH=64 expect 1 launch run base.yaml
expect 3 nuce compare base.1 base.18
says stderr "runs of base.18 left out: not ok"
grep -q interrupted "$work/stderr" && fail "runs that failed were interrupted"
# Being interrupted is not a failure, and is counted apart.
cp -r campaigns/base.18 failed
edit_records 's/"status":"failed"/"status":"interrupted"/' campaigns/base.18/records/*.jsonl
expect 0 nuce collect base.1 --database stopped.db
expect 0 nuce collect base.18 --database stopped.db
rm -r campaigns/base.18
mv failed campaigns/base.18
expect 3 nuce compare base.1 base.18 --database stopped.db
says stderr "runs of base.18 left out: interrupted"
grep -q "not ok" "$work/stderr" && fail "what was interrupted is called a failure"
same "columns not_ok and interrupted" "$(nuce show campaigns --database stopped.db --campaign base.18 --format csv |
    cut -d , -f 8,9 | tr '\n' ' ')" "not_ok,interrupted 0,$(value "SELECT count(*) FROM run
    WHERE status = 'interrupted'" stopped.db) "

# Contenders that met in no race are not compared: which is faster side by side is not known.
refuses "6 points left out: ac and rs-n never ran in one launch of a race" nuce compare ac rs-n --campaign base.1
says stderr "nothing to compare: ac and rs-n"

# Those that did are compared by the ratios of their rounds (agree.sh: as the views say).
mkdir races
cd races
cat >order.yaml <<EOF
name: order
workload: exchange
ranks: 2
measure: {launches: 1}
sweep:
  - schedule: [ac, rs-n, lp]
    pattern: uniform
    degree: 1
    item-bytes: [16B, 1KiB, 2KiB, 4KiB]
  - schedule: [ac, rs-n, lp]
    mesh: wing-2800
    partition: rcb
    overlap: true
    item-bytes: 256B
EOF
export FAKE_PERCENT=120 FAKE_SLOW_SCHEDULE=rs-n
for launch in 1 2 3 4; do
    expect 0 launch run order.yaml
    race order.$launch
done
unset FAKE_PERCENT FAKE_SLOW_SCHEDULE
recollect
expect 1 nuce compare ac rs-n
grep -q "^nuce: of [0-9]* campaigns: .*order.1, order.2, order.3, order.4.*; --campaign takes one" "$work/stderr" ||
    fail "it does not say whose runs"
same "columns of races" "$(head -n 1 "$work/stdout" | tr -s ' ')" \
    "workload part ranks item-bytes pattern ac rs-n ratio [95 %] launches verdict"
awk 'NF == 0 { exit } NR > 1 && !/ 1\.[12][0-9]+x \[1\.1[0-9]+, 1\.2[0-9]+\] +4 worse$/ { exit 1 }' "$work/stdout" ||
    fail "not every race has about 1.2"
tells "Noise (the reference against its duplicate): 1.000x."
tells "Verdict: worse. rs-n is slower than ac by more than 5 % at 5 of 5 points, most at exchange, 2 ranks, "
expect 1 nuce compare ac rs-n --format csv
same "compared" "$(column compared | sort -u)" races
expect 1 nuce compare ac rs-n --part step --format csv
same "of the step" "$(counts worse) $(column part | sort -u)" "5 step"
expect 0 nuce compare contender:rs-n ac
tells "Verdict: same or better."
expect 0 nuce compare ac lp --format csv
same "no difference" "$(counts same)" 5
# A point that is too short to tell is left out, and of the rest the verdict stands.
cp -r campaigns told
edit_records '/"item-bytes":16[,}]/s/"status":"ok"/"too_short":1,"status":"ok"/' campaigns/order.*/records/*.jsonl
recollect
gives_up "1 point left out: some time of its is unknown, 0, too short to measure, or of no message" nuce compare ac rs-n
tells "at 4 of 4 points"
rm -r campaigns
mv told campaigns
recollect
expect 3 nuce compare ac rs-n --campaign order.1
tells "Next: more launches, about 5. Put 'launches: 5'"
awk 'length > 100 { exit 1 }' "$work/stdout" || fail "wider than 100 columns"

# However long the names are, the table has 100 columns.
expect 3 nuce compare order.1 order.2
awk 'length > 100 { exit 1 }' "$work/stdout" || fail "wider than 100 columns"

cd ..

# Environments, and their differences.
mv base.yaml elsewhere.yaml
sed -i 's/name: base/name: elsewhere/; s/16B, 32B, 64B/512B, 8KiB/' elsewhere.yaml
for launch in 1 2 3; do
    expect 0 launch run elsewhere.yaml
    with FAKE_LIBRARY=other FAKE_PERCENT=120 expect 0 launch run elsewhere.yaml
done
first=$(value "SELECT environment FROM job WHERE campaign = 'elsewhere.1'")
other=$(value "SELECT environment FROM job WHERE campaign = 'elsewhere.2'")
expect 3 nuce compare elsewhere.1 elsewhere.2
# Three digits alone may be the name of a contender: ac is.
refuses "four digits or more of an environment's id" nuce compare "$(echo "$other" | cut -c 1-3)" "$first"
expect 0 nuce compare "environment:$(echo "$other" | cut -c 1-12)" "$first" --format csv
same "faster" "$(counts faster)" 8
same "launches in turns" "$(column a_launches | sort -u)+$(column b_launches | sort -u)" 3+3
grep -q "that drifts" "$work/stdout" "$work/stderr" && fail "launches in turns came not in turns"
# With other load on the machine there is no verdict: the load may cause the difference.
with FAKE_OTHERS=1 FAKE_PERCENT=300 expect 0 launch run elsewhere.yaml
expect 3 nuce compare elsewhere.1,elsewhere.3,elsewhere.5 elsewhere.7
says stdout "Verdict: inconclusive. Other load in "
expect 0 nuce env diff elsewhere.1 elsewhere.2 --format csv
same "difference" "$(tail -n +2 "$work/stdout" | tr -d '\r')" "general,library,none,other"
says stderr "1 key differs"
expect 0 nuce env diff "$first" elsewhere.7 --format json
same "difference, as JSON" "$(cat "$work/stdout")" '{"group":"general","key":"processors","A":null,"B":"2"}'
expect 0 nuce env diff base.1 base.2
same "nothing" "$(cat "$work/stdout")" ""


# Rows that differ in how ranks wait are other points.
cp -r campaigns/base.1 campaigns/spun.1
edit_records 's/"campaign":"base.1"/"campaign":"spun.1"/g; s/"record":"run"/&,"wait":"spin"/' \
    campaigns/spun.1/records/*.jsonl
sed -i 's/"base.1"/"spun.1"/g' campaigns/spun.1/campaign.json
expect 0 nuce collect spun.1
refuses "exchange, 2 ranks, ac, item-bytes 16, wait spin" nuce compare base.1 spun.1

# Ways to start ranks of one campaign: MPI libraries, variables. Their times are synthetic.
for library in quick slow; do
    mkdir -p "$work/mpi/$library/bin" "$work/mpi/$library/share/nuce"
    for program in calibrate exchange redistribute stencil; do
        ln -s "$work/bin/nuce-exchange" "$work/mpi/$library/bin/nuce-$program"
    done
    percent=100
    [ $library = quick ] || percent=110
    printf '#!/bin/sh\nFAKE_LIBRARY=the-%s FAKE_PERCENT=%s exec %s "$@"\n' $library $percent "$here/fake-mpiexec" |
        program "$work/$library-mpiexec"
    printf 'name %s\nlauncher %s\n' $library "$work/$library-mpiexec" >"$work/mpi/$library/share/nuce/mpi.conf"
done
sed 's/^name.*/name: both/; s/^sweep:.*/&\n  mpi: [quick, slow]/; s/launches: 1/launches: 2/' elsewhere.yaml >both.yaml
expect 0 launch run both.yaml --database both.db
expect 1 nuce compare quick slow --database both.db
same "columns of libraries" "$(head -n 1 "$work/stdout" | tr -s ' ')" \
    "part ranks contender item-bytes mpi=quick mpi=slow ratio [95 %] launches verdict"
tells "In all rows: workload exchange."
tells "Verdict: worse. mpi=slow is slower than mpi=quick by more than 5 % at 8 of 8 points"
awk 'length > 100 { exit 1 }' "$work/stdout" || fail "wider than 100 columns"
expect 1 nuce compare mpi=quick way:mpi=slow --campaign both.1 --database both.db --format csv
same "pairs" "$(counts worse) $(column a_launches | sort -u)+$(column b_launches | sort -u)" "8 2+2"
same "compared" "$(column compared | sort -u)" launches
column ratio | awk '$1 < 1.08 || $1 > 1.12 { exit 1 }' || fail "a library is not slower by what it was made"
expect 0 nuce compare mpi=slow mpi=quick --database both.db --format csv
same "faster" "$(counts faster)" 8
sed 's/^name.*/name: set/; s/^ranks.*/ranks: 2/; s/  mpi:.*/  environment: {FAKE_PERCENT: ["90", "100", ~], OTHER: ["a,b", c]}/' both.yaml >set.yaml
expect 0 launch run set.yaml --database both.db
# finds POINTS RATIO A B: so many points, each about that ratio.
finds() {
    expect 0 nuce compare "$3" "$4" --database both.db --format json
    same "$3 and $4" "$(sed 's/.*"ratio":\([0-9.e-]*\),.*/\1/' "$work/stdout" |
        awk -v ratio="$2" '$1 > ratio - 0.01 && $1 < ratio + 0.01' | wc -l)" "$1"
}
finds 8 0.9 FAKE_PERCENT=100 FAKE_PERCENT=90
finds 8 1 FAKE_PERCENT=~ FAKE_PERCENT=100
finds 12 1 OTHER=a,b OTHER=c
expect 2 nuce compare item-bytes=512 item-bytes=8192 --database both.db
says stderr "both ran in one launch: expected a way to start ranks, such as mpi=openmpi"
refuses "A is a value of OTHER and B one of mpi" nuce compare OTHER=c mpi=slow --database both.db
expect 2 nuce compare mpi=quick mpi=nosuch --database both.db
refuses "'quick' is a way: expected the beginning of an environment's id" nuce env diff quick slow --database both.db
expect 0 launch run both.yaml --database both.db
expect 2 nuce compare quick slow --database both.db
says stderr "runs of 2 campaigns have them, maybe of several machines: expected --campaign NAME"
# Contenders of these names are in another campaign, which is not asked for.
nuce race --name quick,slow --launches 2 --database both.db -- true -- true >/dev/null 2>&1 || true
refuses "'quick' is both contender and way: write contender:quick or way:mpi=quick" \
    nuce compare quick slow --database both.db
expect 1 nuce compare way:mpi=quick slow --campaign both.2 --database both.db
expect 1 nuce compare quick slow --campaign both.2 --database both.db

refuses "expected two things" nuce compare base.1
refuses "expected two things" nuce compare base.1 base.2 base.3
refuses "'base.99': expected a campaign" nuce compare base.99 base.1
refuses "'base.99': no such campaign" nuce compare campaign:base.99 base.1
refuses "a name is missing" nuce compare base.1, base.2
refuses "campaign base.1 is in both" nuce compare base.1,base.2 base.1
refuses "A is campaign and B contender" nuce compare base.1 ac
refuses "expected names of one kind" nuce compare base.1,ac base.2
refuses "expected one contender" nuce compare ac,rs-n ac
refuses "campaign 'nobody' is not in nuce.db: see 'nuce show campaigns'" nuce compare ac rs-n --campaign nobody
refuses "campaign 'nobody' is not in nuce.db" nuce compare mpich openmpi --campaign nobody
refuses "--threshold" nuce compare base.1 base.2 --threshold lots
refuses "--threshold" nuce compare base.1 base.2 --threshold -1
refuses "'5' is 500 %: expected a percentage such as 5%" nuce compare base.1 base.2 --threshold 5
refuses "--require" nuce compare base.1 base.2 --require -5%
refuses "--confidence" nuce compare base.1 base.2 --confidence 100%
refuses "--kind" nuce compare base.1 base.2 --kind guessed
refuses "--part" nuce compare base.1 base.2 --part all
refuses "'--unit': unknown option" nuce compare base.1 base.2 --unit runs
refuses "--format" nuce compare base.1 base.2 --format xml
refuses "nuce collect" nuce compare base.1 base.2 --database nowhere.db
refuses "expected diff" nuce env
refuses "expected diff" nuce env same base.1 base.2
refuses "is a contender" nuce env diff ac base.1
refuses "expected a campaign" nuce env diff "no'such\"\$(thing)" base.1

# A name that is two things, and an id that is cut too short.
sed 's/name: elsewhere/name: ac/' elsewhere.yaml >ac.yaml
expect 0 launch run ac.yaml
mv campaigns/ac.1 campaigns/ac
edit_records 's/"campaign":"ac.1"/"campaign":"ac"/g' campaigns/ac/records/*.jsonl
sed -i 's/"campaign":"ac.1"/"campaign":"ac"/g' campaigns/ac/campaign.json
rm -r campaigns/base.* campaigns/drift.*
recollect
refuses "'ac' is both campaign and contender: write campaign:ac or contender:ac" nuce compare ac rs-n
expect 3 nuce compare campaign:ac elsewhere.1
