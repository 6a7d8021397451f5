#!/bin/sh
# Tools that wrap MPI as well, in any order, are called as without nuce. The application's messages are captured once,
# to the end of MPI_Finalize, whose callbacks may send.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
build() { # NAME OPTION...
    name=$1
    shift
    "mpicc.$mpi" -w -o "$name" "$@" || fail "$name does not compile"
}
source=$here/$6
build libtool.so -DTOOL -shared -fPIC "$source"
build libnames.so -DTOOL -DNAMES -shared -fPIC "$source"
build plain -DRING "$source"
build linked -DRING "$source" -L. -l:libtool.so "-Wl,-rpath,$work"
build names -DRING "$source" -L. -l:libnames.so "-Wl,-rpath,$work"
build inside -O0 -DRING -DTOOL "$source"
build jumping -O2 -DRING -DTOOL "$source" # its wrappers jump to PMPI, and leave no address of theirs

# seen PROGRAM: each message of 100 bytes and of each callback is captured once, without errors.
seen() {
    # shellcheck disable=SC2086 # an option or nothing
    expect 0 "$programs/nuce" capture ${yields:-} -o run.capture -- "$mpiexec" -n 4 "$1"
    cp stderr told
    cp stdout said
    ! grep -q 'ended\|not captured\|one end' told || fail "$1: $(cat told)"
    expect 0 "$programs/nuce" export run.capture --format json
    python3 -c 'import collections, json, sys
got = collections.Counter()
for line in open("stdout"):
    p = json.loads(line)
    assert p["quality"] == "exact", p
    for source, destination, size in p["messages"]:
        assert destination == (source + 1) % 4, p
        got[size] += p["calls"]
assert got == {100: 80, 13: 4, 14: 4}, got' || fail "$1: not the messages that it sent"
}
for program in linked names inside jumping; do
    seen "./$program"
    says said "the tool saw 1, 20 and 20"
done
LD_PRELOAD=$work/libtool.so seen ./plain
says said "the tool saw 1, 20 and 20"
seen ./plain
! grep -q tool said || fail "a tool where there is none"
for program in linked inside; do
    yields=--yield seen "./$program"
    says said "the tool saw 1, 20 and 20"
done
yields=

# The same of Fortran, whose MPI_Finalize is another.
command -v gfortran >/dev/null || exit 0
cat >ring.f90 <<'END'
program ring
    use mpi
    implicit none
    integer :: rank, size, i, error, requests(2)
    character(200) :: incoming, outgoing
    call MPI_Init(error)
    call hang_up()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    do i = 1, 20
        call MPI_Irecv(incoming, 200, MPI_CHARACTER, modulo(rank - 1, size), 1, MPI_COMM_WORLD, requests(1), error)
        call MPI_Isend(outgoing, 100, MPI_CHARACTER, modulo(rank + 1, size), 1, MPI_COMM_WORLD, requests(2), error)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    end do
    call MPI_Finalize(error)
end program
END
build callbacks.o -c -DFORTRAN "$source"
build tool.o -c -fPIC -DFORTRAN_TOOL "$source"
build libfortran.so -shared tool.o
for kind in plain inside linked; do
    case $kind in
        plain) with= ;;
        inside) with=tool.o ;;
        linked) with="-L. -l:libfortran.so -Wl,-rpath,$work" ;;
    esac
    # shellcheck disable=SC2086 # several words
    "mpifort.$mpi" -w -o ring ring.f90 callbacks.o $with || fail "ring.f90 does not compile"
    seen ./ring
    [ "$kind" = plain ] || [ "$(grep -c 'the tool saw 20' told)" -eq 4 ] || fail "$kind: $(cat told)"
done
