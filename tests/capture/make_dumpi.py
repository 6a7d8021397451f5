"""Writes the trace of an application on P ranks as dumpi2ascii prints it, a file a rank (dumpi-R.txt): halos on a ring
with receives from any source, a persistent ring on halves of the world (MPI_Comm_split), and an MPI_Alltoallv; and
counts its messages itself (counts.R). On 4 ranks also with what is rare: parts of a grid, groups of groups, datatypes
that take the number of another, requests that some or any of complete, one that is cancelled.
Usage: make_dumpi.py P FOLDER [all|bare|plain|long|old|rare]: bare: without what dumpi2ascii -a adds; plain: without times
and statuses; long: of a job whose seconds pass 65536; old: without tags in statuses, as before 0.6.3."""

import os
import sys

ranks, folder, kind = int(sys.argv[1]), sys.argv[2], (sys.argv[3:] or ["all"])[0]
bias = 8153
counts = {}


def count(source, destination, size):
    counts.setdefault((source, destination), []).append(size)


class Trace:
    def __init__(self, rank):
        self.rank, self.now, self.lines = rank, bias + rank * 0.25e-3 + (65535.99 if kind == "long" else 0), []

    def printed(self):
        return "%d.%09d" % ((int(self.now) - bias) % 65536 + bias, round(self.now % 1 * 1e9)) if kind != "plain" else "0.000000000"

    def call(self, name, *arguments):
        stamp = "%s %s at walltime %s, cputime 0.004400000 seconds in thread 0."
        self.lines += [stamp % (name, "entering", self.printed())]
        self.lines += arguments
        self.now += 1e-3
        self.lines += [stamp % (name, "returning", self.printed())]

    def text(self):
        head = ["version=1.1.0", "starttime=Thu Sep 26 10:55:53 2013", "", "hostname=deepthought",
                "username=slartibartfast", "meshdim=0", "meshsize=[]", "meshcrd=[]"]
        foot = ["MPI_Send called 0 times and ignored 0 times", "Datatype 9 (MPI_INT) has size 4",
                "Datatype 28 (user-defined-datatype) has size 24"]
        lines = self.lines if kind == "bare" else head + self.lines + foot
        return "\n".join(lines) + "\n"


def status(source, size, tag):
    return "{bytes=%d, cancelled=0, source=%d, tag=%d, error=0}" % (size, source, tag if kind != "old" else -1)


WORLD, HALF = "MPI_Comm comm=2 (MPI_COMM_WORLD)", "MPI_Comm comm=4 (user-defined-comm)"
DOUBLE, OWN = "MPI_Datatype datatype=14 (MPI_DOUBLE)", "MPI_Datatype datatype=28 (user-defined-datatype)"


def exchanged(trace, rank, other, comm, place, type, size, tag):
    """A message to the other rank, at that place of the communicator, and one from it."""
    trace.call("MPI_Sendrecv", "int sendcount=1", type.replace("datatype=", "sendtype="), "int dest=%d" % place,
               "int sendtag=%d" % tag, "int recvcount=1", type.replace("datatype=", "recvtype="), "int source=%d" % place,
               "int recvtag=%d" % tag, comm, "MPI_Status status=<IGNORED>")
    count(rank, other, size)


def rare(trace, rank):
    row, column = rank // 2, rank % 2
    trace.call("MPI_Cart_create", "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)", "int ndim=2", "int dims[2]=[2, 2]",
               "int periods[2]=[0, 0]", "int reorder=0", "MPI_Comm newcomm=5 (user-defined-comm)")
    trace.call("MPI_Cart_sub", "int ndim=2", "MPI_Comm oldcomm=5 (user-defined-comm)", "int remain_dims[2]=[0, 1]",
               "MPI_Comm newcomm=6 (user-defined-comm)")
    exchanged(trace, rank, 2 * row + 1 - column, "MPI_Comm comm=6 (user-defined-comm)", 1 - column, DOUBLE, 8, 1)
    # Number 28 stands for 2 x 3 doubles from now on, 29 for two of that and an integer.
    trace.call("MPI_Type_vector", "int count=2", "int blocklength=3", "int stride=9", "MPI_Datatype oldtype=14 (MPI_DOUBLE)",
               "MPI_Datatype newtype=28 (user-defined-datatype)")
    trace.call("MPI_Type_struct", "int count=2", "int lengths[2]=[2, 1]", "int indices[2]=[0, 96]",
               "MPI_Datatype oldtypes[2]=[28, 9]", "MPI_Datatype newtype=29 (user-defined-datatype)")
    exchanged(trace, rank, 2 * (1 - row) + column, "MPI_Comm comm=5 (user-defined-comm)", 2 * (1 - row) + column,
              "MPI_Datatype datatype=29 (user-defined-datatype)", 100, 2)
    # Ranks 3 and 1 of the world, by way of 3, 2, 1.
    trace.call("MPI_Comm_group", WORLD, "MPI_Group group=3 (user-defined-group)")
    trace.call("MPI_Group_incl", "MPI_Group group=3 (user-defined-group)", "int count=3", "int ranks[3]=[3, 2, 1]",
               "MPI_Group newgroup=4 (user-defined-group)")
    trace.call("MPI_Group_incl", "MPI_Group group=4 (user-defined-group)", "int count=2", "int ranks[2]=[0, 2]",
               "MPI_Group newgroup=5 (user-defined-group)")
    trace.call("MPI_Comm_create", "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)", "MPI_Group group=5 (user-defined-group)",
               "MPI_Comm newcomm=%d" % (7 if column else 1))
    if column:
        exchanged(trace, rank, 4 - rank, "MPI_Comm comm=7 (user-defined-comm)", row, DOUBLE, 8, 3)
    # Requests past 32767 are negative. The second of three is complete first, the last is cancelled.
    for place, source in enumerate((rank + 1, -1, -1)):
        trace.call("MPI_Irecv", "int count=1", DOUBLE, "int source=%d" % (source % 4 if source > 0 else source),
                   "int tag=%d" % (-1 if source < 0 else 4), WORLD, "MPI_Request request=[%d]" % (-9 - place))
    trace.call("MPI_Send", "int count=1", DOUBLE, "int dest=%d" % ((rank - 1) % 4), "int tag=4", WORLD)
    trace.call("MPI_Send", "int count=2", DOUBLE, "int dest=%d" % ((rank + 1) % 4), "int tag=5", WORLD)
    count(rank, (rank - 1) % 4, 8)
    count(rank, (rank + 1) % 4, 16)
    trace.call("MPI_Testany", "int count=3", "MPI_Request requests[3]=[-9, -10, -11]", "int index=0", "int flag=0",
               "MPI_Status status=<IGNORED>")
    trace.call("MPI_Waitsome", "int count=2", "MPI_Request requests[2]=[-9, -10]", "int outcount=2", "int indices[2]=[1, 0]",
               "MPI_Status statuses[2]=[%s, %s]" % (status((rank - 1) % 4, 16, 5), status((rank + 1) % 4, 8, 4)))
    trace.call("MPI_Cancel", "MPI_Request request=[-11]")
    trace.call("MPI_Wait", "MPI_Request request=[-11]", "MPI_Status status=" + status(-2, 0, 0))


