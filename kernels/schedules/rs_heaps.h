/* RS_NH, random scheduling with heaps: what its variants share. They differ in how much of a
 * message a phase may send. */
#ifndef NUCE_RS_HEAPS_H
#define NUCE_RS_HEAPS_H

#include "schedules/schedule.h"

/* The messages of a phase; who sends none is idle and counts as 0. */
struct nuce_rs_sizes {
    int ranks;
    int count;            /* of those who are not idle */
    const int64_t *bytes; /* count, ascending: what is left of each message */
    int least;            /* the index in bytes of the size that the share lambda of the ranks does
                             not exceed */
};

/* How much of each message a phase sends: at most the size that a share of the ranks does not
 * exceed, so that these send theirs whole. */
struct nuce_rs_rule {
    double lambda; /* that share, at least; in (0, 1] */
    /* NULL: no more than lambda. Else the index in bytes of the size to send at most, from least
     * on. */
    int (*choose)(const struct nuce_rs_rule *rule, const struct nuce_rs_sizes *sizes);
    double unit, startup_units; /* for choose, as in struct nuce_tuning */
    /* Nothing is split: of each phase's messages the share 1 - lambda, rounded down and drawn, is
     * not sent but goes back whole. */
    int puts_back;
};

/* Adds all pieces of a schedule under rule to builder, which holds none, and its heap costs.
 * NUCE_FAILED: out of memory. */
nuce_status nuce_rs_heaps_build(const struct nuce_schedule_input *input,
                                const struct nuce_rs_rule *rule,
                                struct nuce_schedule_builder *builder, struct nuce_error *error);

#endif
