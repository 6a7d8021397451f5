#!/bin/sh
# nuce collect: twice, from many processes, in pieces and cut off, the same records give the
# same database; show and query read it.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

for name in first second; do
    small "$name"
    expect 0 launch run "$name.yaml" --database "$name.db"
done
expect 0 nuce collect
dump nuce.db >whole
same "runs" "$(value 'SELECT count(*) FROM run')" 24
expect 0 nuce collect
says stderr "0 runs new, 24 known"
dump nuce.db | cmp - whole
# If only one of them is new, the output ends as if that one had been named.
expect 0 nuce collect first.1 --database one.db
expect 0 nuce collect --database one.db
says stderr "look: nuce show second.1 --database one.db"
cp "$work/stdout" unnamed
expect 0 nuce collect second.1 --database one.db
cmp "$work/stdout" unnamed

# Many at once, without a database and with one.
for round in 1 2; do
    pids=
    for process in 1 2 3 4; do
        nuce collect --database shared.db >/dev/null 2>"at-once.$round.$process" &
        pids="$pids $!"
    done
    for pid in $pids; do
        wait "$pid" || fail "one of several collects at once failed: $(cat at-once."$round".*)"
    done
    dump shared.db | cmp - whole
done

# By its path, as status prints it, from anywhere.
expect 0 nuce collect campaigns/first.1/ --database path.db
(cd / && expect 0 nuce collect "$work/here/campaigns/second.1" --database "$work/here/path.db")
dump path.db | cmp - whole

refuses "campaign 'nobody'" nuce collect nobody
expect 2 nuce collect ../here
prints "first.1" nuce show
expect 0 nuce show runs --campaign second.1 --format csv
same "lines" "$(wc -l <"$work/stdout")" 13
expect 2 nuce show runs --campaign third.1
refuses "only SELECT is allowed" nuce query 'DELETE FROM run'
expect 2 nuce query 'SELECT nothing FROM nowhere'
two_ids='p.id, r.id FROM point AS p JOIN run AS r ON r.point = p.id LIMIT 1'
refuses "columns 2 and 3 are both 'id': expected different names for json" nuce query "SELECT 1, $two_ids" --format json
expect 0 nuce query "SELECT 1, $two_ids" --format csv
dump nuce.db | cmp - whole

# Collected runs stay if their file loses its end. If the end comes back, it is collected.
records=campaigns/first.1/records/0001.jsonl
whole_bytes=$(wc -c <"$records")
last_bytes=$(tail -n 1 "$records" | wc -c)
cp "$records" safe
for cut in $((whole_bytes - last_bytes)) $((whole_bytes - last_bytes / 2)) $((whole_bytes - 1)); do
    head -c "$cut" safe >"$records"
    expect 0 nuce collect
    same "runs after a cut" "$(value 'SELECT count(*) FROM run')" 24
    expect 0 nuce collect --database "short.db"
    same "runs of the cut file" "$(value 'SELECT count(*) FROM run' short.db)" 23
done
says stderr "1 file torn, 0 bad lines"
cp safe "$records"
for database in nuce.db short.db; do
    expect 0 nuce collect --database "$database"
    dump "$database" | cmp - whole
done

# Records from before contenders raced are refused, file by file, with the command that measures them again; none is
# changed or removed. Points that were not measured need no race.
rm -rf campaigns nuce.db nuce.db.lock
small raced
expect 0 launch run raced.yaml
cp -r campaigns/raced.1 campaigns/old.1
edit_records 's/"race":"[0-9a-f]*",//' campaigns/old.1/records/*.jsonl
edit_records 's/"campaign":"raced.1"/"campaign":"old.1"/' campaigns/old.1/records/*.jsonl
cat campaigns/old.1/records/*.jsonl >before
expect 1 nuce collect
says stderr "campaigns/old.1/records/0001.jsonl:3:1: a run without a race, of an older nuce; to measure it again: nuce run campaigns/old.1/sweep.yaml"
same "files refused" "$(grep -c 'without a race' "$work/stderr")" 2
same "runs" "$(value 'SELECT count(*) FROM run')" 12
cat campaigns/old.1/records/*.jsonl | cmp - before
expect 0 launch run campaigns/old.1/sweep.yaml --database new.db --campaigns anew

# Campaigns of one name are never pooled. A new one takes a number that neither the folder nor the database has.
rm -rf campaigns nuce.db nuce.db.lock
small again
expect 0 launch run again.yaml
mv campaigns earlier
prints "campaigns/again.2: 12 points: 12 ok" launch run again.yaml
expect 0 nuce submit again.yaml --dry-run --campaigns others
says stdout "others/again.3"
# A renamed one stays the same campaign: in the database, in what is advised, and in the records of a resume.
mv campaigns/again.2 campaigns/renamed
prints "campaigns/again.3: 12 points: 12 ok" launch run again.yaml
prints "nuce show again.2" nuce status renamed
expect 0 nuce collect renamed
says stderr "look: nuce show again.2, "
rm campaigns/renamed/records/*
expect 0 launch resume renamed
prints "nuce show again.2" nuce status renamed
same "runs" "$(value "SELECT group_concat(n, ' ') FROM (SELECT count(*) AS n FROM run GROUP BY campaign ORDER BY campaign)")" \
    "12 24 12"
dump nuce.db >whole
expect 0 nuce collect --campaigns earlier
dump nuce.db | cmp - whole
# Another one of that name is left out, beside it all is collected; it can be collected elsewhere.
expect 0 launch run again.yaml --campaigns others --database others.db
refuses "others/again.1: again.1, made 20" nuce collect again.1 --campaigns others
refuses "is not the again.1 in nuce.db, made 20" nuce collect --campaigns others
says stderr "nuce: 0 campaigns, 0 record files"
dump nuce.db | cmp - whole
cp -r campaigns/again.3 others
refuses "others/again.1: again.1, made 20" nuce collect --campaigns others
says stderr "nuce: 1 campaign, 2 record files"
expect 0 nuce collect --campaigns others --database others.db
prints "not all is in nuce.db" nuce status again.1 --campaigns others
sed 's/schedule: .*/schedule: [ac, rs-n, lp]/' again.yaml >more.yaml
refuses "is not the again.1 in nuce.db" launch run more.yaml --into again.1 --campaigns others
# A resume says so before it measures.
rm others/again.1/records/*
refuses "again.1, made 20" launch resume again.1 --campaigns others
same "records" "$(find others/again.1/records -type f)" ""
