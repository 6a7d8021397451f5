/* RS_NH+fixed: random scheduling with heaps and the same lambda in every phase, the best of five.
 *
 * Problem: as rs_nh, without a model of the gain of splitting in a single phase.
 * Steps: make the schedule of rs_phases.c for each lambda of 3/4, 7/8, 15/16, 31/32 and 1. The
 * threshold of a phase is the size that lambda n of its senders do not exceed. Keep the one with
 * the earliest predicted end on the given network, with ranks that go from phase to phase on their
 * own. On ties keep the one with fewer pieces, then with the larger lambda. A given lambda is the
 * only one.
 * Cost: to build, five times rs_nh and five predictions. To run, see rs_phases.c.
 * Limits: see rs_phases.c. The choice is as good as the network's startups and bandwidths are.
 * Source: Ranka, Wang and Kumar, sections 6.1 and 7.1, algorithm 5; they ran all five and printed
 * the best. */
#include <stdio.h>

#include "schedules/execution.h"
#include "schedules/rs_phases.h"

static const double lambdas[] = {3.0 / 4, 7.0 / 8, 15.0 / 16, 31.0 / 32, 1};

#define LAMBDAS ((int)(sizeof lambdas / sizeof *lambdas))

/* True if the schedule of makespan is better than best, which was tried before it: later ones have
 * larger lambdas. */
static int is_better(const struct nuce_schedule *schedule, double makespan,
                     const struct nuce_candidate *best)
{
    if (makespan < best->makespan || makespan > best->makespan)
        return makespan < best->makespan;
    return schedule->pieces <= best->pieces;
}

/* Tries each lambda and notes it in builder; the costs are the sums over all of them. */
static void rs_nh_fixed_fill(const struct nuce_schedule_input *input,
                             struct nuce_schedule_builder *builder)
{
    const double *tried = input->tuning->lambda > 0 ? &input->tuning->lambda : lambdas;
    struct nuce_schedule best = {0};

    builder->costs.heap_s = 0;
    for (int i = 0; i < (tried == lambdas ? LAMBDAS : 1); i++) {
        struct nuce_rs_rule rule = {.lambda = tried[i]};
        struct nuce_schedule_builder trial;
        struct nuce_schedule schedule;
        char name[NUCE_NAME_BYTES];
        double makespan;

        nuce_schedule_builder_init(&trial, input->pattern->ranks, NUCE_LOCKSTEP);
        nuce_rs_heaps_build(input, &rule, &trial);
        nuce_schedule_build_end(&trial, &schedule);
        makespan = nuce_execution_makespan(&schedule, input->network, NUCE_LOOSE);
        snprintf(name, sizeof name, "lambda %g", tried[i]);
        builder->costs.heap_s += schedule.costs.heap_s;
        builder->costs.heap_operations += schedule.costs.heap_operations;
        nuce_schedule_add_candidate(builder, name, &schedule, makespan);
        if (i == 0 || is_better(&schedule, makespan, &builder->candidate[builder->chosen])) {
            nuce_schedule_fini(&best);
            best = schedule;
            builder->chosen = i;
        } else {
            nuce_schedule_fini(&schedule);
        }
    }
    /* Copies the best schedule's pieces into builder, rank by rank: in lockstep the phases alone
     * determine the order of pieces. */
    for (int i = 0; i < best.ranks; i++) {
        for (int64_t k = best.send_start[i]; k < best.send_start[i + 1]; k++) {
            const struct nuce_transfer *send = &best.sends[k];

            nuce_schedule_add(builder, i, send->peer, send->phase, send->offset, send->bytes);
        }
    }
    nuce_schedule_fini(&best);
}

const struct nuce_schedule_ops nuce_schedule_rs_nh_fixed = {
    .name = "rs-nh-fixed",
    .label = "random phases, fixed split",
    .summary = "rs-nh with a fixed share of whole messages per phase, the best of five",
    .source = "Ranka, Wang and Kumar, sections 6.1 and 7.1",
    .discipline = NUCE_LOCKSTEP,
    .uses = NUCE_USES_LAMBDA,
    .fill = rs_nh_fixed_fill,
};
