#!/bin/sh
# nuce apply in front of an application: every byte is right, and the table counts the replaced calls. Called as the
# tests of nuce capture are, with an application of its own.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
nuce=$programs/nuce
build() { # NAME OPTION...
    name=$1
    shift
    "mpicc.$mpi" -w -O1 -o "$name" "$@" || fail "$name does not compile"
}
build application "$here/../apply/application.c"

cat >nuce.tuning <<'END'
nuce-tuning 1
alltoallv ranks=3 bytes=0..100 degree=0..10 schedule=tuna radix=2
alltoallv ranks=4 bytes=0..10 degree=0..10 schedule=lp call-time=2ms ratio=0.75
neighbor_alltoallv ranks=4 bytes=0..100 degree=0..10 schedule=ac
END

# row CALL: its line of the table on stderr, with single blanks.
row() {
    sed -n "s/^$1 /$1 /p" stderr | tr -s ' '
}

# apply WORDS...: 3 ranks, whose bytes and exit status are their own.
applied() {
    expect 3 "$nuce" apply "$@"
    says stdout "all bytes are right"
}

# 40 calls of all ranks, with two patterns, and one call of each rank by itself; the rule that replaced them, and no
# other.
applied --used used.tuning -- "$mpiexec" -n 3 ./application
printf 'nuce-tuning 1\n# calls replaced: 40\nalltoallv ranks=3 bytes=0..100 degree=0..10 schedule=tuna radix=2\n' |
    diff - used.tuning >&2 || fail "other rules in use"
says stderr "Nonblocking and persistent calls are left: only the MPI library advances them"
forms="1 nonblocking" count=1 # MPI 3 has no persistent ones
! grep -q ' persistent$' stderr || { forms="$forms, 1 persistent"; count=2; }
[ "$(grep -c "^A persistent call counts once" stderr)" -eq $((count - 1)) ] || fail "not said how persistent ones count"
! grep -q "^Estimate" stderr || fail "an estimate without times"
[ "$(row alltoallv)" = "alltoallv $((43 + count)) 40 $((3 + count)) 3 no rule for its ranks, $forms" ] ||
    fail "not the calls of the application: $(row alltoallv)"
[ "$(row neighbor_alltoallv)" = "neighbor_alltoallv 3 0 3 3 no rule for its ranks" ] ||
    fail "not its calls of neighbours: $(row neighbor_alltoallv)"
[ "$(grep -c '^call ' stderr)" -eq 1 ] || fail "not one table"

# Messages of 10 bytes in the mean, then of more, for which the file has no rule.
applied -- "$mpiexec" -n 4 ./application
[ "$(row alltoallv)" = "alltoallv $((44 + count)) 30 $((14 + count)) 4 no rule for its ranks, 9 no rule for its pattern, 1 no vote, because the last ones found no plan, $forms" ] ||
    fail "not by the mean size: $(row alltoallv)"
[ "$(row neighbor_alltoallv)" = "neighbor_alltoallv 3 3 0" ] || fail "neighbours are not replaced"
says stderr "Estimate, not measured: 30 of 33 replaced calls saved 15.0ms of 60.0ms in the mean of all ranks (call-time and ratio of their rules, without the agreement on each call)."

# Calls of each rank by itself take their time side by side.
echo "nuce-tuning 1
alltoallv ranks=1 bytes=0..100 degree=0..10 schedule=ac call-time=1ms ratio=0.5" >alone.tuning
applied --tuning alone.tuning -- "$mpiexec" -n 3 ./application
says stderr "Estimate, not measured: 3 of 3 replaced calls saved 500us of 1.00ms in"

# A rule whose messages are all packed, for a call of the MPI library below nuce's own.
echo "nuce-tuning 1
alltoallv ranks=3 bytes=0..100 degree=0..10 schedule=neighbor" >packed.tuning
applied --tuning packed.tuning -- "$mpiexec" -n 3 ./application
[ "$(row alltoallv | cut -d ' ' -f 3)" -eq 40 ] || fail "neighbor: $(row alltoallv)"

# A tool within the application is called, and its own calls are replaced.
build wrapped -DWRAPS "$here/../apply/application.c"
applied -- "$mpiexec" -n 3 ./wrapped
says stderr "alltoallv"
[ "$(row alltoallv | cut -d ' ' -f 3)" -eq 40 ] || fail "a tool in front: $(row alltoallv)"

# Fortran.
if command -v gfortran >/dev/null; then
    cat >calls.f90 <<'END'
program calls
    use mpi
    implicit none
    integer :: rank, size, i, error, counts(3) = 1, places(3) = (/0, 1, 2/), sent(3), received(3)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    do i = 1, 5
        sent = (/10 * rank, 10 * rank + 1, 10 * rank + 2/)
        call MPI_Alltoallv(sent, counts, places, MPI_INTEGER, received, counts, places, MPI_INTEGER, MPI_COMM_WORLD, error)
        if (any(received /= (/rank, 10 + rank, 20 + rank/))) call MPI_Abort(MPI_COMM_WORLD, 1, error)
        received = sent
        call MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_INTEGER, received, counts, places, MPI_INTEGER, &
            MPI_COMM_WORLD, error)
        if (any(received /= (/rank, 10 + rank, 20 + rank/))) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    end do
    call MPI_Finalize(error)
