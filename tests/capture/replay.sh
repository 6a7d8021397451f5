#!/bin/sh
# A pattern of a capture as an exchange: raced, planned, refused where it does not fit; and a capture of
# that replay has the same pattern again.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
nuce=$programs/nuce
# What measures is of MPICH here, and sanitized programs bear nothing that is loaded before them.
compile
captured 0 ./styles waitall counts
expect 0 "$nuce" show run.capture --format csv
id=$(sed -n 2p stdout | cut -d , -f 2)

# messages FILE ID: the sorted messages of the pattern, or of all patterns of a KIND with bytes.
messages() {
    python3 -c 'import json, sys
total = {}
for line in open(sys.argv[1]):
    p = json.loads(line)
    if sys.argv[2] in (p["pattern"], p["kind"]):
        for source, destination, size in p["messages"]:
            if size > 0:
                total[source, destination] = total.get((source, destination), 0) + size * p["calls"]
calls = int(sys.argv[3])
print(sorted((key, size / calls) for key, size in total.items()))' "$@"
}
calls=$(sed -n 2p stdout | cut -d , -f 6)
messages run.json "$id" "$calls" >wanted

# replayed SCHEDULE: captures nuce-exchange with the pattern under it.
replayed() {
    expect 0 "$nuce" capture -o replay.capture -- "$mpiexec" -n 4 "$programs/nuce-exchange" \
        --capture run.capture --call "$id" --schedule "$1" --min 5 --max 5
    expect 0 "$nuce" export replay.capture --format json
    mv stdout replay.json
}
replayed ac
grep -q "\"pattern\":\"$id\",\"kind\":\"exchange\",\"quality\":\"exact\"" replay.json ||
    fail "ac: not the same pattern"
for schedule in alltoallv neighbor; do
    kind=$schedule
    [ "$kind" = alltoallv ] || kind=neighbor_alltoallv
    replayed "$schedule"
    times=$(python3 -c 'import json, sys
print(sum(p["calls"] for p in map(json.loads, open("replay.json")) if p["kind"] == sys.argv[1]))' "$kind")
    messages replay.json "$kind" "$times" >got
    cmp got wanted || fail "$schedule: not the same messages"
done

cat >raced.yaml <<'END'
name: raced
workload: exchange
ranks: 4
sweep: {schedule: [ac, rs-n], capture: run.capture, call: [1, 2]}
measure: {min: 3, max: 3, launches: 1}
END
expect 0 "$nuce" run --mpiexec "$mpiexec" raced.yaml
says stdout "run.capture@"
expect 0 "$nuce" show raced
says stdout "call 2"
[ -n "$(ls campaigns/raced.1/inputs/*/run.capture)" ] || fail "the campaign keeps no copy of the capture"
expect 0 "$programs/nuce-model" schedule --schedule ac,greedy --capture run.capture --call "$id" --ranks 4
refuse() { # TEXT OPTION...
    text=$1
    shift
    expect 2 "$mpiexec" -n 1 "$programs/nuce-exchange" --schedule ac "$@"
    says stderr "$text"
}
refuse "is for 4 ranks" --capture run.capture
refuse "'99': there are fewer patterns" --capture run.capture --call 99
refuse "'zzzz': expected the id of a pattern" --capture run.capture --call zzzz
refuse "raced.yaml: expected a capture of nuce" --capture raced.yaml
refuse "means nothing for pattern capture" --capture run.capture --unit 8
refuse "call" --com x.com --call 7
