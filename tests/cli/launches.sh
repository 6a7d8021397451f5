#!/bin/sh
# A point is measured in as many launches as its sweep says, each good run of another one. Resume runs the missing
# launches only; missing contenders race with their reference again.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# starts CAMPAIGN: how often the processes were started.
starts() {
    find "$1/launches" -name '*.jsonl' | wc -l
}

# runs_by_point CAMPAIGN: how many good runs points have, and of how many launches: "12 of 3 in 3".
runs_by_point() {
    cat "$1"/records/*.jsonl | python3 -c '
import collections, json, sys
runs, jobs = collections.Counter(), collections.defaultdict(set)
for record in map(json.loads, sys.stdin):
    if record["record"] == "run" and record["status"] == "ok":
        runs[record["point"]] += 1
        jobs[record["point"]].add(record["job"])
kinds = collections.Counter((n, len(jobs[p])) for p, n in runs.items())
print(", ".join("%d of %d in %d" % (kinds[k], *k) for k in sorted(kinds)))'
}

small thrice
sed -i 's/launches: 1/launches: 3/' thrice.yaml
expect 0 nuce plan thrice.yaml
# 50 rounds of two steps of a millisecond, 12 points, 3 launches, which share 1.5 s.
time=$(sed -n 's/^estimate     \(.*\) (measure: time-limit).*/\1/p' "$work/stdout")
[ "$time" = "about 3.60s of sampling where a step takes 1ms, at most 18.0s" ] || fail "an estimate of $time"
expect 0 launch run thrice.yaml
says stderr "12 of 12 points to run, each in 3 launches, $time"
says stdout "campaigns/thrice.1: 12 points, each in 3 launches: 12 ok"
same "runs" "$(runs_by_point campaigns/thrice.1)" "12 of 3 in 3"
same "starts" "$(starts campaigns/thrice.1)" 6
# Rank counts take turns: a user who stops a campaign has launches of all.
same "ranks of the starts" "$(for file in campaigns/thrice.1/launches/*.jsonl; do
    sed 's/.*"ranks":\([0-9]*\).*/\1/' "$file" | sort -u
done | tr '\n' ' ')" "2 3 2 3 2 3 "
expect 0 launch resume thrice.1
same "starts, with nothing to do" "$(starts campaigns/thrice.1)" 6

# A launch whose records are gone is run again, and nothing else.
rm campaigns/thrice.1/records/0004.jsonl
expect 0 launch resume thrice.1
same "starts, one more" "$(starts campaigns/thrice.1)" 7
same "runs, as before" "$(runs_by_point campaigns/thrice.1)" "12 of 3 in 3"
# One contender of one race: its reference goes with it.
grep -v '"item-bytes":32[,}].*"schedule":"rs-n"' campaigns/thrice.1/records/0001.jsonl >less
cat less >campaigns/thrice.1/records/0001.jsonl
expect 0 launch resume thrice.1
says stderr "1 of 12 points to run"
same "the race" "$(sed 's/.*"item-bytes":\([0-9]*\).*"schedule":"\([^"]*\)".*/\2 \1/' \
    campaigns/thrice.1/launches/0008.jsonl | tr '\n' ' ')" "ac 32 rs-n 32 "
same "runs, and one more of a reference" "$(runs_by_point campaigns/thrice.1)" "11 of 3 in 3, 1 of 4 in 4"

# Fewer launches than were wanted: resume has the rest to do, and says so.
small fewer
sed -i 's/launches: 1/launches: 2/' fewer.yaml
expect 0 launch run fewer.yaml
rm campaigns/fewer.1/records/0003.jsonl
expect 1 env FAKE_SILENT=3 "$work/bin/nuce" resume --mpiexec "$here/fake-mpiexec" fewer.1
says stdout "12 points, each in 2 launches: 6 ok, 6 too few launches"
says stdout "INCOMPLETE: 18 of 24 runs; nuce resume campaigns/fewer.1 runs the rest"
prints "points       12: 6 done, 6 missing; runs 18 of 24" nuce status fewer.1
prints "INCOMPLETE: 18 of 24 runs; nuce resume campaigns/fewer.1 runs the rest" nuce collect fewer.1
expect 0 launch resume fewer.1
! grep -q INCOMPLETE "$work/stdout" || fail "a campaign that is through is called incomplete"

# A refused point would be refused again: no command is suggested for it, unless others are missing too.
small refused
sed -i 's/launches: 1/launches: 2/' refused.yaml
expect 1 env FAKE_REFUSE=32 "$work/bin/nuce" run --mpiexec "$here/fake-mpiexec" refused.yaml
says stdout "12 points, each in 2 launches: 8 ok, 4 refused"
grep -qx 'INCOMPLETE: 16 of 24 runs; 8 were refused, and would be again: nuce status says why' "$work/stdout" ||
    fail "a hint that cannot help"
expect 0 nuce status refused.1
! grep -q resume "$work/stdout" || fail "advice that cannot help"
says stdout " refused: "
rm campaigns/refused.1/records/0001.jsonl
prints "would be again: nuce status says why; nuce resume campaigns/refused.1 runs the rest" nuce collect refused.1

# Twelve, where a sweep says nothing.
sed -i '/^measure/d; s/name: fewer/name: preset/' fewer.yaml
expect 0 launch run fewer.yaml
same "runs by default" "$(runs_by_point campaigns/preset.1)" "12 of 12 in 12"
