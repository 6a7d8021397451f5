#!/bin/sh
# A database that is not ours, newer, damaged, or no database: every subcommand refuses it with 2 and
# leaves it as it is.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# put OFFSET BYTES FILE: overwrites bytes, written as printf's.
put() {
    # shellcheck disable=SC2059 # the format is the bytes
    printf "$2" | dd of="$3" bs=1 seek="$1" conv=notrunc status=none
}

# refuses SUBCOMMAND...: it ends with 2, says $text and leaves $file as it is.
refuses() {
    cp "$file" before
    expect 2 nuce "$@" --database "$file"
    says stderr "$file: $text"
    cmp "$file" before || fail "$1 has changed $file"
    [ ! -e "$file-journal" ] || fail "$1 has left a journal beside $file"
}

small good
expect 0 launch run good.yaml
printf 'Dear diary, today I measured nothing at all. %0100d\n' 0 >text
for name in foreign newer version damaged cut; do
    cp nuce.db "$name"
done
# SQLite's file format, 1.3: user_version is at byte 60, application_id at 68, both big-endian.
put 68 'abcd' foreign
put 60 '\0\0\003\350' newer
put 60 '\0\0\0\0' version
tail -c +4097 nuce.db | tr '\0-\377' '\252' >garbage
dd if=garbage of=damaged bs=4096 seek=1 conv=notrunc status=none
truncate -s 20000 cut

while IFS='|' read -r file text; do
    refuses collect
    refuses show
    refuses query 'SELECT count(*) FROM run'
    refuses table quick
    refuses figure quick
done <<'EOF'
text|not a database
foreign|an SQLite database, but not one of nuce's
newer|made by a newer nuce: schema version 1000, this one knows up to
version|damaged: schema version 0
damaged|the database is damaged
cut|the database is damaged
EOF

# No database: reading says how to make one, and makes none.
for subcommand in show 'table quick' 'figure quick'; do
    # shellcheck disable=SC2086 # words
    expect 2 nuce $subcommand --database nowhere.db
    says stderr "nuce collect"
done
[ ! -e nowhere.db ] || fail "reading has made a database"
mkdir folder
expect 2 nuce collect --database folder
expect 2 nuce show --database folder
