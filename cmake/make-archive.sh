#!/bin/sh
# Makes a static library of one object that has, as the shared one, no names but those of its header:
#     make-archive.sh COMPILER OBJCOPY AR SHARED-LIBRARY ARCHIVE INPUT...
# INPUTs are objects and the static libraries whose members they need.
set -eu
compiler=$1 objcopy=$2 ar=$3 shared=$4 archive=$5
shift 5
object=${archive%.a}.o
nm -D --defined-only --format=posix "$shared" | sed -n 's/^\(nuce_[a-z_]*\) .*/\1/p' >"$object.names"
"$compiler" -r -nostdlib -o "$object" -Wl,--start-group "$@" -Wl,--end-group
"$objcopy" --keep-global-symbols="$object.names" "$object"
rm -f "$archive"
"$ar" rcs "$archive" "$object"
rm "$object" "$object.names"
