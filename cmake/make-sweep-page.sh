#!/bin/sh
# Writes nuce-sweep(5) from docs/sweep.md: make-sweep-page.sh DOCUMENT VERSION PAGE NUCE. Its tables of keys
# by topic give way to the lists of them.
set -eu
awk '!/^\|/ { print }
    /^\| effort/ { print "<!-- nuce list keys measure -->\n<!-- end -->" }
    /^\| topic/ { print "<!-- nuce list keys products -->\n<!-- end -->" }' "$1" >"$3.md"
sh "$(dirname "$0")/key-tables.sh" "$4" "$3.md" >"$3.lists"
{
    printf '.TH NUCE-SWEEP 5 "" "nuce %s" "File formats"\n.SH NAME\nnuce-sweep \\- a file that says what nuce measures\n' "$2"
    # The script omits what docs/sweep.md says about itself.
    sed 's/ The manual page nuce-sweep(5) has all keys\.//' "$3.lists" | sh "$(dirname "$0")/man-from-markdown.sh"
    cat <<'END'
.SH EXAMPLES
.EX
name: wing
workload: exchange
ranks: [4, 8]
sweep: {schedule: [ac, lp, rs\-n], mesh: [wing\-2800], item\-bytes: [16B, 4KiB]}
.EE
.SH FILES
.TP
.B share/nuce/configs/*.yaml
the sweeps that nuce ships, below the prefix of its installation
.TP
.B share/doc/nuce/docs
the documents that this page names
.SH "SEE ALSO"
.BR nuce (1),
.BR nuce\-plan (1),
.BR nuce\-run (1),
.BR nuce\-list (1)
END
} >"$3.new"
mv "$3.new" "$3"
rm "$3.md" "$3.lists"
