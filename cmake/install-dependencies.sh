#!/bin/sh
# Checks that the programs and libraries to build nuce exist: install-dependencies.sh [--tests] [--list]
#
# Installs missing ones with apt if possible (as root, or with sudo). Elsewhere, as on a cluster's
# login node, prints exactly what to load or install and exits with 2. --list prints the list and checks nothing.
set -eu

with_tests=no
[ "${1:-}" = --tests ] && with_tests=yes

# One line each: how to check that it exists | Debian and Ubuntu package | what to ask for elsewhere
needs() {
    cat <<'EOF'
command cc|gcc|a C11 compiler
build-tool|ninja-build|ninja or make
command cmake|cmake|CMake 3.25 or later
command pkg-config|pkg-config|pkg-config
command git|git|git
mpi|mpich|an MPI-3.1 library, MPICH if you can choose, with mpiexec
mpi-headers|libmpich-dev|the MPI compiler wrapper mpicc
command gnuplot|gnuplot-nox|gnuplot with the cairo terminals
header papi.h|libpapi-dev|PAPI
header sqlite3.h|libsqlite3-dev|SQLite 3
header yaml.h|libyaml-dev|libyaml
header jansson.h|libjansson-dev|jansson
header nettle/sha2.h|nettle-dev|nettle
header metis.h|libmetis-dev|METIS
header zlib.h|zlib1g-dev|zlib
header lzma.h|liblzma-dev|liblzma (XZ Utils)
header archive.h|libarchive-dev|libarchive
header libsmartcols/libsmartcols.h|libsmartcols-dev|libsmartcols (util-linux)
command help2man|help2man|help2man
EOF
    [ "$with_tests" = yes ] || return 0
    cat <<'EOF'
header cmocka.h|libcmocka-dev|cmocka
command ninja|ninja-build|ninja
command smpirun|libsimgrid-dev|SimGrid with SMPI
library scalapack-mpich|libscalapack-mpich-dev|ScaLAPACK for MPICH
library scotch|libscotch-dev|SCOTCH
command mpicc.openmpi|libopenmpi-dev|Open MPI's compiler wrappers
command mpiexec.openmpi|openmpi-bin|Open MPI's mpiexec
command gfortran|gfortran|a Fortran compiler
command shellcheck|shellcheck|shellcheck
command sqlite3|sqlite3|the sqlite3 shell
command sha256sum|coreutils|coreutils
command gzip|gzip|gzip
command python3|python3|Python 3
command debootstrap|debootstrap|debootstrap (for slurm/virtual)
command tc|iproute2|iproute2 (for slurm/virtual)
EOF
}

# Programs without which tests are skipped: installed if the system has packages of these names.
wants() {
    [ "$with_tests" = yes ] || return 0
    cat <<'EOF'
command clang-format-14|clang-format-14
command chromium|chromium
command chromedriver|chromium-driver
EOF
}

# A line each: package|words.
if [ "${1:-}" = --list ]; then
    needs | cut -d '|' -f 2-
    exit 0
fi

has_header() {
    # Other compilers than the system's (modules set CPATH and similar variables) also find their
    # headers. Headers such as cmocka's need others before them.
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <%s>\n' "$1" |
        cc -E -x c - >/dev/null 2>&1
}

has_library() {
    echo 'int main(void) { return 0; }' | cc -x c - -o /dev/null "-l$1" >/dev/null 2>&1
}

is_there() {
    case $1 in
    "command "*) command -v "${1#command }" >/dev/null 2>&1 ;;
    "header "*) has_header "${1#header }" ;;
    "library "*) has_library "${1#library }" ;;
    build-tool) command -v ninja >/dev/null 2>&1 || command -v make >/dev/null 2>&1 ;;
    mpi) command -v mpiexec.mpich >/dev/null 2>&1 || command -v mpiexec >/dev/null 2>&1 || command -v srun >/dev/null 2>&1 ;;
    mpi-headers) command -v mpicc.mpich >/dev/null 2>&1 || command -v mpicc >/dev/null 2>&1 ;;
    esac
}

list_missing() {
    needs | while IFS='|' read -r check package words; do
        is_there "$check" || printf '%s|%s\n' "$package" "$words"
    done
}

become_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# When Open MPI is installed, also as a dependency of ScaLAPACK, Debian makes it the system's
# mpiexec and mpicc.
keep_mpich() {
    [ -x /usr/bin/mpirun.mpich ] && command -v update-alternatives >/dev/null 2>&1 || return 0
    become_root update-alternatives --quiet --set mpirun /usr/bin/mpirun.mpich
    [ ! -x /usr/bin/mpicc.mpich ] || become_root update-alternatives --quiet --set mpi /usr/bin/mpicc.mpich
    echo "nuce: Open MPI came as well; mpiexec and mpicc are MPICH's again (update-alternatives)" >&2
}

can_install() {
    command -v apt-get >/dev/null 2>&1 && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null 2>&1; }
}

install_wanted() {
    can_install || return 0
    wants | while IFS='|' read -r check package; do
        if ! is_there "$check" && apt-cache show "$package" >/dev/null 2>&1; then
            echo "nuce: installing $package" >&2
            become_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
                "$package" </dev/null >/dev/null || echo "nuce: not installed: $package" >&2
        fi
    done
}

missing=$(list_missing)
if [ -z "$missing" ]; then
    install_wanted
    exit 0
fi
packages=$(printf '%s\n' "$missing" | cut -d '|' -f 1 | sort -u | tr '\n' ' ')

if can_install; then
    echo "nuce: installing $packages" >&2
    become_root apt-get update -qq
    # shellcheck disable=SC2086 # a list of words
    become_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        $packages fonts-dejavu-core >/dev/null
    case " $packages" in
    *" libscalapack-mpich-dev "* | *" libopenmpi-dev "* | *" openmpi-bin "*) keep_mpich ;;
    esac
    missing=$(list_missing)
    if [ -z "$missing" ]; then
        install_wanted
        exit 0
    fi
fi

{
    echo "nuce: missing; load a module, or install:"
    printf '%s\n' "$missing" | while IFS='|' read -r package words; do
        echo "  $words   (Debian, Ubuntu: $package)"
    done
} >&2
exit 2
