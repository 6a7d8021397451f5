#!/bin/sh
# nuce-model: times worked out by hand, means over instances, bad input; nuce run --modelled: runs of
# the kind modelled, with predictions and no measurement.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
cp "$programs/nuce-model" "$work/bin/nuce-model"

model() {
    "$work/bin/nuce-model" "$@"
}

# value KEY: of the only line of stdout.
value() {
    sed 's/.*"'"$1"'":"\{0,1\}\([^,"}]*\).*/\1/' "$work/stdout"
}

# Memory that runs out is one line and exit status 1. Under sanitizers no program starts with so little.
limited() (
    # shellcheck disable=SC3045 # Debian's sh has it
    ulimit -v 300000
    "$work/bin/nuce-model" "$@"
)
if limited --version >/dev/null 2>&1; then
    expect 1 limited schedule --schedule lp --pattern uniform --ranks 60000 --degree 2000 --item-bytes 1KiB --bandwidth 1MB
    same "lines on memory" "$(sed 's/asked for [0-9].*/asked for so much/' "$work/stderr")" \
        "nuce: out of memory: asked for so much"
    same "results" "$(wc -c <"$work/stdout")" 0
fi

# 1 s startup, 1 byte per second. 0 -> 1 takes 10 s, 0 -> 2 takes 3, 2 -> 1 takes 6.
cat >three.com <<'EOF'
3
0 1 9
0 2 2
2 1 5
1 1 7
EOF
cat >three.net <<'EOF'
ranks 3
0 1 1 1
0 2 1 1
1 0 1 1
1 2 1 1
2 0 1 1
2 1 1 1
port 1 1 0.5
EOF
expect 0 model schedule --schedule lp --com three.com --network three.net --format json
same "ranks" "$(value ranks)" 3
same "messages" "$(value messages)" 4
same "bytes" "$(value bytes)" 23
# Step 1: 0 -> 1 and 1 -> 2 (none), 2 -> 0 (none); step 2: 0 -> 2, 2 -> 1; 1 -> 1 needs no wire.
same "phases" "$(value phases)" 2
same "makespan" "$(value makespan)" 16.0
same "lower bound" "$(value lower_bound)" 16.0
same "port bound" "$(value port_bound)" 28.0
expect 0 model schedule --schedule lp --com three.com --startup 1s --bandwidth 1 --format json
same "makespan" "$(value makespan)" 16.0
expect 0 model schedule --schedule ac --com three.com --network three.net --format json
same "execution" "$(value execution)" fifo
same "makespan" "$(value makespan)" 16.0
# Where all ports are known: 9 and 5 bytes reach rank 1 from 1 s on, 0.25 of each per second until the
# 5 are through at 21; the 4 that are left take 8.
sed '/^port/d' three.net >ports.net
printf 'port 0 9 9\nport 1 9 0.5\nport 2 9 9\n' >>ports.net
expect 0 model schedule --schedule ac --com three.com --network ports.net --format json
same "execution" "$(value execution)" fluid
same "makespan" "$(value makespan)" 29.0
expect 0 model schedule --schedule greedy --com three.com --network three.net --in-flight 2 --format json
same "execution" "$(value execution)" fluid
expect 0 model schedule --schedule greedy --com three.com --network three.net --execution fluid --format json
same "execution" "$(value execution)" fluid
expect 0 model schedule --schedule alltoallv --com three.com --network three.net --format json
same "makespan" "$(value makespan)" null
# Without messages the bound is 0, and there is no ratio to it.
echo 4 >silent.com
expect 0 model schedule --schedule ac --com silent.com --startup 1s --bandwidth 1 --format json
same "ratio" "$(value ratio)" null
same "worst ratio" "$(value worst_ratio)" null

expect 0 model schedule --schedule lp --com three.com --network three.net --emit-schedule --format json
says stdout '{"rank":2,"direction":"send","peer":1,"phase":1,"offset":0,"bytes":5,"start":10.0,"end":16.0}'
says stdout '{"rank":1,"direction":"receive","peer":2,"phase":1,"offset":0,"bytes":5,"start":10.0,"end":16.0}'
same "transfers" "$(grep -o '"direction"' "$work/stdout" | wc -l)" 8

