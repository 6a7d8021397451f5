/* Kernighan and Lin's heuristic on numbers a switch instead of single processors, to a larger sum
 * of distances between the halves: the papers' "minimise the cut" holds for affinities. Moving a
 * processor from switch i to the second half gains gain[i]; swapping one of i for one of k gains
 * gain[i] - gain[k], and 2 x scale x the hops between them, which both gains had counted as
 * lost. */
#include "mapping/halves.h"

/* Gains that are rounding would make passes go on for ever; a few passes find nearly all there is.
 */
#define ROUNDING 1e-9
#define MOST_PASSES 50

double nuce_halves_value(const struct nuce_halves *halves)
{
    double value = 0;

    for (int i = 0; i < halves->shares; i++) {
        const struct nuce_share *a = &halves->share[i];
        double sum = 0;

        if (a->first == 0)
            continue;
        for (int k = 0; k < halves->shares; k++)
            sum += (double)(halves->share[k].count - halves->share[k].first) *
                   nuce_routing_hops(halves->routing, a->home, halves->share[k].home);
        value += a->first * (halves->scale * sum - a->pull);
    }
    return value;
}

/* During a pass; arrays over shares. */
struct pass {
    const struct nuce_halves *halves;
    double *gain; /* of moving one from the first half to the second; the negative of it, of moving
                     one back */
    double *first, *other; /* processors in each half that have not been swapped */
    double farthest;       /* hops between any two shares */
};

struct pair {
    int out, in; /* shares: the one that leaves the first half, and the one that enters it */
    double gain;
};

/* Gains from scratch, as later ones are kept up to date by differences. */
static void start_pass(struct pass *pass)
{
    const struct nuce_halves *halves = pass->halves;

    pass->farthest = 0;
    for (int i = 0; i < halves->shares; i++) {
        const struct nuce_share *a = &halves->share[i];
        double sum = 0;

        for (int k = 0; k < halves->shares; k++) {
            const struct nuce_share *b = &halves->share[k];
            int hops = nuce_routing_hops(halves->routing, a->home, b->home);

            sum += (double)(2 * b->first - b->count) * hops;
            pass->farthest = hops > pass->farthest ? hops : pass->farthest;
        }
        pass->gain[i] = halves->scale * sum + a->pull;
        pass->first[i] = a->first;
        pass->other[i] = a->count - a->first;
    }
}

/* The pair of the largest gain in *best, the lowest numbers of several; 0 if one half has none
 * left. A share whose own gain, the best of all partners' and the farthest distance do not reach
 * what has been found is passed over: most are. */
static int find_pair(const struct pass *pass, struct pair *best)
{
    const struct nuce_halves *halves = pass->halves;
    double twice = 2 * halves->scale, most = 0;
    int is_any = 0, is_found = 0;

    for (int k = 0; k < halves->shares; k++) {
        if (pass->other[k] > 0 && (!is_any || -pass->gain[k] > most)) {
            most = -pass->gain[k];
            is_any = 1;
        }
    }
    for (int i = 0; is_any && i < halves->shares; i++) {
        if (!(pass->first[i] > 0) ||
            (is_found && pass->gain[i] + most + twice * pass->farthest <= best->gain))
            continue;
        for (int k = 0; k < halves->shares; k++) {
            double gain;

            if (k == i || !(pass->other[k] > 0))
                continue;
            gain = pass->gain[i] - pass->gain[k] +
                   twice * nuce_routing_hops(halves->routing, halves->share[i].home,
                                             halves->share[k].home);
            if (!is_found || gain > best->gain) {
                *best = (struct pair){i, k, gain};
                is_found = 1;
            }
        }
    }
    return is_found;
}

/* Swaps one processor, marks both as done for this pass, and brings the gains up to date,
 * O(shares). */
static void swap_pair(const struct pass *pass, const struct pair *pair)
{
    const struct nuce_halves *halves = pass->halves;
    int out = halves->share[pair->out].home, in = halves->share[pair->in].home;

    halves->share[pair->out].first--;
    halves->share[pair->in].first++;
    pass->first[pair->out]--;
    pass->other[pair->in]--;
    for (int k = 0; k < halves->shares; k++)
        pass->gain[k] += 2 * halves->scale *
                         (nuce_routing_hops(halves->routing, in, halves->share[k].home) -
                          nuce_routing_hops(halves->routing, out, halves->share[k].home));
}

/* Swaps to the end, also where that costs, then back to the best beginning, which is kept as the
 * numbers in kept. Returns what it gains, 0 or more. */
static double run_pass(struct pass *pass, double *kept)
{
    const struct nuce_halves *halves = pass->halves;
    double sum = 0, best = 0;
    struct pair pair = {0};

    start_pass(pass);
    for (int i = 0; i < halves->shares; i++)
        kept[i] = halves->share[i].first;
    while (find_pair(pass, &pair)) {
        swap_pair(pass, &pair);
        sum += pair.gain;
        if (!(sum > best))
            continue;
        best = sum;
        for (int i = 0; i < halves->shares; i++)
            kept[i] = halves->share[i].first;
    }
    for (int i = 0; i < halves->shares; i++)
        halves->share[i].first = (int)kept[i];
    return best;
}

void nuce_halves_improve(const struct nuce_halves *halves, double *scratch)
{
    struct pass pass = {.halves = halves,
                        .gain = scratch,
                        .first = scratch + halves->shares,
                        .other = scratch + 2 * (int64_t)halves->shares};
    double *kept = scratch + 3 * (int64_t)halves->shares;

    for (int i = 0; i < MOST_PASSES && run_pass(&pass, kept) > ROUNDING * halves->scale; i++)
        ;
}
