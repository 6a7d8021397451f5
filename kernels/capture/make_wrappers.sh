#!/bin/sh
# make_wrappers.sh FILE LIBRARY COMPILER FLAGS...: FILE becomes the wrappers of calls.txt that the mpi.h
# found with these flags declares.
set -eu
here=$(dirname "$0")
file=$1
library=$2
shift 2
printf '#include <mpi.h>\n#if __has_include(<mpi-ext.h>)\n#include <mpi-ext.h>\n#endif\n' |
    "$@" -E -x c - | grep -oE '\bPMPIX?_[A-Za-z_0-9]+' | sort -u >"$file.names"
awk -v library="$library" -f "$here/generate.awk" "$file.names" "$here/calls.txt" >"$file.new"
mv "$file.new" "$file"
