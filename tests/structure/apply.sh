#!/bin/sh
# apply.sh SOURCE-FOLDER OUTPUT-FOLDER: does what CONTRIBUTING.md says about adding things, to the
# letter: writes each file that is new or changes to OUTPUT-FOLDER and its name to standard output. What it
# looks for in the document:
#     `FILE`, a new file:                    and the next block of code
#     one line in `FILE`: `TEXT`             into the list of files there
#     one row in `FILE`: `TEXT`              as the last row there
# shellcheck disable=SC2016 # the backticks are the document's
set -eu
source_folder=$1
output=$2
document=$source_folder/CONTRIBUTING.md

fail() {
    echo "CONTRIBUTING.md: $*" >&2
    exit 1
}

# changed FILE: it, in the output, as it is in the tree or was changed already.
changed() {
    [ -e "$output/$1" ] && return
    [ -f "$source_folder/$1" ] || fail "there is no $1"
    mkdir -p "$(dirname "$output/$1")"
    cp "$source_folder/$1" "$output/$1"
    echo "$1"
}

rm -rf "$output"
mkdir -p "$output"
sed -n 's/^[0-9.]* *`\([^`]*\)`, a new file:$/\1/p' "$document" | while read -r file; do
    [ ! -e "$source_folder/$file" ] || fail "$file is there already"
    mkdir -p "$(dirname "$output/$file")"
    awk -v line="\`$file\`, a new file:" '
        index($0, line) { found = 1 }
        found && /^```/ { if (inside) exit; inside = 1; next }
        inside { print }' "$document" >"$output/$file"
    [ -s "$output/$file" ] || fail "no code for $file"
    echo "$file"
done

# given WHAT: lines "FILE TEXT".
given() {
    sed -n "s|.*one $1 in \`\([^\`]*\)\`: \`\(.*\)\`\$|\1 \2|p" "$document"
}
given line | while read -r file text; do
    changed "$file"
    # Before the first file that comes later in the alphabet.
    awk -v text="$text" '
        !done && /^    [a-z_0-9]+[.]c/ && $1 > text { print "    " text; done = 1 }
        { print }' "$output/$file" >"$output/new"
    mv "$output/new" "$output/$file"
    grep -qxF "    $text" "$output/$file" || fail "no place for '$text' in $file"
done
given row | while read -r file text; do
    changed "$file"
    printf '%s\n' "$text" >>"$output/$file"
done
