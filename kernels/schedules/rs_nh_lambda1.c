/* RS_NH with lambda = 1: random scheduling, the largest message first, none split.
 *
 * Problem: cover the pattern by partial permutations whose messages are of similar size, each
 * message whole.
 * Steps: those of rs_phases.c, the threshold being the largest size of each phase.
 * Cost: to build, as rs_nh without the sorting. To run, as many phases as rs_n, more even ones.
 * Limits: as rs_n; where all messages of a row are equal it is rs_n.
 * Source: Ranka, Wang and Kumar, section 7.1, algorithm 6. */
#include "schedules/rs_phases.h"

static void rs_nh_lambda1_fill(const struct nuce_schedule_input *input,
                               struct nuce_schedule_builder *builder)
{
    struct nuce_rs_rule rule = {.lambda = 1};

    nuce_rs_heaps_build(input, &rule, builder);
}

const struct nuce_schedule_ops nuce_schedule_rs_nh_lambda1 = {
    .name = "rs-nh-lambda1",
    .label = "random phases, no split",
    .summary = "random scheduling, largest first, nothing split",
    .source = "Ranka, Wang and Kumar, section 7.1",
    .discipline = NUCE_LOCKSTEP,
    .fill = rs_nh_lambda1_fill,
};
