#!/bin/sh
# Prints the gallery as Markdown: make-gallery.sh NUCE SOURCE FIGURES SITE
#
# All that it says is said elsewhere: names and titles by 'nuce list figures', commands and costs by the
# tables of docs/papers, else by the plot itself, the papers' numbers by plots/paper. Pictures are those of
# FIGURES or docs/, copied to SITE.
set -eu
nuce=$1
source=$2
figures=$3
site=$4
plots=$source/plots

# NAME WORD: the directive of a plot, its own or its query's.
directive() {
    value=$(sed -n "s/^-- $2: //p" "$plots/$1.sql" | head -n 1)
    query=$(sed -n 's/^-- query: //p' "$plots/$1.sql")
    [ -n "$value" ] || [ -z "$query" ] || value=$(sed -n "s/^-- $2: //p" "$plots/queries/$query.sql" | head -n 1)
    printf '%s' "$value"
}

# NAME SWEEP: "COMMAND | COST" by the first row of docs/papers that says how to see it, else the first
# that runs its sweep. A row without a command continues the one before.
known() {
    cat "$source"/docs/papers/*.md | awk -F ' *[|] *' -v name="$1" -v sweep="$2" '
    !/^\|/ { command = ""; next }
    $3 ~ /^`nuce (run|submit) / { command = $3; cost = $4; gsub(/`/, "", command) }
    command == "" { next }
    !found && $5 ~ "(^|[ `])" name "`" { found = command " | " cost }
    !other && (command " ") ~ "nuce [a-z]+ " sweep " " { other = command " | " cost }
    END { print found ? found : other }'
}

# NAME: the file of its picture, of the figures that were drawn or of docs/.
picture() {
    for file in "$figures/$1.svg" "$figures/$1.png" "$source/docs/$1.svg" "$source/docs/$1.png" \
        "$source"/docs/*/"$1.svg"; do
        [ ! -e "$file" ] || { echo "$file"; break; }
    done
}

# FILE.tsv: as a table, folded. Its comment says where the numbers are from.
numbers() {
    printf '<details><summary>The paper'"'"'s numbers: %s</summary>\n\n' "$(basename "$1" .tsv)"
    sed -n 's/^# *\(.*\)/\1/p' "$1"
    grep -v '^#' "$1" | sed -e 's/|/\\|/g' -e 's/\t/ | /g' -e 's/.*/| & |/' | awk '
    { print NR == 1 ? "\n" $0 : $0 }
    NR == 1 { gsub(/[^|]+/, " --- "); print }'
    printf '\n</details>\n\n'
}

entry() {
    name=$1 sweep=$2 drawn=$3 title=$4
    printf '### %s\n\n%s\n\n' "$name" "$title"
    case $drawn in
    *figure*)
        file=$(picture "$name")
        if [ -n "$file" ]; then
            mkdir -p "$site/figures"
            cp "$file" "$site/figures/"
            printf '[![%s](figures/%s)](figures/%s)\n\n' "$name" "$(basename "$file")" "$(basename "$file")"
        fi
        verb=figure
        ;;
    *) verb=table ;;
    esac
    row=$(known "$name" "$sweep")
    options=$(directive "$name" options)
    command=${row% | *} cost=${row##* | }
    [ -n "$row" ] || command="nuce run $sweep${options:+ $options}" cost=
    [ -n "$sweep" ] || command='nuce run SWEEP'
    # shellcheck disable=SC2016 # quotes of Markdown
    printf '| command | cost |\n| --- | --- |\n| `%s` | %s |\n| `nuce %s %s` | |\n\n' \
        "$command" "${cost:-see \`nuce plan $sweep\`}" "$verb" "$name"
    for paper in $(directive "$name" paper); do
        numbers "$plots/paper/$paper.tsv"
    done
}

# KEY: entries of the paper whose key it is, tables and figures as the paper has them; "": of no paper.
entries() {
    "$nuce" list figures --format markdown | sed -n '3,$s/^| \(.*\) |$/\1/p' | sed 's/ *| */|/g' |
        while IFS='|' read -r name sweep drawn title; do
            case "${1:-none} $name" in
            "none "*) ! grep -q "^${name%%-*}	" "$plots/papers.tsv" || continue ;;
            *" $1-"*) ;;
            *) continue ;;
            esac
            entry "$name" "$sweep" "$drawn" "$title"
        done
}

printf '# Gallery\n\nEach table and figure that nuce makes, with the command and its cost on two processors. Figures of the four\n'
printf 'papers show the papers'"'"' numbers beside ours.\n'
grep -v '^#\|^key' "$plots/papers.tsv" | while IFS="$(printf '\t')" read -r key short authors title; do
    printf '\n## %s\n\n%s: *%s*. [Claims and verdicts](docs/papers/%s.md).\n\n' "$short" "$authors" "$title" "$key"
    entries "$key"
done
printf '\n## Other pictures\n\n'
entries ''
