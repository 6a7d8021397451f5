/* List schedules: pieces in the order in which they start, and their phases. */
#ifndef NUCE_LIST_SCHEDULE_H
#define NUCE_LIST_SCHEDULE_H

#include "schedules/open_shop.h"
#include "schedules/schedule.h"

/* Pieces in the order in which they start, for list schedules. Each gets the first phase after
 * those of its two ranks. So the phases also make a schedule in lockstep, and their number is the
 * longest chain of pieces that wait for one another. */

struct nuce_chain {
    struct nuce_schedule_builder *builder; /* borrowed */
    int *sent;                             /* ranks: the phase after the rank's last send */
    int *received;                         /* ranks */
};

/* Freed with nuce_chain_fini. */
void nuce_chain_init(struct nuce_schedule_builder *builder, struct nuce_chain *out);
void nuce_chain_fini(struct nuce_chain *chain);

/* As nuce_schedule_add, but chooses the phase. Messages of ranks to themselves are not part of the
 * chain (nuce_schedule_add_own). */
void nuce_chain_add(struct nuce_chain *chain, int source, int destination, int64_t offset,
                    int64_t bytes);

/* List schedules of an open shop: no sender waits while a receiver that it has a message for is
 * idle. */

/* Starts messages in that order whenever ports are idle; messages to oneself go first. Streams of
 * tuning->depth. */
void nuce_list_schedule(const struct nuce_schedule_input *input, enum nuce_shop_order order,
                        struct nuce_schedule_builder *builder);

#endif
