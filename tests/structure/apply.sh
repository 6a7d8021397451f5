#!/bin/sh
# apply.sh SOURCE-FOLDER OUTPUT-FOLDER [WHAT...]: follows the recipes of CONTRIBUTING.md to the letter, except those
# for each WHAT: writes each file that is new or changes to OUTPUT-FOLDER, and to standard output, a line per file,
# WHAT FILE, where the document's heading is "## Adding a WHAT". It looks for the lines
#     N. `FILE`, a new file...               and the next block of code
#     N. in `FILE`, before `TEXT`...         the same: above the first line that begins so
#     N. one row in `FILE`: `TEXT`           as the last row there
# shellcheck disable=SC2016 # the backticks are the document's
set -eu
source_folder=$1
output=$2
shift 2
without=" $* "

fail() {
    echo "CONTRIBUTING.md: $*" >&2
    exit 1
}

# The file FILE in the output, as it is in the tree or was changed already.
take() { # FILE
    [ -e "$output/$1" ] && return
    [ -f "$source_folder/$1" ] || fail "there is no $1"
    mkdir -p "$(dirname "$output/$1")"
    cp "$source_folder/$1" "$output/$1"
}

# The steps of the document, each as lines "WHAT", KIND, FILE, TEXT and its block, which ends in END.
steps() {
    awk '
        function close_step() { if (kind != "") print "END"; kind = "" }
        /^## / { close_step(); what = ""; if (sub(/^## Adding an? /, "")) { what = $0; gsub(/ /, "-", what) } }
        what == "" { next }
        /^[0-9]+\. / {
            close_step()
            count = split($0, part, "`")
            if (part[3] ~ /^, a new file/) kind = "new"
            else if (part[1] ~ /[Ii]n $/ && part[3] ~ /^, before $/) kind = "before"
            else if (part[1] ~ /one row in $/) kind = "row"
            else next
            print what; print kind; print part[2]; print (count > 4 || kind == "row") ? part[4] : ""
            wanted = kind != "row"
            next
        }
        /^```/ { if (inside) { inside = wanted = 0 } else if (wanted && kind != "") inside = 1; next }
        inside { print "|" $0 }
        END { close_step() }' "$source_folder/CONTRIBUTING.md"
}

# Does one step; its block is in the file "block".
do_step() { # KIND FILE TEXT
    case $1 in
    new)
        if [ -e "$source_folder/$2" ] || [ -e "$output/$2" ]; then
            fail "$2 is there already"
        fi
        mkdir -p "$(dirname "$output/$2")"
        cp "$output/block" "$output/$2"
        ;;
    before)
        take "$2"
        TEXT=$3 awk -v block="$output/block" '
            { line = $0; sub(/^[ \t]*/, "", line) }
            !done && index(line, ENVIRON["TEXT"]) == 1 {
                while ((getline added <block) > 0)
                    print added
                done = 1
            }
            { print }
            END { exit !done }' "$output/$2" >"$output/new" || fail "$2: no line begins with '$3'"
        mv "$output/new" "$output/$2"
        ;;
    row)
        take "$2"
        printf '%s\n' "$3" >>"$output/$2"
        ;;
    esac
    [ "$1" = row ] || [ -s "$output/block" ] || fail "no code for $2"
}

rm -rf "$output"
mkdir -p "$output"
steps | while IFS= read -r what; do
    IFS= read -r kind
    IFS= read -r file
    IFS= read -r text
    : >"$output/block"
    while IFS= read -r line && [ "$line" != END ]; do
        printf '%s\n' "${line#|}" >>"$output/block"
    done
    case $without in *" $what "*) continue ;; esac
    do_step "$kind" "$file" "$text"
    echo "$what $file"
done
rm -f "$output/block"
