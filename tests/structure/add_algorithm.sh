#!/bin/sh
# add_algorithm.sh SOURCE-FOLDER MPIEXEC: what CONTRIBUTING.md says about adding an algorithm, done
# to the letter in a copy of the tree: its file, its line for CMake, its row. Nothing else changes,
# and the programs and the tests that loop over the registry have it.
set -eu

source_folder=$1
mpiexec=$2
name=reverse
if ! git -C "$source_folder" rev-parse --git-dir >/dev/null 2>&1; then
    echo "skipped: not a git working copy" >&2
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$source_folder"
git ls-files -z | xargs -0 tar cf "$folder/tree.tar"
cd "$folder"
mkdir tree
tar xf tree.tar -C tree
cd tree

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# The block of code after the line that says which file it is.
awk -v file="kernels/schedules/$name.c" '
    index($0, "`" file "`") { found = 1 }
    found && /^```/ { if (inside) exit; inside = 1; next }
    inside { print }' CONTRIBUTING.md >"kernels/schedules/$name.c"
grep -q "nuce_schedule_$name" "kernels/schedules/$name.c" ||
    fail "CONTRIBUTING.md has no code for kernels/schedules/$name.c"

# The line and the row, as they are given there: `FILE`: `TEXT`.
given() {
    sed -n "s|.*\`$1\`: \`\(.*\)\`\$|\1|p" CONTRIBUTING.md
}
line=$(given kernels/schedules/CMakeLists.txt)
row=$(given kernels/schedules/schedules.def)
[ -n "$line" ] || fail "CONTRIBUTING.md has no line for CMake"
[ -n "$row" ] || fail "CONTRIBUTING.md has no row for schedules.def"
sed -i "s|^\( *\)registry\.c|\1$line\n&|" kernels/schedules/CMakeLists.txt
echo "$row" >>kernels/schedules/schedules.def

cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug -DNUCE_WERROR=ON >configured 2>&1 || {
    cat configured >&2
    fail "cmake"
}
cmake --build build -j 2 --target nuce nuce-exchange test_property_schedules >built 2>&1 || {
    cat built >&2
    fail "build"
}
build/bin/nuce list algorithms --format csv | grep -q "^$name," || fail "nuce list does not show it"
"$mpiexec" -n 3 build/bin/nuce-exchange --algorithm ac,$name --pattern uniform --density 2 \
    --unit 1KiB --min 2 --max 4 --format json >ran || fail "nuce-exchange"
grep "\"algorithm\":\"$name\"" ran | grep -q '"status":"ok"' || fail "its run is not ok"
build/bin/test_property_schedules >tested 2>&1 || {
    cat tested >&2
    fail "property.schedules"
}

# The tree's own rules hold too, and only the two files differ.
for check in registries layers; do
    sh tests/structure/structure.sh "$check" "$PWD" "$PWD/build" || fail "structure.$check"
done
rm -rf build configured built ran tested
mkdir ../before
tar xf ../tree.tar -C ../before
diff -rq ../before . >../differing || true
[ "$(wc -l <../differing)" -eq 3 ] || {
    cat ../differing >&2
    fail "more than a file, a line and a row has changed"
}
