#!/bin/sh
# Writes the documents as HTML pages: make-site.sh PANDOC NUCE SOURCE FIGURES SITE
#
# SOURCE is the tree, FIGURES the folder of figures that 'nuce figure all' drew, which need not exist, and
# SITE a folder that is made anew. Every page lies where its document lies in SOURCE; README.md is
# index.html. Each document that a page links to becomes a page, each other file is copied. Nothing is
# fetched. Ends with 1 where a link leads nowhere.
set -eu
pandoc=$1
nuce=$2
source=$3
figures=$4
site=$5
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Pages of docs/ that are looked things up in; all others that are in no folder explain.
reference='sweep results programs networks capture-formats troubleshooting'

title() { sed -n '/^# /{s/^# //;s/[`*]//g;p;q}' "$source/$1"; }

# HEADING FILE...: a section of the navigation: those of the files that exist, by their names from the top.
section() {
    heading=$1
    shift
    items=
    for file; do
        [ -e "$source/$file" ] || continue
        case $file in
        README.md) name=Overview page=index.html ;;
        *) name=$(title "$file") page=${file%.md}.html ;;
        esac
        case $file in
        docs/papers/*) name="Paper: ${name%%:*}" ;;
        docs/evidence/*) name=${name#Evidence: } ;;
        esac
        items="$items<li><a href=\"@ROOT@$page\">$name</a></li>
"
    done
    [ -z "$items" ] || printf '<h2>%s</h2>\n<ul>\n%s</ul>\n' "$heading" "$items"
}

navigation() (
    cd "$source"
    section Start README.md docs/tutorial.md docs/glossary.md
    section How-to docs/how-to/*.md
    known=" tutorial glossary $reference "
    pages='' others=''
    for name in $reference; do pages="$pages docs/$name.md"; done
    for file in docs/*.md; do
        name=$(basename "$file" .md)
        case $known in *" $name "*) ;; *) others="$others $file" ;; esac
    done
    # shellcheck disable=SC2086 # names of files without blanks
    section Reference $pages
    printf '<ul><li><a href="@ROOT@lists.html">Keys, metrics, columns, schedules, patterns</a></li></ul>\n'
    # shellcheck disable=SC2086
    section Explanation $others
    section Evidence docs/papers/*.md docs/evidence/*.md
    printf '<h2>Pictures</h2>\n<ul>\n<li><a href="@ROOT@gallery.html">Gallery</a></li>\n'
    [ ! -e "$figures/report.html" ] || printf '<li><a href="@ROOT@report.html">A report</a></li>\n'
    printf '</ul>\n'
)

# DOCUMENT PAGE: a page, from the top; the document is in the folder it is read from.
convert() {
    document=$1
    page=$2
    root=$(dirname "$page" | sed -e 's/^\.$//' -e 's|[^/][^/]*|..|g' -e 's|.$|&/|')
    mkdir -p "$(dirname "$site/$page")"
    sed -e "s|<a href=\"@ROOT@$page\"|<a aria-current=\"page\" href=\"@ROOT@$page\"|" -e "s|@ROOT@|$root|g" \
        "$work/navigation" >"$work/here"
    "$pandoc" --from gfm --to html5 --no-highlight --lua-filter "$here/links.lua" --template "$here/page.html" \
        --metadata pagetitle="$(sed -n '/^# /{s/^# //;s/[`*]//g;p;q}' "$document")" \
        --variable root="$root" --variable navigation="$(cat "$work/here")" --output "$site/$page" "$document"
}

# The targets of the pages' links, relative to the top, each once, without anchors.
targets() {
    find "$site" -name '*.html' ! -name report.html | while IFS= read -r page; do
        folder=$(dirname "$page")
        grep -o '\(href\|src\)="[^"#]*' "$page" | sed 's/^[a-z]*="//' | grep -v '^[a-z]*:\|^$' |
            awk -v folder="$folder" '{ print folder "/" $0 }'
    done | sort -u | tr '\n' '\0' | xargs -0 -r realpath -ms --relative-to="$site" | sort -u
}

rm -rf "$site"
mkdir -p "$site"
cp "$here/site.css" "$site/"
navigation >"$work/navigation"
[ ! -e "$figures/report.html" ] || cp "$figures/report.html" "$site/"
sh "$here/make-gallery.sh" "$nuce" "$source" "$figures" "$site" >"$work/gallery.md"
convert "$work/gallery.md" gallery.html
{
    printf '# Keys, metrics, columns, schedules, patterns\n'
    for list in keys metrics columns schedules patterns; do
        printf '\n## %s\n\n' "$list"
        "$nuce" list "$list" --format markdown
    done
} >"$work/lists.md"
convert "$work/lists.md" lists.html
convert "$source/README.md" index.html

# Repeats until no page links to a new one.
added=1
while [ "$added" -gt 0 ]; do
    added=0 lost=0
    for target in $(targets); do
        [ ! -e "$site/$target" ] || continue
        case $target in
        *index.html) document=${target%index.html}README.md ;;
        *) document=${target%.html}.md ;;
        esac
        if [ -f "$source/$document" ]; then
            convert "$source/$document" "$target"
        elif [ -f "$source/$target" ]; then
            mkdir -p "$(dirname "$site/$target")"
            cp "$source/$target" "$site/$target"
        elif [ -d "$source/$target" ]; then
            mkdir -p "$site/$target"
        else
            echo "make-site.sh: nothing at $target" >&2
            lost=$((lost + 1))
            continue
        fi
        added=$((added + 1))
    done
done
echo "$site/index.html: $(find "$site" -name '*.html' | wc -l) pages"
[ "$lost" -eq 0 ]
