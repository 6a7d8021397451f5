#!/bin/sh
# Turns a page of docs/ on standard input into the body of a manual page. It supports headings, paragraphs, one list
# level, code between fences. Links become names of files.
set -eu
sed -z -e 's/(\[[^]]*\](\([^)]*\.md\)[^)]*))/(docs\/\1)/g' -e 's/\[\([^]]*\)\](\([^)]*\.md\)[^)]*)/\1 (docs\/\2)/g' |
    sed -e '/^<!--/d' -e 's/\\/\\e/g' -e "s/^'/\\\\(aq/" | awk '
    /^```/ { code = !code; print code ? ".EX" : ".EE"; next }
    code { print; next }
    /^# / { print ".SH DESCRIPTION"; next }
    /^## / { print ".SH " toupper(substr($0, 4)); next }
    /^$/ { print ".PP"; next }
    /^- `/ {
        line = substr($0, 3); match(line, /^(`[^`]*`(, )?)+/)
        key = substr(line, 1, RLENGTH); line = substr(line, RLENGTH + 1)
        gsub(/`/, "", key); sub(/^:? ?/, "", line)
        print ".TP"; print ".B " key; $0 = line
    }
    /^- / { print ".IP \\(bu 2"; $0 = substr($0, 3) }
    { sub(/^ +/, ""); gsub(/[`*]/, ""); sub(/^\./, "\\\\\\&."); print }'
