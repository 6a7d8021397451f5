#!/bin/sh
# calibrate.sh MPIEXEC PROGRAM RANKS|corrupt: contention and permutations of nuce-calibrate by hand and from a plan,
# and refused input; with injected faults, a wrong byte is found.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2 ranks=$3
begin
if [ "$ranks" = corrupt ]; then
    export NUCE_FAULT=corrupt
    faulty=1 ranks=3
else
    faulty=0
fi

# start WORKLOAD OPTIONS...: its exit status in $status.
start() {
    launched "$mpiexec" -n "$ranks" "$program" "$@"
}

# refused MESSAGE WORKLOAD OPTIONS...: bad input gives this one line.
refused() {
    message=$1
    shift
    start "$@"
    [ "$status" -eq 2 ] || fail "$*: exit status $status, expected 2"
    [ "$(wc -l <err)" -eq 1 ] || fail "$*: more than one message"
    grep -qF -- "$message" err || fail "$*: does not say: $message"
    [ ! -s out ] || fail "$*: results of what was refused"
}

# measured LINES WORKLOAD OPTIONS...: so many lines, all ok, with the time of communication.
measured() {
    wanted=$1
    shift
    start "$@" --min-samples 6 --max-samples 8 --time-limit 10min --format json
    [ "$status" -eq 0 ] || fail "$*: exit status $status"
    [ "$(wc -l <out)" -eq "$wanted" ] || fail "$*: $(wc -l <out) lines, expected $wanted"
    [ "$(grep '"status":"ok"' out | grep -c '"communication_s":[0-9]')" -eq "$wanted" ] ||
        fail "$*: not all are ok"
}

# lines WANTED PATTERN: how many lines of the results match.
lines() {
    [ "$(grep -c -- "$2" out)" -eq "$1" ] || fail "$(grep -c -- "$2" out) lines with $2, expected $1"
}

if [ "$faulty" = 1 ]; then
    for options in "contention --partners 2" "permutations --permutation random --count 4"; do
        # shellcheck disable=SC2086 # a list of options
        start $options --size 1000 --format json
        [ "$status" -eq 1 ] || fail "$options: exit status $status, expected 1"
        grep -q '"status":"corrupt"' out || fail "$options: no corrupt run"
        grep -q '1 of [0-9]* received bytes are wrong' err || fail "$options: does not say what is wrong"
    done
    exit 0
fi

refused "'': unknown workload: expected one of contention, permutations, links, speeds first"
refused "'contenton': unknown workload" contenton
if [ "$ranks" -eq 1 ]; then
    refused "ranks: '1': expected at least 2 ranks to measure contention, and 3 to compare numbers of partners" \
        contention
    refused "ranks: '1': expected at least 2 ranks to measure a permutation" \
        permutations
    exit 0
fi

refused "partners: '$ranks': expected 1 .. $((ranks - 1)), the other ranks" \
    contention --partners "$ranks"
refused "permutation: 'xor-8': expected a distance below the number of ranks, $ranks" \
    permutations --permutation xor-8

# Partners 1, 2, 4, ... and all others; distances 1, 2, 4, ... below the rank count.
case $ranks in
2) counts=1 distances=1 ;;
3) counts=2 distances=2 ;;
8) counts=4 distances=3 ;;
*) fail "no such case" ;;
esac

measured $((8 * counts)) contention
lines $((4 * counts)) '"direction":"to-one"'
lines $((2 * counts)) '"size":256,'
lines 8 "\"partners\":$((ranks - 1)),"
lines $((8 * counts)) '"one_s":[0-9].*"partner_max_s":[0-9].*"partner_min_s":[0-9].*"partner_mean_s":[0-9]'
lines $((8 * counts - 8)) '"gain":[0-9].*"growth":"[a-z]*","regime":"[a-zA-Z-]*"'

measured $((2 + 2 * distances)) permutations --count 20
lines 2 '"permutation":"random".*"n":20,.*"distance":null,"mean_s":[0-9].*"within_tenth":[0-9]'
lines $((2 * distances)) '"distance":[1-9][0-9]*,.*"against_random":[0-9]'
lines 2 '"permutation":"xor-1","size":[0-9]*,"point"'

# The same from a plan: per-rank times are kept, and every sample of the random permutations.
plan() { # WORKLOAD PARAMS: appended to plan.jsonl; the point is the SHA-256 of its canonical form
    point=$(printf '{"params":%s,"ranks":%d,"workload":"%s"}' "$2" "$ranks" "$1" | sha256sum |
        cut -d ' ' -f 1)
    printf '{"point":"%s","workload":"%s","ranks":%d,"params":%s,"measure":{"min-samples":2,"max-samples":2}}\n' \
        "$point" "$1" "$ranks" "$2" >plan.jsonl
}
plan contention '{"direction":"from-one","partners":1,"size":100}'
start contention --points plan.jsonl --records contention.jsonl
[ "$status" -eq 0 ] || fail "contention from a plan: exit status $status"
grep -q "\"per_rank\":\[\[\([0-9.e-]*,\)\{$((ranks - 1))\}[0-9.e-]*\],\[" contention.jsonl ||
    fail "no times of each rank in the record"
refused "workload 'contention': this program runs 'permutations'" \
    permutations --points plan.jsonl --records none.jsonl
plan permutations '{"count":5,"permutation":"random","seed":1,"size":100}'
start permutations --points plan.jsonl --records permutations.jsonl
[ "$status" -eq 0 ] || fail "permutations from a plan: exit status $status"
grep -q '"communication":\[\([0-9.e-]*,\)\{4\}[0-9.e-]*\]' permutations.jsonl ||
    fail "expected five samples, one a permutation"
grep -q '"min_samples":5,' permutations.jsonl || fail "does not say that five were wanted"
