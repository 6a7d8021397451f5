"""Writes, as dumpi2ascii prints them, the traces of an application on P ranks: halos on a ring with receives from any
source, a persistent ring on halves of the world (MPI_Comm_split), and an MPI_Alltoallv; and counts its messages itself.
Usage: make_dumpi.py P FOLDER [all|bare]: all: with what dumpi2ascii -a adds."""

import os
import sys

ranks, folder, with_all = int(sys.argv[1]), sys.argv[2], sys.argv[3:] != ["bare"]
counts = {}


def count(source, destination, size):
    counts.setdefault((source, destination), []).append(size)


class Trace:
    def __init__(self, rank):
        self.rank, self.now, self.lines = rank, 8153.0 + rank * 0.25e-3, []

    def call(self, name, *arguments):
        stamp = "%s %s at walltime %.9f, cputime 0.004400000 seconds in thread 0."
        self.lines += [stamp % (name, "entering", self.now)]
        self.lines += arguments
        self.now += 1e-3
        self.lines += [stamp % (name, "returning", self.now)]


def status(source, size, tag):
    return "{bytes=%d, cancelled=0, source=%d, tag=%d, error=0}" % (size, source, tag)


WORLD, HALF = "MPI_Comm comm=2 (MPI_COMM_WORLD)", "MPI_Comm comm=4 (user-defined-comm)"
DOUBLE, OWN = "MPI_Datatype datatype=14 (MPI_DOUBLE)", "MPI_Datatype datatype=28 (user-defined-datatype)"
for rank in range(ranks):
    trace, down, up = Trace(rank), (rank - 1) % ranks, (rank + 1) % ranks
    trace.call("MPI_Init", "int argc=0", "string argv[0]=<IGNORED>")
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
                   "MPI_Status statuses[2]=[%s, %s]" % (status(down, 8 * (50 + down), 7), status(0, 0, 0)))
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
    trace.call("MPI_Finalize")
    head = ["version=1.1.0", "starttime=Thu Sep 26 10:55:53 2013", "", "hostname=deepthought", "username=slartibartfast"]
    foot = ["MPI_Send called 0 times and ignored 0 times", "Datatype 9 (MPI_INT) has size 4",
            "Datatype 28 (user-defined-datatype) has size 24"]
    with open(os.path.join(folder, "dumpi-%04d.txt" % rank), "w") as file:
        file.write("\n".join((head if with_all else []) + trace.lines + (foot if with_all else [])) + "\n")
for rank in range(ranks):
    with open(os.path.join(folder, "counts.%d" % rank), "w") as file:
        for (source, destination), sizes in sorted(counts.items()):
            if source == rank:
                for size in sizes:
                    file.write("%d %d %d\n" % (source, destination, size))
