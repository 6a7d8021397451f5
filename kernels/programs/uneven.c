/* uneven: the machine of a NETWORK FILE.
 *
 * Every ordered pair of ranks has a link of its own, with the pair's startup and bandwidth; along
 * with it come the port of the sender, that of the receiver, between nodes their rails and the
 * nodes' ports, and between groups the uplinks of these, where the file gives them a finite rate:
 * then what one sends, or receives, shares that, whatever its partners. A gap is not told to
 * SimGrid, which has its own costs of a message. On a port that several messages share each gets a
 * part in inverse proportion to its startup, an even one where startups are alike: 1 ms and 10 ms
 * share 10 to 1. The port's rate is used in full either way. `smpirun --cfg=network/weight-S:1e12`
 * weighs by 1 / bandwidth, summed over the links, instead. A message without latency beside one
 * that has some would get next to nothing: there it is 1 ns, the precision of smpirun. A startup
 * below 16 bytes' time at the pair's rate becomes that: SMPI adds as many to a message. Cost: a
 * link and a route for each of the P (P - 1) pairs. Source: Bhat, Prasanna and Raghavendra,
 * section 4.1 (pairs). */
#include <math.h>

#include "programs/platform.h"

#define PRECISION 1e-9 /* seconds, of times under smpirun */
#define FLOPS 1e9      /* of relative speed 1; computing is not charged, so any would do */

/* SimGrid's routes need two ends. */
static nuce_status uneven_check(int ranks, struct nuce_error *error)
{
    if (ranks < 2)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--network: of %d rank: expected at least 2 ranks", ranks);
    return NUCE_OK;
}

/* Of the pair's link, less what SMPI's own bytes take at the rate that a lone message has: the
 * pair's, within all that is on its way. */
static double uneven_latency(const struct nuce_network *network, int i, int j)
{
    double rate = nuce_network_bandwidth(network, i, j);
    struct nuce_way way;

    nuce_network_way(network, i, j, &way);
    for (int k = 0; k < way.count; k++)
        rate = fmin(rate, nuce_network_capacity(network, way.place[k]));
    return nuce_platform_latency(nuce_network_startup(network, i, j), rate);
}

/* Nodes, ports, pairs' links, and the routes, in which only places whose rates are known stand:
 * others limit nothing. */
static void uneven_print(const struct nuce_platform_ops *ops,
                         const struct nuce_platform_input *input, FILE *stream)
{
    const struct nuce_network *network = input->network;
    int ranks = network->ranks;
    double least = 0; /* of all, where any pair has a latency left once SMPI's own bytes are off */

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
