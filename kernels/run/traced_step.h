/* One more step after the samples, with a note of every transfer. */
#ifndef NUCE_TRACED_STEP_H
#define NUCE_TRACED_STEP_H

#include <stdint.h>

#include "run/clock_sync.h"
#include "run/trace.h"
#include "run/workload_run.h"
#include "run/world.h"

struct nuce_traced_step {
    int is_noted;         /* 0: the algorithm runs inside the library, which reports nothing */
    int64_t lost;         /* events without room, all ranks */
    double clock_error_s; /* largest uncertainty of the ranks' clocks; 0: one clock */
    int64_t count;        /* rank 0: of all ranks; else 0 */
    struct nuce_trace_event *events; /* rank 0: by original rank, then by start; seconds from the
                                      * start of the first rank, on rank 0's clock */
};

/* Runs step once, noting up to `most` events, with an equal share for each rank (at least one).
 * clocks are of the world that runs it. seen is the world that self was made with, the same or
 * the placed one; the events name its ranks. *out is freed with nuce_traced_step_fini.
 * Collective. */
void nuce_traced_step(struct nuce_clock_sync *clocks, struct nuce_world *seen,
                      const struct nuce_workload_run *run, void *self, int64_t most,
                      struct nuce_traced_step *out);
void nuce_traced_step_fini(struct nuce_traced_step *traced);

#endif
