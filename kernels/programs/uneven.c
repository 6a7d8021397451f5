/* uneven: the machine of a NETWORK FILE.
 *
 * Every ordered pair of ranks has its own link, with the pair's startup and bandwidth. Its route
 * also has the ports of the sender and the receiver. Between nodes it has their rails and the
 * nodes' ports, and between groups their uplinks. Each is included if the file gives it a finite
 * rate. All messages of a rank share its port, whatever their partners. SimGrid gets no gap,
 * because it has its own costs of a message.
 *
 * Messages that share a port get parts in inverse proportion to their startups, even ones if
 * these are equal: 1 ms and 10 ms share 10 to 1. The port's rate is used in full either way.
 * `smpirun --cfg=network/weight-S:1e12` uses weights of 1 / bandwidth, summed over the links,
 * instead. A message without latency would get almost nothing next to one with latency: its
 * latency is set to 1 ns, the precision of smpirun. A startup below 16 bytes' time at the pair's
 * rate becomes that time, because SMPI adds 16 bytes to a message. Cost: a link and a route for
 * each of the P (P - 1) pairs. Source: Bhat, Prasanna and Raghavendra, section 4.1 (pairs). */
#include <math.h>

#include "programs/platform.h"

#define PRECISION 1e-9 /* seconds, of times under smpirun */
#define FLOPS 1e9      /* of relative speed 1; any value works, because computing is not charged */

/* SimGrid's routes need two ends. */
static nuce_status uneven_check(int ranks, struct nuce_error *error)
{
    if (ranks < 2)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--network: of %d rank: expected at least 2 ranks", ranks);
    return NUCE_OK;
}

/* Latency of the pair's link, minus the time of SMPI's own bytes. Their rate is that of a lone
 * message: the pair's, limited by all places on its way. */
static double uneven_latency(const struct nuce_network *network, int i, int j)
{
    double rate = nuce_network_bandwidth(network, i, j);
    struct nuce_way way;

    nuce_network_way(network, i, j, &way);
    for (int k = 0; k < way.count; k++)
        rate = fmin(rate, nuce_network_capacity(network, way.place[k]));
    return nuce_platform_latency(nuce_network_startup(network, i, j), rate);
}

/* Prints nodes, ports, pairs' links, and the routes. Routes only contain places with known
 * rates; others limit nothing. */
static void uneven_print(const struct nuce_platform_ops *ops,
                         const struct nuce_platform_input *input, FILE *stream)
{
    const struct nuce_network *network = input->network;
    int ranks = network->ranks;
    double least = 0; /* of all, if any pair has a latency left after SMPI's own bytes */

    (void)ops;
    fprintf(stream, "  <zone id=\"uneven\" routing=\"Full\">\n");
    for (int i = 0; i < ranks; i++) {
        fprintf(stream, "    <host id=\"node-%d\" speed=\"", i);
        nuce_platform_print_number(network->speed == NULL ? FLOPS : FLOPS * network->speed[i],
                                   "f\"/>\n", stream);
    }
    for (int place = 0; place < nuce_network_places(network); place++) {
        if (isfinite(nuce_network_capacity(network, place))) {
            fprintf(stream, "    <link id=\"port-%d", place);
            nuce_platform_print_shared(nuce_network_capacity(network, place), 0, stream);
        }
    }
    for (int k = 0; least <= 0 && k < ranks * ranks; k++) {
        if (k / ranks != k % ranks && uneven_latency(network, k / ranks, k % ranks) > 0)
            least = PRECISION;
    }
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            if (i == j)
                continue;
            fprintf(stream, "    <link id=\"pair-%d-%d", i, j);
            nuce_platform_print_shared(nuce_network_bandwidth(network, i, j),
                                       fmax(uneven_latency(network, i, j), least), stream);
        }
    }
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            struct nuce_way way;

            if (i == j)
                continue;
            nuce_network_way(network, i, j, &way);
            fprintf(stream,
                    "    <route src=\"node-%d\" dst=\"node-%d\" symmetrical=\"NO\">"
                    "<link_ctn id=\"pair-%d-%d\"/>",
                    i, j, i, j);
            for (int k = 0; k < way.count; k++) {
                if (isfinite(nuce_network_capacity(network, way.place[k])))
                    fprintf(stream, "<link_ctn id=\"port-%d\"/>", way.place[k]);
            }
            fprintf(stream, "</route>\n");
        }
    }
    fprintf(stream, "  </zone>\n");
}

const struct nuce_platform_ops nuce_platform_uneven = {
    .name = "uneven",
    .summary = "a NETWORK FILE: a link for each pair, ports where they have a rate",
    .source = "Bhat, Prasanna and Raghavendra, section 4.1, and the file",
    .ranks = 0,
    .speed = "",
    .poll_s = 1e-6,
    .check = uneven_check,
    .print = uneven_print,
};
