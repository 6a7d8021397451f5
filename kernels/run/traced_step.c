/* Runs one step with a trace, then converts its events to the common clock, relative to the
 * first start, and gathers all events on rank 0.
 *
 * Cost: one more step, untimed, and memory for `most` events on rank 0, with an equal share on
 * every rank. A trace slows a step down, so the step is not a sample of the run. */
#include "run/traced_step.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "run/check.h"
#include "run/control.h"
#include "run/world.h"

void nuce_traced_step_fini(struct nuce_traced_step *traced)
{
    free(traced->events);
    memset(traced, 0, sizeof *traced);
}

static int by_start(const void *a, const void *b)
{
    const struct nuce_trace_event *first = a, *second = b;

    return (first->start_s > second->start_s) - (first->start_s < second->start_s);
}

/* Each rank has a share of `most`, at least 1; other ranks cannot use its unused part. Events
 * are gathered as bytes of a struct: all ranks run the same program. Counts are ints, because
 * the caller limits `most`. */
void nuce_traced_step(struct nuce_clock_sync *clocks, struct nuce_world *seen,
                      const struct nuce_workload_run *run, void *self, int64_t most,
                      struct nuce_traced_step *out)
{
    struct nuce_world *world = clocks->world;
    int64_t share = most / world->size > 1 ? most / world->size : 1;
    struct nuce_trace trace = {0};
    int64_t sums[3]; /* events, events lost, ranks that note */
    double parts[NUCE_SAMPLE_PARTS] = {0};
    double begin, earliest;
    int mine, *counts = NULL, *displacements = NULL;
    MPI_Datatype type;

    nuce_trace_init(seen->rank, share, &trace);
    nuce_clock_sync_pass(clocks);
    if (run->prepare != NULL)
        run->prepare(self);
    seen->trace = &trace;
    nuce_world_barrier(world);
    begin = nuce_clock();
    run->step(self, parts);
    seen->trace = NULL;
    NUCE_ASSERT(trace.pending == 0);
    if (!trace.is_noted) /* a rank's copies to itself alone give little information */
        trace.count = trace.lost = 0;
    /* From this rank's clock to seconds since the first rank's start. */
    earliest = -nuce_clock_sync_common(clocks, begin); /* the minimum, as a maximum */
    nuce_world_maximum(world, &earliest, 1);
    for (int64_t i = 0; i < trace.count; i++) {
        struct nuce_trace_event *event = &trace.events[i];

        event->start_s = nuce_clock_sync_common(clocks, event->start_s) + earliest;
        event->end_s = nuce_clock_sync_common(clocks, event->end_s) + earliest;
    }
    qsort(trace.events, (size_t)trace.count, sizeof *trace.events, by_start);
    sums[0] = trace.count;
    sums[1] = trace.lost;
    sums[2] = trace.is_noted;
    nuce_world_sum(world, sums, 3);
    *out = (struct nuce_traced_step){0};
    out->is_noted = sums[2] == world->size;
    out->lost = sums[1];
    out->clock_error_s = nuce_clock_sync_quality(clocks).error_s;
    mine = nuce_int(trace.count);
    if (world->rank == 0) {
        counts = nuce_allocate(world->size, sizeof *counts);
        displacements = nuce_allocate(world->size, sizeof *displacements);
        out->events = nuce_allocate(sums[0], sizeof *out->events);
        out->count = sums[0];
    }
    nuce_control_gather(world, &mine, 1, MPI_INT, counts, world->control);
    for (int rank = 1; world->rank == 0 && rank < world->size; rank++)
        displacements[rank] = displacements[rank - 1] + counts[rank - 1];
    NUCE_MPI(MPI_Type_contiguous((int)sizeof *trace.events, MPI_BYTE, &type));
    NUCE_MPI(MPI_Type_commit(&type));
    nuce_control_gatherv(world, trace.events, mine, type, out->events, counts, displacements,
                         world->control);
    NUCE_MPI(MPI_Type_free(&type));
    free(counts);
    free(displacements);
    nuce_trace_fini(&trace);
}
