#!/bin/sh
# The styles under a stand-in for libdumpi, which writes what that would: imported, a trace of a run says what nuce
# capture says of another run of the same program, pattern by pattern, message by message. Not of styles that poll, whose
# traces are long.
# shellcheck source=tests/capture/importing.sh
. "$2/importing.sh"
compile
"mpicc.$mpi" -O1 -shared -fPIC -o writer.so "$here/$5"

# traced STYLE: as STYLE.json, its own counts and its trace in STYLE/.
traced() {
    mkdir "$1"
    DUMPI_FOLDER=$1 expect 0 "$mpiexec" -n 4 env LD_PRELOAD="$PWD/writer.so" ./styles "$1" "$1"
    imported "$1" "$1/dumpi.meta"
    got=$(python3 "$here/compare.py" "$1.json" "$1") || fail "$1: the messages are not the same"
}

# patterns <JSON: what does not depend on time.
patterns() {
    python3 -c 'import json, sys
for line in sys.stdin:
    p = json.loads(line)
    print(p["pattern"], p["kind"], p["quality"], p["calls"], p["ranks"], p["messages"], p["moved_bytes"])' | sort
}

# Requests of every kind, statuses that the application asked for, datatypes that take the numbers of others, communicators
# that are split and duplicated, parts of a grid or of a group, a receive that is cancelled, and what is not followed.
for name in waitany any_tag persistent derived late freed halves rows grouped replace listener between onesided; do
    traced "$name"
    captured 0 ./styles "$name" counts
    patterns <run.json >captured.patterns
    patterns <"$name.json" >traced.patterns
    cmp captured.patterns traced.patterns || fail "$name: a trace is of other patterns than a capture"
done
expect 0 "$nuce" capture import -o run.capture between/dumpi.meta
says stderr "not captured: 112 calls on communicators that nobody saw being made, or of no known kind"
expect 0 "$nuce" capture import -o run.capture onesided/dumpi.meta
says stderr "not captured: 56 one-sided calls"
# Where nobody asked for the status, a trace does not say from whom a message came, nor which round it was of.
for name in any_source waitsome; do
    traced $name
    [ "$got" = "exact 0 merged 0 epoch 1" ] || fail "$name: $got"
done
