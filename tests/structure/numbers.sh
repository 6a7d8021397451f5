#!/bin/sh
# The size of the tree, by room: numbers.sh [SOURCE-FOLDER]. Counts what git tracks; nothing is built.
#
# code: lines of C that are neither blank nor comment. once: static functions whose name stands twice in their
# file, defined and used, so that one call or one row of a table is all that uses them. An arrow is a room that
# includes a header of another room.
set -eu
cd "${1:-$(dirname "$0")/../..}"
export LC_ALL=C

# code FILE...: "FILE LINES" of each, without blanks and comments.
code() {
    awk '
    FNR == 1 { if (file != "") print file, lines; file = FILENAME; lines = 0; inside = 0 }
    {
        line = $0
        kept = ""
        while (line != "") {
            if (inside) {
                at = index(line, "*/")
                if (at == 0) break
                line = substr(line, at + 2)
                inside = 0
                continue
            }
            if (match(line, /"([^"\\]|\\.)*"|\/\*|\/\//) == 0) { kept = kept line; break }
            found = substr(line, RSTART, RLENGTH)
            kept = kept substr(line, 1, RSTART - 1)
            line = substr(line, RSTART + RLENGTH)
            if (found == "//") break
            if (found == "/*") inside = 1
            else kept = kept found
        }
        gsub(/[ \t\r]/, "", kept)
        lines += kept != ""
    }
    END { if (file != "") print file, lines }' "$@"
}

# once FILE...: "FILE NUMBER" of static functions that their file names twice.
once() {
    awk '
    function tell(  name, number) {
        for (name in is_static) number += seen[name] == 2
        if (file != "") print file, number + 0
        split("", is_static)
        split("", seen)
    }
    FNR == 1 { tell(); file = FILENAME }
    /^static .*\(/ && !/;$/ && !/=/ {
        name = $0
        sub(/\(.*/, "", name)
        sub(/.*[ *]/, "", name)
        is_static[name] = 1
    }
    {
        text = $0
        while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
            seen[substr(text, RSTART, RLENGTH)]++
            text = substr(text, RSTART + RLENGTH)
        }
    }
    END { tell() }' "$@"
}

room() { # of "FILE NUMBER" lines: the room instead of the file
    sed -e 's|^\(kernels/[^/]*\)/[^ ]*|\1|; s|^\(harness/[^/]*\)/[^ ]*|\1|; s|^db/[^ ]*|db|'
}

list=$(mktemp)
trap 'rm -f "$list"' EXIT
git ls-files | grep -E '^(kernels|harness|db)/.*\.[ch]$' >"$list"

# shellcheck disable=SC2046,SC2126 # names in the tree have no blanks; a count over all files
{
    {
        code $(cat "$list") | room | sed 's/$/ code/'
        once $(grep '\.c$' "$list") | room | sed 's/$/ once/'
        sed 's/$/ 1 files/' "$list" | room
    } | awk '
        { sum[$1, $3] += $2; all[$3] += $2; rooms[$1] = 1 }
        END {
            for (r in rooms) printf "%-22s %6d code %5d files %5d once\n", r, sum[r, "code"], sum[r, "files"], sum[r, "once"] | "sort"
            close("sort")
            printf "%-22s %6d code %5d files %5d once\n", "all", all["code"], all["files"], all["once"]
        }'
    # A header's folder is its room's last name.
    grep -Ho '^#include "[a-z_]*/' $(cat "$list") | sed 's|:#include "| |; s|/$||' | room | awk '
        { to[NR] = $2; from[NR] = $1; rooms[$1] = 1 }
        END {
            for (r in rooms) { name = r; sub(/.*\//, "", name); home[name] = r; number++ }
            for (i = 1; i <= NR; i++)
                if ((to[i] in home) && home[to[i]] != from[i] && !((from[i], to[i]) in seen)) {
                    seen[from[i], to[i]]
                    arrows++
                }
            printf "rooms %d, arrows %d\n", number, arrows
        }'
    printf 'tests: %d lines of C code, %d of shell; files tracked: %d\n' \
        "$(code $(git ls-files tests | grep '\.[ch]$') | awk '{ n += $2 } END { print n }')" \
        "$(grep -hvE '^[[:space:]]*(#|$)' $(git ls-files tests test.sh quickstart.sh | grep '\.sh$') | wc -l)" \
        "$(git ls-files | wc -l)"
}
