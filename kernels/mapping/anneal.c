/* anneal: simulated annealing from what bisection finds: the judge of the others. A move swaps a
 * process with one on the switch of a process it talks to, or on a switch linked to that; moves
 * that cost are made with probability exp(-cost / temperature), which falls geometrically. The best
 * placement met is kept, and searched by swaps at the end.
 * Source: Kirkpatrick, Gelatt and Vecchi, Science 220, 1983. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mapping/swaps.h"
#include "support/allocate.h"

extern const struct nuce_placement_ops nuce_placement_bisection;

/* Moves: a million for 256 processes, and never more than a hundred. */
#define MOVES_A_PROCESS 4000
#define MOST_MOVES 100000000
/* Temperatures in mean weights of an edge: a link more is bought often at first, hardly ever at
 * last. */
#define FIRST_TEMPERATURE 0.7
#define LAST_TEMPERATURE 0.1
/* The temperature falls so often in all. */
#define STEPS 1000

/* The unit of temperature: what the mean edge costs when it gets one link longer. */
static double mean_weight(const struct nuce_processes *processes)
{
    int64_t entries = processes->start[processes->ranks];
    double sum = 0;

    for (int64_t k = 0; k < entries; k++)
        sum += processes->weight[k];
    return sum / (double)entries;
}

/* A process to swap a with, or -1 for a draw that leads nowhere: one on the switch of a random
 * neighbour of a, or on a switch linked to that. Other swaps bring a nowhere near those it talks
 * to, and nearly always cost. */
static int draw_partner(const struct nuce_swaps *swaps, int a, struct nuce_rng *rng)
{
    const struct nuce_processes *processes = swaps->processes;
    const struct nuce_processors *processors = swaps->processors;
    const struct nuce_topology *topology = processors->routing->topology;
    int64_t degree = processes->start[a + 1] - processes->start[a], links;
    int s, count;

    if (degree == 0)
        return -1;
    s = swaps->home[processes->neighbor[processes->start[a] +
                                        (int64_t)nuce_rng_below(rng, (uint64_t)degree)]];
    links = topology->start[s + 1] - topology->start[s];
    /* The switch itself as often as all of those linked to it. */
    if (links > 0 && (nuce_rng_next(rng) >> 63) != 0)
        s = topology->neighbor[topology->start[s] + (int64_t)nuce_rng_below(rng, (uint64_t)links)];
    count = processors->start[s + 1] - processors->start[s];
    if (count == 0 || s == swaps->home[a])
        return -1;
    return swaps->rank[processors->member[processors->start[s] +
                                          (int)nuce_rng_below(rng, (uint64_t)count)]];
}

/* Anneals swaps->processor; best[] gets the best placement met, looked at after each temperature.
 * cost is relative to the start, so nothing is copied unless that is improved on. */
static void anneal_cool(struct nuce_swaps *swaps, struct nuce_rng *rng, int *best)
{
    int ranks = swaps->processes->ranks;
    int64_t moves = (int64_t)ranks * MOVES_A_PROCESS;
    double unit = mean_weight(swaps->processes), cost = 0, least = 0;

    moves = moves < MOST_MOVES ? moves : MOST_MOVES;
    for (int step = 0; step < STEPS; step++) {
        double temperature = unit * FIRST_TEMPERATURE *
                             pow(LAST_TEMPERATURE / FIRST_TEMPERATURE, (double)step / STEPS);

        for (int64_t move = moves / STEPS; move > 0; move--) {
            int a = (int)nuce_rng_below(rng, (uint64_t)ranks);
            int b = draw_partner(swaps, a, rng);
            double gain = b < 0 ? 0 : nuce_swaps_gain(swaps, a, b);

            if (b < 0 || (gain < 0 && nuce_rng_uniform(rng) >= exp(gain / temperature)))
                continue;
            nuce_swaps_apply(swaps, a, b);
            cost -= gain;
        }
        if (cost < least) {
            least = cost;
            memcpy(best, swaps->processor, (size_t)ranks * sizeof *best);
        }
    }
}

static nuce_status anneal_place(const struct nuce_placement_input *input, int *processor,
                                struct nuce_error *error)
{
    int ranks = input->processes->ranks;
    struct nuce_rng rng = input->rng;
    struct nuce_swaps swaps;
    int *moved;
    nuce_status status = nuce_placement_bisection.place(input, processor, error);

    if (status != NUCE_OK || input->processes->start[ranks] == 0)
        return status;
    moved = nuce_allocate(ranks, sizeof *moved, error);
    if (moved == NULL)
        return error->status;
    memcpy(moved, processor, (size_t)ranks * sizeof *moved);
    status = nuce_swaps_init(input, moved, &swaps, error);
    if (status == NUCE_OK) {
        anneal_cool(&swaps, &rng, processor);
        nuce_swaps_fini(&swaps);
        status = nuce_swaps_search(input, processor, error);
    }
    free(moved);
    return status;
}

const struct nuce_placement_ops nuce_placement_anneal = {
    .name = "anneal",
    .summary = "simulated annealing from bisection: the judge of the others",
    .source = "Kirkpatrick, Gelatt and Vecchi 1983",
    .place = anneal_place,
};
