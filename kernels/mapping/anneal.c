/* anneal: the judge of the others: simulated annealing in several runs, from the best of what the
 * others find.
 *
 * Problem: how far from the best are placements that take a millisecond? Nothing tells exactly for
 * more than a few processes, so this one is given time.
 * Steps:
 * 1. Every placement that is ours is made and searched by swaps; the best is kept.
 * 2. RUNS runs of annealing. A move swaps a process with one on the switch of a process it talks
 *    to, or on a switch linked to that; moves that cost are made with probability exp(-cost /
 *    temperature), which falls geometrically. Every second run begins anew, hot, at what a
 * placement of step 1 found, in turn; the others begin, warm, at the best met so far.
 * 3. What each run met that is best is searched by swaps, and the best of all by all pairs there
 *    are, until none gains: no swap makes the result better.
 * Cost: RUNS x MOVES_A_PROCESS moves a process, about 20 ms a process, 5 s for 256, and never more
 * than MOST_MOVES moves, some 10 s; the last step up to MOST_FOR_PAIRS processes.
 * Limits: not proven to be the best: beside it stands the bound (cardinality_bound.h). On made-up
 * networks of 16 to 256 processes two seeds differ by up to 2 %. The same seed gives the same
 * placement.
 * Source: Kirkpatrick, Gelatt and Vecchi, Science 220, 1983. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mapping/swaps.h"
#include "support/allocate.h"

extern const struct nuce_placement_ops nuce_placement_anneal;

#define RUNS 6
#define MOVES_A_PROCESS 40000
#define MOST_MOVES 100000000
/* Temperatures in mean weights of an edge: a link more is bought nearly always when hot, often when
 * warm, hardly ever at last. */
#define HOT 2.0
#define WARM 0.7
#define LAST_TEMPERATURE 0.1
/* The temperature falls so often in a run. */
#define STEPS 1000
/* All pairs are tried of no more processes than that: it takes their square. */
#define MOST_FOR_PAIRS 4096

/* What the runs share. */
struct judge {
    const struct nuce_placement_input *input;
    struct nuce_rng rng;
    double unit;    /* of temperature: what the mean edge costs when it gets one link longer */
    int64_t moves;  /* a run */
    int *best;      /* ranks: the best placement so far, */
    double least;   /* and its cardinality */
    int *processor; /* ranks: the one that is worked on */
    int *met;       /* ranks: the best of a run */
};

/* Each edge stands in the rows of both its ends, so this is also the mean of edges. */
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

/* Anneals swaps->processor from a temperature on; met[] gets the best placement met, looked at
 * after each temperature. cost is relative to the start, so nothing is copied unless that is
 * improved on. */
static void anneal_cool(struct judge *judge, struct nuce_swaps *swaps, double first)
{
    int ranks = swaps->processes->ranks;
    double cost = 0, least = INFINITY;

    for (int step = 0; step < STEPS; step++) {
        double temperature =
            judge->unit * first * pow(LAST_TEMPERATURE / first, (double)step / STEPS);

        for (int64_t move = judge->moves / STEPS; move > 0; move--) {
            int a = (int)nuce_rng_below(&judge->rng, (uint64_t)ranks);
            int b = draw_partner(swaps, a, &judge->rng);
            double gain = b < 0 ? 0 : nuce_swaps_gain(swaps, a, b);

            if (b < 0 || (gain < 0 && nuce_rng_uniform(&judge->rng) >= exp(gain / temperature)))
                continue;
            nuce_swaps_apply(swaps, a, b);
            cost -= gain;
        }
        if (cost < least) {
            least = cost;
            memcpy(judge->met, swaps->processor, (size_t)ranks * sizeof *judge->met);
        }
    }
}

