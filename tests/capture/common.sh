# Sourced by the tests of nuce capture, called with the folder of the programs, this folder, and the
# name of an MPI library, whose compilers and launcher are looked for, or the test is skipped; then the
# application to compile.
# shellcheck shell=sh
set -eu
programs=$1
here=$2
mpi=$3
source=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
mpiexec=mpiexec.$mpi
for program in "mpicc.$mpi" "$mpiexec" python3; do
    command -v "$program" >/dev/null || {
        echo "skipped: $program is not installed" >&2
        exit 77
    }
done

fail() {
    echo "FAILED: $*" >&2
    [ ! -s stderr ] || cat stderr >&2
    exit 1
}

# expect STATUS COMMAND...: runs it, STATUS any: whatever it ends with; stdout and stderr go to files of these names.
expect() {
    wanted=$1
    shift
    status=0
    "$@" >stdout 2>stderr || status=$?
    [ "$wanted" = any ] || [ "$status" -eq "$wanted" ] || fail "$* ended with $status, expected $wanted"
}

# says FILE TEXT
says() {
    grep -qF -- "$2" "$1" || fail "$1 does not say: $2"
}

compile() {
    "mpicc.$mpi" -w -O1 -o styles "$here/$source" -lpthread
}

# captured STATUS COMMAND...: runs it on 4 ranks under nuce capture and compares its own counts (./counts) with the
# capture; $got is the number of calls of each quality.
captured() {
    wanted=$1
    shift
    rm -rf counts
    mkdir counts
    # shellcheck disable=SC2086 # an option or nothing
    expect "$wanted" "$programs/nuce" capture ${yields:-} --output run.capture -- "$mpiexec" -n 4 "$@"
    cp stderr told
    expect 0 "$programs/nuce" export run.capture --format json
    mv stdout run.json
    # shellcheck disable=SC2034 # for the tests
    got=$(python3 "$here/compare.py" run.json counts) || fail "$*: the messages are not the same"
    [ ! -e run.capture.parts ] || fail "$*: the raw files are left"
}