# Radix 2: distance 3 is the digits 1 and 2. 2 and 9 bytes go to rank 1 until time 12, the 9 on to rank 3 until 22.
printf '4\n0 3 9\n0 1 2\n' >far.com
expect 0 model schedule --schedule tuna --radix 2 --com far.com --startup 1s --bandwidth 1 --emit-schedule --format json
same "makespan" "$(value makespan)" 22.0
says stdout '"rank":1,"direction":"send","peer":3,"phase":1,"offset":0,"bytes":9,"start":12.0,"end":22.0,"forwarded":9,"parcels":[{"source":0,"destination":3,"offset":0,"bytes":9}]'

expect 0 model schedule --schedule ac,lp,rs-n --pattern uniform --ranks 32 --degree 8 --samples 5 --format csv
same "lines" "$(wc -l <"$work/stdout")" 4
prints "lower_bound" model schedule --schedule ac,rs-n --pattern skewed --ranks 8

# Totals are exact up to 2^63 - 1 bytes, and refused beyond.
printf '2\n0 1 9223372036854775806\n1 0 1\n' >most.com
prints '"bytes":9223372036854775807,' model schedule --schedule lp --com most.com --format json
printf '2\n0 1 9223372036854775806\n1 0 2\n' >more.com
expect 2 model schedule --schedule lp --com more.com
says stderr 'more.com:3:1: with these 2 bytes the messages amount to more than 2^63 - 1'
expect 2 model schedule --schedule lp --pattern uniform --ranks 64 --degree 4 --item-bytes 9e15
says stderr 'amount to more than 2^63 - 1 bytes'

# A way there and its reverse are as long as each other; sizes past 2^31 elements, exact to the byte.
expect 0 model redistribute --ranks 4 --elements 1200 --block 5 --factor 3 --schedule direct --format json
same "bytes" "$(value bytes)" 9600
there=$(value makespan)
expect 0 model redistribute --ranks 4 --elements 1200 --block 5 --factor 3 --reverse --schedule direct --format json
same "makespan of the way back" "$(value makespan)" "$there"
expect 0 model redistribute --ranks 4 --elements 3e9 --block 64 --factor 3 --schedule ac --format json
same "bytes" "$(value bytes)" 24000000000
same "messages" "$(value messages)" 12
expect 0 model redistribute --ranks 5 --elements 1099511627776 --block 64 --factor 7 --element-bytes 3 \
    --schedule greedy --format json
same "bytes" "$(value bytes)" 3298534883328
# A period of 7 x 5 blocks of 64 goes 490853405 times into 2^40 elements, and 9 blocks are left. In both, blocks 0 and
# 5 are rank 0's before and after.
expect 0 model redistribute --ranks 5 --elements 1099511627776 --block 64 --factor 7 --element-bytes 3 \
    --schedule ac --emit-schedule --format json
same "bytes 0 -> 0" "$(grep -o '"rank":0,"direction":"send","peer":0,"phase":0,"offset":0,"bytes":[0-9]*' \
    "$work/stdout" | sed 's/.*://')" $(((490853405 + 1) * 2 * 64 * 3))
expect 0 model redistribute --ranks 4 --elements 10 --block 20 --factor 2 --schedule ac
says stderr "nuce-model: note: 3 of 4 ranks have no elements before"
says stderr "note: times are those of the CM-5 (--network cm5)"
expect 0 model schedule --schedule lp --com three.com --startup 1s --bandwidth 1
same "notes where a network is given" "$(cat "$work/stderr")" ""

bad() {
    text=$1
    shift
    refuses "$text" model schedule "$@"
    same "stdout of $*" "$(cat "$work/stdout")" ""
}
bad "unknown schedule 'lq' (did you mean 'lp'?)" --schedule lq --pattern uniform --ranks 4 --degree 2
bad "lambda: '1.5': expected more than 0 and at most 1" --schedule ac --pattern uniform --ranks 8 --lambda 1.5
bad "tau: '-1s'" --schedule ac --pattern uniform --ranks 8 --tau=-1s --phi 1e-6
bad "phi: '-1'" --schedule ac --pattern uniform --ranks 8 --tau 1s --phi=-1
bad "lambda: '0': expected more than 0" --schedule ac --pattern uniform --ranks 8 --lambda 0
bad "choices: 'foo' is not a schedule" --schedule best --pattern uniform --ranks 8 --choices rs-n,foo
bad "--samples: '3': nothing here is random" --schedule ac --pattern nearest --degree 4 --ranks 9 --samples 3
bad "--emit-schedule: expected --format json" --schedule ac --com three.com --emit-schedule
bad "phi: '0' or not given" --schedule ac --pattern uniform --ranks 8 --tau 1s
bad "tau: '0' or not given" --schedule ac --pattern uniform --ranks 8 --phi 1e-6
bad "radix: '3': expected 2 to the ranks of the largest node, 2" \
    --schedule tuna-nodes --pattern uniform --ranks 8 --node-ranks 2 --radix 3
