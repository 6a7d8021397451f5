/* What jobs may take of an account: nodes x time of what would be submitted. */
#ifndef NUCE_COST_H
#define NUCE_COST_H

#include "slurm/packing.h"

#define NUCE_COST_BYTES 320

struct nuce_cost {
    int64_t jobs;                         /* tasks of an array count each */
    int64_t unsized;                      /* of them, those whose nodes Slurm chooses */
    int nodes_least, nodes_most;          /* of the others */
    double limit_s, estimate_s;           /* sums over jobs */
    double limit_node_s, estimate_node_s; /* sums over jobs that are sized: nodes x time */
};

/* Adds the first `parts` parts of pack. Fails only where the profile's hostfile cannot be read. */
nuce_status nuce_cost_add(struct nuce_cost *cost, const struct nuce_pack *pack, int64_t parts,
                          const struct nuce_profile *profile, struct nuce_error *error);

/* All of packing. */
nuce_status nuce_cost_of(const struct nuce_packing *packing, const struct nuce_profile *profile,
                         struct nuce_cost *out, struct nuce_error *error);

/* One line, the same wherever it is said: "3 jobs of 8 nodes: at most 24 node-hours (by time
 * limits), about 7.1 estimated". */
void nuce_cost_say(const struct nuce_cost *cost, char text[NUCE_COST_BYTES]);

#endif
