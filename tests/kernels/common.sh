# shellcheck shell=sh
# Sourced by the tests of the kernels.

# begin: into a folder of its own, $folder, which goes with the test.
begin() {
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    # Requests of MPICH's own live until the process ends.
    LSAN_OPTIONS="suppressions=$(cd "$(dirname "$0")" && pwd)/lsan.supp"
    export LSAN_OPTIONS
    cd "$folder" || exit 1
}

fail() {
    echo "FAILED: $*" >&2
    cat out err >&2
    exit 1
}

# What launchers add to what programs say, for sed: Open MPI's tells between two rules how they ended, and that
# of 5.0 what it stumbled over while it did; MPICH's tells it on standard output, between two rules and below.
launchers='/^-\{60,\}$/,/^-\{60,\}$/d
/^\[[^]]*\] PMIX ERROR: /d
/^\[warn\] Epoll /d
/^=\{60,\}$/,/^=\{60,\}$/d
/^YOUR APPLICATION TERMINATED WITH THE EXIT STRING: /d
/^This typically refers to a problem with your application\.$/d
/^Please see the FAQ page for debugging suggestions$/d
/^\[\(proxy\|mpiexec\)[^]]*\] /d
/^$/d'

# launched COMMAND...: what it says goes to out and err, without what its launcher adds, and its exit status to
# $status.
launched() {
    status=0
    "$@" >out 2>err || status=$?
    sed -i "$launchers" out err
}
