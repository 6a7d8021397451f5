#!/bin/sh
# count-lines.sh [REVISION]: prints the size of the tree, to compare revisions; without REVISION,
# that of the working copy.
#
# C is *.c, *.h and *.inc in kernels, harness and db. A line is code, comment or blank; one with
# both code and a comment is code. A function's length counts from its first line to its last
# brace, both included. Test lines are those of tests without tests/bench, in C, shell and Python.
set -eu
cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    git archive "$1" kernels harness db tests >"$folder/tree.tar"
    tar xf "$folder/tree.tar" -C "$folder"
    cd "$folder"
fi

c_files() {
    find kernels harness db -type f \( -name '*.c' -o -name '*.h' -o -name '*.inc' \) | sort
}

# "by its start" counts every line that starts with "*" as a comment, even "*result = 0;": an
# earlier goal used this rule. The other two numbers are correct.
# shellcheck disable=SC2046 # one word a file
lines() {
    awk '
        FNR == 1 { inside = 0 }
        { total++ }
        /^[ \t]*$/ { blank++; next }
        {
            comment = inside || /^[ \t]*(\/\*|\/\/)/
            by_start += comment || /^[ \t]*\*/
            exact += comment
            rest = $0
            gsub(/"([^"\\]|\\.)*"/, "", rest)
            gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", rest)
            if (inside)
                inside = rest !~ /\*\//
            else
                inside = rest ~ /\/\*/
        }
        END {
            some = total - blank
            printf "C lines                               %6d\n", total
            printf "  of code                             %6d\n", some - exact
            printf "  of comment                          %6d   %4.1f %% of those not blank\n",
                exact, 100 * exact / some
            printf "  of code, by its start               %6d\n", some - by_start
            printf "  of comment, by its start            %6d   %4.1f %%\n", by_start,
                100 * by_start / some
        }' $(c_files)
}

# shellcheck disable=SC2046 # one word a file
functions() {
    awk '
        FNR == 1 { open = 0 }
        /^[A-Za-z]/ { first = FNR }
        /^\{/ { open = first }
        /^\}/ && open { print FNR - open + 1; open = 0 }' $(c_files) | sort -n |
        awk '{ length_of[NR] = $1 }
        END {
            printf "functions                             %6d   median %d, 90 %% up to %d, longest %d lines\n",
                NR, length_of[int((NR + 1) / 2)], length_of[int((9 * NR + 9) / 10)], length_of[NR]
        }'
}

test_lines() {
    c=$(c_files | tr '\n' '\0' | xargs -0 cat | wc -l)
    tests=$(find tests -path tests/bench -prune -o -type f \
        \( -name '*.c' -o -name '*.h' -o -name '*.sh' -o -name '*.py' \) -exec cat {} + | wc -l)
    awk -v tests="$tests" -v c="$c" 'BEGIN {
        printf "test lines                            %6d   %4.2f for each line of C\n", tests, tests / c }'
}

lines
functions
test_lines
