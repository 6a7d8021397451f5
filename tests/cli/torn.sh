#!/bin/sh
# A record file that is cut off anywhere: collect takes the whole lines, resume runs what is missing,
# and in the end every point has one good run in the database; the reference of a heat, which runs again
# with what is missing of it, may have more.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

small torn
expect 0 launch run torn.yaml
cp -r campaigns/torn.1 whole
bytes=$(wc -c <whole/records/0001.jsonl)
for step in $(seq 0 24); do
    rm -rf campaigns/torn.1 nuce.db nuce.db.lock
    cp -r whole campaigns/torn.1
    head -c $((bytes * step / 25)) whole/records/0001.jsonl >campaigns/torn.1/records/0001.jsonl
    # What a cut line says does not count.
    left=$(for file in campaigns/torn.1/records/*.jsonl; do
        head -n "$(wc -l <"$file")" "$file"
    done | grep -c '"record":"run"')
    expect 0 nuce collect
    same "runs after the cut" "$(nuce query --format csv \
        "SELECT count(*) FROM run WHERE status = 'ok'" | tail -n 1)" "$left"
    expect 0 launch resume torn.1
    says stdout "12 points: 12 ok"
    same "runs and points in the database" "$(nuce query --format csv \
        "SELECT sum(schedule = 'rs-n'), count(DISTINCT point.id) FROM run JOIN point ON point.id = run.point
         WHERE status = 'ok'" | tail -n 1)" "6,12"
done
# What is no JSON in the middle of a file is named, with its place, by both.
sed -i '2s/^.../nonsense/' campaigns/torn.1/records/0002.jsonl
expect 1 nuce collect
grep -q 'records/0002.jsonl:2:[0-9]*: not a JSON line' "$work/stderr" || fail "collect: no place"
expect 2 launch resume torn.1
grep -q 'records/0002.jsonl:2:[0-9]*: not a JSON line' "$work/stderr" || fail "resume: no place"
