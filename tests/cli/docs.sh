#!/bin/sh
# The documents agree with the programs: lists of keys and columns are those of the tables, every key has a topic,
# every column is documented, link targets exist, and lines fit.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
project=$here/../..
docs=$project/docs
mpiexec=$3

for page in sweep results; do
    sh "$project/cmake/key-tables.sh" "$programs/nuce" "$docs/$page.md" >made.md
    diff "$docs/$page.md" made.md ||
        fail "docs/$page.md is old: cmake/key-tables.sh NUCE docs/$page.md makes it anew"
done

# The pages have some of the lists; `nuce list` has the rest. Each key of a workload and of `measure` has its topic.
nuce list keys --format json >keys.json
sed -n '/"where":"[^"]*\(measure\|exchange\|redistribute\|stencil\)/s/.*"key":"\([^"]*\)".*/\1/p' keys.json | sort -u >its
[ -s its ] || fail "no keys"
# shellcheck disable=SC2016 # no commands
grep '^| ' "$docs/sweep.md" | grep -o '`[^`]*`' | tr -d '`' | sort -u >topics
missing=$(comm -13 topics its)
[ -z "$missing" ] || fail "docs/sweep.md: no topic for $missing"
sed -n '/"where":"the file itself"/s/.*"key":"\([^"]*\)".*/\1/p' keys.json >its
while read -r key; do
    grep -q "^$key: *" "$docs/sweep.md" || fail "docs/sweep.md: the first sweep has no key '$key'"
done <its
nuce list columns --format json >columns.json

# has_columns TABLE COLUMN... : each is listed, as one of the table or as a metric.
has_columns() {
    table=$1
    shift
    sed -n "s/.*\"table\":\"\($table\|metrics\)[\",].*\"column\":\"\([^\"]*\)\".*/\2/p" columns.json |
        tr ', ' '[\n*]' >its
    missing=$(printf '%s\n' "$@" | grep -vxFf its || true)
    [ -z "$missing" ] || fail "nuce list columns: nothing of $table: $missing"
}

small columns
expect 0 launch run columns.yaml
for view in result ratio best against standing launch_ratio round_ratio noise sample samples pooled_run disturbed \
    disturbed_run; do
    expect 0 nuce export "$view" --format csv
    # shellcheck disable=SC2046 # a word each
    has_columns "$view" $(head -n 1 "$work/stdout" | tr ',' ' ')
done
# So are the heads of the tables that programs print by hand: without the listed ones only the compared key is left.
# has_heads PROGRAM KEY OPTION...
has_heads() {
    program=$1
    left=" $2 "
    shift 2
    expect 0 "$mpiexec" -n 2 "$programs/$program" "$@"
    heads=" $(grep ' samples ' "$work/stdout" | tr -s ' ') "
    nuce list columns "$program" --format json | sed -n 's/.*"column":"\([^"]*\)".*/\1/p' |
        awk '{ print length, $0 }' | sort -rn | cut -d ' ' -f 2- >its
    heads=$(awk -v heads="$heads" '{ while ((i = index(heads, " " $0 " ")) > 0)
        heads = substr(heads, 1, i) substr(heads, i + length($0) + 2) } END { print heads }' its)
    same "heads of $program that 'nuce list columns' lacks, and its key" "$heads" "$left"
}
has_heads nuce-exchange schedule --schedule ac,lp --pattern uniform --degree 1 --seed 2
has_heads nuce-redistribute schedule --schedule ac,lp --elements 1000 --block 2 --factor 3
has_heads nuce-stencil decomposition --decomposition xy2,rb2 --rows 100 --columns 100
# If a topic is both a table and a column, each row names its table.
expect 0 nuce list columns ratio --format csv
same "tables with a ratio" "$(sed -n 's/,ratio,.*//p' "$work/stdout" | sed 's/"\(.*\), text"/\1/' |
    tr '\n' ' ')" \
    "explain ratio against launch_ratio round_ratio noise nuce-exchange nuce-redistribute nuce-stencil "
! grep -q '^metrics' "$work/stdout" || fail "a unit is taken for a topic"

# Output of programs (```text) may be wider.
for page in "$project"/README.md "$docs"/*.md "$docs"/*/*.md; do
    awk -v page="$page" '/^```/ { printed = /^```text/ } !printed && length > 120 { print page ": " $0; bad = 1 }
        END { exit bad }' "$page" || fail "lines of more than 120 characters"
    grep -o '](\([^)#]*\))' "$page" | sed 's/](\(.*\))/\1/' | grep -v '^http' | while read -r target; do
        [ -e "${page%/*}/$target" ] || fail "$page: no $target"
    done
done
[ "$(wc -l <"$project/README.md")" -le 140 ] || fail "README.md: more than 140 lines"
[ "$(wc -w <"$project/README.md")" -le 1000 ] || fail "README.md: more than 1000 words"

# The packages that nuce needs are those of the script that installs them.
sh "$project/cmake/install-dependencies.sh" --list | while IFS='|' read -r package words; do
    grep -qF "| $words | \`$package\` |" "$docs/how-to/install.md" || fail "docs/how-to/install.md: no '$words'"
done
