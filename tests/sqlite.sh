#!/bin/sh
# Database, tables, figures and comparisons with SQLite 3.34 of Debian 11 (RHEL 9 has the same), in the programs
# of build/ci: it takes the place of this machine's library. Exit status 77: no mirror answers.
set -eu
cd "$(dirname "$0")/.."
folder=$PWD/build/sqlite
command -v debootstrap >/dev/null || {
    echo "sqlite: left out: debootstrap is not installed" >&2
    exit 77
}
if [ ! -e "$folder/libsqlite3.so.0" ]; then
    mkdir -p "$folder"
    LC_ALL=C debootstrap --variant=minbase --download-only --include=libsqlite3-0 bullseye "$folder/root" \
        >"$folder/log" 2>&1 || {
        tail -n 5 "$folder/log" >&2
        exit 77
    }
    dpkg-deb -x "$folder"/root/var/cache/apt/archives/libsqlite3-0_*.deb "$folder/unpacked"
    cp -P "$folder"/unpacked/usr/lib/*/libsqlite3.so.0* "$folder"
    rm -rf "$folder/root" "$folder/unpacked"
fi
# Python's own module needs functions that this library lacks.
mkdir -p "$folder/bin"
printf '#!/bin/sh\nLD_LIBRARY_PATH= exec "%s" "$@"\n' "$(command -v python3)" >"$folder/bin/python3"
chmod +x "$folder/bin/python3"
LD_LIBRARY_PATH=$folder build/ci/bin/nuce doctor | grep -q '^sqlite  *ok  *3\.34' || {
    echo "sqlite: the programs do not take Debian 11's library" >&2
    exit 1
}
PATH=$folder/bin:$PATH LD_LIBRARY_PATH=$folder ctest --test-dir build/ci --timeout 3600 --output-on-failure \
    -R '^(unit\.(db|results|comparison)\..*|cli\.(arrays|arrays_tables|collect|compare|database|export|mapping|plots|report))$'
