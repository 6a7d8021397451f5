#!/bin/sh
# Installs the build into a folder of its own, and uses libnuce_mpi from there: by pkg-config, shared and static, and
# by CMake. Usage: library.sh CMAKE BUILD-FOLDER EXAMPLE-FOLDER MPIEXEC
set -eu
cmake=$1 build=$2 example=$3 mpiexec=$4

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/a prefix with blanks"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

fail() {
    echo "FAILED: $*" >&2
    cat "$work"/said >&2
    exit 1
}

"$cmake" --install "$build" --prefix "$prefix" >"$work/install.log"
library=$(dirname "$(find "$prefix" -name libnuce_mpi.so)")
export PKG_CONFIG_PATH="$library/pkgconfig"
compiler=$(pkg-config --variable=compiler nuce_mpi)

# Both libraries have the names of the header, and no others.
sed -n 's/^NUCE_API [^(]*[ *]\(nuce_[a-z_]*\)(.*/\1/p' "$prefix/include/nuce_mpi.h" | sort >"$work/declared"
nm -D --defined-only "$library/libnuce_mpi.so" | awk '$3 !~ /^(_edata|_end|__bss_start)$/ { print $3 }' | sort >"$work/shared"
nm -g --defined-only "$library/libnuce_mpi.a" | awk 'NF == 3 { print $3 }' | sort >"$work/static"
for kind in shared static; do
    diff "$work/declared" "$work/$kind" >"$work/said" || fail "names of the $kind library"
done

eval "$compiler -std=c11 -Wall -Werror -o '$work/shared.exe' '$example/exchange.c' -Wl,-rpath,'$library' \
    $(pkg-config --cflags --libs nuce_mpi)"
eval "$compiler -o '$work/static.exe' '$example/exchange.c' -Wl,-Bstatic \
    $(pkg-config --cflags --libs --static nuce_mpi | sed 's/-lnuce_mpi/& -Wl,-Bdynamic/')"
"$cmake" -S "$example" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log"
"$cmake" --build "$work/cmake" >"$work/build.log"

# runs PROGRAM [SCHEDULE]: on 3 ranks, each of which says that it has all numbers.
runs() {
    "$mpiexec" -n 3 "$@" >"$work/said" 2>&1 || fail "$*"
    [ "$(grep -c 'received all numbers$' "$work/said")" -eq 3 ] || fail "$*"
}
runs "$work/shared.exe"
runs "$work/shared.exe" tuna
runs "$work/static.exe" lp
runs "$work/cmake/exchange" grants
! "$mpiexec" -n 3 "$work/shared.exe" no-such >"$work/said" 2>&1 || fail "no-such is a schedule"
grep -q "exchange: nuce_schedule: 'no-such': expected one of 'nuce list schedules'" "$work/said" || fail "no-such"

# A tuning file of this machine and this MPI library is followed; it names both.
rules() { # MACHINE MPI
    printf 'nuce-tuning 1\nmachine: %s\nmpi: %s\nalltoallv ranks=3 bytes=4..12 degree=3..3 schedule=tuna radix=2\n' "$@"
}
export NUCE_TUNING="$work/tuning"
machine="$(uname -m) $(sed -n 's/^model name[^:]*:[ \t]*//p' /proc/cpuinfo | head -n 1)"
rules "$machine" "Other MPI 1" >"$NUCE_TUNING"
runs "$work/shared.exe"
mpi=$(sed -n 's/^schedule: .* is of Other MPI 1, this is //p' "$work/said")
[ -n "$mpi" ] || fail "a file of another MPI library"
rules "${machine% }" "$mpi" >"$NUCE_TUNING"
runs "$work/shared.exe"
grep -q '^schedule: .* schedule=tuna radix=2$' "$work/said" || fail "a file of this MPI library"
unset NUCE_TUNING

# A capture sees its messages, and its recorder does not meet the library's names. A preloaded path has no blanks.
"$build/bin/nuce" capture --output "$work/run.capture" -- "$mpiexec" -n 3 "$work/shared.exe" ac >"$work/said" 2>&1 ||
    fail "a capture"
[ -s "$work/run.capture" ] || fail "nothing captured"
