/* Which point's turn it is, in a file that outlives the processes: when they die in the middle of a
 * heat, the harness blames the contender that was running, and not those that it ran with. */
#ifndef NUCE_TURN_H
#define NUCE_TURN_H

#include "base/error.h"

struct nuce_turn {
    char *path; /* NULL: not kept */
    char *text; /* NUCE_HASH_BYTES, mapped: a store is all that a turn costs */
};

/* Makes the file beside the record file at path: PATH.turn. NUCE_FAILED: it cannot be made. Freed
 * with nuce_turn_close. Rank 0. */
nuce_status nuce_turn_open(const char *path, struct nuce_turn *out, struct nuce_error *error);

/* It is the turn of the point with that id. turn NULL or not open: nothing. */
void nuce_turn_set(struct nuce_turn *turn, const char *id);

/* Removes the file: nobody died. Accepts an all zero one. */
void nuce_turn_close(struct nuce_turn *turn);

#endif
