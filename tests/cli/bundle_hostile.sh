#!/bin/sh
# Hostile archives are refused with a message that names the entry, and make no file, neither in the folder of
# campaigns nor elsewhere.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

mkdir "$work/tmp"
export TMPDIR="$work/tmp"
small good
expect 0 launch run good.yaml
expect 0 nuce bundle good.1
tar -xzf good.1.tar.gz
echo alive >"$work/canary"
mkdir campaigns/kept
# All files here, except the folder from which archives are made.
there() {
    find . "$work/canary" -path ./nuce-bundle -prune -o -print | sort
}
there >"$work/before"

# refused TEXT: hostile.tar.gz is, by verify and by import.
refused() {
    gzip -c hostile.tar >hostile.tar.gz
    status=0
    nuce verify hostile.tar.gz >"$work/stdout" 2>"$work/stderr" || status=$?
    [ "$status" = 1 ] || [ "$status" = 2 ] || fail "verify of '$1' ended with $status"
    cat "$work/stdout" >>"$work/stderr"
    says stderr "$1"
    refuses "$1" nuce import hostile.tar.gz
    rm -f hostile.tar hostile.tar.gz
    there | cmp - "$work/before" || fail "'$1' left something"
    same "canary" "$(cat "$work/canary")" alive
    same "left by verify" "$(ls -A "$TMPDIR")" ""
}

# renamed FROM TO: an archive in which a file has another name.
renamed() {
    tar -cPf hostile.tar --transform "flags=r;s|^$1\$|$2|" nuce-bundle/SHA256SUMS \
        nuce-bundle/campaigns
    tar -tPf hostile.tar | grep -qxF -- "$2" || fail "tar did not take $2"
}
sums=nuce-bundle/SHA256SUMS
for name in "$work/canary" nuce-bundle/../../canary nuce-bundle-2/x "nuce-bundle/a b"; do
    renamed "$sums" "$name"
    refused "not a path of a bundle"
done
# An entry that is not a file, under a valid name.
link() {
    rm -f "$sums"
    "$@" "$sums"
    tar -cf hostile.tar nuce-bundle
    rm "$sums"
    tar -xzf good.1.tar.gz "$sums"
}
link ln -s "$work/canary"
refused "is not a regular file"
link ln nuce-bundle/campaigns/good.1/plan.jsonl
refused "is not a regular file"
link mkfifo
refused "is not a regular file"
if [ "$(id -u)" = 0 ]; then
    mknodc() { mknod "$1" c 1 3; }
    if mknod "$work/probe" c 1 3 2>"$work/said"; then
        link mknodc
        refused "is not a regular file"
    fi
fi
# A link, and a file that would be written through it.
ln -s "$work" nuce-bundle/campaigns/out
mkdir -p through/nuce-bundle/campaigns/out
cp "$work/canary" through/nuce-bundle/campaigns/out/
tar -cf hostile.tar nuce-bundle
tar -C through -rf hostile.tar nuce-bundle/campaigns/out/canary
rm -r nuce-bundle/campaigns/out through
refused "not a path of a bundle"
# Twice, also as a file and a folder.
tar -cf hostile.tar nuce-bundle
tar -rf hostile.tar "$sums"
refused "'SHA256SUMS' is there twice"
renamed nuce-bundle/campaigns/good.1/sweep.yaml "$sums/more"
refused "not a path of a bundle"
# Content that no bundle has, even if its own list names it.
echo "echo hello" >nuce-bundle/campaigns/good.1/start.sh
tar -cf hostile.tar nuce-bundle
refused "not a path of a bundle"
(cd nuce-bundle && sha256sum campaigns/good.1/start.sh >>SHA256SUMS)
tar -cf hostile.tar nuce-bundle
refused "not a path of a bundle"
rm nuce-bundle/campaigns/good.1/start.sh
tar -xzf good.1.tar.gz "$sums"
# Bombs: of many bytes, also such as are not in the file, and of many files.
head -c 8000000 /dev/zero >nuce-bundle/big
truncate -s 900G nuce-bundle/sparse
for file in big sparse; do
    tar -cSf hostile.tar "$sums" "nuce-bundle/$file"
    gzip -c hostile.tar >hostile.tar.gz
    refuses "unpacks to more than 1MiB" nuce verify hostile.tar.gz --limit 1MiB
    refuses "unpacks to more than 1MiB" nuce import hostile.tar.gz --limit 1MiB
done
rm nuce-bundle/big nuce-bundle/sparse hostile.tar hostile.tar.gz
expect 2 nuce verify good.1.tar.gz --limit much
awk 'BEGIN { for (i = 0; i < 100001; i++) print "nuce-bundle/" }' >"$work/names"
tar -cf hostile.tar --no-recursion -T "$work/names"
refused "100000 files"
# No archive at all.
echo hello >hostile.tar
refused "altered"
: >hostile.tar
refused "altered"
for file in /dev/null good.yaml nuce-bundle/SHA256SUMS; do
    expect 2 nuce import "$file"
done
expect 2 nuce import nuce-bundle
there | cmp - "$work/before"

# The good one, packed again by tar, is as good.
tar -czf again.tar.gz nuce-bundle
expect 0 nuce verify again.tar.gz
expect 0 nuce import again.tar.gz --campaigns else --database else.db

# A campaign of Slurm whose profile names a program in front of Slurm's (`via`).
fake_slurm
program "$work/via" <<EOF
#!/bin/sh
[ ! -e "$work/armed" ] || echo dead >"$work/canary"
exec "\$@"
EOF
echo "via: $work/via" >via.yaml
expect 0 nuce submit good.yaml --profile via.yaml
expect 0 nuce bundle good.2
expect 0 nuce import good.2.tar.gz --campaigns via --database via.db
point=$(sed -n '1s/.*"point":"\([0-9a-f]*\)".*/\1/p' via/good.2/plan.jsonl)
touch "$work/armed"
for subcommand in "status" "collect" "explain $point" "cancel" "resume" "status good.2" "resume good.2"; do
    # shellcheck disable=SC2086 # words
    "$work/bin/nuce" $subcommand --campaigns via >"$work/stdout" 2>&1 </dev/null || true
    same "canary after $subcommand" "$(cat "$work/canary")" alive
done
# The mark keeps the canary alive: to remove it is to trust the campaign.
rm via/good.2/imported
expect 0 nuce status --campaigns via
same "canary after status of what is trusted" "$(cat "$work/canary")" dead