/* Searches processor[] by swaps, and keeps it if it is the best so far. */
static nuce_status judge_keep(struct judge *judge, int *processor, struct nuce_error *error)
{
    const struct nuce_placement_input *input = judge->input;
    double cardinality;

    if (nuce_swaps_search(input, processor, error) != NUCE_OK)
        return error->status;
    cardinality = nuce_placement_cardinality(input->processes, input->processors, processor);
    if (cardinality < judge->least) {
        judge->least = cardinality;
        memcpy(judge->best, processor, (size_t)input->processes->ranks * sizeof *processor);
    }
    return NUCE_OK;
}

/* The i-th of the placements that are ours, in turn: not this one, and no library's, which need not
 * give the same twice. */
static const struct nuce_placement_ops *judged(int i)
{
    int count = 0, other = 0;

    for (int k = 0; nuce_placements[k] != NULL; k++)
        count += nuce_placements[k] != &nuce_placement_anneal && !nuce_placements[k]->is_library;
    for (int k = 0;; k++) {
        if (nuce_placements[k] == &nuce_placement_anneal || nuce_placements[k]->is_library)
            continue;
        if (other++ == i % count)
            return nuce_placements[k];
    }
}

/* Every placement that is ours, each with the random numbers that it has by itself. */
static nuce_status judge_others(struct judge *judge, struct nuce_error *error)
{
    const struct nuce_placement_ops *first = judged(0);

    for (int i = 0; i == 0 || judged(i) != first; i++) {
        if (judged(i)->place(judge->input, judge->processor, error) != NUCE_OK ||
            judge_keep(judge, judge->processor, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* Run number i. Even numbers go on from the best so far, odd ones from what a placement gives. */
static nuce_status judge_run(struct judge *judge, int i, struct nuce_error *error)
{
    size_t bytes = (size_t)judge->input->processes->ranks * sizeof *judge->processor;
    int is_anew = i % 2 == 1;
    struct nuce_swaps swaps;

    if (is_anew && judged(i / 2)->place(judge->input, judge->processor, error) != NUCE_OK)
        return error->status;
    if (!is_anew)
        memcpy(judge->processor, judge->best, bytes);
    if (nuce_swaps_init(judge->input, judge->processor, &swaps, error) != NUCE_OK)
        return error->status;
    anneal_cool(judge, &swaps, is_anew ? HOT : WARM);
    nuce_swaps_fini(&swaps);
    return judge_keep(judge, judge->met, error);
}

static nuce_status judge_place(struct judge *judge, struct nuce_error *error)
{
    nuce_status status = judge_others(judge, error);

    for (int i = 0; status == NUCE_OK && i < RUNS; i++)
        status = judge_run(judge, i, error);
    if (status == NUCE_OK && judge->input->processes->ranks <= MOST_FOR_PAIRS)
        status = nuce_swaps_all_pairs(judge->input, judge->best, error);
    return status;
}

/* Where nobody talks every placement costs nothing, and a temperature would be 0 / 0: the first
 * placement will do. */
static nuce_status anneal_place(const struct nuce_placement_input *input, int *processor,
                                struct nuce_error *error)
{
    int ranks = input->processes->ranks;
    int64_t moves = (int64_t)ranks * MOVES_A_PROCESS;
    struct judge judge = {.input = input, .rng = input->rng, .best = processor, .least = INFINITY};
    nuce_status status = NUCE_FAILED;

    if (input->processes->start[ranks] == 0)
        return judged(0)->place(input, processor, error);
    judge.moves = moves < MOST_MOVES / RUNS ? moves : MOST_MOVES / RUNS;
    judge.unit = mean_weight(input->processes);
    judge.processor = nuce_allocate(ranks, sizeof *judge.processor, error);
    judge.met = nuce_allocate(ranks, sizeof *judge.met, error);
    if (judge.processor != NULL && judge.met != NULL)
        status = judge_place(&judge, error);
    free(judge.processor);
    free(judge.met);
    return status;
}

const struct nuce_placement_ops nuce_placement_anneal = {
    .name = "anneal",
    .summary = "simulated annealing in several runs from all others: their judge, in seconds",
    .source = "Kirkpatrick, Gelatt and Vecchi 1983",
    .place = anneal_place,
};
