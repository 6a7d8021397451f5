/* Out-degrees from a bounded power law, as in exchanges of partitioned graphs with hubs.
 *
 * A rank sends k messages with a probability proportional to k^-alpha, k = 1 .. ranks - 1. alpha >=
 * 0 is such that the mean is degree; it exists for degree 1 .. ranks / 2, the mean of alpha = 0.
 * A degree of 1 is alpha = infinity, approximated by MOST_ALPHA, for which a second message has a
 * probability below 1e-18. Receivers are uniform, each at most once and never the sender itself
 * (Floyd's sample: Bentley, "Programming Pearls: a sample of brilliance", CACM 30(9), 1987).
 *
 * Cost: O(60 ranks + messages), because alpha is found by bisection.
 * Source: degrees as in Clauset, Shalizi and Newman, section 2. */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "schedules/generator.h"

#define MOST_ALPHA 60.0
#define BISECTIONS 60 /* of 0 .. MOST_ALPHA: down to the last bits of a double */

/* The exponent whose mean is degree, by bisection: the mean falls with alpha. */
static double find_alpha(int degree, int most)
{
    double low = 0, high = MOST_ALPHA;

    for (int i = 0; i < BISECTIONS; i++) {
        double middle = (low + high) / 2, sum = 0, weights = 0;

        /* The mean of the power law on 1 .. most. */
        for (int k = 1; k <= most; k++) {
            double weight = pow(k, -middle);

            weights += weight;
            sum += weight * k;
        }
        if (sum / weights > degree)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static nuce_status power_law_check(const struct nuce_generator_input *input,
                                   struct nuce_error *error)
{
    if (input->ranks < 2)
        return nuce_error_refuse(error, "ranks",
                                 "'%d': every rank of a power-law pattern sends to another, "
                                 "expected at least 2",
                                 input->ranks);
    if (input->degree > input->ranks / 2)
        return nuce_error_refuse(error, "degree",
                                 "'%d': the mean of a power law of degrees up to %d, expected "
                                 "at most half the number of ranks, %d",
                                 input->degree, input->ranks - 1, input->ranks / 2);
    return NUCE_OK;
}

/* Degrees are drawn first, for all ranks, by inversion, then the receivers. */
static void power_law_generate(const struct nuce_generator_input *input, struct nuce_rng *rng,
                               struct nuce_generator_row *out)
{
    int ranks = input->ranks, most = ranks - 1;
    int *degree = nuce_allocate(ranks, sizeof *degree);
    int *seen = nuce_allocate(ranks, sizeof *seen);
    /* The summed weights of the degrees: cumulative[k] is over the degrees up to k + 1. */
    double *cumulative = nuce_allocate(most, sizeof *cumulative);
    double alpha = find_alpha(input->degree, most), sum = 0;

    for (int k = 0; k < most; k++)
        cumulative[k] = sum += pow(k + 1, -alpha);
    for (int i = 0; i < ranks; i++)
        degree[i] = 1 + (int)nuce_generator_lookup(cumulative, 0, most - 1,
                                                   nuce_rng_uniform(rng) * cumulative[most - 1]);
    free(cumulative);
    for (int i = 0; i < ranks; i++) {
        /* degree different receivers among the ranks without i itself (Floyd's sample). seen[j] is
         * 1 + the last source that was given destination j. */
        for (int k = 0; k < degree[i]; k++) {
            int largest = most - degree[i] + k;
            int number = (int)nuce_rng_below(rng, (uint64_t)largest + 1);
            int destination;

            if (seen[number < i ? number : number + 1] == i + 1)
                number = largest;
            destination = number < i ? number : number + 1;
            seen[destination] = i + 1;
            nuce_generator_row_add(out, i, destination, nuce_generator_units(rng));
        }
    }
    free(seen);
    free(degree);
}

const struct nuce_generator_ops nuce_generator_pattern_power_law = {
    .name = "power-law",
    .summary = "messages of a rank from a power law on 1 .. ranks - 1 with mean degree, receivers "
               "uniform; sizes 1 to 32 items",
    .source = "Clauset, Shalizi and Newman: Power-Law Distributions, SIAM Review 51(4), 2009",
    .options = nuce_generator_degree,
    .is_random = 1,
    .check = power_law_check,
    .generate = power_law_generate,
};
