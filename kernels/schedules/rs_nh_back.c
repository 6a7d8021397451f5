/* RS_NH with whole messages put back: the experiment of Figure 10, as a schedule.
 *
 * Problem: count the heap operations of random scheduling if the share 1 - lambda of each phase's
 * messages stays behind, regardless of their sizes.
 * Steps: those of rs_phases.c, but no message is split: of the messages of a phase the share 1 -
 * lambda is drawn and put back whole. The paper picks n (1 - lambda) of them "arbitrarily". If
 * fewer than n ranks send, this takes the same share of the senders, so that it ends.
 * Cost: to build, O((d / lambda) log d) heap operations per rank, according to the paper. To run, 1
 * / lambda times the phases of rs-nh-lambda1: of no practical use.
 * Limits: as rs_n.
 * Source: Ranka, Wang and Kumar, section 5.2, Figure 10. */
#include "schedules/rs_phases.h"

static void rs_nh_back_fill(const struct nuce_schedule_input *input,
                            struct nuce_schedule_builder *builder)
{
    double lambda = input->tuning->lambda > 0 ? input->tuning->lambda : 0.75;
    struct nuce_rs_rule rule = {.lambda = lambda, .puts_back = 1};

    nuce_rs_heaps_build(input, &rule, builder);
}

const struct nuce_schedule_ops nuce_schedule_rs_nh_back = {
    .name = "rs-nh-back",
    .label = "random phases, some put back",
    .summary = "random scheduling, a share of each phase put back whole: the paper's Figure 10",
    .source = "Ranka, Wang and Kumar, section 5.2",
    .discipline = NUCE_LOCKSTEP,
    .uses = NUCE_USES_LAMBDA,
    .fill = rs_nh_back_fill,
};
