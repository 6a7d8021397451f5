/* TuNA: store and forward with a radix that trades startups for bytes, for messages of any sizes.
 *
 * Problem: P - 1 small messages a rank pay for P - 1 startups; sent by way of others they can share
 * them.
 * Steps: store_forward.h: in each round a rank sends all it has with one digit of the distance, its
 * own and others', as one transfer; receivers know the sizes, since every rank knows the pattern,
 * where the paper sends them ahead.
 * Cost: at most (radix - 1) ceil(log_radix P) rounds of one startup each; a message is moved as
 * often as its distance has digits that are not 0. Radix 2 has log2 P rounds and moves a byte log2
 * P / 2 times in the mean; radix P is every message in a round of its own, moved once. To build,
 * O(hops + P), for each radix tried. radix: as told, or (auto) the one whose makespan is the least
 * by the loose model, of the least radices that have 1, 2, .. digits: any other has as many digits
 * and no fewer rounds. All that were tried are its candidates. Limits: above some size a byte moved
 * twice costs more than a startup; memory for what passes through. Sends nothing where a round has
 * nothing for a rank. Source: Fan, Domke, Ba and Kumar, "Configurable non-uniform all-to-all
 * algorithms", 2024 (arXiv 2411.02581), section III; after Bruck, Ho, Kipnis, Upfal and Weathersby,
 * IEEE Transactions on Parallel and Distributed Systems 8(11), 1997. */
#include <stdio.h>

#include "schedules/execution.h"
#include "schedules/store_forward.h"

extern const struct nuce_schedule_ops nuce_schedule_tuna;

/* The least radix with which ranks - 1 has at most so many digits. */
static int64_t least_radix(int ranks, int digits)
{
    int64_t radix = 2;

    for (;; radix++) {
        int64_t numbers = 1;

        for (int k = 0; k < digits && numbers < ranks; k++)
            numbers *= radix;
        if (numbers >= ranks)
            return radix;
    }
}

/* What one radix takes, in *out. */
static nuce_status try_radix(const struct nuce_schedule_input *input, int64_t radix,
                             struct nuce_candidate *out, struct nuce_error *error)
{
    struct nuce_schedule_builder builder;
    struct nuce_schedule schedule;
    nuce_status status;

    nuce_schedule_builder_init(&builder, input->pattern->ranks, NUCE_FORWARD);
    if (nuce_store_forward_add(input->pattern, radix, 0, &builder, error) != NUCE_OK) {
        nuce_schedule_builder_fini(&builder);
        return error->status;
    }
    if (nuce_schedule_build_end(&builder, &schedule, error) != NUCE_OK)
        return error->status;
    (void)snprintf(out->name, sizeof out->name, "radix %lld", (long long)radix);
    out->phases = schedule.phases;
    out->pieces = schedule.pieces;
    status = nuce_execution_makespan(&schedule, input->network, NUCE_LOOSE, &out->makespan, error);
    nuce_schedule_fini(&schedule);
    return status;
}

/* Notes all candidates and sets *radix to the best, the largest of several: it moves less. */
static nuce_status choose_radix(const struct nuce_schedule_input *input,
                                struct nuce_schedule_builder *builder, int64_t *radix,
                                struct nuce_error *error)
{
    int ranks = input->pattern->ranks;
    int64_t tried = 0;
    double least = 0;

    for (int digits = 1; tried != 2; digits++) {
        struct nuce_candidate candidate = {.makespan = 0};
        int64_t next = least_radix(ranks, digits);

        if (next == tried)
            continue;
        tried = next;
        if (try_radix(input, tried, &candidate, error) != NUCE_OK ||
            nuce_schedule_add_candidate(builder, &candidate, error) != NUCE_OK)
            return error->status;
        if (builder->candidates > 1 && candidate.makespan >= least)
            continue;
        least = candidate.makespan;
        *radix = tried;
        builder->chosen = (int)builder->candidates - 1;
    }
    return NUCE_OK;
}

static nuce_status tuna_build(const struct nuce_schedule_input *input,
                              struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    int64_t radix = input->tuning->radix;

    if (nuce_store_forward_check(radix, input->pattern->ranks, error) != NUCE_OK)
        return error->status;
    if (radix == 0 && choose_radix(input, builder, &radix, error) != NUCE_OK)
        return error->status;
    return nuce_store_forward_add(input->pattern, radix, 0, builder, error);
}

const struct nuce_schedule_ops nuce_schedule_tuna = {
    .name = "tuna",
    .summary = "store and forward: one transfer for each digit of the distance, in a radix from 2 "
               "(fewest startups) to the number of ranks (fewest bytes)",
    .source = "Fan, Domke, Ba and Kumar, arXiv 2411.02581, 2024",
    .discipline = NUCE_FORWARD,
    .uses = NUCE_USES_RADIX,
    .concern = NUCE_CONCERN_PASSING,
    .build = tuna_build,
};
