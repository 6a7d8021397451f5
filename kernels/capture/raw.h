/* The raw file of one rank: what the recorder appends while an application runs, and what the merge
 * reads. It is mapped, so that what was appended is there however the process ends.
 *
 * A header, then records, each a struct nuce_raw_head and its body, in whole multiples of 8 bytes,
 * in the byte order of the machine. Only the first `used` bytes behind the header are whole. */
#ifndef NUCE_RAW_H
#define NUCE_RAW_H

#include <stddef.h>
#include <stdint.h>

#define NUCE_RAW_MAGIC "nuceraw"
#define NUCE_RAW_VERSION 2
#define NUCE_RAW_ENDING ".raw"

/* More ranks than this are taken for damage. */
#define NUCE_RAW_MOST_RANKS (1 << 24)

/* Beside the raw files: why a process of the application was not captured. */
#define NUCE_RAW_NOTE "note"
/* The same of one that found no room for its raw file; empty where there was none for the reason.
 */
#define NUCE_RAW_ROOM "no-room"

/* What is counted beside the messages. */
enum nuce_raw_counter {
    NUCE_RAW_CALLS,         /* of MPI that were noted; of ranks that were killed none */
    NUCE_RAW_ONE_SIDED,     /* not captured: MPI_Put and its like */
    NUCE_RAW_BETWEEN,       /* not captured: calls on an intercommunicator */
    NUCE_RAW_PARTITIONED,   /* not captured: partitioned messages */
    NUCE_RAW_OTHER,         /* not captured: on communicators that nobody saw being made */
    NUCE_RAW_CANCELLED,     /* messages that were taken back */
    NUCE_RAW_UNFINISHED,    /* receives that were posted and never completed */
    NUCE_RAW_CUT,           /* rounds that were cut because they never ended */
    NUCE_RAW_FULL,          /* records that found no room on the disk or in memory */
    NUCE_RAW_YIELDED,       /* waits in which others got the processor: option --yield */
    NUCE_RAW_WATCHED,       /* calls whose noting was timed */
    NUCE_RAW_WATCHED_NS,    /* time of noting those */
    NUCE_RAW_CPU_NS,        /* processor time since MPI_Init; of ranks that were killed none */
    NUCE_RAW_LEFT_WITH_0,   /* ends without MPI_Finalize whose exit status was 0 */
    NUCE_RAW_COUNTERS = 16, /* room in the file */
};

enum nuce_raw_ending {
    NUCE_RAW_RUNNING,   /* killed, or still there */
    NUCE_RAW_EXITED,    /* ended without MPI_Finalize */
    NUCE_RAW_FINALIZED, /* as it should */
};

/* Texts are zero-ended. */
struct nuce_raw_header {
    char magic[8];
    uint32_t version, header_bytes; /* NUCE_RAW_VERSION; of this struct */
    uint64_t run;                   /* the same on all ranks of one start */
    int32_t rank, ranks;            /* of MPI_COMM_WORLD */
    int32_t pid, ending;            /* of the process; enum nuce_raw_ending */
    int64_t begin_ns, end_ns;       /* of the rank's own monotonic clock */
    int64_t offset_ns;              /* to be added: rank 0's clock */
    int64_t offset_error_ns;        /* at most so far off */
    int64_t used;                   /* bytes of whole records behind the header */
    int64_t counters[NUCE_RAW_COUNTERS];
    char host[64], library[128], program[128];
};

enum nuce_raw_type {
    NUCE_RAW_COMMUNICATOR = 1,
    NUCE_RAW_DEFINITION,
    NUCE_RAW_CALL,
    NUCE_RAW_FLAGS,
    NUCE_RAW_OPEN,
};

struct nuce_raw_head {
    uint32_t type, bytes; /* of the record, this head included */
};

/* Followed by `size` world ranks (int32_t), padded to 8 bytes. Communicators of the same members
 * are told apart by their ordinal, which all members count alike. */
struct nuce_raw_communicator {
    struct nuce_raw_head head;
    int32_t id, size, ordinal, own; /* own: this process' rank in it */
};

/* What a round or a collective call was for this rank. Numbered from 1 on: X(name). A matrix is no
 * call: sums of each pair that were imported. */
