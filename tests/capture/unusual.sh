#!/bin/sh
# Rare calls, all in one run: the capture has the messages that the program counts, one by one, all in exact rounds;
# also with waits that yield.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
program=$here/$5
"mpicc.$mpi" -w -O1 -o unusual "$program"
# Open MPI 4.1's own component rdma ends in MPI_Compare_and_swap by a signal, with and without a capture.
export OMPI_MCA_osc=^rdma

# Which case it was that failed.
look_for_it() {
    sed -n '/^#define CASES/,/[^\\]$/p' "$program" | sed 1d | tr -cs 'a-z_' '\n' | while read -r name; do
        captured 0 ./unusual "$name" counts </dev/null
        echo "$name: $got $(grep 'not captured\|one end' told)" >&2
    done
}

calls=295
# With persistent collective calls and large counts, which are of MPI 4, and no message of 2 GiB.
[ "$mpi" != mpich ] || calls=330
for yields in '' --yield; do
    captured 0 ./unusual all counts
    [ "$got" = "exact $calls merged 0 epoch 0" ] || {
        look_for_it
        fail "all $yields: $got"
    }
    says told "not captured: 24 cancelled messages"
    says told "not captured: 120 calls on intercommunicators"
    says told "not captured: 240 one-sided calls" # each of ten calls in 6 rounds on 4 ranks
    ! grep -q 'one end\|never ended\|nobody saw' told || fail "all $yields: $(cat told)"
done

# Both forms of a reduction of 3 ints for each of 4 ranks.
[ "$(grep -c '"kind":"reduce_scatter\(_block\)*".*"moved_bytes":192' run.json)" -eq 2 ] || fail "bytes of MPI_Reduce_scatter"

# Every call is counted once, and the processor time of recording them is reported: 401 calls each for 6 rounds on 4
# ranks.
yields=
captured 0 ./unusual many counts
grep -q '^  noting 9624 calls took [0-9.e-]* % of the ranks. processor time, [0-9.]*[nu]s each' told ||
    fail "it is not said what it cost: $(cat told)"
