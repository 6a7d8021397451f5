/* The common part of the random schedules: heaps of each rank's remaining messages, and phases. */
#ifndef NUCE_RS_PHASES_H
#define NUCE_RS_PHASES_H

#include "schedules/schedule.h"

/* RS_NH, random scheduling with heaps: the common part of its variants. They differ in the part of
 * a message that a phase may send. */

/* The messages of a phase; a rank that sends none is idle and counts as 0. */
struct nuce_rs_sizes {
    int ranks;
    int count;            /* number of ranks that are not idle */
    const int64_t *bytes; /* count, ascending: remaining bytes of each message */
    int least;            /* index in bytes of the size that the share lambda of the ranks does not
                             exceed */
};

/* The part of each message that a phase sends: at most the size that a share of the ranks does not
 * exceed, so that these ranks send theirs whole. */
struct nuce_rs_rule {
    double lambda; /* that share, as a minimum; in (0, 1] */
    /* NULL: lambda alone decides. Else returns the index in bytes of the largest size to send, from
     * least on. */
    int (*choose)(const struct nuce_rs_rule *rule, const struct nuce_rs_sizes *sizes);
    double unit, startup_units; /* for choose, as in struct nuce_tuning */
    /* If true, no message is split: of each phase's messages the share 1 - lambda, rounded down and
     * drawn, is not sent but goes back whole. */
    int puts_back;
};

/* Adds all pieces of a schedule under rule to builder, which is empty, and the costs of the
 * heaps. */
void nuce_rs_heaps_build(const struct nuce_schedule_input *input, const struct nuce_rs_rule *rule,
                         struct nuce_schedule_builder *builder);

/* The common part of the random schedules of Ranka, Wang and Kumar: rows of remaining messages,
 * visited phase by phase in cyclic order from a random start, and the receivers that a phase has
 * taken. */

/* All arrays are owned. */
struct nuce_rs_phases {
    const struct nuce_pattern *pattern; /* borrowed */
    struct nuce_rng rng;
    int64_t messages; /* of the pattern, without those of ranks to themselves, which are in no
                         row */
    int *entry;  /* messages: row i begins at pattern->row[i]; its first left[i] entries are the
                    remaining ones, each as its place in that row of the pattern */
    int *left;   /* ranks */
    int *active; /* rows with entries left, ascending */
    int actives;
    int *taken; /* ranks: 1 + the last phase in which the rank receives */
    int phase;
};

/* Makes every row complete, except for the rank's message to itself, and in random order, phase 0.
 * Freed with nuce_rs_phases_fini. O(ranks + messages). */
void nuce_rs_phases_init(const struct nuce_schedule_input *input, struct nuce_rs_phases *out);
void nuce_rs_phases_fini(struct nuce_rs_phases *phases);

/* Adds whole messages to builder, those of ranks to themselves first, until no row has any. Each
 * row takes the first of its remaining entries whose receiver is free, and its last entry moves
 * into that place. */
void nuce_rs_phases_first_free(struct nuce_rs_phases *phases,
                               struct nuce_schedule_builder *builder);

#endif
