#!/bin/sh
# nuce capture in a job: srun starts the application on two nodes, and scancel ends it; its ranks' messages until then
# are in the file.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
command -v mpicc.mpich >/dev/null || {
    echo "skipped: mpicc.mpich is not installed" >&2
    exit 77
}
up --nodes 2 --cpus 2

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

# Four ranks on two nodes, of which a row shares one and a column does not: without `ranks` a sweep races
# each pattern on as many as it had, on nodes that these share in the same way.
cat >grid.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    char bytes[20] = "";
    int rank, size;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int column = 0; column < 2; column++) {
        MPI_Comm_split(MPI_COMM_WORLD, column ? rank % 2 : rank / 2, rank, &comm);
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        MPI_Sendrecv_replace(bytes, 10 + 10 * column, MPI_CHAR, 1 - rank, 0, 1 - rank, 0, comm, MPI_STATUS_IGNORE);
        MPI_Comm_free(&comm);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    MPI_Finalize();
    return 0;
}
END
mpicc.mpich -w -o grid grid.c
expect 0 cluster exec control -- "$programs/nuce" capture -o grid.capture -- srun -N 2 -n 4 ./grid
says '4 ranks on 2 hosts'
cat >sweep.yaml <<'YAML'
name: capture
workload: exchange
sweep: {schedule: ac, capture: grid.capture, call: all}
measure: {launches: 1, min-samples: 2, max-samples: 2}
YAML
profile
submit
eventually 120 no_jobs
finished 4
same "rows on one node, columns on two" \
    "$(value "SELECT group_concat(bytes || ':' || nodes || ':' || as_captured, ' ') FROM (
        SELECT json_extract(metrics, '$.bytes') AS bytes, json_extract(params, '$.nodes') AS nodes,
               json_extract(metrics, '$.nodes_as_captured') AS as_captured
        FROM run JOIN point ON point.id = run.point ORDER BY 1)")" "20:1:1 20:1:1 40:2:1 40:2:1"