end program
END
    "mpif90.$mpi" -w -o fortran calls.f90 || fail "Fortran does not compile"
    expect 0 "$nuce" apply -- "$mpiexec" -n 3 ./fortran
    [ "$(row alltoallv)" = "alltoallv 10 10 0" ] || fail "Fortran: $(row alltoallv)"
fi

# In place a rank sends itself nothing, as in a capture. Calls between two groups count once.
cat >groups.c <<'END'
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, counts[4] = {4, 4, 4, 4}, places[4] = {0, 4, 8, 12}, none[2] = {0, 0}, data[16];
    MPI_Comm half, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int call = 0; call < 5; call++) {
        for (int i = 0; i < 16; i++)
            data[i] = 100 * rank + i;
        MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, data, counts, places, MPI_INT, MPI_COMM_WORLD);
        for (int i = 0; i < 16; i++)
            if (data[i] != 100 * (i / 4) + 4 * rank + i % 4)
                MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &other);
    for (int call = 0; call < 10; call++)
        MPI_Alltoallv(data, none, none, MPI_INT, data, none, none, MPI_INT, other);
    MPI_Comm_free(&other);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
END
build groups groups.c
printf 'nuce-tuning 1\nalltoallv ranks=4 bytes=16..16 degree=3..3 schedule=ac\n' >groups.tuning
expect 0 "$nuce" apply --tuning groups.tuning -- "$mpiexec" -n 4 ./groups
[ "$(row alltoallv)" = "alltoallv 15 5 10 10 on an intercommunicator" ] || fail "groups: $(row alltoallv)"

# A command that starts the application twice: each start adds what it has used.
applied --used twice.tuning -- sh -c "$mpiexec -n 3 ./application; $mpiexec -n 3 ./application"
[ "$(grep -c '^# calls replaced: 40' twice.tuning)" -eq 2 ] || fail "two starts: $(cat twice.tuning)"
[ "$(grep -c '^alltoallv ' twice.tuning)" -eq 1 ] || fail "a rule twice: $(cat twice.tuning)"
# The rule of another call is another rule, though its name ends alike.
sed -n 's/^alltoallv /neighbor_&/p' twice.tuning >neighbor
applied --used both.tuning -- sh -c "cat neighbor >>both.tuning; $mpiexec -n 3 ./application"
[ "$(grep -c '^alltoallv ' both.tuning)" -eq 1 ] || fail "a rule is lost: $(cat both.tuning)"
# One that never gets into MPI_Init, or that is of another MPI library: said once.
applied -- sh -c "env -u LD_PRELOAD $mpiexec -n 3 ./application"
says stderr "no process was seen to call MPI_Init with nuce in front of it: unless a table of calls stands above, nothing was replaced"
[ "$(echo nuce.tuning*)" = nuce.tuning ] || fail "a file is left: $(echo nuce.tuning*)"
if [ "$mpi" = mpich ] && command -v mpicc.openmpi >/dev/null; then
    mpicc.openmpi -w -o other "$here/../apply/application.c"
    cat >starts <<'END'
#!/bin/sh
library=openmpi folder=$(pwd)
exec mpiexec.$library -n 2 "$folder/other"
END
    chmod +x starts
    expect any "$nuce" apply -- ./starts
    [ "$(grep -c "other: is of another MPI library (libmpi.so.*), expected mpich" stderr)" -eq 1 ] ||
        fail "another library: $(cat stderr)"
    ! grep -q 'all bytes are right' stdout || fail "an application of another library ran"
fi

# A file for another machine or MPI library: one message, and nothing is replaced.
for line in "machine: no such machine" "mpi: No MPI 1.0"; do
    { echo "nuce-tuning 1"; echo "$line"; sed 1d nuce.tuning; } >other.tuning
    applied --tuning other.tuning -- "$mpiexec" -n 3 ./application
    [ "$(grep -c 'nothing is replaced' stderr)" -eq 1 ] || fail "$line: not said once"
    says stderr "other.tuning is of ${line#*: }, this is "
    ! grep -q '^call ' stderr || fail "$line: a table of nothing"
done

# A schedule that cannot run here: one message, and the call is left alone.
printf 'nuce-tuning 1\nalltoallv ranks=3 bytes=0..100 degree=0..10 schedule=rma\n' >refused.tuning
applied --tuning refused.tuning -- "$mpiexec" -n 3 ./application
[ "$(grep -c 'under rma' stderr)" -eq 1 ] || fail "a refused schedule is not said once"
row alltoallv | grep -q '28 no vote, because the last ones found no plan, 12 the schedule cannot run here' ||
    fail "refused: $(row alltoallv)"

# Refused before anything starts.
refused() { # TEXT WORDS...
    text=$1
    shift
    expect 2 "$nuce" apply "$@"
    says stderr "$text"
    [ ! -e started ] || fail "$* has started the application"
}
echo "alltoallv ranks=3 bytes=0..x degree=0..10 schedule=lp" >>refused.tuning
refused "refused.tuning:3:25: '0..x': expected a range" --tuning refused.tuning -- "$mpiexec" -n 3 ./application started
refused "expected another file than the tuning file" --used ./nuce.tuning -- "$mpiexec" -n 3 ./application started
[ -s nuce.tuning ] || fail "the tuning file is empty"
refused "nowhere.tuning" --tuning nowhere.tuning -- "$mpiexec" -n 3 ./application started
refused "expected '-- mpiexec -n 4 PROGRAM'" ./application started
refused "./nope: no such program" -- "$mpiexec" -n 2 ./nope started
