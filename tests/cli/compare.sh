#!/bin/sh
# nuce compare and nuce env diff on made-up records: what is slower is found, nothing else is, what
# cannot be compared is said, and what is not understood ends with 2.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

small base
export FAKE_SAMPLES=200

# campaigns COUNT: runs the sweep so often, as base.N, base.N+1, ...
campaigns() {
    left=$1
    while [ "$left" -gt 0 ]; do
        expect 0 launch run base.yaml
        left=$((left - 1))
    done
}

# with NAME=VALUE... COMMAND: the command with these in its environment; a function cannot be given them.
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

# column NAME: of the comparison that was printed as CSV last, a line a point.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR > 1 { print $at }' \
        "$work/stdout"
}

# counts VERDICT: how many points have it.
counts() {
    column verdict | grep -cx "$1" || true
}

campaigns 2
with FAKE_PERCENT=110 campaigns 1
with FAKE_PERCENT=90 campaigns 1
with FAKE_PERCENT=110 FAKE_SLOW=32 campaigns 1
with FAKE_LOAD=7 FAKE_PERCENT=110 campaigns 1
with FAKE_KIND=simulated campaigns 1
with FAKE_KIND=simulated FAKE_PERCENT=103 campaigns 1

# Twice the same, slower, faster, and slower at one size: 12 points of 200 samples.
expect 0 nuce compare base.1 base.2
says stderr "verdict: no regression: base.2 is not shown to be slower than base.1 by more than 5 % at any of 12 points"
says stderr "at 12 of 12 points there are too few runs and their samples are compared"
says stderr "to be surer: take 6 runs a side: run the sweeps of base.1 and base.2 5 more times, in turns"
same "columns" "$(head -n 1 "$work/stdout" | tr -s ' ')" \
    "workload ranks contender unit part base.1 base.2 difference 95 % interval p could show compared verdict"
says stdout "difference: of base.2 from base.1 by the Hodges-Lehmann estimate"
says stdout "Holm-corrected for 12 points"
expect 5 nuce compare base.1 base.3 --format csv
same "regressions" "$(counts regression)" 12
column ratio | awk '$1 < 1.08 || $1 > 1.12 { exit 1 }' || fail "a ratio is not about 1.1"
column detectable | awk '$1 <= 0 || $1 > 0.05 { exit 1 }' || fail "what could have been shown is no few per cent"
says stderr "verdict: REGRESSION: base.3 is slower than base.1 by more than 5 % at 12 of 12 points, most at exchange, "
expect 5 nuce compare base.1 base.3
awk 'NR > 1 && NF == 0 { exit } NR > 1 && !/ \+(9|10)\.[0-9] % \[\+[0-9.]+ \+[0-9.]+\] % .*regression$/ { exit 1 }' \
    "$work/stdout" || fail "not every row is about +10 % with its interval"
expect 0 nuce compare base.1 base.4 --format csv
same "faster" "$(counts faster)" 12
expect 0 nuce compare base.3 base.1 --format json
same "faster, as JSON" "$(grep -c '"verdict":"faster"' "$work/stdout")" 12
expect 5 nuce compare base.1 base.5 --format csv
same "regressions at one size" "$(counts regression)" 4
same "others" "$(counts 'no difference')" 8
column instance | sort -u >instances
printf 'unit=16\nunit=32\nunit=64\n' | cmp - instances || fail "an instance is not what tells it apart"

# Beyond the threshold or not; of the whole step or a part of it.
expect 0 nuce compare base.1 base.3 --threshold 20% --format csv
same "slower by less" "$(counts slower)" 12
expect 5 nuce compare base.1 base.3 --threshold 0.02
expect 5 nuce compare base.1 base.3 --part step --format csv
same "part" "$(column part | sort -u)" step
expect 1 nuce compare base.1 base.3 --part pack
says stderr "12 points left out: some time of pack is unknown or 0"
expect 0 nuce compare base.1 base.3 --unit runs
says stderr "verdict: cannot tell at any of 12 points, whatever the difference: too few runs: take 6 runs a side"
says stderr "5 more times, in turns, and name all campaigns of a side with commas between them"

