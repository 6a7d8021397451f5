/* The weights `measured`: how fast the ranks sweep, measured once for the points of a launch. */
#ifndef NUCE_SPEEDS_H
#define NUCE_SPEEDS_H

#include "instances/jacobi.h"
#include "points/workload.h"
#include "run/world.h"

struct nuce_speeds {
    struct nuce_world *world;
    char key[4 * NUCE_PATH_BYTES]; /* what the speeds below are of; "": nothing */
    double *relative; /* ranks: the fastest has 1, in NUCE_WEIGHTS_DIGITS digits; NULL: none */
};

/* Makes speeds->relative hold the speeds of the ranks: those of the network that params name, where
 * it has some (nuce-calibrate speeds writes them), else measured here for the stencil of params,
 * the extra work of emulated speeds included; all ranks sweep at the same time, since that is how
 * they will run. The same on all ranks. Collective; all ranks return the same status. */
nuce_status nuce_speeds_find(struct nuce_speeds *speeds, const struct nuce_stencil_params *params,
                             struct nuce_error *error);

#endif
