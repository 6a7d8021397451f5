#!/bin/sh
# Times of calls: those of nuce capture --trace give the durations and skews of the patterns in the same capture, and
# are in it only with --trace.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
compile
nuce=$programs/nuce

for style in waitall,persistent,alltoallv,halves,late nbx; do
    rm -f counts.*
    expect 0 "$nuce" capture --trace -o with.capture -- "$mpiexec" -n 4 ./styles "$style"
    expect 0 "$nuce" export with.capture --format json
    mv stdout patterns.json
    expect 0 "$nuce" show with.capture --trace --format json
    mv stdout stamps.json
    python3 - <<'END' || fail "$style: the stamps are not those of the patterns"
import collections
import json
patterns = {p["pattern"]: p for p in map(json.loads, open("patterns.json"))}
rows = [json.loads(line) for line in open("stamps.json")]
assert rows and [r["start_ns"] for r in rows] == sorted(r["start_ns"] for r in rows), "not in order of time"
calls = collections.defaultdict(dict)
for row in rows:
    members = calls[row["pattern"]].setdefault((row["communicator"], row["call"]), {})
    assert row["rank"] not in members, "a rank is twice in a call"
    members[row["rank"]] = row
    assert row["kind"] == patterns[row["pattern"]]["kind"]
assert set(calls) == set(patterns), "patterns without stamps"
for name, pattern in patterns.items():
    assert len(calls[name]) == pattern["calls"], (name, len(calls[name]))
    if pattern["quality"] != "exact":
        continue
    longest = [max(r["duration_ns"] for r in call.values()) for call in calls[name].values()]
    spread = [max(r["start_ns"] for r in call.values()) - min(r["start_ns"] for r in call.values())
              for call in calls[name].values()]
    for found, key in (longest, "duration_ns"), (spread, "skew_ns"):
        for what, is_ns in ("min", min(found)), ("max", max(found)), ("mean", sum(found) / len(found)):
            assert abs(is_ns - pattern[key][what]) <= 1 + 0.005 * is_ns, (name, key, what)  # three digits
END
done
expect 0 "$nuce" capture -o without.capture -- "$mpiexec" -n 4 ./styles waitall
expect 2 "$nuce" show without.capture --trace
says stderr "without.capture: has no times of single calls: expected a capture by 'nuce capture --trace'"
expect 2 "$nuce" show points --trace
says stderr "trace: expected a capture, 'points' is none"
echo 0,1 >m.csv
expect 2 "$nuce" capture import m.csv --trace
says stderr "trace: only for a run, or for 'merge FOLDER'"