#define NUCE_RAW_KINDS(X)                                                                          \
    X(exchange)                                                                                    \
    X(barrier)                                                                                     \
    X(bcast)                                                                                       \
    X(gather)                                                                                      \
    X(gatherv)                                                                                     \
    X(scatter)                                                                                     \
    X(scatterv)                                                                                    \
    X(allgather)                                                                                   \
    X(allgatherv)                                                                                  \
    X(alltoall)                                                                                    \
    X(alltoallv)                                                                                   \
    X(alltoallw)                                                                                   \
    X(reduce)                                                                                      \
    X(allreduce)                                                                                   \
    X(reduce_scatter)                                                                              \
    X(reduce_scatter_block)                                                                        \
    X(scan)                                                                                        \
    X(exscan)                                                                                      \
    X(neighbor_allgather)                                                                          \
    X(neighbor_allgatherv)                                                                         \
    X(neighbor_alltoall)                                                                           \
    X(neighbor_alltoallv)                                                                          \
    X(neighbor_alltoallw)                                                                          \
    X(matrix)

#define NUCE_RAW_KIND(name) NUCE_RAW_KIND_##name,
enum nuce_raw_kind {
    NUCE_RAW_NO_KIND,
    NUCE_RAW_KINDS(NUCE_RAW_KIND) NUCE_RAW_KINDS_END,
};
#undef NUCE_RAW_KIND

/* The name of a kind, or NULL. */
const char *nuce_raw_kind_name(int kind);

enum nuce_raw_direction {
    NUCE_RAW_SEND,
    NUCE_RAW_RECEIVE,
    NUCE_RAW_UNDONE, /* came to nothing: in a round that is open */
};

/* In place of a receive's bytes, which its sender knows: what it left open when it was posted. */
enum nuce_raw_openness {
    NUCE_RAW_KNOWN,      /* the source was said */
    NUCE_RAW_ANY_SOURCE, /* and a tag */
    NUCE_RAW_ANY,        /* any source and tag */
};

/* A send is of the round in which it was posted, a receive of that in which it was complete. */
struct nuce_raw_message {
    int32_t peer, tag; /* peer: rank in the communicator */
    int64_t bytes;     /* of a send; of a receive enum nuce_raw_openness */
    int32_t direction;
    int32_t epoch; /* collectives of the group between the round's beginning and the message */
};

/* Followed by `count` struct nuce_raw_message. `bytes` is what a collective call moves that has no
 * messages of its own, such as an Allreduce. */
struct nuce_raw_definition {
    struct nuce_raw_head head;
    int32_t id, communicator, kind, count;
    int64_t bytes;
};

/* One occurrence of what its definition describes. */
struct nuce_raw_call {
    struct nuce_raw_head head;
    int32_t definition;
    int32_t epoch;       /* collectives of the group before it */
    int64_t open_ns;     /* of the rank's own clock */
    int64_t duration_ns; /* -1: it did not end */
};

/* The round of a communicator that is open, changed in place: what a process that is killed has
 * done is in the file. The last record of a communicator counts, and only if call.open_ns is
 * another than that of the communicator's last call. Followed by room for struct nuce_raw_message,
 * of which definition.count are there. The heads inside and definition.id are not set. */
struct nuce_raw_open {
    struct nuce_raw_head head;
    struct nuce_raw_call call;
    struct nuce_raw_definition definition;
};

/* Why the rounds of an epoch cannot be told apart. */
enum nuce_raw_flag {
    NUCE_RAW_PROBED = 1,   /* MPI_Iprobe and its like, of which what is sent may depend */
    NUCE_RAW_FREED = 2,    /* MPI_Request_free of a message under way */
    NUCE_RAW_CUT_OFF = 4,  /* a round was too long */
    NUCE_RAW_POLLED = 8,   /* a send was posted while a test or the like passed a message over */
    NUCE_RAW_THREADS = 16, /* several threads in one round */
};

/* More epochs in one record are taken for damage. */
#define NUCE_RAW_MOST_FLAGGED (1 << 20)

struct nuce_raw_flags {
    struct nuce_raw_head head;
    int32_t communicator, first, last, flags; /* of epochs first .. last */
};

#endif
