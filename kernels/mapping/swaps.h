/* Placements changed by swapping two processes, at a cost of the degrees of the two. */
#ifndef NUCE_SWAPS_H
#define NUCE_SWAPS_H

#include "mapping/placement.h"

/* A placement with its inverse and the switches of its processes, kept up to date by swaps.
 * processes and processors are borrowed until nuce_swaps_fini, rank and home are owned. */
struct nuce_swaps {
    const struct nuce_processes *processes;
    const struct nuce_processors *processors;
    int *processor; /* rank -> processor; the caller's */
    int *rank;      /* processor -> rank */
    int *home;      /* rank -> switch */
};

/* On processor[], a placement, which the calls below change. Free with nuce_swaps_fini. */
nuce_status nuce_swaps_init(const struct nuce_placement_input *input, int *processor,
                            struct nuce_swaps *out, struct nuce_error *error);
void nuce_swaps_fini(struct nuce_swaps *swaps);

/* How much less a's edges cost when a is on switch s; the others stay. In weight x links, less than
 * 0 if it costs more; what the other one of a swap costs is not in it. */
double nuce_swaps_move_gain(const struct nuce_swaps *swaps, int a, int s);

/* How much less the cardinality is when a and b change places. */
double nuce_swaps_gain(const struct nuce_swaps *swaps, int a, int b);

/* a and b change places. */
void nuce_swaps_apply(struct nuce_swaps *swaps, int a, int b);

/* Local search: each process is tried against those on the switches of the processes it talks to
 * and on the switches linked to these, the best swap is made, until none of them gains. Changes
 * processor[], a placement; the cardinality never rises. NUCE_FAILED: no memory. */
nuce_status nuce_swaps_search(const struct nuce_placement_input *input, int *processor,
                              struct nuce_error *error);

/* Tries all pairs of processes, and makes each swap that gains as it is met, until none does:
 * O(ranks^2 x degree) a round. Else as nuce_swaps_search. */
nuce_status nuce_swaps_all_pairs(const struct nuce_placement_input *input, int *processor,
                                 struct nuce_error *error);

#endif
