#!/bin/sh
# nuce bundle, verify and import: the same bytes twice, every flipped one found and its file named,
# and the same tables elsewhere.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

mkdir "$work/tmp"
export TMPDIR="$work/tmp"

# gone PATH...: a refused bundle left nothing.
gone() {
    for path in "$@"; do
        [ ! -e "$path" ] || fail "$path is there"
    done
}

for name in first second; do
    small "$name"
    expect 0 launch run "$name.yaml"
done
cat >model.yaml <<'EOF'
name: model
workload: redistribute
ranks: [4]
sweep: {schedule: [direct, greedy], elements: 4000, block: 2, factor: [3, 7], bandwidth: 10e6..200e6, instances: 3}
EOF
cp "$programs/nuce-model" "$work/bin/"
expect 0 nuce run model.yaml --modelled

# The same bytes for any file name, at any time, and for each way to name the campaign.
expect 0 nuce bundle first.1
says stderr "1 campaign, 12 points, 12 runs in 2 record files"
same "SHA-256" "$(cut -d ' ' -f 1 "$work/stdout")" "$(sha256sum first.1.tar.gz | cut -d ' ' -f 1)"
touch campaigns/first.1/*
(cd / && expect 0 nuce bundle "$work/here/campaigns/first.1/" --output "$work/here/again.tar.gz")
cmp first.1.tar.gz again.tar.gz
refuses "exists: remove it" nuce bundle first.1
expect 2 nuce bundle nobody
for option in --anonymous --sign=key; do
    refuses "${option%=*}: removed: " nuce bundle first.1 "$option"
done
refuses "ssh-keygen -Y verify" nuce verify first.1.tar.gz --signers people
refuses "name it by --output" nuce bundle first.1 second.1
expect 2 nuce bundle first.1 first.1 --output twice.tar.gz
expect 1 nuce bundle first.1 --output nowhere/first.tar.gz
gone twice.tar.gz nowhere
expect 0 nuce bundle second.1 model.1 first.1 --output all.tar.gz
expect 0 nuce bundle first.1 model.1 second.1 --output ordered.tar.gz
cmp all.tar.gz ordered.tar.gz

# Others read it too.
mkdir unpacked
tar -C unpacked -xzf first.1.tar.gz
(cd unpacked/nuce-bundle && sha256sum --quiet --strict -c SHA256SUMS)
cmp unpacked/nuce-bundle/campaigns/first.1/plan.jsonl campaigns/first.1/plan.jsonl
for bundle in first.1.tar.gz all.tar.gz; do
    prints "intact and valid: " nuce verify "$bundle"
done
prints '"intact":true,"valid":true,"campaigns":3,' nuce verify all.tar.gz --format json
expect 2 nuce verify nothing.tar.gz
refuses "a folder, expected an archive" nuce verify unpacked
expect 2 nuce verify first.1.tar.gz --format csv

# flip FILE OFFSET: changes one bit.
flip() {
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    printf '%b' "\\0$(printf %o $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>"$work/dd"
}
# packed: packs the unpacked files again and verifies the archive.
packed() {
    tar -C unpacked -czf packed.tar.gz nuce-bundle
    nuce verify packed.tar.gz "$@"
}
# Every file is named when a byte of it changes, is missing or extra, and nothing is imported.
for file in SHA256SUMS campaigns/first.1/campaign.json campaigns/first.1/plan.jsonl \
    campaigns/first.1/records/0002.jsonl campaigns/first.1/sweep.yaml; do
    cp "unpacked/nuce-bundle/$file" safe
    flip "unpacked/nuce-bundle/$file" 70
    expect 1 packed
    [ "$file" = SHA256SUMS ] || says stdout "altered: $file: SHA-256 is "
    says stdout "packed.tar.gz: altered"
    expect 2 nuce import packed.tar.gz --campaigns elsewhere --database else.db
    says stderr "altered, or not a bundle: nothing is imported"
    gone elsewhere else.db
    rm "unpacked/nuce-bundle/$file"
    expect 1 packed --format json
    says stdout "\"problem\":\"$file: missing"
    says stdout '"intact":false,"valid":null,'
    cp safe "unpacked/nuce-bundle/$file"
done
expect 0 packed
echo more >unpacked/nuce-bundle/campaigns/first.1/records/more.jsonl
expect 1 packed
says stdout "altered: campaigns/first.1/records/more.jsonl: extra"
rm unpacked/nuce-bundle/campaigns/first.1/records/more.jsonl

# Each changed byte and each cut of the archive is found, unless it does not matter (gzip's header, its checksum of
# files that have their own, padding): then all files are unchanged. same_or_altered ARCHIVE: says which in $altered.
same_or_altered() {
    altered=0
    nuce verify "$1" >"$work/stdout" 2>&1 || altered=$?
    rm -rf some some.db
    if [ "$altered" = 0 ]; then
        expect 0 nuce import "$1" --campaigns some --database some.db
        diff -r some/first.1 good/first.1
    else
        # A changed distance of Deflate's may copy the head of another file: that one then exists twice.
        case $altered in
        1) says stdout "altered: " ;;
        2) says stdout "refused: " ;;
        *) fail "verify of $1 ended with $altered" ;;
        esac
        altered=1
        expect 2 nuce import "$1" --campaigns some --database some.db
        gone some some.db
    fi
}
expect 0 nuce import first.1.tar.gz --campaigns good --database good.db
bytes=$(wc -c <first.1.tar.gz)
at=0
found=0
while [ "$at" -lt "$bytes" ]; do
    cp first.1.tar.gz flipped.tar.gz
    flip flipped.tar.gz "$at"
    same_or_altered flipped.tar.gz
    found=$((found + altered))
    [ "$at" -lt 10 ] || at=$((at + bytes / 16))
    at=$((at + 1))
done
[ "$found" -ge 16 ] || fail "only $found flipped bytes of about 20 were found"
for cut in 0 1 9 10 100 $((bytes / 2)); do
    head -c "$cut" first.1.tar.gz >cut.tar.gz
    expect 1 nuce verify cut.tar.gz
    says stdout "altered: "
    [ "$cut" -lt 100 ] || says stdout "the archive is damaged here"
    expect 2 nuce import cut.tar.gz --campaigns elsewhere --database else.db
done
for cut in $((bytes - 9)) $((bytes - 1)); do
    head -c "$cut" first.1.tar.gz >cut.tar.gz
    same_or_altered cut.tar.gz
done
cp first.1.tar.gz flipped.tar.gz
flip flipped.tar.gz $((bytes / 2))
refuses "nothing is imported" nuce import flipped.tar.gz --campaigns elsewhere --database else.db
gone elsewhere else.db

# Imported elsewhere: the same rows, and the same table of them.
expect 0 nuce collect
dump nuce.db >whole
expect 0 nuce table quick
cp "$work/stdout" wanted
expect 0 nuce import all.tar.gz --campaigns elsewhere --database else.db
says stderr "model.1: imported"
dump else.db | cmp - whole
expect 0 nuce table quick --database else.db
cmp "$work/stdout" wanted
cmp elsewhere/first.1/sweep.yaml campaigns/first.1/sweep.yaml
same "folders" "$(find elsewhere -mindepth 1 -maxdepth 1 | sort | tr '\n' ' ')" \
    "elsewhere/first.1 elsewhere/model.1 elsewhere/second.1 "
expect 0 nuce bundle first.1 --campaigns elsewhere --output back.tar.gz
cmp first.1.tar.gz back.tar.gz
expect 0 nuce import all.tar.gz --campaigns elsewhere --database else.db
says stderr "first.1: already there, identical"
dump else.db | cmp - whole
# Import beside existing campaigns, and into a database of the user's.
mkdir other
cp -r campaigns/second.1 other/
expect 0 nuce collect --campaigns other --database other.db
expect 0 nuce import first.1.tar.gz --campaigns other --database other.db
expect 0 nuce collect first.1 --database both.db
expect 0 nuce collect second.1 --database both.db
dump both.db >both
dump other.db | cmp - both
prints "first.1, imported" nuce status first.1 --campaigns other
refuses "is not run here" launch resume first.1 --campaigns other
# The database has another campaign of that name: nothing is left that could not be collected.
mkdir late
cp -r campaigns/first.1 late/
sed -i 's/"created": *"20/"created": "19/' late/first.1/campaign.json
expect 0 nuce collect --campaigns late --database late.db
refuses "is not the first.1 in " nuce import first.1.tar.gz --campaigns later --database late.db
gone later
# The newest campaign is the one made last, not the one imported last.
same "newest" \
    "$(find elsewhere -name plan.jsonl -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2)" \
    elsewhere/model.1/plan.jsonl

# A campaign of the name that is another one stays as it is, and so does all else.
for change in "echo >>others/first.1/sweep.yaml" "rm others/first.1/records/0002.jsonl" \
    "cp campaigns/second.1/records/0001.jsonl others/first.1/records/0003.jsonl"; do
    rm -rf others
    mkdir others
    cp -r campaigns/first.1 others/
    sh -c "$change"
    cp -r others kept
    refuses "others/first.1: a different campaign of this name exists (campaigns/first.1/" nuce import all.tar.gz --campaigns others --database others.db
    says stderr "import into another folder and database with --campaigns DIR --database FILE"
    diff -r others kept
    rm -rf kept
    gone others.db
done

# Bundles that are intact but not valid are distinguished, and imported only with --invalid.
# invalid NAME SED-EXPRESSION FILE TEXT
invalid() {
    rm -rf damaged
    mkdir damaged
    cp -r campaigns/first.1 damaged/
    edit_records "$2" "damaged/first.1/$3"
    expect 0 nuce bundle first.1 --campaigns damaged --output "$1.tar.gz"
    says stderr "not valid, as said above"
    expect 1 nuce verify "$1.tar.gz"
    says stdout "$4"
    says stdout "$1.tar.gz: intact, not valid"
    expect 1 nuce verify "$1.tar.gz" --format json
    says stdout '"intact":true,"valid":false,'
    expect 2 nuce import "$1.tar.gz" --campaigns "$1" --database "$1.db"
    gone "$1" "$1.db"
}
invalid point '/"record":"run"/s/"item-bytes":32/"item-bytes":33/' records/0001.jsonl "is not the SHA-256 of"
invalid status '0,/"status":"ok"/s//"status":"well"/' records/0001.jsonl "unknown status 'well'"
invalid campaign '/"record":"run"/s/"campaign":"first.1"/"campaign":"last.1"/' records/0001.jsonl \
    "a run of campaign 'last.1'"
invalid job '/"record":"job"/d' records/0001.jsonl "records/0001.jsonl: no record describes job"
# A digit that a disk or a transfer altered before the bundle was made.
rm -rf damaged
mkdir damaged
cp -r campaigns/first.1 damaged/
sed -i '3s/"step":\[0\.0/"step":[0.1/' damaged/first.1/records/0001.jsonl
cmp -s campaigns/first.1/records/0001.jsonl damaged/first.1/records/0001.jsonl && fail "nothing was altered"
expect 0 nuce bundle first.1 --campaigns damaged --output digit.tar.gz
expect 1 nuce verify digit.tar.gz
says stdout "invalid: campaigns/first.1/records/0001.jsonl:3:1: damaged"
expect 2 nuce import digit.tar.gz --campaigns digit --database digit.db
rm -rf damaged
mkdir damaged
cp -r campaigns/first.1 damaged/
printf '{"record":"run","ver' >>damaged/first.1/records/0001.jsonl
expect 0 nuce bundle first.1 --campaigns damaged --output torn.tar.gz
expect 1 nuce verify torn.tar.gz
says stdout "invalid: campaigns/first.1/records/0001.jsonl: torn"
expect 0 nuce import torn.tar.gz --campaigns torn --database torn.db --invalid
same "runs" "$(value 'SELECT count(*) FROM run' torn.db)" 12
# A plan that is damaged, with checksums to match.
sed -i '12s/$/,/' unpacked/nuce-bundle/campaigns/first.1/plan.jsonl
(cd unpacked/nuce-bundle && find campaigns -type f | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
expect 1 packed
says stdout "invalid: campaigns/first.1/plan.jsonl:12:"
says stdout "packed.tar.gz: intact, not valid"

# While somebody writes records there is nothing to bundle. It holds the lock itself, so that killing it ends it.
flock --no-fork campaigns/second.1/records/0001.jsonl sleep 600 &
holder=$!
while flock -n -s campaigns/second.1/records/0001.jsonl true; do
    sleep 0.1
done
gives_up "still writing records" nuce bundle second.1
kill "$holder"
gone second.1.tar.gz

# Interrupted half way, or killed: nothing is left, or nothing that the next import does not remove.
mkfifo pipe
for signal in TERM KILL; do
    "$work/bin/nuce" import pipe --campaigns stopped --database stopped.db 2>"$work/said" &
    importer=$!
    {
        head -c $((bytes / 2)) first.1.tar.gz
        while [ -z "$(find stopped -name '.nuce-bundle-*' 2>/dev/null)" ]; do
            sleep 0.1
        done
        kill -s "$signal" "$importer"
        tail -c +$((bytes / 2 + 1)) first.1.tar.gz
    } >pipe 2>"$work/writer" || true
    status=0
    wait "$importer" || status=$?
    if [ "$signal" = TERM ]; then
        same "exit status" "$status" 75
        gone stopped
    fi
    gone stopped.db
done
expect 0 nuce import first.1.tar.gz --campaigns stopped --database stopped.db
same "folders" "$(ls -A stopped)" first.1
same "left by verify" "$(ls -A "$TMPDIR")" ""
