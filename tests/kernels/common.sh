# shellcheck shell=sh
# Sourced by the tests of the kernels.

# begin: into a folder of its own, $folder, which goes with the test.
begin() {
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    cd "$folder" || exit 1
}

fail() {
    echo "FAILED: $*" >&2
    cat out err >&2
    exit 1
}

# same WHAT GOT WANTED
same() {
    [ "$2" = "$3" ] || fail "$1: $2, expected $3"
}

# A sed script that removes the launchers' messages from the programs' output. Open MPI's reports between two rules
# how ranks ended; version 5.0 adds its own troubles on the way. MPICH's reports on standard output, between two rules
# and below.
launchers='/^-\{60,\}$/,/^-\{60,\}$/d
/^\[[^]]*\] PMIX ERROR: /d
/^\[warn\] Epoll /d
/^=\{60,\}$/,/^=\{60,\}$/d
/^YOUR APPLICATION TERMINATED WITH THE EXIT STRING: /d
/^This typically refers to a problem with your application\.$/d
/^Please see the FAQ page for debugging suggestions$/d
/^\[\(proxy\|mpiexec\)[^]]*\] /d
/^$/d'

# launched COMMAND...: its output goes to out and err, without the launcher's messages, and its exit status to
# $status.
launched() {
    status=0
    "$@" >out 2>err || status=$?
    sed -i "$launchers" out err
}
