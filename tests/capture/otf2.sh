#!/bin/sh
# Archives of OTF2, imported: the messages are those that their writer counted, collective calls are sums, what
# cannot be followed is said, and what is no whole archive is refused by name. A build without OTF2 says that.
# shellcheck source=tests/capture/importing.sh
. "$2/importing.sh"
writer=$programs/test_write_otf2

printf '\003BOTF2 and no more' >fake.otf2
if [ ! -x "$writer" ]; then
    refuse "fake.otf2: this nuce was built without OTF2" fake.otf2
    exit 0
fi
written() { # RANKS FOLDER [KIND]
    mkdir "$2"
    "$writer" "$@" || fail "no archive was written: $*"
}

for ranks in 2 4 7; do
    written "$ranks" "of-$ranks"
    expect 0 "$nuce" capture import -o run.capture "of-$ranks/traces.otf2"
    for text in "1 calls on intercommunicators" "1 one-sided calls" "1 cancelled messages" "1 receives that never ended"; do
        says stderr "not captured: $text"
    done
    grep -q unmatched stderr && fail "a message has one end"
    expect 0 "$nuce" export run.capture --format json
    cp stdout run.json
    got=$(python3 "$here/compare.py" run.json "of-$ranks") || fail "$ranks ranks: the messages are not the same"
    [ "$got" = "exact 10 merged 0 epoch 0" ] || fail "of $ranks ranks are $got"
    python3 - "$ranks" <<'END' || fail "$ranks ranks: not what was written"
import json, sys
ranks = int(sys.argv[1])
patterns = [json.loads(line) for line in open("run.json")]
sums = {p["kind"]: p for p in patterns if not p["messages"]}
assert set(sums) == {"alltoallv", "allreduce"}, sums
assert sums["alltoallv"]["quality"] == "merged" and sums["allreduce"]["quality"] == "exact"
assert sums["alltoallv"]["moved_bytes"] == sum(1000 + rank for rank in range(ranks))
assert sums["allreduce"]["moved_bytes"] == 16 * ranks and sums["allreduce"]["calls"] == 1
ring = max(patterns, key=lambda p: p["calls"])
assert ring["calls"] == 5 and ring["duration_ns"]["min"] == ring["duration_ns"]["max"] == 800000, ring
# Means have two digits.
assert all(abs(ns - 250000 * rank) <= 0.05 * ns for rank, ns in enumerate(ring["arrival_ns"])), ring
assert all(p["origin"] == "otf2 traces.otf2" for p in patterns)
END
done
# Several hosts: who came how late is known where their clocks were compared.
for kind in hosts corrected; do
    written 4 "$kind" "$kind"
    expect 0 "$nuce" capture import -o run.capture "$kind/traces.otf2"
    expect 0 "$nuce" export run.capture --format json
    mv stdout "$kind.json"
done
grep -q '"arrival_ns":\[null' hosts.json || fail "clocks that nobody compared were compared"
grep -q '"arrival_ns":\[0,250000' corrected.json || fail "corrected clocks say nothing"

# What is no whole archive.
written 4 peer peer
refuse "peer/traces.otf2: rank 0, its event 33 of messages: its other rank is none of the communicator" peer/traces.otf2
refuse "fake.otf2: no whole archive of OTF2" fake.otf2
refuse "ranks: '3': the archive has 4" of-4/traces.otf2 --ranks 3
refuse "hosts/traces.otf2: expected one archive of OTF2, 2 files are given" of-4/traces.otf2 hosts/traces.otf2
cut() { # NAME: of a file of the archive half is left; it is refused, or says that it is cut
    cp -r of-4 "cut-$1"
    find "cut-$1" -name "$1" | while read -r file; do
        head -c $(($(wc -c <"$file") / 2)) "$file" >half
        mv half "$file"
    done
    refuse "traces.otf2: no whole archive of OTF2" "cut-$1/traces.otf2"
}
cut traces.otf2
cut traces.def
cut 101.evt
cp -r of-4 missing
rm missing/traces/102.evt
refuse "traces.otf2: no whole archive of OTF2" missing/traces.otf2
