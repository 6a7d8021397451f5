/* From the rounds of each rank to those of all: finds the local rounds that are one call of the
 * application.
 *
 * The n-th message a -> b with a tag on a communicator is the n-th receive that b posts for it,
 * because MPI does not let messages overtake each other. The message links two local rounds, and
 * linked rounds are one call, with these additions.
 * - A rank that only receives may merge several rounds of one sender into its own round. No send
 *   depends on these receives, so each belongs to its sender's round.
 * - Rounds may have ranks that agree that they are the k-th since the last collective call of
 *   the group. All such rounds of the same k are put together.
 * - Rounds may be ambiguous for three reasons. The program uses calls that leave them undecided
 *   (raw.h, flags). Or it receives messages from any source that might have come in another
 *   order between its sends. Or it links rounds over several epochs. The messages that each rank
 *   sent between two collective calls are then taken together.
 * - The n-th collective call of each rank on a communicator is one call. */
#ifndef NUCE_JOIN_H
#define NUCE_JOIN_H

#include "capture/capture.h"
#include "capture/raw_read.h"

/* A communicator as all of its members have it. */
struct nuce_join_communicator {
    int size, ordinal;
    const int32_t *members; /* world ranks, borrowed from a rank's file */
    int *file;              /* index of each member's file; -1: it left none; owned */
    int *local;             /* each member's number for the communicator in its file; owned */
};

/* A local round or one rank's part in a collective call. */
struct nuce_join_node {
    /* union-find: index of a node of the same component; a root has its own index, and is the
     * least */
    int64_t parent;
    const struct nuce_raw_call *call;
    const struct nuce_raw_definition *definition;
    int file, communicator, own; /* own: rank in the communicator */
    /* of a round: its number since the last collective call of the group; of a collective call:
     * its number on the communicator */
    int ordinal;
    /* is_unmatched: the other end of a message is missing; is_mismatched: a collective call
     * differs in kind from the first rank's */
    int8_t is_unmatched, is_mismatched;
    int8_t only_receives, has_any; /* has_any: it has messages from any source */
};

/* The part of a node that belongs to one call of the application. Parts of one call are adjacent
 * in the list. The order of calls depends on the program only, not on times. */
struct nuce_join_part {
    int communicator, epoch, is_collective, ordinal;
    int64_t tie;    /* separates calls that agree in all other fields, else 0 */
    int64_t node;   /* index of the node */
    int only_epoch; /* the part has only messages of this epoch (after the node's); -1: all */
    int is_timed;   /* the node's time is counted here */
    enum nuce_capture_quality quality;
};

/* The state of the merge. All of it is owned, including the raw files, into which calls and
 * definitions point. Nodes are ordered by file, then in the order of the file's calls. */
struct nuce_join {
    struct nuce_raw_rank *files;
    int file_count;
    struct nuce_join_communicator *communicators;
    int communicator_count;
    struct nuce_join_node *nodes;
    int64_t node_count;
    struct nuce_join_part *parts;
    int64_t part_count, part_capacity;
    int64_t unmatched; /* messages */
};

/* Joins the rounds of `count` files and takes over the files. Freed with nuce_join_fini, also on
 * failure. `epochs`: all messages between two collective calls are one pattern, everywhere. The
 * parts are then sorted, and those of one call are adjacent. */
void nuce_join_init(struct nuce_join *out, struct nuce_raw_rank *files, int count, int epochs);
void nuce_join_fini(struct nuce_join *join);

/* True if two parts belong to one call. */
int nuce_join_is_same(const struct nuce_join_part *a, const struct nuce_join_part *b);

#endif
