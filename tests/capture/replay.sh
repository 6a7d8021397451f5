#!/bin/sh
# A pattern of a capture as an exchange: raced, planned, refused where it does not fit; and a capture of
# that replay has the same pattern again.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
nuce=$programs/nuce
# The measuring programs use MPICH here, and nothing can be preloaded into sanitized programs.
compile
captured 0 ./styles waitall counts
expect 0 "$nuce" show run.capture --format csv
id=$(sed -n 2p stdout | cut -d , -f 2)

# messages FILE ID CALLS: the sorted messages of so many calls of the pattern.
messages() {
    python3 -c 'import json, sys
total = {}
for line in open(sys.argv[1]):
    p = json.loads(line)
    if p["pattern"] == sys.argv[2]:
        for source, destination, size in p["messages"]:
            if size > 0:
                total[source, destination] = total.get((source, destination), 0) + size * p["calls"]
calls = int(sys.argv[3])
print(sorted((key, size / calls) for key, size in total.items()))' "$@"
}
calls=$(sed -n 2p stdout | cut -d , -f 6)
messages run.json "$id" "$calls" >wanted

# replayed SCHEDULE OPTION...: captures nuce-exchange with the pattern under it.
replayed() {
    under=$1
    shift
    expect 0 "$nuce" capture -o replay.capture -- "$mpiexec" -n 4 "$programs/nuce-exchange" \
        --capture run.capture --call "$id" --schedule "$under" --min-samples 2 --max-samples 2 "$@"
    expect 0 "$nuce" export replay.capture --format json
    mv stdout replay.json
}
# direct CONTENDERS SCHEDULES: so many contenders raced, and each sent the application's messages, in whatever rounds.
# All rounds of the replay together hold the messages of the pattern, each equally often, and equally many steps of
# each contender. There are more messages without bytes, from barriers and grants.
direct() {
    # A number in flight would have ac wait in between.
    if [ "$2" = ac ]; then
        replayed ac
    else
        replayed "$2" --in-flight 1
    fi
    python3 - "$id" "$1" <<'PYTHON' || fail "$2: not the same messages"
import collections, json, sys
with open("run.json") as lines:
    wanted = next(collections.Counter(map(tuple, p["messages"])) for p in map(json.loads, lines)
                  if p["pattern"] == sys.argv[1])
got = collections.Counter()
with open("replay.json") as lines:
    for p in map(json.loads, lines):
        for message in p["messages"] if p["kind"] == "exchange" else []:
            got[tuple(message)] += p["calls"]
steps = max(n // wanted[one] for one, n in got.items() if one in wanted and one[2] > 0)
expected = {one: steps * n for one, n in wanted.items()}
full = {one: n for one, n in got.items() if one[2] > 0}
if steps == 0 or steps % int(sys.argv[2]) or full != {one: n for one, n in expected.items() if one[2] > 0} \
        or any(got[one] < n for one, n in expected.items()):
    sys.exit(f"{steps} steps: {dict(got)}, expected of each {dict(wanted)}")
PYTHON
}
direct 1 ac
grep -q "\"pattern\":\"$id\",\"kind\":\"exchange\",\"quality\":\"exact\"" replay.json ||
    fail "ac: not the same pattern"
# With the first of them, which is the reference, once more as the noise.
direct 4 ac,credits,ac-blocking

# Several messages of a pair, and those without bytes, are sent unchanged: 40, 0 and 16 bytes to one rank, and two
# empty messages to another. The library's calls have only sums.
first=$id
captured 0 ./styles several counts
id=$(python3 -c 'import json; print(json.loads(next(open("run.json")))["pattern"])')
direct 1 ac
grep -q "\"pattern\":\"$id\",\"kind\":\"exchange\",\"quality\":\"exact\"" replay.json ||
    fail "ac: several messages of a pair are not the same pattern"
direct 12 lp,lp-xor,lp-cyclic,rs-n,rs-n-sort,rs-nh,rs-nh-fixed,rs-nh-lambda1,rs-nh-back,colouring,largest-first
direct 7 greedy,lpt,load-list,preemptive,best,ac-blocking
replayed ac,alltoallv,tuna,credits,preemptive --in-flight 2 --trace
# Sentences speak of the application's messages, 20 of 224 bytes in all, not of the sums of 4 pairs.
cat >several.yaml <<'END'
name: several
workload: exchange
ranks: 4
sweep: {schedule: [ac, rs-n], capture: run.capture, call: 1}
measure: {min-samples: 2, max-samples: 2, launches: 2}
END
expect 0 "$nuce" run --mpiexec "$mpiexec" several.yaml
tr '\n' ' ' <stdout >sentence
says sentence "mean message 11 B"
captured 0 ./styles waitall counts
id=$first
for schedule in alltoallv neighbor; do
    kind=$schedule
    [ "$kind" = alltoallv ] || kind=neighbor_alltoallv
    replayed "$schedule"
    # The most frequent call of that kind: nuce's own calls during set-up are made once.
    python3 -c 'import json, sys
rows = [p for p in map(json.loads, open("replay.json")) if p["kind"] == sys.argv[1]]
most = max(rows, key=lambda p: p["calls"])
print(most["pattern"], most["calls"])' "$kind" >most
    read -r pattern times <most
    messages replay.json "$pattern" "$times" >got
    cmp got wanted || fail "$schedule: not the same messages"
done

cat >raced.yaml <<'END'
name: raced
workload: exchange
ranks: 4
sweep: {schedule: [ac, rs-n], capture: run.capture, call: top-2}
measure: {min-samples: 3, max-samples: 3, time-limit: 10min, launches: 2}
END
# All three patterns, and a value that names none.
planned() { # STATUS CALL
    sed "s/call: top-2/call: $2/" raced.yaml >planned.yaml
    expect "$1" "$nuce" plan planned.yaml
}
planned 0 all
says stdout "call     1 (2), 2 (2), 3 (2)"
planned 0 top-9
says stdout "call     1 (2), 2 (2), 3 (2)"
planned 2 top-0
says stderr "call: 'top-0': expected the id of a pattern"
sed 's/ranks: 4/ranks: [4, 5]/' raced.yaml >planned.yaml
expect 2 "$nuce" plan planned.yaml
says stderr "planned.yaml:3:12: ranks: '5': "
says stderr "run.capture has no pattern of that many ranks"
expect 0 "$nuce" run --mpiexec "$mpiexec" raced.yaml
says stdout "run.capture@"
expect 0 "$nuce" show raced
says stdout "call 2"
# Both patterns together, each as often as the application made it, by the raw launches; unless the machine was so
# busy that the steps of either were too short to tell in most launches.
expect 0 "$nuce" query --format csv "SELECT max(too_short) FROM result WHERE campaign = 'raced.1'"
short=$(sed -n 2p stdout)
expect 0 "$nuce" table quick --campaign raced.1 --format json
mv stdout table
expect 0 "$nuce" query --format json "SELECT race, job, contender, ratio, median_s, name AS schedule,
    json_extract(metrics, '$.captured_calls') AS calls, s.step_s
    FROM launch_ratio JOIN (SELECT id, schedule AS name FROM point) ON id = point
    JOIN (SELECT id AS run, metrics FROM run) USING (run)
    JOIN (SELECT point, communication_s AS step_s FROM result) AS s USING (point) WHERE campaign = 'raced.1'"
mv stdout launches
python3 - "$short" <<'PYTHON' || fail "the whole application is not the sum of its calls"
import json, math, sys
rows = [json.loads(line) for line in open("table")]
whole = {row["contender"]: row for row in rows if "its 2 patterns" in row["panel"]}
launches = [json.loads(line) for line in open("launches")]
if sys.argv[1] == "1":
    sys.exit(0 if not whole else f"what is too short to tell is told: {whole}")
assert set(whole) == {"ac", "rs-n"} and all(row["calls"] > 1 for row in launches), whole
reference, = {row["schedule"] for row in launches if row["contender"] == "reference"}
other, = set(whole) - {reference}
base = {(row["race"], row["job"]): row["median_s"] for row in launches if row["contender"] == "reference"}
logs = []
for job in {row["job"] for row in launches}:
    mine = [row for row in launches if row["job"] == job and row["schedule"] == other]
    assert len(mine) == 2, mine
    weight = [row["calls"] * base[row["race"], job] for row in mine]
    logs.append(math.log(sum(w * row["ratio"] for w, row in zip(weight, mine)) / sum(weight)))
assert math.isclose(whole[other]["ratio"], math.exp(sum(logs) / len(logs)), rel_tol=1e-4), (whole, logs)
for name, row in whole.items():
    each = {one["race"]: one["calls"] * one["step_s"] for one in launches if one["schedule"] == name}
    assert math.isclose(row["ms"], 1000 * sum(each.values()), rel_tol=1e-3), (row, each)
PYTHON
# Each sentence about an inexact pattern says so. The sentence about all patterns gives their number, unless their
# steps were too short to measure.
printf '0,10,20\n30,0,5\n1,2,0\n' >a.csv
printf '0,1,2\n3,0,5\n1,7,0\n' >b.csv
expect 0 "$nuce" capture import --output merged.capture --unit 64KiB a.csv b.csv
cat >merged.yaml <<'END'
name: merged
workload: exchange
sweep: {schedule: [ac, rs-n], capture: merged.capture, call: all}
measure: {min-samples: 3, max-samples: 3, time-limit: 10min, launches: 2}
END
expect 0 "$nuce" run --mpiexec "$mpiexec" merged.yaml
tr -s '\n ' '  ' <stdout >sentences
grep -q 'call 1 (not exact: merged), .*call 2 (not exact: merged), ' sentences || fail "merged: $(cat sentences)"
! grep -q 'its 2 patterns' sentences || says sentences "its 2 patterns (2 not exact), 3 ranks"
sed 's/ac, rs-n/lp, rs-n/; s/}$/, network: cm5}/; /^measure/d' merged.yaml >modelled.yaml
expect 0 "$nuce" run modelled.yaml --modelled --database modelled.db
tr -s '\n ' '  ' <stdout >sentences
grep -q 'call 1 (not exact: merged), ' sentences || fail "merged, modelled: $(cat sentences)"
# A sweep that gives no ranks races each pattern on as many as its communicator has, on its node.
captured 0 ./styles halves counts
cat >own.yaml <<'END'
name: own
workload: exchange
sweep: {schedule: ac, capture: run.capture, call: all}
measure: {min-samples: 2, max-samples: 2, time-limit: 10min, launches: 1}
END
expect 0 "$nuce" run --mpiexec "$mpiexec" own.yaml
expect 0 "$nuce" query --format csv "SELECT ranks, json_extract(params, '$.nodes'), json_extract(params, '$.ntasks-per-node'),
    json_extract(metrics, '$.nodes_as_captured'), count(*) FROM run JOIN point ON point.id = point
    WHERE campaign = 'own.1' AND status = 'ok' GROUP BY 1, 2, 3, 4"
python3 - <<'PYTHON' || fail "not each pattern on as many ranks as it had"
import collections, json
sizes = collections.Counter(len(p["ranks"]) for p in map(json.loads, open("run.json"))
                            if any(size > 0 for _, _, size in p["messages"]))
rows = [tuple(map(int, line.split(","))) for line in list(open("stdout"))[1:]]
assert rows == [(ranks, 1, ranks, 1, count) for ranks, count in sorted(sizes.items())] and rows, (rows, sizes)
assert min(sizes) == 2, sizes
PYTHON
sed '/workload/a ranks: 4' own.yaml >four.yaml
expect 2 "$nuce" plan four.yaml
says stderr "four.yaml:3:8: ranks: '4': "
sed 's/capture: .*/mesh: wing-2800}/' own.yaml >none.yaml
expect 2 "$nuce" plan none.yaml
says stderr "none.yaml:3:8: ranks: not given, and no file of this sweep has their number"
expect 2 "$nuce" run --max-ranks 1 own.yaml
says stderr "ranks: '2', from a file of this sweep: this launcher starts at most 1"
captured 0 ./styles waitall counts
[ -n "$(ls campaigns/raced.1/inputs/*/run.capture)" ] || fail "the campaign keeps no copy of the capture"
expect 0 "$programs/nuce-model" schedule --schedule ac,greedy --capture run.capture --call "$id" --ranks 4
refuse() { # TEXT OPTION...
    text=$1
    shift
    expect 2 "$mpiexec" -n 1 "$programs/nuce-exchange" --schedule ac "$@"
    says stderr "$text"
}
refuse "is for 4 ranks" --capture run.capture
refuse "'99': expected at most" --capture run.capture --call 99
refuse "'zzzz': expected the id of a pattern" --capture run.capture --call zzzz
refuse "raced.yaml: expected a capture of nuce" --capture raced.yaml
refuse "has no effect on pattern capture" --capture run.capture --item-bytes 8
refuse "call" --com x.com --call 7
