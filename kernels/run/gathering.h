/* From each rank's own row of COM to what has to be known: on each rank the messages that say what
 * it does, where these are all that its schedule needs; else all messages, once a node. */
#ifndef NUCE_GATHERING_H
#define NUCE_GATHERING_H

#include "run/world.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* Which ranks get all rows. */
enum nuce_gatherers {
    NUCE_GATHER_LEADERS, /* the first rank of each node; on a simulated machine, whose ranks are one
                            process, rank 0 alone */
    NUCE_GATHER_FIRST,   /* rank 0 */
};

/* Whether this rank is one of NUCE_GATHER_LEADERS. Local. */
int nuce_gathering_leads(const struct nuce_world *world);

/* *ranks: *count numbers in the world, in the order of the group: those for which the leader of
 * this rank gathers. Freed by the caller. Local. */
void nuce_gathering_members(const struct nuce_world *world, int **ranks, int *count);

/* *out: of the rows of all ranks those messages that come by this rank, as own_radix (not -1) says
 * (nuce_schedule_own_radix): each rank tells those whom its messages concern. rows has the row of
 * this rank; others' are not looked at. O(ranks + messages that concern it). Freed with
 * nuce_pattern_fini. Collective; the same status on all ranks. */
nuce_status nuce_gathering_concern(struct nuce_world *world, const struct nuce_pattern *rows,
                                   int64_t own_radix, struct nuce_pattern *out,
                                   struct nuce_error *error);

/* *out: the rows of all, on the ranks that gatherers says; elsewhere it stays empty. NUCE_FAILED:
 * more than INT_MAX / 3 messages. Freed with nuce_pattern_fini. Collective; the same status on all
 * ranks.
 */
nuce_status nuce_gathering_whole(struct nuce_world *world, const struct nuce_pattern *rows,
                                 enum nuce_gatherers gatherers, struct nuce_pattern *out,
                                 struct nuce_error *error);

/* What both sides of gathering and handing out share. A message is three numbers: source,
 * destination, bytes. */
enum { NUCE_TRIPLE = 3 };

/* Entry k of rows, which is of rank source, as three numbers. */
void nuce_gathering_put(int64_t *triple, const struct nuce_pattern *rows, int source, int64_t k);

/* A pattern of count messages. Freed with nuce_pattern_fini. Local. */
nuce_status nuce_gathering_pattern(const int64_t *triples, int64_t count, int ranks,
                                   struct nuce_pattern *out, struct nuce_error *error);

/* Those among whom one rank, the first, gathers for all: its leader. */
MPI_Comm nuce_gathering_group(const struct nuce_world *world);

#endif
