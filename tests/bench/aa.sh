#!/bin/sh
# How far comparisons can be believed on this machine, where the right answer is known: the sweep aa, whose
# contenders are the same, on the machine as it is and beside a neighbour that keeps one processor busy
# in bursts, with turns begun by a barrier and in windows; then with a delay of 5 %, and of 2 % under
# `precise`, planted in one contender. Usage: aa.sh BIN [SWEEP-EDIT]; SWEEP-EDIT: a sed script for the sweep,
# such as 's/instances: 17/instances: 2/' for a short look.
set -eu
bin=$1 edit=${2:-}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/nuce-aa-XXXXXX")
neighbour=
stop_neighbour() {
    [ -z "$neighbour" ] || kill "$neighbour" 2>/dev/null || :
    neighbour=
}
trap 'stop_neighbour; rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/bin"
cp "$bin/nuce" "$scratch/bin/nuce"
cp "$bin/../libexec/nuce/nuce-bench-exchange" "$scratch/bin/nuce-exchange"
ln -s "$(cd "$bin/.." && pwd)/share" "$scratch/share"
sed "$edit" "$scratch/share/nuce/configs/aa.yaml" >"$scratch/aa.yaml"

# study TITLE FAULT [SED]: runs the sweep, with a change to it, and prints its table.
study() {
    sed "${3:-}" "$scratch/aa.yaml" >"$scratch/now.yaml"
    echo "$1: $(date -u +%H:%M:%S)" >&2
    NUCE_FAULT=$2 "$scratch/bin/nuce" run "$scratch/now.yaml" --campaigns "$scratch/campaigns" \
        --database "$scratch/now.db" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
    printf '%s\n' "$1"
    "$scratch/bin/nuce" table aa --database "$scratch/now.db" | sed '1,2d'
    echo
    rm -rf "$scratch/now.db" "$scratch/campaigns"
}

# Half a second of work, half a second of none, always on the same processor.
burst() {
    while :; do
        timeout 0.5 taskset -c 0 sh -c 'while :; do :; done' || :
        sleep 0.5
    done
}

# Shares of many heats where they are the answer; fewer where the question is whether the rest is alike.
few='s/instances: 17/instances: 4/'
window="$few;s/^measure:/measure:\n  sync: window/"
# Effort as it is where nothing is said, on few ranks and sizes.
plain='s/instances: 17/instances: 4/;s/, 32\]/]/;s/, 1MiB\]$/]/;/^exclude/s/, {ranks: 32, density: 1},$/]/'
plain="$plain;/^ *{ranks: 4, unit/d;/^  \(launches\|warmup\|min\|max\|ci\|limit\):/d"
precise="$plain;s/^measure:/measure:\n  precise: true/"
plain="$plain;s/^measure:/measure:\n  warmup: 2/"
study "the same, left alone, begun by barriers" none
study "the same, left alone, begun in windows" none "$window"
burst &
neighbour=$!
study "the same, beside a busy neighbour, begun by barriers" none
study "the same, beside a busy neighbour, begun in windows" none "$window"
stop_neighbour
study "5 % planted in lp-xor" "late 5" "$plain"
study "2 % planted in lp-xor, precise" "late 2" "$precise"
