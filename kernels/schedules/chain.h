/* Pieces in the order in which they start, for list schedules: each gets the first phase after
 * those of its two ranks, so that the phases also make a schedule in lockstep and their number is
 * the longest chain of pieces that wait for one another. */
#ifndef NUCE_CHAIN_H
#define NUCE_CHAIN_H

#include "schedules/schedule.h"

struct nuce_chain {
    struct nuce_schedule_builder *builder; /* borrowed */
    int *sent;                             /* ranks: the phase after the rank's last send */
    int *received;                         /* ranks */
};

/* Freed with nuce_chain_fini. */
void nuce_chain_init(struct nuce_schedule_builder *builder, struct nuce_chain *out);
void nuce_chain_fini(struct nuce_chain *chain);

/* As nuce_schedule_add, the phase being chosen. What ranks send to themselves is not the chain's
 * (nuce_schedule_add_own). */
void nuce_chain_add(struct nuce_chain *chain, int source, int destination, int64_t offset,
                    int64_t bytes);

#endif
