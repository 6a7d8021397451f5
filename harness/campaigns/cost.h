/* What jobs may take of an account: nodes x time of what would be submitted. */
#ifndef NUCE_COST_H
#define NUCE_COST_H

#include "campaigns/packing.h"

/* Room for what nuce_cost_say writes: two numbers of 32 characters, the nodes, and the words
 * between. */
#define NUCE_COST_BYTES 320

struct nuce_cost {
    int64_t jobs;                         /* tasks of an array count each */
    int64_t unsized;                      /* of them, those whose nodes Slurm chooses */
    int nodes_least, nodes_most;          /* of the others; 0 where there are none */
    double limit_s, estimate_s;           /* seconds, sums over all jobs */
    double limit_node_s, estimate_node_s; /* node-seconds, sums over jobs that are sized */
};

/* Adds the first `parts` parts of pack to *cost, which begins as zeros: those that are submitted
 * now, where Slurm's limits do not let all of them in. Fails only where the profile's hostfile
 * cannot be read or is too short (NUCE_BAD_INPUT, naming it), and then adds nothing. */
nuce_status nuce_cost_add(struct nuce_cost *cost, const struct nuce_pack *pack, int64_t parts,
                          const struct nuce_profile *profile, struct nuce_error *error);

/* All of packing; *out is overwritten, and is as it was on failure. */
nuce_status nuce_cost_of(const struct nuce_packing *packing, const struct nuce_profile *profile,
                         struct nuce_cost *out, struct nuce_error *error);

/* One line, the same wherever it is said: "3 jobs of 8 nodes: at most 24 node-hours (by time
 * limits), about 7.1 estimated". If Slurm chooses the nodes of any job the line counts job-hours
 * for all of them, since a sum of both would mean nothing. */
void nuce_cost_say(const struct nuce_cost *cost, char text[NUCE_COST_BYTES]);

#endif
