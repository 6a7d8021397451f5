#!/bin/sh
# Bundles that name nobody, and bundles that somebody vouches for.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

mkdir "$work/tmp" "$work/mallory"
export TMPDIR="$work/tmp"
printf '3 2\n2\n1 3\n2\n' >"$work/mallory/my.graph"
cat >mine.yaml <<EOF
# mallory's
name: mine
workload: exchange
ranks: 2
sweep: {schedule: [ac, lp], mesh: $work/mallory/my.graph, unit: [16B, 32B]}
measure: {launches: 2, limit: 10ms}
slurm: {account: mallory}
EOF
real_kernel nuce-exchange
expect 0 nuce run mine.yaml --database mine.db

# Names of hosts, users and folders are nowhere in it; points and samples are as they were.
expect 0 nuce bundle mine.1 --anonymous
says stderr "nuce: replaced: hosts "
same "SHA-256" "$(cut -d ' ' -f 1 "$work/stdout")" "$(sha256sum mine.1.tar.gz | cut -d ' ' -f 1)"
mkdir unpacked
tar -C unpacked -xzf mine.1.tar.gz
for name in mallory "$work" "$(uname -n)" "$(id -un)"; do
    ! grep -rqwF -- "$name" unpacked || fail "$name is in the bundle"
done
same "copies of the mesh" "$(find unpacked/nuce-bundle/campaigns/mine.1/inputs -name my.graph | wc -l)" 1
expect 0 nuce verify mine.1.tar.gz
says stdout "intact and valid: 1 campaign, 4 points, 8 runs in 2 record files; unsigned"
expect 0 nuce import mine.1.tar.gz --campaigns elsewhere --database else.db
query="SELECT point, status, found, started, wall_s FROM run ORDER BY point, started"
for database in mine else; do
    expect 0 nuce query "$query" --database $database.db --format csv
    mv "$work/stdout" $database.csv
done
cmp mine.csv else.csv
same "runs" "$(wc -l <mine.csv)" 9
expect 0 nuce query "SELECT DISTINCT value FROM job, json_each(job.facts, '$.hosts')" --database else.db \
    --format csv
says stdout node1

# The same bytes again; an input that names somebody is left out, and that is told.
expect 0 nuce bundle mine.1 --anonymous --output again.tar.gz
cmp mine.1.tar.gz again.tar.gz
mkdir "$work/eve"
{
    echo "% made on $(uname -n) in $work/eve"
    cat "$work/mallory/my.graph"
} >"$work/eve/named.graph"
sed "s|^name: .*|name: named|; s|$work/mallory/my.graph|$work/eve/named.graph|" mine.yaml >named.yaml
expect 0 nuce run named.yaml --database named.db
expect 0 nuce bundle named.1 --anonymous
says stderr "named.graph: left out: a host, a user or a path is in it"
expect 0 nuce verify named.1.tar.gz
# What is left out cannot be recomputed, and that makes nothing wrong.
expect 0 nuce verify named.1.tar.gz --recompute
says stdout "of 8 runs nothing can be"
says stderr "a file that its points name is not in the bundle"
# Compressed text is read; what is no text is left out; neither is judged by its compressed bytes.
gzip -c "$work/eve/named.graph" >"$work/eve/packed.graph.gz"
gzip -c "$work/mallory/my.graph" >"$work/mallory/plain.graph.gz"
for file in eve/packed mallory/plain; do
    sed "s|^name: .*|name: ${file#*/}|; s|$work/mallory/my.graph|$work/$file.graph.gz|" mine.yaml >gz.yaml
    expect 0 nuce run gz.yaml --database gz.db
