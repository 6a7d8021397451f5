#!/bin/sh
# Prints a document with its lists of keys and columns replaced by nuce's: key-tables.sh NUCE DOCUMENT. A list
# is between a line <!-- nuce list WHAT WHERE --> and the next <!-- end -->; all other lines stay unchanged.
# A key ends with its default, else with the kind of its value. 'keys products' has the keys of all workloads.
# Columns of CSV alone are left to `nuce list columns`.
set -eu
nuce=$1
document=$2
lists=$(mktemp)
trap 'rm -f "$lists"' EXIT
"$nuce" list keys --format markdown | sed 's/^/keys /' >"$lists"
"$nuce" list columns --format markdown | sed 's/^/columns /' >>"$lists"

awk -v lists="$lists" '
# Prints a line of a list, wrapped to at most 118 characters.
function item(text,    words, count, i, line) {
    count = split(text, words, " ")
    line = "-"
    for (i = 1; i <= count; i++) {
        if (length(line) + 1 + length(words[i]) > 118) { print line; line = " " }
        line = line " " words[i]
    }
    print line
}
function plain(text) { gsub(/\\/, "", text); return text }
function print_list(what, where,    line, cell, of) {
    while ((getline line < lists) > 0) {
        if (line !~ "^" what " \\| " || line ~ /^[a-z]+ \| (---|where|table)/) continue
        sub("^" what " \\| ", "", line); sub(/ \|$/, "", line)
        split(plain(line), cell, / \| /)
        if (what == "columns") {
            if (index(cell[1] ",", where ",") == 1 && cell[1] !~ /, csv$/) {
                gsub(/, /, "`, `", cell[2])
                item("`" cell[2] "`" (cell[3] == "" ? "" : " (" cell[3] ")") ": " cell[4])
            }
        }
        else if (where == "products" ? cell[1] !~ /^(the file itself|measure|how processes are started)$/ : cell[1] == where) {
            of = where == "products" ? cell[1] ": " cell[3] (cell[4] == "" ? "" : "; default: " cell[4]) : \
                cell[4] == "" ? cell[3] : cell[4]
            item("`" cell[2] "`: " cell[5] " *(" of ")*")
        }
    }
    close(lists)
}
/^<!-- end -->$/ { skipping = 0 }
!skipping { print }
/^<!-- nuce list / {
    where = $0
    sub(/^<!-- nuce list [a-z]+ */, "", where); sub(/ *-->$/, "", where)
    print_list($4, where)
    skipping = 1
}' "$document"
