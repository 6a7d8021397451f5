#!/bin/sh
# How far comparisons can be believed on this machine, where the right answer is known: the sweep aa, whose
# contenders are the same, on the machine as it is and beside a neighbour that keeps one processor busy
# in bursts, with turns begun by a barrier and in windows; then with a delay of 5 %, and of 2 % under
# `precise`, planted in one contender. Usage: aa.sh BIN [SWEEP-EDIT]; SWEEP-EDIT: a sed script for the sweep,
# such as 's/instances: 18/instances: 2/' for a short look.
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
ln -s "$(cd "$bin/.." && pwd)/share" "$scratch/share"
sed "$edit" "$scratch/share/nuce/configs/aa.yaml" >"$scratch/aa.yaml"

# study TITLE PERCENT [SED]: runs the sweep, with a change to it, and prints its table. PERCENT is the injected
# difference; 0 uses the users' program, because injecting a delay takes a moment of each step.
study() {
    sed "${3:-}" "$scratch/aa.yaml" >"$scratch/now.yaml"
    echo "$1: $(date -u +%H:%M:%S)" >&2
    program=$bin/nuce-exchange
    [ "$2" = 0 ] || program=$bin/../libexec/nuce/nuce-bench-exchange
    cp "$program" "$scratch/bin/nuce-exchange"
    NUCE_FAULT="late $2" "$scratch/bin/nuce" run "$scratch/now.yaml" --campaigns "$scratch/campaigns" \
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

# Shares of many races where they are the answer; fewer where the question is whether the rest is alike.
few='s/instances: 18/instances: 4/'
window="$few;s/^measure: {/measure: {sync: window, /"
# Few ranks and sizes: where a delay is planted there is little to learn from many.
plain="$few"';s/, 32\]/]/;s/, 1MiB\]$/]/;/^exclude/s/, {ranks: 32, degree: 1},$/]/;/^ *{ranks: 4, item-bytes/d'
precise="$plain;s/^measure: {/measure: {precise: true, /"
study "the same, left alone, begun by barriers" 0
study "the same, left alone, begun in windows" 0 "$window"
burst &
neighbour=$!
study "the same, beside a busy neighbour, begun by barriers" 0
study "the same, beside a busy neighbour, begun in windows" 0 "$window"
stop_neighbour
study "5 % planted in lp-xor" 5 "$plain"
study "2 % planted in lp-xor, precise" 2 "$precise"
