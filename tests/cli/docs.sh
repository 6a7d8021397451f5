#!/bin/sh
# The documents say what the programs say: lists of keys and results are those of the tables, every column
# of the views has its word, links lead somewhere, and lines fit.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
project=$here/../..
docs=$project/docs

for page in sweep results; do
    sh "$project/cmake/key-tables.sh" "$programs/nuce" "$docs/$page.md" >made.md
    diff "$docs/$page.md" made.md ||
        fail "docs/$page.md is old: cmake/key-tables.sh NUCE docs/$page.md makes it anew"
done

small columns
expect 0 launch run columns.yaml
for view in result ratio best against launch_ratio round_ratio noise sample samples; do
    expect 0 nuce export "$view" --format csv
    for column in $(head -n 1 "$work/stdout" | tr ',' ' '); do
        grep -q "\`$column\`" "$docs/results.md" || fail "docs/results.md: nothing of $view.$column"
    done
done

# What a program printed (```text) may be wider.
for page in "$project"/README.md "$docs"/*.md "$docs"/*/*.md; do
    awk -v page="$page" '/^```/ { printed = /^```text/ } !printed && length > 120 { print page ": " $0; bad = 1 }
        END { exit bad }' "$page" || fail "lines of more than 120 characters"
    grep -o '](\([^)#]*\))' "$page" | sed 's/](\(.*\))/\1/' | grep -v '^http' | while read -r target; do
        [ -e "$(dirname "$page")/$target" ] || fail "$page: no $target"
    done
done
[ "$(wc -l <"$project/README.md")" -le 140 ] || fail "README.md: more than 140 lines"
[ "$(wc -w <"$project/README.md")" -le 1000 ] || fail "README.md: more than 1000 words"

# What nuce is built from, as the script that installs it has it.
sh "$project/cmake/install-dependencies.sh" --list | while IFS='|' read -r package words; do
    grep -qF "| $words | \`$package\` |" "$docs/how-to/install.md" || fail "docs/how-to/install.md: no '$words'"
done