# What could not have been shown is no success where it is required.
expect 0 nuce compare base.1 base.2 --require 10%
expect 1 nuce compare base.1 base.2 --require 0.01%
says stderr "a slow-down of 0.01 % could not have been shown"
expect 1 nuce compare base.1 base.2 --require 50% --unit runs
expect 5 nuce compare base.1 base.3 --require 0.01%

# One launch on a busy machine tells nothing of the next, unless one is told to believe it.
expect 0 nuce compare base.1 base.6 --format csv
same "points of a busy machine" "$(counts 'cannot tell')" 12
same "busy, taken all the same" "$(column busy | sort -u)$(column despite_busy | sort -u)" 10
says stderr "too few runs, begun on a BUSY machine: take 6 runs a side"
expect 5 nuce compare base.1 base.6 --unit samples
says stdout "blocks, BUSY"
says stderr "; not to be relied on: a launch began on a BUSY machine at 12 of them"
expect 5 nuce compare base.1 base.6 --unit samples --format csv
same "taken all the same" "$(column despite_busy | sort -u)" 1
says stderr "; not to be relied on"

# Kinds are never mixed; what is simulated is exact.
expect 1 nuce compare base.1 base.7
says stderr "12 runs left out: not measured"
says stderr "no point with measured times in common"
expect 0 nuce compare base.7 base.8 --kind simulated --format csv
same "exact" "$(column unit | sort -u)" exact
expect 0 nuce compare base.7 base.8 --kind simulated
same "columns of what is exact" "$(head -n 1 "$work/stdout" | tr -s ' ')" \
    "workload ranks contender unit part base.7 base.8 difference compared verdict"
says stdout "+3.0 %"

# What is modelled has a prediction of communication and nothing else.
cp "$programs/nuce-model" "$work/bin"
cat >modelled.yaml <<EOF
name: modelled
workload: exchange
ranks: 32
sweep: {schedule: [rs-n, lp, ac], pattern: uniform, density: 8, instances: 2, unit: [16B, 1KiB], network: cm5}
EOF
expect 0 nuce run modelled.yaml --modelled --database modelled.db
expect 5 nuce compare rs-n lp --kind modelled --database modelled.db
same "columns of what is modelled" "$(head -n 1 "$work/stdout" | tr -s ' ')" \
    "workload ranks instance unit part rs-n lp difference compared verdict"
says stderr "verdict: lp is slower than rs-n by more than 5 % at 4 of 4 points"
expect 5 nuce compare rs-n lp --kind modelled --database modelled.db --format csv
column b_s | awk '{ printf "%.9g\n", $1 }' >seconds
nuce query "SELECT printf('%.9g', predicted_s) FROM result WHERE contender = 'lp' ORDER BY instance_number, unit" \
    --database modelled.db --format csv | tail -n +2 | cmp - seconds || fail "the times are not those predicted"
expect 1 nuce compare rs-n lp --kind modelled --part step --database modelled.db
says stderr "4 points left out: some time of step is unknown or 0"
expect 1 nuce compare rs-n ac --kind modelled --database modelled.db
says stderr "4 points left out: some time of theirs is unknown or 0"

# Several campaigns a side: from six runs a side on, the unit is the run.
campaigns 10
[ -d campaigns/base.18 ] || fail "there are not 18 campaigns"
expect 0 nuce compare base.1,base.9,base.11,base.13,base.15,base.17 \
    base.2,base.10,base.12,campaigns/base.14/,campaign:base.16,base.18 --format csv
same "unit" "$(column unit | sort -u)" runs
same "runs" "$(column a_runs | sort -u)+$(column b_runs | sort -u)" 6+6
same "regressions between the same" "$(counts regression)" 0
with FAKE_PERCENT=110 campaigns 6
expect 5 nuce compare base.1,base.2,base.9,base.10,base.11,base.12 \
    base.19,base.20,base.21,base.22,base.23,base.24
