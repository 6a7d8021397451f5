/* How a port is told from its paths: one rank exchanges with d partners at once, each message as
 * long as its path makes it, so that on independent paths all would end together; a port that
 * cannot carry their sum makes the fan take longer than that. */
#include "schedules/fan.h"

#include <math.h>

/* Seconds that a fan of one partner takes; one of d partners sqrt(d) times that where the port is
 * the limit and all pairs are alike, 1 / sqrt(d) times where paths are independent. Far above a
 * clock's grain and a startup, which are microseconds. */
#define FAN_S 0.06

/* The bandwidths of a fan's pairs may differ by this before the messages of the slowest would get
 * too short to say anything: those of the fastest are cut instead. */
#define SPREAD 16

/* A port is known to be one where so many of its paths' bandwidths do not fit through. */
#define INDEPENDENT 0.9

/* Doubling: the degree at which a port fills up is found to a factor of 2 with log2(ranks) fans,
 * not ranks of them. */
int nuce_fan_degrees(int ranks, int degrees[NUCE_FAN_DEGREES_MOST])
{
    int count = 0;

    for (int degree = 1; degree < ranks - 1; degree *= 2)
        degrees[count++] = degree;
    degrees[count++] = ranks - 1;
    return count;
}

int nuce_fan_partner(const struct nuce_fan *fan, int index, int ranks)
{
    int64_t distance = 1 + (int64_t)index * (ranks - 1) / fan->degree;

    return (int)((fan->centre + distance) % ranks);
}

/* The pair that the message of partner takes. */
static double fan_bandwidth(const struct nuce_network *network, const struct nuce_fan *fan,
                            int partner)
{
    return fan->is_out ? nuce_network_bandwidth(network, fan->centre, partner)
                       : nuce_network_bandwidth(network, partner, fan->centre);
}

/* In proportion to bandwidths first; then all are made less by one factor where they come to more
 * than NUCE_FAN_TOTAL x largest. No message is empty: each has at least a byte. */
void nuce_fan_sizes(const struct nuce_network *network, const struct nuce_fan *fan, int64_t largest,
                    int64_t *bytes)
{
    double least = INFINITY, most = 0, seconds, total = 0, share;

    /* Seconds that each message is to take on its own: FAN_S / sqrt(degree), but no more than what
     * makes the longest one `largest`, unless the shortest were then less than 1 / SPREAD of it. */
    for (int k = 0; k < fan->degree; k++) {
        double rate = fan_bandwidth(network, fan, nuce_fan_partner(fan, k, network->ranks));

        least = fmin(least, rate);
        most = fmax(most, rate);
    }
    seconds = fmin(FAN_S / sqrt(fan->degree),
                   fmax((double)largest / most, (double)largest / SPREAD / least));
    for (int k = 0; k < fan->degree; k++) {
        double rate = fan_bandwidth(network, fan, nuce_fan_partner(fan, k, network->ranks));

        total += fmin(rate * seconds, (double)largest);
    }
    share = fmin(1, NUCE_FAN_TOTAL * (double)largest / total);
    for (int k = 0; k < fan->degree; k++) {
        double rate = fan_bandwidth(network, fan, nuce_fan_partner(fan, k, network->ranks));

        bytes[k] = (int64_t)fmax(1, share * fmin(rate * seconds, (double)largest));
    }
}

/* A trip is there and back: twice the startup, for the empty answer has one too. The least startup
 * is taken off for the rate, since until then nothing can have gone through the port. */
struct nuce_fan_result nuce_fan_judge(const struct nuce_network *network,
                                      const struct nuce_fan *fan, const int64_t *bytes,
                                      double seconds)
{
    double one_by_one = 0, longest = 0, empty = INFINITY, total = 0;

    for (int k = 0; k < fan->degree; k++) {
        int partner = nuce_fan_partner(fan, k, network->ranks);
        double empty_trip = 2 * (fan->is_out ? nuce_network_startup(network, fan->centre, partner)
                                             : nuce_network_startup(network, partner, fan->centre));
        double trip = empty_trip + (double)bytes[k] / fan_bandwidth(network, fan, partner);

        one_by_one += trip;
        longest = fmax(longest, trip);
        empty = fmin(empty, empty_trip);
        total += (double)bytes[k];
    }
    return (struct nuce_fan_result){.degree = fan->degree,
                                    .gain = one_by_one / seconds,
                                    .free = one_by_one / longest,
                                    .rate = seconds > empty ? total / (seconds - empty) : INFINITY};
}

/* A fan whose degree is 1 compares a pair with itself and says nothing. The best rate of any fan
 * counts, as one that takes too long (a lost packet, a neighbour's traffic) is no limit of the
 * port. */
double nuce_fan_port(const struct nuce_fan_result *results, int count, double pair)
{
    const struct nuce_fan_result *all = &results[count - 1];
    double best = pair;

    if (all->degree < 2 || !(all->gain < INDEPENDENT * all->free))
        return INFINITY;
    for (int k = 0; k < count; k++)
        best = fmax(best, results[k].rate);
    return best;
}
