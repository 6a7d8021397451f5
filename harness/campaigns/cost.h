/* The charge of jobs to an account: nodes x time of the jobs to be submitted. */
#ifndef NUCE_COST_H
#define NUCE_COST_H

#include "campaigns/packing.h"

/* Bytes for the text of nuce_cost_say: numbers of 32 characters, the nodes, and the words
 * between. */
#define NUCE_COST_BYTES 384

struct nuce_cost {
    int64_t jobs;                /* each task of an array counts */
    int64_t unsized;             /* jobs whose nodes Slurm chooses */
    int nodes_least, nodes_most; /* of the other jobs; 0 without any */
    int is_most; /* the estimate is of commands, whose time only budget and timeout limit */
    double limit_s, estimate_s;           /* seconds, sums over all jobs */
    double limit_node_s, estimate_node_s; /* node-seconds, sums over jobs that are sized */
    double resumes; /* of the job that needs most: those after which it has run all its points */
};

/* Adds the first `parts` parts of pack, those submitted now, to *cost, which begins as zeros.
 * Slurm's limits may not admit all parts. Fails, and adds nothing, only if the profile's hostfile
 * cannot be read or is too short (NUCE_BAD_INPUT, naming it). */
nuce_status nuce_cost_add(struct nuce_cost *cost, const struct nuce_pack *pack, int64_t parts,
                          const struct nuce_profile *profile, struct nuce_error *error);

/* The cost of all of packing. Overwrites *out on success; leaves it unchanged on failure. */
nuce_status nuce_cost_of(const struct nuce_packing *packing, const struct nuce_profile *profile,
                         struct nuce_cost *out, struct nuce_error *error);

/* One line, the same in every message: "3 jobs of 8 nodes: at most 24 node-hours (by time limits),
 * about 7.1 estimated"; of commands "at most 7.1 by budget and timeout". If a job is too short for
 * its points, " for all launches, with about 20 resumes" follows. If Slurm chooses the nodes of any
 * job, the line counts job-hours for all jobs, because a mixed sum would be meaningless. */
void nuce_cost_say(const struct nuce_cost *cost, char text[NUCE_COST_BYTES]);

#endif