bad "leaders: '3': expected 1 to the ranks of the largest node, 2" \
    --schedule multi-leader --pattern uniform --ranks 8 --node-ranks 2 --leaders 3
bad "within: unknown within 'foo'" --schedule two-level --pattern uniform --ranks 8 --within foo
bad "between: 'alltoallv': expected a schedule that has an order before it runs" \
    --schedule two-level --pattern uniform --ranks 8 --between alltoallv
bad "between: 'bruck-padded': pads its messages" \
    --schedule two-level --pattern uniform --ranks 8 --between bruck-padded
bad "group-ranks: not given, and neither network nor topology says which nodes are under one switch" \
    --schedule ac,twill --pattern uniform --ranks 8
bad "in-flight: '0': expected at least 1" --schedule twill --pattern uniform --ranks 8 --group-ranks 2 --in-flight 0
printf 'SwitchName=s0 Nodes=n[0-7]\n' >one.conf
printf 'SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\nSwitchName=s2 Switches=s[0-1]\n' >two.conf
bad "group-topology: one.conf: has no groups: all of its nodes are on one switch" \
    --schedule twill --pattern uniform --ranks 8 --group-topology one.conf
bad "group-topology: two.conf: 8 nodes for 9 ranks: expected at least as many" \
    --schedule twill --pattern uniform --ranks 9 --group-topology two.conf
bad "imbalance: '5': expected 1 to 4: with top-k 2 of 8 experts the busiest expert receives at most 4 times the mean" \
    --schedule ac --pattern moe --ranks 8 --imbalance 5
bad "--tokens: '0': expected at least 1" --schedule ac --pattern moe --ranks 8 --tokens 0
bad "--steps: removed: draw several patterns" --schedule ac --pattern moe --ranks 8 --steps 3
bad "fft-grid: '8x8': expected three whole numbers, such as 64x64x64" --schedule ac --pattern fft --ranks 8 --fft-grid 8x8
bad "fft-step: 'zx': expected xy or yz" --schedule ac --pattern fft --ranks 8 --fft-step zx
bad "ranks: '7': makes a grid of 1 x 7, where step xy moves nothing" --schedule ac --pattern fft --ranks 7
bad "refined: '2': a share of the coarse blocks" --schedule ac --pattern amr --ranks 8 --refined 2
bad "--execution: 'fast': expected loose, ports, barrier, fifo or fluid" --schedule ac --com three.com --execution fast
bad "in-flight: '0'" --schedule ac --com three.com --in-flight 0
bad "--samples: '0'" --schedule ac --com three.com --samples 0
expect 2 model
refuses "'shedule': unknown model" model shedule
expect 0 model --version
prints "--emit-schedule" model schedule --help

# A network that is drawn is the same whether a point draws it or reads it.
expect 0 model network --ranks 3 --bandwidth 5MB..50MB --startup 1ms..2ms --seed 7 --instance 2
cp "$work/stdout" drawn.net
expect 0 model schedule --com three.com --network drawn.net --schedule greedy --format json
read=$(value makespan)
expect 0 model schedule --com three.com --ranks 3 --bandwidth 5MB..50MB --startup 1ms..2ms --seed 7 --instance 2 \
    --schedule greedy --format json
same "makespan of the drawn network" "$(value makespan)" "$read"
expect 0 model schedule --com three.com --ranks 3 --bandwidth 5MB..50MB --startup 1ms..2ms --seed 8 --instance 2 \
    --schedule greedy --format json
