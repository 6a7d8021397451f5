/* The raw file of one rank: the recorder appends to it while an application runs, and the merge
 * reads it. The file is mapped, so appended records survive any end of the process.
 *
 * The file is a header, then records. A record is a struct nuce_raw_head and its body, in whole
 * multiples of 8 bytes, in the byte order of the machine. Only the first `used` bytes after the
 * header are complete. */
#ifndef NUCE_RAW_H
#define NUCE_RAW_H

#include <stddef.h>
#include <stdint.h>

#define NUCE_RAW_MAGIC "nuceraw"
#define NUCE_RAW_VERSION 2
#define NUCE_RAW_ENDING ".raw"

/* More ranks than this are treated as damage. */
#define NUCE_RAW_MOST_RANKS (1 << 24)

/* A file next to the raw files: the reason why a process of the application was not captured. */
#define NUCE_RAW_NOTE "note"
/* The reason why a process found no room for its raw file; empty if there was no room for the
 * reason either. */
#define NUCE_RAW_ROOM "no-room"

/* Events that are counted in addition to messages. */
enum nuce_raw_counter {
    NUCE_RAW_CALLS,         /* noted calls of MPI; of killed ranks none */
    NUCE_RAW_ONE_SIDED,     /* not captured: MPI_Put and its like */
    NUCE_RAW_BETWEEN,       /* not captured: calls on an intercommunicator */
    NUCE_RAW_PARTITIONED,   /* not captured: partitioned messages */
    NUCE_RAW_OTHER,         /* not captured: on communicators with an unobserved creation */
    NUCE_RAW_CANCELLED,     /* messages that were cancelled */
    NUCE_RAW_UNFINISHED,    /* receives that were posted and never completed */
    NUCE_RAW_CUT,           /* rounds that were cut because they were too long */
    NUCE_RAW_FULL,          /* records that found no room on the disk or in memory */
    NUCE_RAW_YIELDED,       /* waits that gave up the processor: option --yield */
    NUCE_RAW_WATCHED,       /* calls with timed recording */
    NUCE_RAW_WATCHED_NS,    /* time of recording those */
    NUCE_RAW_CPU_NS,        /* processor time since MPI_Init; of ranks that were killed none */
    NUCE_RAW_LEFT_WITH_0,   /* ends without MPI_Finalize whose exit status was 0 */
    NUCE_RAW_COUNTERS = 16, /* slots in the file */
};

enum nuce_raw_ending {
    NUCE_RAW_RUNNING,   /* killed, or still running */
    NUCE_RAW_EXITED,    /* ended without MPI_Finalize */
    NUCE_RAW_FINALIZED, /* regular end */
};

/* Texts are zero-ended. */
struct nuce_raw_header {
    char magic[8];
    uint32_t version, header_bytes; /* NUCE_RAW_VERSION; of this struct */
    uint64_t run;                   /* the same on all ranks of one start */
    int32_t rank, ranks;            /* of MPI_COMM_WORLD */
    int32_t pid, ending;            /* of the process; ending: enum nuce_raw_ending */
    int64_t begin_ns, end_ns;       /* of the rank's own monotonic clock */
    int64_t offset_ns;              /* add it to convert to rank 0's clock */
    int64_t offset_error_ns;        /* largest error of the offset */
    int64_t used;                   /* bytes of complete records after the header */
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
    uint32_t type, bytes; /* of the record, including this head */
};

/* Followed by `size` world ranks (int32_t), padded to 8 bytes. The ordinal distinguishes
 * communicators of the same members; all members count it alike. */
struct nuce_raw_communicator {
    struct nuce_raw_head head;
    int32_t id, size, ordinal, own; /* own: this process' rank in it */
};

/* The kinds of rounds and collective calls of a rank. X(name), numbered from 1. A matrix is not
 * a call but imported sums of each pair. */
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
    NUCE_RAW_UNDONE, /* had no effect: in an open round */
};

/* Replaces a receive's bytes, which its sender knows: the fields that were open at posting. */
enum nuce_raw_openness {
    NUCE_RAW_KNOWN,      /* the source was given */
    NUCE_RAW_ANY_SOURCE, /* any source, and a given tag */
    NUCE_RAW_ANY,        /* any source and tag */
};

/* A send belongs to the round in which it was posted, a receive to that in which it completed. */
struct nuce_raw_message {
    int32_t peer, tag; /* peer: rank in the communicator */
    int64_t bytes;     /* of a send; of a receive: enum nuce_raw_openness */
    int32_t direction;
    int32_t epoch; /* collectives of the group between the round's beginning and the message */
};

/* Followed by `count` struct nuce_raw_message. `bytes` is for collective calls without messages
 * of their own, such as an Allreduce: the bytes that it moves. */
struct nuce_raw_definition {
    struct nuce_raw_head head;
    int32_t id, communicator, kind, count;
    int64_t bytes;
};

/* One occurrence of a definition. */
struct nuce_raw_call {
    struct nuce_raw_head head;
    int32_t definition;
    int32_t epoch;       /* collectives of the group before it */
    int64_t open_ns;     /* of the rank's own clock */
    int64_t duration_ns; /* -1: it did not end */
};

/* The open round of a communicator. It is changed in place, so the file has the messages of a
 * process that is killed. The last record of a communicator counts, and only if its call.open_ns
 * differs from that of the communicator's last call. Followed by room for struct
 * nuce_raw_message; definition.count of them are used. The heads inside and definition.id are
 * not set. */
struct nuce_raw_open {
    struct nuce_raw_head head;
    struct nuce_raw_call call;
    struct nuce_raw_definition definition;
};

/* Reasons why the rounds of an epoch cannot be separated. */
enum nuce_raw_flag {
    NUCE_RAW_PROBED = 1,   /* MPI_Iprobe or similar; later sends may depend on it */
    NUCE_RAW_FREED = 2,    /* MPI_Request_free of an active message */
    NUCE_RAW_CUT_OFF = 4,  /* a round was too long */
    NUCE_RAW_POLLED = 8,   /* a send was posted after a test passed over a message */
    NUCE_RAW_THREADS = 16, /* several threads in one round */
};

/* More epochs in one record are treated as damage. */
#define NUCE_RAW_MOST_FLAGGED (1 << 20)

struct nuce_raw_flags {
    struct nuce_raw_head head;
    int32_t communicator, first, last, flags; /* of epochs first .. last */
};

#endif
