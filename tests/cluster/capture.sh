#!/bin/sh
# nuce capture in a job: srun starts the application on two nodes, and scancel ends it; what its ranks
# sent until then is in the file.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
command -v mpicc.mpich >/dev/null || {
    echo "skipped: mpicc.mpich is not installed" >&2
    exit 77
}
up --nodes 2

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
    for (int i = 0; i < 5; i++)
        MPI_Sendrecv_replace(&byte, 1, MPI_CHAR, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        fclose(fopen("ready", "w"));
    sleep(argc > 1 ? 300 : 0);
    MPI_Finalize();
    return 0;
}
END
mpicc.mpich -w -o wait wait.c

exact='"kind":"exchange","quality":"exact","origin":"captured","communicator":0,"ranks":[0,1],"calls":5,'
captured() { # FILE
    expect 0 nuce export "$1" --format json
    grep -qF "$exact" said || fail "$1 has not the five exchanges"
    grep -qF '"messages":[[0,1,1],[1,0,1]]' said || fail "$1 has other messages"
}
expect 0 cluster exec control -- "$programs/nuce" capture -o whole.capture -- srun -N 2 -n 2 ./wait
grep -qF '2 ranks on 2 hosts' said || fail "not on two hosts"
captured whole.capture

rm -f ready
printf '#!/bin/sh\n%s capture -o cut.capture -- srun -N 2 -n 2 ./wait long\n' "$programs/nuce" >job.sh
cluster sbatch -N 2 -n 2 -o job.out job.sh
is_ready() {
    [ -e ready ]
}
eventually 60 is_ready
cluster scancel --name job.sh
none_left() {
    [ -z "$(cluster squeue -h -t PENDING,RUNNING,COMPLETING)" ]
}
eventually 60 none_left
# Where Slurm was quicker than nuce, the raw files are merged later.
[ -e cut.capture ] || expect 0 nuce capture merge cut.capture.parts --output cut.capture
captured cut.capture