says stderr "all runs of one side came before those of the other"
says stdout "6+6 runs"
says stdout "A = campaign base.1, base.2, base.9, base.10, base.11, base.12"
says stdout "B = campaign base.19, base.20,"
says stderr "verdict: REGRESSION: B is slower than A by more than 5 %"
# Fewer runs than that: only where all of one side are beyond all of the other.
expect 5 nuce compare base.1,base.2,base.9 base.19,base.20,base.21
expect 0 nuce compare base.1,base.2,base.9 base.10,base.20,base.21 --format csv
same "regressions where one run of B is as fast" "$(counts regression)" 0

# Points that only one side has; runs that are not ok.
sed -e 's/64B/128B/' base.yaml >wider.yaml
sed -i 's/name: base/name: wider/' wider.yaml
expect 0 launch run wider.yaml
expect 0 nuce compare base.1 wider.1
says stderr "4 points only base.1 has:"
says stderr "4 points only wider.1 has:"
says stderr "exchange, 2 ranks, rs-n, unit 128"
with FAKE_CRASH=64 expect 1 launch run base.yaml
expect 0 nuce compare base.1 base.25
says stderr "runs of base.25 left out: not ok"

# Algorithms: the same problem, ranks and environment.
expect 0 nuce compare ac rs-n --campaign base.1 --format csv
same "problems" "$(column verdict | wc -l)" 6
same "contender" "$(column contender | sort -u)" ""
expect 0 nuce compare contender:ac rs-n --campaign base.1
same "columns between algorithms" "$(head -n 1 "$work/stdout" | tr -s ' ')" \
    "workload ranks unit part ac rs-n difference 95 % interval p could show compared verdict"
says stderr "take 5 runs a side: run the sweep 4 more times (it takes the contenders in turns) and compare without"
says stderr "verdict: rs-n is not shown to be slower than ac by more than 5 % at any of 6 points"

# Instances in the order of their numbers, in columns of what tells them apart; of two algorithms one
# is slower, and that is no regression.
cat >order.yaml <<EOF
name: order
workload: exchange
ranks: 2
sweep:
  - schedule: [ac, rs-n]
    pattern: uniform
    density: 1
    unit: [16B, 1KiB, 256B, 4KiB]
  - schedule: [ac, rs-n]
    mesh: wing-2800
    partition: rcb
    overlap: true
    unit: 256B
EOF
with FAKE_PERCENT=120 FAKE_SLOW_SCHEDULE=rs-n expect 0 launch run order.yaml
expect 5 nuce compare ac rs-n --campaign order.1
same "columns of instances" "$(head -n 1 "$work/stdout" | tr -s ' ')" \
    "workload ranks pattern unit part ac rs-n difference 95 % interval p could show compared verdict"
same "instances" "$(awk 'NR > 1 && NF == 0 { exit } NR > 1 { printf "%s %s,", $3, $4 }' "$work/stdout")" \
    "mesh 256,uniform 16,uniform 256,uniform 1024,uniform 4096,"
says stdout "slower by > 5 %"
says stderr "verdict: rs-n is slower than ac by more than 5 % at 5 of 5 points, most at exchange, 2 ranks, pattern "
grep -qi regression "$work/stdout" "$work/stderr" && fail "an algorithm regresses"
expect 5 nuce compare ac rs-n --campaign order.1 --format csv
same "units in order" "$(column instance | sed 's/.*unit=//' | tr '\n' ' ')" "256 16 256 1024 4096 "
says stdout "density=1 instance=0 pattern=uniform unit=16"

