/* The steps of `links` by number, so that all ranks agree on who does what without talking: first
 * pairs, in the rounds of a tournament, then fans around some centres. The sizes vary fastest, then
 * rounds, then repetitions: of one thing two repetitions are far apart in time. */
#include "programs/links.h"
#include "schedules/tournament.h"

struct nuce_links_plan nuce_links_plan(const struct nuce_links_params *params, int ranks)
{
    struct nuce_links_plan plan = {.ranks = ranks,
                                   .rounds = nuce_tournament_rounds(ranks),
                                   .sizes = (int)params->sizes,
                                   .repetitions = (int)params->repetitions,
                                   .fan_repetitions = (int)(params->repetitions + 1) / 2,
                                   .centres =
                                       params->centres < ranks ? (int)params->centres : ranks};

    nuce_links_sizes(params, plan.bytes);
    plan.degrees = nuce_fan_degrees(ranks, plan.degree);
    return plan;
}

static int64_t pair_steps(const struct nuce_links_plan *plan)
{
    return (int64_t)plan->repetitions * plan->rounds * plan->sizes;
}

int64_t nuce_links_steps(const struct nuce_links_plan *plan)
{
    return pair_steps(plan) + 1 +
           (int64_t)plan->fan_repetitions * plan->centres * 2 * plan->degrees;
}

struct nuce_links_step nuce_links_step(const struct nuce_links_plan *plan, int64_t number)
{
    int64_t pairs = pair_steps(plan), fan = number - pairs - 1;

    if (number < pairs)
        return (struct nuce_links_step){.kind = NUCE_LINKS_PAIRS,
                                        .size = (int)(number % plan->sizes),
                                        .round = (int)(number / plan->sizes % plan->rounds),
                                        .repetition = (int)(number / plan->sizes / plan->rounds)};
    if (number == pairs)
        return (struct nuce_links_step){.kind = NUCE_LINKS_SHARE};
    return (struct nuce_links_step){.kind = NUCE_LINKS_FAN,
                                    .degree = (int)(fan % plan->degrees),
                                    .is_out = (int)(fan / plan->degrees % 2),
                                    .centre = (int)(fan / plan->degrees / 2 % plan->centres),
                                    .repetition = (int)(fan / plan->degrees / 2 / plan->centres)};
}

int nuce_links_centre(const struct nuce_links_plan *plan, int index)
{
    return (int)((int64_t)index * plan->ranks / plan->centres);
}
