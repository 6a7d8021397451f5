#!/bin/sh
# A full disk under the database: collect ends with 1, the old content stays, and the rest is collected once there is
# room. Needs the right to mount a small file system.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

disk=$work/disk
mkdir "$disk"
mount -t tmpfs -o size=2m none "$disk" 2>/dev/null || {
    echo "skipped: cannot mount a small file system" >&2
    exit 77
}
trap 'umount "$disk"; rm -rf "$work"' EXIT

small little
expect 0 launch run little.yaml --database "$disk/nuce.db"
cp "$disk/nuce.db" before.db
dump before.db >before
small much
sed -i 's/^  degree: 2/&\n  instances: 50/' much.yaml
expect 0 launch run much.yaml --database whole.db
same "runs" "$(ok_runs campaigns/much.1)" 600

# No room, room for the journal, room for a part: never enough.
for left in 0 16 64 256; do
    rm -f "$disk/filler"
    free=$(df --output=avail -k "$disk" | tail -n 1)
    head -c "$(((free - left) * 1024))" /dev/zero >"$disk/filler"
    gives_up "full" nuce collect --database "$disk/nuce.db"
    expect 0 nuce show --database "$disk/nuce.db"
    dump "$disk/nuce.db" | cmp - before
done
# No room for a new database: none is left behind.
expect 1 nuce collect --database "$disk/new.db"
[ ! -e "$disk/new.db" ] || fail "half a database is left"

rm "$disk/filler"
expect 0 nuce collect --database "$disk/nuce.db"
expect 0 nuce collect --database whole.db
dump whole.db >whole
dump "$disk/nuce.db" | cmp - whole
