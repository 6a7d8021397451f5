#!/bin/sh
# A record file that is cut off anywhere: collect takes the whole lines, resume runs the missing points, and in the
# end every point has one good run in the database; a reference, which races again with missing contenders, may have
# more.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

small torn
expect 0 launch run torn.yaml
cp -r campaigns/torn.1 whole
bytes=$(wc -c <whole/records/0001.jsonl)
for step in $(seq 0 9); do
    rm -rf campaigns/torn.1 nuce.db nuce.db.lock
    cp -r whole campaigns/torn.1
    head -c $((bytes * step / 10)) whole/records/0001.jsonl >campaigns/torn.1/records/0001.jsonl
    # A line that is cut off does not count.
    left=$(for file in campaigns/torn.1/records/*.jsonl; do
        head -n "$(wc -l <"$file")" "$file"
    done | grep -c '"record":"run"')
    expect 0 nuce collect
    same "runs after the cut" "$(value "SELECT count(*) FROM run WHERE status = 'ok'")" "$left"
    ends=$(tail -c 1 campaigns/torn.1/records/0001.jsonl | tr -d '\n')
    prints "12 points: 12 ok" launch resume torn.1
    [ -z "$ends" ] || says stderr "1 record file ends in the middle of a line; the lost runs are repeated"
    same "runs and points in the database" "$(value "SELECT sum(schedule = 'rs-n'), count(DISTINCT point.id)
        FROM run JOIN point ON point.id = run.point WHERE status = 'ok'")" "6,12"
done
# A changed line, even by one bit of a sample: collect names it and takes the others, resume runs its point again, and
# then all points are there.
bit_flipped() {
    python3 - "$1" "$2" <<'PYTHON'
import sys

path, number = sys.argv[1], int(sys.argv[2])
with open(path, "rb") as file:
    lines = file.read().split(b"\n")
line = bytearray(lines[number - 1])
line[line.index(b'"step":[') + len(b'"step":[') + 3] ^= 1
lines[number - 1] = bytes(line)
with open(path, "wb") as file:
    file.write(b"\n".join(lines))
PYTHON
}
run=$(grep -n '"record":"run"' whole/records/0001.jsonl | sed -n '4s/:.*//p')
for damage in "bit_flipped campaigns/torn.1/records/0001.jsonl $run" \
    "sed -i 1s/^.../nonsense/ campaigns/torn.1/records/0002.jsonl"; do
    rm -rf campaigns/torn.1 nuce.db nuce.db.lock
    cp -r whole campaigns/torn.1
    $damage
    expect 1 nuce collect
    grep -q 'records/000[12].jsonl:[0-9]*:[0-9]*: damaged' "$work/stderr" || fail "collect: no place"
    left=$(value "SELECT count(*) FROM run WHERE status = 'ok'")
    [ "$left" -lt 18 ] || fail "a damaged run is among the good ones"
    expect 0 launch resume torn.1
    says stderr "1 line of the records is damaged; their runs are repeated"
    says stdout "12 points: 12 ok"
    same "points" "$(value "SELECT count(DISTINCT point) FROM run WHERE status = 'ok'")" 12
done
# The first line of a file is of the job that its runs refer to.
same "runs of the other file" "$left" 12
