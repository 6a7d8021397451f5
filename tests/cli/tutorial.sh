#!/bin/sh
# Runs the commands of docs/tutorial.md in a fresh folder, and compares what they print with what the page shows:
#   tutorial.sh PROGRAMS HERE [--write]     --write pastes it into the page instead
# Blocks of the page: `yaml` is a file, named by its first line, "# NAME"; `sh` is run, `sh not-run` is not; `text`
# behind it is its standard output, compared with numbers masked; a last line `...` stands for the rest of it. `text
# measured` is of a race, whose words depend on the machine: of it only the first words of the rows of tables are
# compared, in any order, and the commands may end with 1 or 3, the verdicts of compare.
set -eu
programs=$(cd "$1" && pwd)
here=$(cd "$2" && pwd)
page=$here/../../docs/tutorial.md
PATH=$programs:$PATH
export PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/blocks" "$work/fresh"
cd "$work/fresh"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# Each block becomes the file blocks/NNN.KIND: its text, without the fences.
awk -v folder="$work/blocks" '
    /^```/ && file != "" { close(file); file = ""; next }
    /^```/ { kind = substr($0, 4); gsub(/ /, "-", kind); file = sprintf("%s/%03d.%s", folder, ++n, kind)
             printf "" >file; next }
    file != "" { print >file }' "$page"

# Ids, times and counts are alike, with their units. How many processors there are is the machine's.
masked() {
    sed -E -e '/^processors /d' -e 's/[0-9a-f]{12,}/N/g' -e 's/[0-9][0-9.:TZ-]*( ?(ns|us|ms|s|B|KiB|MiB|GiB)\>)?/N/g' "$1"
}

# The first words of the rows of tables: each has a ratio with its interval, or is the reference or the head.
rows() {
    awk '/^[^ ].*(\[[0-9.]+, [0-9.]+\]|\(reference\)|\[95 %\])/ { print $1 }' "$1" | sort -u
}

# failed_not: commands whose output the page does not show have ended with 0.
failed_not() {
    [ "$status" = 0 ] || fail "$(cat "$commands"): exit status $status: $(cat "$work/stderr")"
}

commands=""
status=0
for block in "$work"/blocks/*; do
    name=$(basename "$block")
    case ${name#*.} in
    yaml)
        file=$(sed -n '1s/^# //p' "$block")
        [ -n "$file" ] || fail "$name: its first line does not name the file"
        cp "$block" "$file"
        ;;
    sh)
        failed_not
        commands=$block
        sh -e "$block" >"$work/stdout" 2>"$work/stderr" || status=$?
        ;;
    text | text-measured)
        [ -n "$commands" ] || fail "$name: there is no command before it"
        case ${name#*.}$status in
        text0 | text-measured[013]) ;;
        *)
            cat "$work/stdout" "$work/stderr" >&2
            fail "$(cat "$commands"): exit status $status"
            ;;
        esac
        status=0
        [ -s "$work/stdout" ] || fail "$(cat "$commands"): it prints nothing"
        sed 's/ *$//' "$work/stdout" >"$work/new"
        if [ "$(tail -n 1 "$block")" = ... ]; then
            sed -n "1,$(($(wc -l <"$block") - 1))p" "$work/new" >"$work/begin"
            echo ... | cat "$work/begin" - >"$work/new"
        fi
        if [ "${3:-}" = --write ]; then
            cp "$work/new" "$block"
        elif [ "${name#*.}" = text ]; then
            masked "$block" >"$work/page.masked"
            masked "$work/new" >"$work/new.masked"
            diff "$work/page.masked" "$work/new.masked" >&2 || fail "$page: $(cat "$commands") prints something else"
        else
            rows "$block" >"$work/page.rows"
            rows "$work/new" >"$work/new.rows"
            diff "$work/page.rows" "$work/new.rows" >&2 || fail "$page: $(cat "$commands") has other rows"
        fi
        ;;
    sh-not-run) ;;
    *) fail "$name: a block is yaml, sh, sh not-run, text or text measured" ;;
    esac
done
[ -n "$commands" ] || fail "$page: no commands"
failed_not

if [ "${3:-}" = --write ]; then
    awk -v folder="$work/blocks" '
        /^```/ && inside { inside = 0; print; next }
        /^```/ { kind = substr($0, 4); gsub(/ /, "-", kind); file = sprintf("%s/%03d.%s", folder, ++n, kind)
                 inside = 1; print; while ((getline line <file) > 0) print line; next }
        !inside { print }' "$page" >"$work/page"
    cp "$work/page" "$page"
fi
