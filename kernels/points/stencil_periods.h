/* Speeds that change during a run of the workload `stencil`, emulated. */
#ifndef NUCE_STENCIL_PERIODS_H
#define NUCE_STENCIL_PERIODS_H

#include <stdint.h>

#include "base/error.h"
#include "points/workload.h"

/* Values of `rebalance`: when the array is cut again. */
#define NUCE_REBALANCE_NEVER "never"
#define NUCE_REBALANCE_AFTER_CHANGE "after-change"
#define NUCE_REBALANCE_EVERY_LOOK "every-look"
#define NUCE_REBALANCE_WHEN_IT_PAYS "when-it-pays"

/* Speeds hold from one change to the next; the first period begins with the run. */
struct nuce_speed_periods {
    int count;      /* at least 1 */
    int64_t *from;  /* count: iterations done before, ascending; the first is 0 */
    double *speeds; /* count x ranks */
    double most;    /* largest of all speeds; a rank with it does no extra work */
};

/* The periods of params. NUCE_BAD_INPUT names entry and value. Freed with nuce_speed_periods_fini,
 * which accepts an empty (all zero) one. */
nuce_status nuce_speed_periods_init(const struct nuce_stencil_params *params, int ranks,
                                    struct nuce_speed_periods *out, struct nuce_error *error);
void nuce_speed_periods_fini(struct nuce_speed_periods *periods);

/* The extra work of rank in a period, as a multiple of its own: 1 halves its speed. */
double nuce_speed_periods_extra(const struct nuce_speed_periods *periods, int period, int rank,
                                int ranks);

/* Checks speeds and rebalancing in params, and rewrites the text in its shortest form, so that the
 * same changes in any spelling are one point. */
nuce_status nuce_stencil_periods_complete(struct nuce_stencil_params *params, int ranks,
                                          struct nuce_error *error);

#endif
