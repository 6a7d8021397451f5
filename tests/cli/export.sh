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
# Results in formats of others: of commands that print planned numbers, with names that need escapes.
refuses "--format: 'bencher': expected --campaign NAME and no TABLE" nuce export --format bencher
refuses "--format: 'openmetrics': expected --campaign NAME and no TABLE" \
    nuce export ratio --format openmetrics --campaign race.1
refuses "'third.1' is not in nuce.db" nuce export --format bencher --campaign third.1
nuce race --launches 8 --metric '([0-9]+)' --unit GB/s --better higher --name 'old,n"e\w' -- echo 200 -- echo 100 \
    >/dev/null 2>&1 || [ $? -eq 3 ] || fail "a race"
expect 0 nuce export --format bencher --campaign race.1
cp "$work/stdout" rates.json
expect 0 nuce export --format openmetrics --campaign race.1
cp "$work/stdout" rates.txt
export FAKE_SAMPLES=40
expect 0 launch run first.yaml --campaigns timed --database timed.db
expect 0 nuce export --format bencher --campaign first --database timed.db
cp "$work/stdout" times.json
expect 0 nuce export --format openmetrics --campaign first.1 --database timed.db
cp "$work/stdout" times.txt
nuce query "SELECT 1e9 * communication_s, 1e9 * communication_low_s, 1e9 * communication_high_s FROM result" \
    --format csv --database timed.db >wanted
python3 - <<'PYTHON' || fail "an export of results is not what it should be"
import json, math, re
rates, times = json.load(open("rates.json")), json.load(open("times.json"))
words = "ranks=1 better=higher metric=([0-9]+) unit=GB/s"
new, old = rates['program n"e\\w ' + words], rates["program old " + words]
assert len(rates) == 2 and "ratio" not in old
assert math.isclose(new["GB/s"]["value"], 100) and math.isclose(old["GB/s"]["value"], 200)
assert math.isclose(new["ratio"]["value"], 2)
assert new["ratio"]["lower_value"] <= 2 <= new["ratio"]["upper_value"]
medians = [[float(x) for x in line.split(",")] for line in open("wanted").readlines()[1:]]
got = [[m["latency"][k] for k in ("value", "lower_value", "upper_value")] for m in times.values()]
assert len(times) == 12 and all("item-bytes=" in name and "pattern=" in name for name in times)
assert all(math.isclose(x, y, rel_tol=1e-12) for a, b in zip(sorted(medians), sorted(got)) for x, y in zip(a, b))
label = r'[a-z]+="(?:[^"\\\n]|\\[\\"n])*"'
for name, count in ("rates", 9), ("times", 36):
    lines = open(name + ".txt").read().split("\n")
    assert lines[-2:] == ["# EOF", ""]
    samples = [line for line in lines if line and line[0] != "#"]
    assert len(samples) == count and len(set(samples)) == count
    for line in samples:
        found = re.fullmatch(r"(nuce_[a-z_]+)\{" + label + "(?:," + label + r")*\} ([0-9.e+-]+)", line)
        assert found and f"# TYPE {found[1]} gauge" in lines, line
    for line in lines:
        if line.startswith("# UNIT"):
            assert line.split()[2].endswith("_" + line.split()[3]), line
assert 'contender="n\\"e\\\\w"' in open("rates.txt").read()
PYTHON
[ -c /dev/full ] || exit 0
status=0
nuce export sample --database many.db >/dev/full 2>"$work/stderr" || status=$?
same "exit status on a full disk" "$status" 1
