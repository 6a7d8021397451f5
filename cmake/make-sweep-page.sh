#!/bin/sh
# Writes nuce-sweep(5) from docs/sweep.md: make-sweep-page.sh DOCUMENT VERSION PAGE. It supports the elements of
# that page: headings, paragraphs, one list level, code between fences.
set -eu
{
    printf '.TH NUCE-SWEEP 5 "" "nuce %s" "File formats"\n.SH NAME\nnuce-sweep \\- what is measured\n' "$2"
    sed -e '/^<!--/d' -e 's/\\/\\e/g' -e "s/^'/\\\\(aq/" "$1" | awk '
        /^```/ { code = !code; print code ? ".EX" : ".EE"; next }
        code { print; next }
        /^# / { print ".SH DESCRIPTION"; next }
        /^## / { print ".SH " toupper(substr($0, 4)); next }
        /^$/ { print ".PP"; next }
        /^- `/ {
            line = substr($0, 4); key = line; sub(/`.*/, "", key)
            sub(/^[^`]*`:? ?/, "", line)
            print ".TP"; print ".B " key; $0 = line
        }
        { sub(/^ +/, ""); gsub(/[`*]/, ""); sub(/^\./, "\\\\\\&."); print }'
} >"$3.new"
mv "$3.new" "$3"
