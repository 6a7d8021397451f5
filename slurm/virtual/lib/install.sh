#!/usr/bin/env bash
# Run in a fresh mount namespace: install.sh ROOT PACKAGE...
# Installs the packages into the root file system, without documentation, manual pages and locales.
set -eu
root=$1
shift

mount -t proc none "$root/proc"
mount --bind /dev "$root/dev"
# No daemon may start while packages are unpacked.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
printf 'path-exclude=/usr/share/%s/*\n' doc man locale >"$root/etc/dpkg/dpkg.cfg.d/small"

export DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin
chroot "$root" apt-get update -q
chroot "$root" apt-get install -y -q --no-install-recommends "$@"
chroot "$root" apt-get clean
rm -rf "$root"/var/lib/apt/lists/* "$root"/usr/share/doc/* "$root"/usr/share/man/* \
    "$root"/usr/share/locale/*
