#!/bin/sh
# Calls in many styles: the capture has the messages that the program counts, one by one, and the rounds are exact
# wherever possible.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
compile

# style NAME,... CALLS QUALITIES: the calls of each quality, of 14 rounds of each style in one launch. Names one by
# one which it was where they are not.
style() {
    captured 0 ./styles "$1" counts
    [ "$got" = "$2" ] && return
    all=$got
    for name in $(echo "$1" | tr , ' '); do
        captured 0 ./styles "$name" counts
        echo "$name: $got" >&2
    done
    fail "$1: $all, expected $2"
}
# 16 of 14, two of 28 and one of 56 calls.
style waitall,waitany,any_source,any_tag,persistent,derived,testall,late,mprobe,alltoallv,neighbors,replace,\
isendrecv,idup,grouped,several,sendrecv,halves,rows "exact 336 merged 0 epoch 0"
! grep -q 'not captured' told || fail "$(cat told)"
style between,listener,onesided "exact 42 merged 0 epoch 0"
says told "not captured: 112 calls on intercommunicators"
says told "not captured: 4 cancelled messages"
says told "not captured: 56 one-sided calls"
style freed,nbx "exact 0 merged 0 epoch 28"
# MPICH 4.0 does not report the messages that MPI_Isendrecv received, and Open MPI 4.1 lacks the call. Then the
# patterns of the halves, one message each, are inexact or missing.
captured 0 ./styles isendrecv_any counts
case $got in
"exact 14 merged "* | "exact 42 merged 0 epoch 0") ;;
*) fail "isendrecv_any: $got" ;;
esac
# MPICH 4.0 of Debian 12 starts nothing.
if [ "$mpi" = openmpi ]; then
    style spawns "exact 14 merged 0 epoch 0"
    says told "not captured: 112 calls on communicators of unknown origin"
fi
# Receives of any source and tag, and threads, may take a message of the next round: the messages are
# the same, the rounds as they come.
captured 0 ./styles waitsome counts
captured 0 ./styles threads counts
# Waits that test and yield: the same messages, statuses, errors and order of completion.
yields=--yield
style waitany,any_source,persistent "exact 42 merged 0 epoch 0"
captured 0 ./styles waitsome counts
grep -q 'waits yielded the processor' told || fail "nothing is said of waits that yield: $(cat told)"
yields=
# Waits report the same errors for messages that were too long. Open MPI 4.1 waits for ever after the first.
if [ "$mpi" = mpich ]; then
    rm -rf counts && mkdir counts
    expect 0 timeout 600 "$mpiexec" -n 4 ./styles truncated counts
    sort stdout >plainly
    for option in --output=run.capture --yield; do
        expect 0 "$programs/nuce" capture -o run.capture "$option" -- timeout 600 "$mpiexec" -n 4 ./styles truncated counts
        sort stdout | cmp - plainly || fail "$option: errors and ends of waits are others"
    done
fi
# As many ranks as neighbours, and a single rank.
rm -rf counts && mkdir counts
expect 0 "$programs/nuce" capture -o one.capture -- ./styles waitall counts
says stderr "1 rank on 1 host"

# A program that loads a library linked with MPI with local scope, as Python loads its modules.
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
    int (*run)(int, char **) = plugin == NULL ? NULL : (int (*)(int, char **))dlsym(plugin, "run");

    if (run == NULL)
        fprintf(stderr, "%s\n", dlerror());
    return run == NULL ? 1 : run(argc, argv);
}
END
"mpicc.$mpi" -w -O1 -shared -fPIC -Dmain=run -o plugin.so "$here/$source" -lpthread
cc -o loads loads.c -ldl
captured 0 ./loads waitall,idup counts
[ "$got" = "exact 28 merged 0 epoch 0" ] || fail "loaded: $got"

# The same run twice: the same patterns, as often, in the same order.
for k in 1 2; do
    captured 0 ./styles waitany counts
    python3 -c 'import json, sys
for line in sys.stdin:
    p = json.loads(line)
    print(p["pattern"], p["kind"], p["quality"], p["calls"], p["messages"])' <run.json >"same.$k"
done
cmp same.1 same.2 || fail "two captures of the same run differ"
[ "$(wc -c <run.capture)" -lt 2048 ] || fail "a capture of three patterns has $(wc -c <run.capture) bytes"
# The user's choice: epochs everywhere.
expect 0 "$programs/nuce" capture --epochs -o run.capture -- "$mpiexec" -n 4 ./styles waitall counts
says stderr "100 % in epochs"
