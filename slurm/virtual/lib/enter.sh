#!/usr/bin/env bash
# Run in a fresh mount namespace: enter.sh [LAYER:]ROOT [SOURCE TARGET]... -- COMMAND...
# Makes a root of its own over ROOT, and over LAYER above it, which are never written. Mounts every SOURCE of the host, a
# folder or a file, at its TARGET, and runs COMMAND there. All mounts end with the namespace.
set -eu
lower=$1
shift

mount --make-rprivate /
# Mounted over a folder of ROOT, so that no folder of the host is hidden while it is needed.
base=${lower##*:}/mnt
mount -t tmpfs -o mode=755 nuce "$base"
mkdir "$base/upper" "$base/work" "$base/root"
mount -t overlay -o "lowerdir=$lower,upperdir=$base/upper,workdir=$base/work" nuce "$base/root"
new=$base/root

for folder in run tmp var/tmp var/spool var/log; do
    mount -t tmpfs -o mode=755 nuce "$new/$folder"
done
chmod 1777 "$new/tmp" "$new/var/tmp"
mount -t proc nuce "$new/proc"
mount -t sysfs nuce "$new/sys"
mount -t tmpfs -o mode=755 nuce "$new/dev"
mkdir "$new/dev/pts" "$new/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 nuce "$new/dev/pts"
mount -t tmpfs -o mode=1777 nuce "$new/dev/shm"
for device in null zero full random urandom tty; do
    : >"$new/dev/$device"
    mount --bind "/dev/$device" "$new/dev/$device"
done
ln -s pts/ptmx "$new/dev/ptmx"
ln -s /proc/self/fd "$new/dev/fd"
for stream in 0.stdin 1.stdout 2.stderr; do
    ln -s "/proc/self/fd/${stream%.*}" "$new/dev/${stream#*.}"
done

while [ "$1" != -- ]; do
    if [ -d "$1" ]; then
        mkdir -p "$new$2"
    else
        : >"$new$2"
    fi
    mount --rbind "$1" "$new$2"
    shift 2
done
shift

cd "$new"
mkdir -p mnt/old
pivot_root . mnt/old
cd /
umount -l /mnt/old
exec "$@"
