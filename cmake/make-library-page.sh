#!/bin/sh
# Writes nuce_mpi(3) from docs/how-to/library.md: make-library-page.sh DOCUMENT VERSION PAGE HEADER EXAMPLE. The
# synopsis is that of the header, and the example is the program that a test compiles.
set -eu
here=$(dirname "$0")
{
    printf '.TH NUCE_MPI 3 "" "nuce %s" "Library functions"\n.SH NAME\nnuce_mpi \\- persistent exchanges under a schedule of nuce\n' "$2"
    printf '.SH SYNOPSIS\n.EX\n#include <nuce_mpi.h>\n\n'
    awk '/^NUCE_API/ { on = 1 } on { sub(/^NUCE_API |^         /, ""); print } /;$/ { on = 0 }' "$4"
    printf '.EE\n'
    sh "$here/man-from-markdown.sh" <"$1"
    printf '.SH EXAMPLES\n.EX\n'
    sed -e 's/\\/\\e/g' -e 's/^\./\\\&./' -e "s/^'/\\\\(aq/" "$5"
    cat <<'END'
.EE
.SH FILES
.TP
.B include/nuce_mpi.h
the declarations, and what each returns
.TP
.B lib/pkgconfig/nuce_mpi.pc, lib/cmake/nuce_mpi
for pkg\-config and CMake
.SH "SEE ALSO"
.BR nuce (1),
.BR nuce\-list (1),
.BR nuce\-race (1)
END
} >"$3.new"
mv "$3.new" "$3"