[ "$(value makespan)" != "$read" ] || fail "another seed draws the same network"
prints "port 2 " model network --ranks 3 --bandwidth 5MB..50MB --ports
refuses "--bandwidth: not given" model network --ranks 3
bad "bandwidth: not given: the network 'random' is drawn from it" --schedule ac --com three.com --network random
bad "expected random or emulated with a bandwidth" --schedule ac --com three.com --network cm5 --bandwidth 5MB
bad "startup: expected bandwidth with it" --schedule ac --com three.com --startup 1ms
bad "known only on the hosts where the ranks run" --schedule ac --com three.com --network measured
bad "'9..5': the first is above the second" --schedule ac --com three.com --bandwidth 9..5

# Emulated: links of 1 MB/s under one of 4 MB/s take messages a quarter as long for the same time.
cat >even.com <<'EOF'
3
0 1 4000
2 1 8000
EOF
expect 0 model schedule --com even.com --bandwidth 4MB --schedule greedy --format json
read=$(value makespan)
same "bytes" "$(value bytes)" 12000
expect 0 model schedule --com even.com --bandwidth 4MB --network emulated --link-bandwidth 1e6 --schedule greedy --format json
same "makespan of the emulated network" "$(value makespan)" "$read"
same "bytes of the emulated network" "$(value bytes)" 3000

# R_2(3, 4) of Figure 1: 48 elements, each rank has a message for three.
redistribute() {
    expect 0 model redistribute --format json "$@"
}
redistribute --ranks 4 --factor 3 --elements 48 --block 2 --element-bytes 4 --bandwidth 1e6 --schedule direct
says stdout '"messages":12,"bytes":192,"phases":3,"pieces":12'
# Every rank sends two of its three messages, 16 bytes each, and keeps the third.
says stdout '"lower_bound":3.1999999999999999e-5'
redistribute --ranks 4 --factor 3 --elements 1099511627776 --block 2 --schedule direct
says stdout '"bytes":8796093022208'
redistribute --ranks 4 --factor 3 --elements 5 --block 64 --schedule greedy
says stderr "note: 3 of 4 ranks have no elements before, 3 have none after"
redistribute --ranks 1 --factor 3 --elements 500 --block 64 --schedule greedy,direct,best
worse() {
    text=$1
    shift
    refuses "$text" model redistribute --schedule greedy "$@"
    same "stdout of $*" "$(cat "$work/stdout")" ""
}
worse "factor: '0': expected at least 1" --ranks 4 --factor 0 --elements 48 --block 2
worse "three.com:1:1: '3': expected 'ranks P'" --ranks 4 --factor 3 --elements 48 --block 2 --network three.com
worse "factor and to-block: expected one of them" --ranks 4 --elements 48 --block 2
worse "grid: '3x2': expected ROWSxCOLUMNS of at most 4 ranks" --ranks 4 --factor 3 --elements 48 --block 2 --grid 3x2

cat >sweep.yaml <<'EOF'
name: sweep
workload: exchange
ranks: [8, 512]
sweep: {schedule: [ac, lp, alltoallv], pattern: uniform, item-bytes: [16B, 1KiB], instances: 2}
EOF
expect 0 nuce run sweep.yaml --modelled
# A contender without a prediction is not slower: wherever a fastest is named, the output says that this one is
# missing.
says stdout "NOT PREDICTED: the model has no time of ac, alltoallv."
says stdout "campaigns/sweep.1: 24 points: 24 ok"
result() {
    "$work/bin/nuce" query "$1" --format csv | tail -n 1
}
prints ", modelled on this machine" nuce status
says stdout "done         all, and collected in"
same "kinds" "$(result "SELECT group_concat(DISTINCT kind) FROM run")" modelled
same "measured" "$(result "SELECT count(communication_s) + count(step_s) + count(schedule_s) FROM result")" 0
same "predicted" "$(result "SELECT count(*) FROM result WHERE predicted_s >= single_port_lower_bound_s")" 8
same "schedule predicted" "$(result "SELECT group_concat(DISTINCT schedule) FROM result WHERE predicted_s IS NOT NULL")" lp
prints "the model has no time of ac (8 points), alltoallv (8 points)" nuce show sweep
prints "24 ok" nuce resume
same "runs" "$(result "SELECT count(*) FROM run")" 24
