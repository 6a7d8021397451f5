/* Both bounds in one pass over the messages: the papers' single-port bound, which a rank can beat
 * that does several transfers at once, and the port bound, which nothing beats. */
#include "schedules/bounds.h"

#include <stdlib.h>

#include "support/allocate.h"

/* Of one rank's port, in one direction. */
struct load {
    double seconds; /* one transfer after the other */
    double bytes;
};

static double bounds_larger(double a, double b)
{
    return a > b ? a : b;
}

/* out and in: ranks each, zeroed. Returns the longest message alone. */
static double add_up(const struct nuce_pattern *pattern, const struct nuce_network *network,
                     struct load *out, struct load *in)
{
    double longest = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            int j = pattern->destination[k];
            double seconds = nuce_network_seconds(network, i, j, pattern->bytes[k]);

            if (i == j)
                continue;
            longest = bounds_larger(longest, seconds);
            out[i].seconds += seconds;
            in[j].seconds += seconds;
            out[i].bytes += (double)pattern->bytes[k];
            in[j].bytes += (double)pattern->bytes[k];
        }
    }
    return longest;
}

nuce_status nuce_bounds_compute(const struct nuce_pattern *pattern,
                                const struct nuce_network *network, struct nuce_bounds *out,
                                struct nuce_error *error)
{
    struct load *loads = nuce_allocate(2 * (int64_t)pattern->ranks, sizeof *loads, error);
    struct load *sent = loads, *received;
    struct nuce_bounds bounds = {0};

    if (loads == NULL)
        return error->status;
    received = loads + pattern->ranks;
    bounds.port = add_up(pattern, network, sent, received);
    for (int i = 0; i < pattern->ranks; i++) {
        bounds.single_port = bounds_larger(bounds.single_port, sent[i].seconds);
        bounds.single_port = bounds_larger(bounds.single_port, received[i].seconds);
        bounds.port = bounds_larger(bounds.port, sent[i].bytes / nuce_network_port_out(network, i));
        bounds.port =
            bounds_larger(bounds.port, received[i].bytes / nuce_network_port_in(network, i));
    }
    free(loads);
    *out = bounds;
    return NUCE_OK;
}
