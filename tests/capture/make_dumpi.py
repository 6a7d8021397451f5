"""Writes the traces of an application on P ranks, as libdumpi does and as dumpi2ascii prints them (dumpi-R.bin and .txt,
and dumpi.meta): halos on a ring with receives from any source, a persistent ring on halves of the world
(MPI_Comm_split), and an MPI_Alltoallv; and counts its messages itself.
Usage: make_dumpi.py P FOLDER [all|bare|plain|long|VERSION]: all: with what dumpi2ascii -a adds; plain: without times and
statuses; long: of a job whose seconds pass 65536; a version such as 0.6.1, as that one wrote them."""

import os
import struct
import sys

ranks, folder, kind = int(sys.argv[1]), sys.argv[2], (sys.argv[3:] or ["all"])[0]
version = tuple(map(int, kind.split("."))) if kind[0].isdigit() else (1, 1, 0)
bias = 8153
counts = {}
# Labels of the calls, and what numbers take where it is not 4 bytes.
LABELS = dict(MPI_Irecv=12, MPI_Isend=8, MPI_Waitall=18, MPI_Send_init=26, MPI_Recv_init=30, MPI_Startall=32,
              MPI_Gather=54, MPI_Alltoallv=61, MPI_Allreduce=65, MPI_Comm_size=81, MPI_Comm_rank=82, MPI_Comm_split=86,
              MPI_Cart_get=105, MPI_Init=124, MPI_Finalize=125, Function_enter=291, End=293)
WIDTHS = {"MPI_Comm": "H", "MPI_Datatype": "H", "MPI_Op": "B", "int64_t": "q"}
MAGIC = b"\xff\xaa\xddDUMPI"


def count(source, destination, size):
    counts.setdefault((source, destination), []).append(size)


def packed(argument):
    """What libdumpi writes of an argument that dumpi2ascii prints so."""
    left, value = argument.split("=", 1)
    type, name = left.split(" ")
    if type == "string":
        return b"".join([struct.pack(">i", 1), struct.pack(">i", 5), b"./app"])
    if type == "MPI_Status":
        if kind == "plain":
            return b""
        statuses = [] if "IGNORED" in value else value.strip("[]{}").split("}, {")
        numbers = [[int(field.split("=")[1]) for field in status.split(", ")] for status in statuses]
        return struct.pack(">i", len(numbers)) + b"".join(
            struct.pack(">iiBB", size, source, cancelled, error) + (struct.pack(">i", tag) if version >= (0, 6, 3) else b"")
            for size, cancelled, source, tag, error in numbers)
    if "[" in name:
        numbers = [int(number) for number in value.strip("[]").split(", ")]
        return struct.pack(">i%di" % len(numbers), len(numbers), *numbers)
    return struct.pack(">" + WIDTHS.get(type, "i"), int(value.split(" ")[0].strip("[]")))


class Trace:
    def __init__(self, rank):
        self.rank, self.now, self.lines = rank, bias + rank * 0.25e-3 + (65535.99 if kind == "long" else 0), []
        self.records = []

    def stamps(self):
        seconds = int(self.now) - bias
        return struct.pack(">Hi", seconds % 65536, round(self.now % 1 * 1e9))

    def printed(self):
        return "%d.%09d" % ((int(self.now) - bias) % 65536 + bias, round(self.now % 1 * 1e9)) if kind != "plain" else "0.000000000"

    def call(self, name, *arguments, order=None):
        """order: of the arguments in the file, where it is not that of the text."""
        stamp = "%s %s at walltime %s, cputime 0.004400000 seconds in thread 0."
        self.lines += [stamp % (name, "entering", self.printed())]
        self.lines += arguments
        record = [struct.pack(">HBH", LABELS[name], 0x4f if kind != "plain" else 0x40, 0)]
        if kind != "plain":
            record += [struct.pack(">HiHi", 0, 4400000, 0, 4400000), self.stamps()]
        self.now += 1e-3
        if kind != "plain":
            record += [self.stamps()]
        self.lines += [stamp % (name, "returning", self.printed())]
        stored = arguments if order is None else [arguments[i] for i in order]
        self.records += record + [packed(argument) for argument in stored]

    def entered(self):
        """What instrumented functions leave, with a hardware counter; dumpi2ascii has other lines of it."""
        self.records += [struct.pack(">HBHHiHiB", LABELS["Function_enter"], 0xc8, 0, 0, 1, 0, 2, 1),
                         struct.pack(">qqq", 17, 18, 0x400000)]

    def text(self):
        head = ["version=%d.%d.%d" % version, "starttime=Thu Sep 26 10:55:53 2013", "", "hostname=deepthought",
                "username=slartibartfast", "meshdim=0", "meshsize=[]", "meshcrd=[]"]
        foot = ["MPI_Send called 0 times and ignored 0 times", "Datatype 9 (MPI_INT) has size 4",
                "Datatype 28 (user-defined-datatype) has size 24"]
        lines = self.lines if kind == "bare" else head + self.lines + foot
        return "\n".join(lines) + "\n"

    def binary(self):
        parts, at = [MAGIC, struct.pack(">ii", 0, bias), *self.records, struct.pack(">H", LABELS["End"])], {}

        def add(name, *more):
            at[name] = sum(map(len, parts))
            parts.extend(more)

        add("header", bytes(version), struct.pack(">q", 1380192953), struct.pack(">H", 11), b"deepthought",
            struct.pack(">H", 14), b"slartibartfast", struct.pack(">ii", 0, 0))
        add("footer", struct.pack(">q", 0xf007fee7), bytes(2 * 4 * 291))
        add("keyval", struct.pack(">i", 0))
        add("counters", struct.pack(">i", 1), struct.pack(">H", 12), b"PAPI_TOT_CYC")
        add("sizes", struct.pack(">i", 29), *[struct.pack(">i", {9: 4, 14: 8, 28: 24}.get(i, 0)) for i in range(29)])
        add("functions", struct.pack(">i", 0))
        parts.append(MAGIC)
        words = ["sizes", "functions", "counters", "header", "body", "footer", "keyval"]
        at["body"], at["keyval"] = 8, 0
        parts += [struct.pack(">q", at[word]) for word in (words if version >= (0, 6, 6) else words[1:])]
        return b"".join(parts)