# Environments, and what differs between them.
with FAKE_LIBRARY=other FAKE_PERCENT=120 campaigns 1
first=$(value "SELECT environment FROM job WHERE campaign = 'base.1'")
other=$(value "SELECT environment FROM job WHERE campaign = 'base.26'")
expect 5 nuce compare base.1 base.26
expect 0 nuce compare "environment:$(echo "$other" | cut -c 1-12)" "$first" --unit samples --format csv
same "faster" "$(counts faster)" 12
expect 0 nuce env diff base.1 base.26 --format csv
same "difference" "$(tail -n +2 "$work/stdout" | tr -d '\r')" "general,library,none,other"
says stderr "1 key differs"
expect 0 nuce env diff "$first" base.6 --format json
same "difference, as JSON" "$(cat "$work/stdout")" '{"group":"general","key":"processors","A":null,"B":"2"}'
expect 0 nuce env diff base.1 base.2
same "nothing" "$(cat "$work/stdout")" ""


# Rows that differ in nothing but the environment, or in how ranks wait, say so.
expect 5 nuce compare ac rs-n
says stdout " environment pattern "
says stdout " $(echo "$other" | cut -c 1-8) "
cp -r campaigns/base.1 campaigns/spun.1
sed -i -e 's/"campaign":"base.1"/"campaign":"spun.1"/g' -e 's/"record":"run"/&,"wait":"spin"/' \
    campaigns/spun.1/records/*.jsonl
sed -i 's/"base.1"/"spun.1"/g' campaigns/spun.1/campaign.json
nuce collect >/dev/null 2>&1 || fail "collect"
expect 1 nuce compare base.1 spun.1
says stderr "exchange, 2 ranks, ac, unit 16, wait spin"

# Too little to say anything, and of a busy machine: the verdict has both.
with FAKE_LOAD=7 FAKE_SAMPLES=2 campaigns 1
export FAKE_SAMPLES=200
expect 0 nuce compare base.1 base.27 --unit samples
says stderr "verdict: cannot tell at any of 12 points, whatever the difference: too few runs, begun on a BUSY machine, and too few independent samples in them: take 6 runs a side"

# refuses MESSAGE ARGUMENT...
refuses() {
    text=$1
    shift
    expect 2 nuce "$@"
    says stderr "$text"
}
refuses "expected two things" compare base.1
refuses "expected two things" compare base.1 base.2 base.3
refuses "'base.99': expected a campaign" compare base.99 base.1
refuses "'base.99': no such campaign" compare campaign:base.99 base.1
refuses "a name is missing" compare base.1, base.2
refuses "campaign base.1 is in both" compare base.1,base.2 base.1
refuses "A is campaign and B contender" compare base.1 ac
refuses "expected names of one kind" compare base.1,ac base.2
refuses "expected one contender" compare ac,rs-n ac
refuses "--campaign: 'nobody' is not in nuce.db: see 'nuce show campaigns'" compare ac rs-n --campaign nobody
refuses "--threshold" compare base.1 base.2 --threshold lots
refuses "--threshold" compare base.1 base.2 --threshold -1
refuses "--require" compare base.1 base.2 --require -5%
refuses "--confidence" compare base.1 base.2 --confidence 100%
refuses "--kind" compare base.1 base.2 --kind guessed
refuses "--part" compare base.1 base.2 --part all
refuses "--unit" compare base.1 base.2 --unit points
refuses "--format" compare base.1 base.2 --format xml
refuses "nuce collect" compare base.1 base.2 --database nowhere.db
refuses "expected diff" env
refuses "expected diff" env same base.1 base.2
refuses "is a contender" env diff ac base.1
refuses "expected a campaign" env diff "no'such\"\$(thing)" base.1

# A name that is two things, and an id that is cut too short.
sed 's/name: base/name: ac/' base.yaml >ac.yaml
expect 0 launch run ac.yaml
mv campaigns/ac.1 campaigns/ac
sed -i 's/"campaign":"ac.1"/"campaign":"ac"/g' campaigns/ac/records/*.jsonl campaigns/ac/campaign.json
rm -f nuce.db
nuce collect >/dev/null 2>&1 || fail "collect"
refuses "'ac' is both campaign and contender: write campaign:ac or contender:ac" compare ac rs-n
expect 0 nuce compare campaign:ac base.1
