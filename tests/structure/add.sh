#!/bin/sh
# add.sh SOURCE-FOLDER BUILD-FOLDER EXAMPLE-FOLDER MPIEXEC: what CONTRIBUTING.md says about adding
# things works end to end. EXAMPLE-FOLDER holds the files that it makes new or changes (apply.sh), the
# programs made with them (CMakeLists.txt) in bin, and tests that loop over the registries.
set -eu

source_folder=$1
build=$2
example=$3
mpiexec=$4
name=reverse
if ! git -C "$source_folder" rev-parse --git-dir >/dev/null 2>&1; then
    echo "skipped: not a git working copy" >&2
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# More than what the document says has not been done to the tree, and its rules hold with it.
mkdir tree
git -C "$source_folder" ls-files -z | (cd "$source_folder" && xargs -0 tar cf -) | tar xf - -C tree
sh "$source_folder/tests/structure/apply.sh" "$source_folder" applied >files
diff -r applied "$example/applied" || fail "the example was made of another document"
cp -r applied/. tree
for check in registries layers; do
    sh tree/tests/structure/structure.sh "$check" "$folder/tree" "$build" || fail "structure.$check"
done
if command -v clang-format-14 >/dev/null; then
    find applied -name '*.[ch]' -exec clang-format-14 --style="file:$source_folder/.clang-format" \
        --dry-run --Werror {} + || fail "structure.format"
fi
echo "files:"
cat files
same_files() { # TEXT WANTED...: the files whose name contains it
    [ "$(grep -c "$1" files)" = "$2" ] || fail "not $2 files for $1"
}
same_files schedules 3

# A schedule: list, run and model have it.
"$example/bin/nuce" list schedules --format csv | grep -q "^$name," || fail "nuce list does not show it"
"$mpiexec" -n 3 "$example/bin/nuce-exchange" --schedule ac,$name --pattern uniform --density 2 \
    --unit 1KiB --min 2 --max 4 --format json >ran || fail "nuce-exchange"
grep "\"schedule\":\"$name\"" ran | grep -q '"status":"ok"' || fail "its run is not ok"
"$example/bin/nuce-model" schedule --schedule "$name" --pattern uniform --ranks 8 --density 2 --unit 1KiB \
    --format json >modelled || fail "nuce-model"
grep -q "\"schedule\":\"$name\"" modelled || fail "it is not modelled"
"$example/bin/test_property_schedules" >tested 2>&1 || {
    cat tested >&2
    fail "property.schedules"
}