for rank in range(ranks):
    trace, down, up = Trace(rank), (rank - 1) % ranks, (rank + 1) % ranks
    trace.call("MPI_Init", "int argc=1", 'string argv[1]=["./app"]')
    trace.call("MPI_Comm_rank", WORLD, "int rank=%d" % rank)
    trace.call("MPI_Comm_size", WORLD, "int size=%d" % ranks)
    trace.call("MPI_Comm_split", "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)", "int color=%d" % (rank % 2), "int key=%d" % -rank,
               "MPI_Comm newcomm=4 (user-defined-comm)")
    for step in range(5):
        trace.call("MPI_Irecv", "int count=100", DOUBLE, "int source=-1 (MPI_ANY_SOURCE)", "int tag=7", WORLD,
                   "MPI_Request request=[4]")
        trace.call("MPI_Isend", "int count=%d" % (50 + rank), DOUBLE, "int dest=%d" % up, "int tag=7", WORLD,
                   "MPI_Request request=[5]")
        trace.call("MPI_Waitall", "int count=2", "MPI_Request requests[2]=[4, 5]",
                   "MPI_Status statuses[2]=" + ("<IGNORED>" if kind == "plain" else "[%s, %s]" % (
                       status(down, 8 * (50 + down), 7), status(0, 0, 0))))
        count(rank, up, 8 * (50 + rank))
    half = sorted(range(rank % 2, ranks, 2), reverse=True)
    own, size = half.index(rank), len(half)
    trace.call("MPI_Send_init", "int count=3", OWN, "int dest=%d" % ((own + 1) % size), "int tag=1", HALF,
               "MPI_Request request=[6]")
    trace.call("MPI_Recv_init", "int count=3", OWN, "int source=%d" % ((own - 1) % size), "int tag=1", HALF,
               "MPI_Request request=[7]")
    for step in range(2):
        trace.call("MPI_Startall", "int count=2", "MPI_Request requests[2]=[6, 7]")
        trace.call("MPI_Waitall", "int count=2", "MPI_Request requests[2]=[6, 7]", "MPI_Status statuses[2]=<IGNORED>")
        count(rank, half[(own + 1) % size], 3 * 24)
    sends = [(rank + 1) * (other + 1) for other in range(ranks)]
    trace.call("MPI_Alltoallv", "int commsize=%d" % ranks, "int sendcounts[%d]=%s" % (ranks, sends),
               "int senddispls[%d]=%s" % (ranks, sends), "MPI_Datatype sendtype=9 (MPI_INT)",
               "int recvcounts[%d]=%s" % (ranks, sends), "int recvdispls[%d]=%s" % (ranks, sends),
               "MPI_Datatype recvtype=9 (MPI_INT)", WORLD)
    for other, many in enumerate(sends):
        count(rank, other, 4 * many)
    trace.call("MPI_Allreduce", "int count=2", DOUBLE, "MPI_Op op=3 (MPI_SUM)", WORLD)
    gather = ["int commrank=%d" % rank, "int sendcount=1", DOUBLE, "int recvcount=%d" % (rank == 1),
              "MPI_Datatype recvtype=14 (MPI_DOUBLE)", "int root=1", WORLD]
    gather[2] = gather[2].replace("datatype=", "sendtype=")
    trace.call("MPI_Gather", *gather)
    count(rank, 1, 8)
    if kind == "rare":
        rare(trace, rank)
    trace.call("MPI_Finalize")
    with open(os.path.join(folder, "dumpi-%04d.txt" % rank), "w") as file:
        file.write(trace.text())
for rank in range(ranks):
    with open(os.path.join(folder, "counts.%d" % rank), "w") as file:
        for (source, destination), sizes in sorted(counts.items()):
            if source == rank:
                for size in sizes:
                    file.write("%d %d %d\n" % (source, destination, size))
