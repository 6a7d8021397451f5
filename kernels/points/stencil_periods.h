/* Speeds that change during a run of the workload `stencil`, emulated. */
#ifndef NUCE_STENCIL_PERIODS_H
#define NUCE_STENCIL_PERIODS_H

#include <stdint.h>

#include "base/error.h"
#include "points/workload.h"

/* What `rebalance` may be: when the array is cut anew. */
#define NUCE_REBALANCE_NEVER "never"
#define NUCE_REBALANCE_AFTER_CHANGE "after-change"
#define NUCE_REBALANCE_EVERY_LOOK "every-look"
#define NUCE_REBALANCE_WHEN_IT_PAYS "when-it-pays"

/* Speeds hold from one change to the next; the first period begins with the run. */
struct nuce_speed_periods {
    int count;      /* at least 1 */
    int64_t *from;  /* count: iterations done before, ascending; 0 first */
    double *speeds; /* count x ranks */
    double most;    /* of all: who has it does no extra work */
};

/* Those of params. NUCE_BAD_INPUT names entry and value. Freed with nuce_speed_periods_fini, which
 * takes an empty (all zero) one. */
nuce_status nuce_speed_periods_init(const struct nuce_stencil_params *params, int ranks,
                                    struct nuce_speed_periods *out, struct nuce_error *error);
void nuce_speed_periods_fini(struct nuce_speed_periods *periods);

/* How much extra work rank does in a period, as a multiple of its own: 1 makes it half as fast. */
double nuce_speed_periods_extra(const struct nuce_speed_periods *periods, int period, int rank,
                                int ranks);

/* Checks what params say of speeds and rebalancing, and writes it as briefly as it can be, so that
 * the same is one point however it was written. */
nuce_status nuce_stencil_periods_complete(struct nuce_stencil_params *params, int ranks,
                                          struct nuce_error *error);

#endif
