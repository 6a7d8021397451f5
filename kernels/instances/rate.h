/* How fast a processor sweeps. No MPI. */
#ifndef NUCE_RATE_H
#define NUCE_RATE_H

#include <stdint.h>

#include "base/error.h"
#include "instances/jacobi.h"
#include "instances/plane.h"

/* Cells per second, with the 95 % interval of the median; NaN where there are too few samples. */
struct nuce_rate {
    double median, low, high; /* cells per second */
    int64_t samples;          /* of a tenth of a second or more each */
};

/* Sweeps over all of plane, each sweep with extra work as nuce_plane_sweep_slowly does it, for at
 * least a tenth of a second; returns how many times. A shorter sample would not see that a
 * processor is taken away and given back. Local. */
int64_t nuce_rate_sample(struct nuce_plane *plane, double extra);

/* The rate over a plane of its own, of side x side cells, of such samples for so many seconds and
 * of at least five. Local. */
nuce_status nuce_rate_measure(const struct nuce_jacobi_ops *jacobi, int64_t side, double extra,
                              double seconds, struct nuce_rate *out, struct nuce_error *error);

#endif