done
expect 0 nuce bundle packed.1 --anonymous
says stderr "packed.graph.gz: left out: a host, a user or a path is in it"
expect 0 nuce bundle plain.1 --anonymous
! grep -q "left out" "$work/stderr" || fail "a mesh that names nobody is left out"
# A name that is part of what a point is: nothing is made.
sed "s|^name: .*|name: told|; s|unit: \[|environment: {WHERE: [$work/eve/named.graph]}, unit: [|" mine.yaml >told.yaml
expect 0 nuce run told.yaml --database told.db
expect 2 nuce bundle told.1 --anonymous
says stderr "names a host, a user or a path and is part of what a point is"
[ ! -e told.1.tar.gz ] || fail "a bundle that names somebody is there"
expect 2 nuce bundle mine.1 mine.1 --anonymous --output twice.tar.gz
says stderr "mine.1: named twice"
cp "$programs/nuce-model" "$work/bin"
expect 0 nuce run named.yaml --modelled --database named.db
expect 0 nuce bundle named.2 --anonymous
rm -rf unpacked
mkdir unpacked
tar -C unpacked -xzf named.2.tar.gz
! grep -rqwF -- "$(uname -n)" unpacked || fail "the host is in the bundle of a model"
expect 2 nuce bundle nobody --anonymous
[ -z "$(ls -A "$TMPDIR")" ] || fail "something is left in $TMPDIR"

# A signature: whose, of another, none, and of other files.
for who in alice bob; do
    ssh-keygen -q -t ed25519 -N "" -C "" -f "$work/$who"
    echo "$who@site $(cat "$work/$who.pub")" >"$work/$who.signers"
done
expect 2 nuce bundle mine.1 --output signed.tar.gz --sign "$work/nokey"
says stderr "nokey: cannot sign: "
[ ! -e signed.tar.gz ] || fail "a bundle that could not be signed is there"
expect 0 nuce bundle mine.1 --anonymous --output signed.tar.gz --sign "$work/alice"
expect 0 nuce verify signed.tar.gz
says stdout "; signed with ED25519 key SHA256:"
expect 0 nuce verify signed.tar.gz --signers "$work/alice.signers"
says stdout "; signed by alice@site, ED25519 key SHA256:"
expect 0 nuce verify signed.tar.gz --signers "$work/alice.signers" --format json
says stdout '"signer":"alice@site"'
expect 1 nuce verify signed.tar.gz --signers "$work/bob.signers"
says stdout "not of a signer in $work/bob.signers"
says stdout "signed.tar.gz: intact, not valid: "
expect 1 nuce verify mine.1.tar.gz --signers "$work/alice.signers"
says stdout "invalid: unsigned"
expect 2 nuce verify signed.tar.gz --signers nofile
# Without ssh-keygen nothing is known of the signature, and nothing is called altered.
mkdir "$work/few"
for program in sh cat; do
    ln -s "$(command -v $program)" "$work/few/$program"
done
PATH="$work/few" expect 1 "$work/bin/nuce" verify signed.tar.gz
says stderr "ssh-keygen cannot be started"
# A key that may sign for something else is nobody's here.
sed 's/ ssh-/ namespaces="git" ssh-/' "$work/alice.signers" >"$work/git.signers"
expect 1 nuce verify signed.tar.gz --signers "$work/git.signers" --format json
says stdout '"signer":null'
expect 0 nuce import signed.tar.gz --campaigns signed --database signed.db
# Checksums made to fit do not deceive: the signature is of other ones.
rm -rf unpacked
mkdir unpacked
tar -C unpacked -xzf signed.tar.gz
(
    cd unpacked/nuce-bundle
    ssh-keygen -Y check-novalidate -n nuce-bundle -s SHA256SUMS.sig <SHA256SUMS >/dev/null
    echo "# more" >>campaigns/mine.1/sweep.yaml
    find campaigns -type f | LC_ALL=C sort | xargs sha256sum >SHA256SUMS
)
tar -C unpacked -czf forged.tar.gz nuce-bundle
expect 1 nuce verify forged.tar.gz
says stdout "altered: SHA256SUMS.sig: "
expect 2 nuce import forged.tar.gz --campaigns forged --database forged.db
[ ! -e forged ] || fail "a forged bundle was imported"
