/* The sweep rate of a processor. No MPI. */
#ifndef NUCE_RATE_H
#define NUCE_RATE_H

#include <stdint.h>

#include "base/error.h"
#include "instances/jacobi.h"
#include "instances/plane.h"

/* Cells per second, with the 95 % interval of the median; NaN with too few samples. */
struct nuce_rate {
    double median, low, high; /* cells per second */
    int64_t samples;          /* of a tenth of a second or more each */
};

/* Sweeps over all of plane for at least a tenth of a second, each sweep with extra work as in
 * nuce_plane_sweep_slowly; returns the number of sweeps. A shorter sample would not show that a
 * processor is taken away and given back. Local. */
int64_t nuce_rate_sample(struct nuce_plane *plane, double extra);

/* The rate over a plane of its own, of side x side cells, from such samples for that many seconds
 * and at least five of them. Local. */
nuce_status nuce_rate_measure(const struct nuce_jacobi_ops *jacobi, int64_t side, double extra,
                              double seconds, struct nuce_rate *out, struct nuce_error *error);

#endif
