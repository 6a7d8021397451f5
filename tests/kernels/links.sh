#!/bin/sh
# links.sh MPIEXEC PROGRAM RANKS|corrupt [EXCHANGE]: nuce-calibrate links by hand and from a plan, refused input, its
# network file, and EXCHANGE on it; with injected faults, a wrong byte is found and no file written.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2 ranks=$3
begin

# start PROGRAM OPTIONS...: its exit status in $status.
start() {
    launched "$mpiexec" -n "$ranks" "$@"
}

# refused MESSAGE OPTIONS...: bad input gives this one line.
refused() {
    message=$1
    shift
    start "$program" links "$@"
    [ "$status" -eq 2 ] || fail "$*: exit status $status, expected 2"
    [ "$(grep -vc ' ranks\?, \|OVERSUBSCRIBED\|BUSY' err)" -eq 1 ] ||
        fail "$*: more than one message"
    grep -qF -- "$message" err || fail "$*: does not say: $message"
    [ ! -e networks ] || fail "$*: wrote a network"
}

if [ "$ranks" = corrupt ]; then
    ranks=3
    export NUCE_FAULT=corrupt
    start "$program" links --repetitions 1 --format json
    [ "$status" -eq 1 ] || fail "exit status $status, expected 1"
    grep -q '"status":"corrupt"' out || fail "no corrupt run"
    grep -q '1 of [0-9]* received bytes are wrong' err || fail "does not say what is wrong"
    [ -z "$(ls networks)" ] || fail "wrote a network from wrong bytes"
    exit 0
fi
exchange=$4

if [ "$ranks" -eq 1 ]; then
    refused "ranks: '1': expected at least 2 ranks to measure a link"
    exit 0
fi
refused "smallest: '4096': expected less than largest, 4096" --smallest 4KiB --largest 4KiB
refused "--networks 'none/here': cannot make the folder: No such file or directory" \
    --networks none/here

pairs=$((ranks * (ranks - 1)))
case $ranks in
2) curve='1' ;;
3) curve='1 2' ;;
4) curve='1 2 3' ;;
5) curve='1 2 4' ;;
*) fail "no such case" ;;
esac

# All is measured, whatever the limit on sampling.
start "$program" links --largest 64KiB --repetitions 3 --time-limit 0 --format json
[ "$status" -eq 0 ] || fail "links: exit status $status"
grep -q "\"status\":\"ok\".*\"pairs\":$pairs,.*\"links\":\[\[0,1,[0-9].*\"ports\":\[\[0,.*\"contention\":\[\[1,1.0," \
    out || fail "not all pairs"
file=$(sed 's/.*"network_file":"\([^"]*\)".*/\1/' out)
case $file in
networks/2*Z-????????.network) ;;
*) fail "file $file" ;;
esac
[ "$(ls networks)" = "${file#networks/}" ] || fail "$file is not what stands in networks"
[ "$(head -n 1 "$file")" = "ranks $ranks" ] || fail "$file is of other ranks"
[ "$(grep -c '^[0-9]' "$file")" -eq "$pairs" ] || fail "$file: not $pairs pairs"
[ "$(grep -c '^host ' "$file")" -eq "$ranks" ] || fail "$file: not all hosts"
[ "$(grep -c '^port ' "$file")" -eq "$ranks" ] || fail "$file: not all ports"
[ "$(sed -n 's/^contention \([0-9]*\) .*/\1/p' "$file" | tr '\n' ' ')" = "$curve " ] ||
    fail "$file: not the curve for $curve partners"

# A second one is kept beside it and is the one that is taken.
start "$program" links --largest 64KiB --repetitions 2 --centres 1
[ "$status" -eq 0 ] || fail "a second time: exit status $status"
newest=$(find networks -name '*.network' | sort | tail -n 1)
[ "$(find networks -name '*.network' | wc -l)" -eq 2 ] || fail "expected two networks"
[ "$newest" != "$file" ] || fail "the newer one sorts before the older"
grep -qF "$newest" out || fail "the table does not name its file"
start "$exchange" --pattern uniform --degree 1 --item-bytes 1KiB --schedule greedy --network measured \
    --in-flight auto --min-samples 2 --max-samples 2 --format json
[ "$status" -eq 0 ] || fail "exchange: exit status $status"
grep -qF "\"network_taken\":\"${newest#networks/}@" out || fail "exchange does not say that it took $newest"
grep -q '"in_flight_taken":[1-9]' out || fail "exchange does not say how many are in flight"
grep -q '"lower_bound_s":[0-9]' out || fail "exchange bounds nothing"
start "$exchange" --pattern uniform --degree 1 --item-bytes 1KiB --schedule ac --network measured --min-samples 2 --max-samples 2
grep -qF ", measured network: ${newest#networks/}" out || fail "the table does not say that it took $newest"

# From a plan, the record has all results, and the file goes to the given folder.
params='{"centres":2,"largest":4096,"repetitions":2,"sizes":2,"smallest":64}'
point=$(printf '{"params":%s,"ranks":%d,"workload":"links"}' "$params" "$ranks" | sha256sum |
    cut -d ' ' -f 1)
printf '{"point":"%s","workload":"links","ranks":%d,"params":%s,"measure":{"min-samples":2,"max-samples":2}}\n' \
    "$point" "$ranks" "$params" >plan.jsonl
start "$program" links --points plan.jsonl --records links.jsonl --networks elsewhere
[ "$status" -eq 0 ] || fail "from a plan: exit status $status"
for array in 'links":\[\[0,1,' 'ports":\[\[0,' 'contention":\[\[1,1.0,'; do
    grep -q "\"$array" links.jsonl || fail "not in the record: $array"
done
grep -qF "\"network_file\":\"$(echo elsewhere/*.network)\"" links.jsonl ||
    fail "the record does not name its file"
