#!/bin/sh
# nuce export: every table and view, all rows once, in an order, as CSV and JSON lines.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

for name in first second; do
    small "$name"
    expect 0 launch run "$name.yaml"
done
expect 2 nuce export --database nowhere.db
expect 0 nuce export
cp "$work/stdout" tables
for table in campaign environment job point record_file run sample result; do
    grep -q "^$table," tables || fail "$table is not listed"
done
tail -n +2 tables | cut -d , -f 1 | while read -r table; do
    expect 0 nuce export "$table"
    cp "$work/stdout" rows
    nuce query "SELECT * FROM $table" --format csv | sort >wanted
    sort rows | cmp - wanted || fail "$table differs"
    expect 0 nuce export "$table" --format json
    same "lines of $table" "$(wc -l <"$work/stdout")" \
        "$(value "SELECT count(*) FROM $table")"
done
refuses "did you mean 'result'?" nuce export rezult
expect 2 nuce export 'run" WHERE 1 --'
expect 2 nuce export result --format text
expect 2 nuce export run sample

# Of one campaign.
rows() {
    expect 0 nuce export "$1" --campaign second.1 --format json
    wc -l <"$work/stdout"
}
same "runs" "$(rows run)" 12
same "samples" "$(rows sample)" "$(value \
    "SELECT count(*) FROM sample AS s JOIN run AS r ON r.id = s.run WHERE campaign = 'second.1'")"
same "campaigns" "$(rows campaign)" 1
same "points" "$(rows point)" 12
same "record files" "$(rows record_file)" 2
same "environments" "$(rows environment)" 1
refuses "'third.1' is not in nuce.db" nuce export run --campaign third.1

# More rows than are in memory at once: none is lost where blocks meet, names stand once.
line=$(grep -h '"record":"run"' campaigns/first.1/records/0001.jsonl | head -n 1)
mkdir -p many/many.1/records
numbers=$(seq 1 8192 | tr '\n' ',')
numbers=${numbers%,}
{
    grep -h '"record":"job"' campaigns/first.1/records/0001.jsonl
    echo "$line" | sed "s/\"samples\":{[^}]*}/\"samples\":{\"step\":[$numbers]}/"
} | sed 's/"campaign":"first.1"/"campaign":"many.1"/' >many/many.1/records/1.jsonl
python3 "$here/seal.py" many/many.1/records/1.jsonl
expect 0 nuce collect --campaigns many --database many.db
nuce export sample --database many.db >rows
same "lines" "$(wc -l <rows)" 8193
same "numbers" "$(tail -n +2 rows | cut -d , -f 2 | sort -nu | wc -l)" 8192
expect 0 nuce export sample --database many.db
[ -c /dev/full ] || exit 0
status=0
nuce export sample --database many.db >/dev/full 2>"$work/stderr" || status=$?
same "exit status on a full disk" "$status" 1