def status(source, size, tag):
    return "{bytes=%d, cancelled=0, source=%d, tag=%d, error=0}" % (size, source, tag if version >= (0, 6, 3) else -1)


WORLD, HALF = "MPI_Comm comm=2 (MPI_COMM_WORLD)", "MPI_Comm comm=4 (user-defined-comm)"
DOUBLE, OWN = "MPI_Datatype datatype=14 (MPI_DOUBLE)", "MPI_Datatype datatype=28 (user-defined-datatype)"
# Traces did not have sizes at first.
OWNS = ("int count=3", OWN) if version >= (0, 6, 6) else ("int count=9", DOUBLE)
for rank in range(ranks):
    trace, down, up = Trace(rank), (rank - 1) % ranks, (rank + 1) % ranks
    trace.call("MPI_Init", "int argc=1", 'string argv[1]=["./app"]', order=[1] if version >= (0, 6, 2) else [0, 1])
    trace.entered()
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
    trace.call("MPI_Send_init", *OWNS, "int dest=%d" % ((own + 1) % size), "int tag=1", HALF,
               "MPI_Request request=[6]")
    trace.call("MPI_Recv_init", *OWNS, "int source=%d" % ((own - 1) % size), "int tag=1", HALF,
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
    shape = ["int ndim=1", WORLD, "int maxdims=1", "int dims[1]=[%d]" % ranks, "int periods[1]=[1]", "int coords[1]=[0]"]
    trace.call("MPI_Cart_get", *shape[:5], shape[5] if version >= (0, 6, 8) else "int coords=0")
    gather = ["int commrank=%d" % rank, "int sendcount=1", DOUBLE, "int recvcount=%d" % (rank == 1),
              "MPI_Datatype recvtype=14 (MPI_DOUBLE)", "int root=1", WORLD]
    gather[2] = gather[2].replace("datatype=", "sendtype=")
    trace.call("MPI_Gather", *gather, order=[0, 1, 2, 5, 6, 3, 4] if rank == 1 else [0, 1, 2, 5, 6])
    count(rank, 1, 8)
    trace.call("MPI_Finalize")
    with open(os.path.join(folder, "dumpi-%04d.txt" % rank), "w") as file:
        file.write(trace.text())
    with open(os.path.join(folder, "dumpi-%04d.bin" % rank), "wb") as file:
        file.write(trace.binary())
with open(os.path.join(folder, "dumpi.meta"), "w") as file:
    file.write("hostname=deepthought\nnumprocs=%d\nusername=slartibartfast\nstartime=1380192953\n"
               "fileprefix=elsewhere/dumpi\nversion=1\nsubversion=1\nsubsubversion=0\n" % ranks)
for rank in range(ranks):
    with open(os.path.join(folder, "counts.%d" % rank), "w") as file:
        for (source, destination), sizes in sorted(counts.items()):
            if source == rank:
                for size in sizes:
                    file.write("%d %d %d\n" % (source, destination, size))
