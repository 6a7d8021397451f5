#!/bin/sh
# However an application ends, its messages until then are captured, and its exit status is passed on.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
compile

captured 7 ./styles waitall counts 7
[ "$got" = "exact 14 merged 0 epoch 0" ] || fail "a bad end: $got"
# exit without MPI_Finalize in round 10 of 14; launchers call it a failure, or not.
captured any ./styles leaves counts
[ "$got" = "exact 10 merged 0 epoch 0" ] || fail "exit: $got"
says told "ranks ended without MPI_Finalize"
captured 3 ./styles aborts counts
[ "$got" = "exact 10 merged 0 epoch 0" ] || fail "MPI_Abort: $got"
# A rank is killed, and the launcher kills the others.
if [ "$mpi" = openmpi ]; then
    captured 137 ./styles killed counts
else
    captured 9 ./styles killed counts
fi
[ "$got" = "exact 10 merged 0 epoch 0" ] || fail "SIGKILL: $got"
says told "4 ranks ended by a signal or MPI_Abort"

# The message names the true kind of end: an end without destructors is not always a signal.
cat >leave.c <<'END'
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void leave(int number)
{
    _exit(0);
}
int main(int argc, char **argv)
{
    int status = atoi(argv[2]);
    signal(SIGALRM, leave);
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(argv[1], "fork") && fork() == 0)
        _exit(0);
    if (!strcmp(argv[1], "_exit"))
        _exit(status);
    if (!strcmp(argv[1], "exit"))
        exit(status);
    if (!strcmp(argv[1], "quick_exit"))
        quick_exit(status);
    if (!strcmp(argv[1], "abort"))
        MPI_Abort(MPI_COMM_WORLD, status);
    if (!strcmp(argv[1], "raise"))
        raise(status);
    MPI_Finalize();
    return 0;
}
END
"mpicc.$mpi" -w -o leave leave.c
while read -r way number words; do
    expect any "$programs/nuce" capture -o l.capture -- "$mpiexec" -n 1 ./leave "$way" "$number" </dev/null
    case $words in
        '') ! grep -q 'rank ended' stderr || fail "$way $number: $(cat stderr)" ;;
        *) says stderr "1 rank ended $words: their messages until then are included" ;;
    esac
done <<'END'
_exit 0 without MPI_Finalize, with exit status 0
_exit 3 without MPI_Finalize, with a failure
exit 0 without MPI_Finalize, with exit status 0
quick_exit 0 without MPI_Finalize, with exit status 0
abort 0 by a signal or MPI_Abort
raise 9 by a signal or MPI_Abort
raise 14 without MPI_Finalize, with exit status 0
fork 0
END

# exit() while the interposer's lock is held, as by a signal handler.
cat >late.c <<'END'
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static int is_late;
int pthread_mutex_unlock(pthread_mutex_t *lock)
{
    static int (*unlock)(pthread_mutex_t *);
    Dl_info caller;
    if (unlock == NULL)
        *(void **)&unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    if (is_late && dladdr(__builtin_return_address(0), &caller) && strstr(caller.dli_fname, "libnuce_capture")) {
        is_late = 0;
        exit(0);
    }
    return unlock(lock);
}
int main(int argc, char **argv)
{
    int level, flag;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    is_late = 1;
    MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return 3;
}
END
"mpicc.$mpi" -D_GNU_SOURCE -w -rdynamic -o late late.c -ldl
expect any timeout -s KILL 120 "$programs/nuce" capture -o l.capture -- "$mpiexec" -n 1 ./late </dev/null
says stderr "1 rank ended without MPI_Finalize, with exit status 0"

# Two rounds that are open at once both count, which is reported if shares exceed the whole.
cat >both.c <<'END'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    MPI_Request requests[4];
    MPI_Comm second;
    char bytes[4];
    double begin;
    MPI_Init(&argc, &argv);
    begin = MPI_Wtime();
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    MPI_Irecv(&bytes[0], 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&bytes[1], 1, MPI_CHAR, 0, 0, second, &requests[1]);
    for (double until = MPI_Wtime() + 0.2 + 2 * (MPI_Wtime() - begin); MPI_Wtime() < until;)
        usleep(1000);
    MPI_Isend(&bytes[2], 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&bytes[3], 1, MPI_CHAR, 0, 0, second, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
END
"mpicc.$mpi" -w -o both both.c
expect 0 "$programs/nuce" capture -o b.capture -- "$mpiexec" -n 1 ./both </dev/null
says stderr "above 100 %: calls that overlap count each"

# Its output is its own, and so is its input.
cat >speak.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    char line[64] = "";
    MPI_Init(&argc, &argv);
    if (fgets(line, sizeof line, stdin) != NULL)
        printf("heard %s", line);
    fprintf(stderr, "an error of its own\n");
    MPI_Finalize();
    return 0;
}
END
"mpicc.$mpi" -w -o speak speak.c
echo hello >input
"$mpiexec" -n 1 ./speak <input >plain
expect 0 "$programs/nuce" capture -o s.capture -- "$mpiexec" -n 1 ./speak <input
cmp stdout plain || fail "stdout is not the application's own"
says stderr "an error of its own"

# nuce itself is killed: the raw files can be merged. TERM goes on to the application.
cat >wait.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char byte = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv_replace(&byte, 1, MPI_CHAR, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        fclose(fopen("ready", "w"));
    sleep(600);
    MPI_Finalize();
    return 0;
}
END
"mpicc.$mpi" -w -o wait wait.c
for signal in TERM KILL; do
    rm -f ready
    "$programs/nuce" capture -o w.capture -- "$mpiexec" -n 2 ./wait 2>stderr &
    pid=$!
    while [ ! -e ready ]; do
        sleep 0.1
        kill -0 "$pid" 2>/dev/null || fail "it ended before it was ready"
    done
    child=$(sed 's/ .*//' "/proc/$pid/task/$pid/children")
    kill "-$signal" "$pid"
    wait "$pid" || :
    if [ "$signal" = KILL ]; then
        kill "$child"
        expect 0 "$programs/nuce" capture merge w.capture.parts --output w.capture
    fi
    expect 0 "$programs/nuce" export w.capture --format json
    says stdout '"messages":[[0,1,1],[1,0,1]]'
    rm -rf w.capture w.capture.parts
done
