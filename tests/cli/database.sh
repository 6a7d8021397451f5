#!/bin/sh
# A database that is not ours, damaged, or no database: every subcommand keeps_off it with 2 and leaves it
# as it is. A database of another schema is refused by readers, and made again by collect.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# put OFFSET BYTES FILE: overwrites bytes, written as printf's.
put() {
    # shellcheck disable=SC2059 # the format is the bytes
    printf "$2" | dd of="$3" bs=1 seek="$1" conv=notrunc status=none
}

# keeps_off SUBCOMMAND...: it ends with 2, says $text and leaves $file as it is.
keeps_off() {
    cp "$file" before
    refuses "$file: $text" nuce "$@" --database "$file"
    cmp "$file" before || fail "$1 has changed $file"
    [ ! -e "$file-journal" ] || fail "$1 has left a journal beside $file"
}

small good
expect 0 launch run good.yaml
printf 'Dear diary, today I measured nothing at all. %0100d\n' 0 >text
for name in foreign other damaged cut; do
    cp nuce.db "$name"
done
# SQLite's file format, 1.3: user_version is at byte 60, application_id at 68, both big-endian.
put 68 'abcd' foreign
put 60 '\0\0\0\012' other
tail -c +4097 nuce.db | tr '\0-\377' '\252' >garbage
dd if=garbage of=damaged bs=4096 seek=1 conv=notrunc status=none
truncate -s 20000 cut

while IFS='|' read -r file text; do
    keeps_off collect
    keeps_off show
    keeps_off query 'SELECT count(*) FROM run'
    keeps_off table quick
    keeps_off figure quick
done <<'EOF'
text|not a database
foreign|an SQLite database, but not one of nuce's
damaged|the database is damaged
cut|the database is damaged
EOF

# Another schema: collect makes it anew, of all campaigns though one is named, and keeps the old one only
# where it held more.
file=other
text='made by another version of nuce (schema 10, this one'
keeps_off show
keeps_off query 'SELECT count(*) FROM run'
keeps_off table quick
keeps_off figure quick
expect 0 nuce collect --database other
says stderr "other: made by another version of nuce: it is made again from the records of all campaigns"
[ ! -e other.old ] || fail "collect has kept a database that held no more"
expect 0 nuce query 'SELECT count(*) FROM run' --database other
mv "$work/stdout" again
expect 0 nuce query 'SELECT count(*) FROM run' --database nuce.db
cmp "$work/stdout" again || fail "the database made anew has other runs"
put 60 '\0\0\0\012' other
mv campaigns elsewhere
mkdir campaigns
expect 0 nuce collect --database other
says stderr "other.old: the database is kept as it was"
rm -r campaigns
mv elsewhere campaigns

# A campaign's races are that campaign's: another one is refused, not ignored.
expect 2 nuce show good.1 -c other.1 --database nuce.db
says stderr "'other.1': expected a table of 'nuce list figures' to show of it, 'good.1' is none"
expect 0 nuce show good.1 -c good.1 --database nuce.db

# No database: reading says how to make one, and makes none.
for subcommand in show 'table quick' 'figure quick'; do
    # shellcheck disable=SC2086 # words
    refuses "nuce collect" nuce $subcommand --database nowhere.db
done
[ ! -e nowhere.db ] || fail "reading has made a database"
# While the first collect is at it there is an empty file: a query waits until it is done.
: >first.db
exec 9>first.db.lock
flock 9
"$programs/nuce" query 'SELECT count(*) FROM run' --database first.db >asked 2>&1 9>&- &
query=$!
sleep 0.5
cp nuce.db made.db
mv made.db first.db
exec 9>&-
wait "$query" || fail "a query during the first collect: $(cat asked)"

mkdir folder
expect 2 nuce collect --database folder
expect 2 nuce show --database folder
