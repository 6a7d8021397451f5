/* From the rounds of each rank to those of all: which local rounds are one call of the application.
 *
 * The n-th message a -> b with a tag on a communicator is the n-th receive that b posts for it (MPI
 * does not let messages overtake each other), which links two local rounds. Linked rounds are one,
 * but for a rank that only receives, in what it takes for one round, what another one sent in
 * several: nothing that it sends depends on these, so that each is of its sender's round;
 * those whose ranks agree that they are the k-th since the last collective call of the group are
 * put together with others of which that is true. Where a program uses calls that leave the rounds
 * undecided (raw.h, flags), takes messages from any source that might have come in another order
 * between what it sends, or links rounds over several epochs, what each rank sent between two
 * collective calls is taken together instead. The n-th collective call of each rank on a
 * communicator is one call. */
#ifndef NUCE_JOIN_H
#define NUCE_JOIN_H

#include "capture/capture.h"
#include "capture/raw_read.h"

/* A communicator as all of its members have it. */
struct nuce_join_communicator {
    int size, ordinal;
    const int32_t *members; /* world ranks, borrowed from a rank's file */
    int *file;  /* of each member the index of its rank's file; -1: it left none; owned */
    int *local; /* of each member the communicator's number in that file; owned */
};

/* A local round or one rank's part in a collective call. */
struct nuce_join_node {
    /* union-find: index of a node of the same component; the root's own, and the root is the
     * least */
    int64_t parent;
    const struct nuce_raw_call *call;
    const struct nuce_raw_definition *definition;
    int file, communicator, own; /* own: rank in the communicator */
    /* of a round: since the last collective call of the group; of a call: the n-th on the
     * communicator */
    int ordinal;
    /* A message of it met no other end; a collective call is of another kind than the first
     * rank's. */
    int8_t is_unmatched, is_mismatched;
    int8_t only_receives, has_any; /* has_any: some of it from any source */
};

/* What of a node belongs to which call of the application. Parts of one call are neighbours in the
 * list, and calls are in an order that depends on what the program does and on no time. */
struct nuce_join_part {
    int communicator, epoch, is_collective, ordinal;
    int64_t tie;    /* tells apart calls that agree in all the rest; 0 where they need not be */
    int64_t node;   /* index of what belongs to the call */
    int only_epoch; /* messages of this one (behind the node's) alone; -1: all */
    int is_timed;   /* the node's time is counted here */
    enum nuce_capture_quality quality;
};

/* What the merge works on. All of it is owned, the raw files as well, into which calls and
 * definitions point. Nodes stand file by file, in the order of the file's calls. */
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

/* Joins the rounds of `count` files. Takes over the files; freed with nuce_join_fini, also on
 * failure. `epochs`: what lies between two collective calls is one pattern, everywhere. parts are
 * then in order, those of one call side by side. */
void nuce_join_init(struct nuce_join *out, struct nuce_raw_rank *files, int count, int epochs);
void nuce_join_fini(struct nuce_join *join);

/* Whether two parts belong to one call. */
int nuce_join_is_same(const struct nuce_join_part *a, const struct nuce_join_part *b);

#endif
