/* cm5: the Connection Machine CM-5 of the exchange paper.
 *
 * A fat tree: groups of 4 nodes, of 16 and all. A node's link into it carries 20 MB/s. The link
 * of a group of 4 carries 10 MB/s for each of its nodes, that of a group of 16 carries 5 MB/s
 * for each. The two directions of a link are separate. Above the groups of 16 nothing limits,
 * because messages are spread over the tree at random there (section 1).
 *
 * Each node's own software comes before the tree: one link for sending and receiving, because
 * one processor moves both through one network interface. A lone message of B bytes takes 40 us
 * + B x 0.133 us. Messages that a node sends or receives together share 1 / 0.133 us. Both
 * numbers are fitted to the receive times of Table 2. The rate is fitted to those of 4096 bytes,
 * with the smallest possible error for 1 to 31 senders. That error is 14 %, because each message
 * of 31 senders took 22 % longer than a lone one. The startup is fitted to those of 256 bytes.
 * The times of 256 bytes are 10 to 17 % too short: each message also costs about 9 us, which
 * SimGrid cannot express for every kind of send.
 *
 * The other tables confirm one interface for both directions. A permutation of long messages, in
 * which each node sends and receives, took 0.2389 us per byte (section 3.2; Table 3: 0.180 among 8
 * neighbours to 0.259 across the machine). This is about twice the time of Table 2's lone
 * message; here it takes 0.266.
 *
 * Limits: section 3.2 has a startup of 0.299 ms (0.543 ms for 1 KiB, 62.923 ms for 256 KiB, of
 * permutations), six times that of a message in Table 2. It also fits the phases of Table 5. The
 * paper does not explain the difference, and no one number gives both. Schedules with short
 * messages are therefore too fast here (RS_NH of Table 5, d = 8, units of 16 bytes: 1.3 ms
 * instead of 3.8). The losses of AC on the real machine are missing as well: links are shared
 * without loss here. Source: Ranka, Wang and Kumar, section 3, Table 2. */
#include "programs/platform.h"

#define MAX_RANKS 1024 /* section 3 */

/* Section 3, bytes per second and node. */
#define WITHIN_4 20e6
#define WITHIN_16 10e6
#define WITHIN_ALL 5e6

/* Fitted to Table 2, as above. */
#define STARTUP 40e-6            /* seconds */
#define BANDWIDTH (1 / 0.133e-6) /* bytes per second, in and out together */

/* Number of groups of size nodes; the last may be partly filled. */
static int cm5_groups(int ranks, int size)
{
    return (ranks + size - 1) / size;
}

static void print_routers(const char *prefix, int count, FILE *stream)
{
    for (int i = 0; i < count; i++)
        fprintf(stream, "    <router id=\"%s%d\"/>\n", prefix, i);
}

/* Two links a host: the software, which both directions share, and the port. The software's
 * latency is half of the startup, because a message crosses two software links. A group's link
 * carries the share of all of its nodes. Routes have one hop each; SimGrid joins them, and uses
 * the reverse direction for the way back. */
static void cm5_print(const struct nuce_platform_ops *ops, const struct nuce_platform_input *input,
                      FILE *stream)
{
    double latency = nuce_platform_latency(STARTUP, BANDWIDTH);
    int ranks = input->ranks, fours = cm5_groups(ranks, 4), sixteens = cm5_groups(ranks, 16);

    fprintf(stream, "  <zone id=\"cm5\" routing=\"Dijkstra\">\n");
    for (int i = 0; i < ranks; i++)
        fprintf(stream, "    <host id=\"node-%d\" speed=\"%s\"/>\n", i, ops->speed);
    for (int i = 0; i < ranks; i++) {
        fprintf(stream, "    <link id=\"software-%d", i);
        nuce_platform_print_shared(BANDWIDTH, latency / 2, stream);
    }
    for (int i = 0; i < ranks; i++)
        nuce_platform_print_duplex("port-", i, WITHIN_4, 0, stream);
    print_routers("four-", fours, stream);
    print_routers("sixteen-", sixteens, stream);
    fprintf(stream, "    <router id=\"root\"/>\n");
    for (int i = 0; i < fours; i++)
        nuce_platform_print_duplex("four-up-", i, 4 * WITHIN_16, 0, stream);
    for (int i = 0; i < sixteens; i++)
        nuce_platform_print_duplex("sixteen-up-", i, 16 * WITHIN_ALL, 0, stream);
    for (int i = 0; i < ranks; i++)
        fprintf(stream,
                "    <route src=\"node-%d\" dst=\"four-%d\">"
                "<link_ctn id=\"software-%d\"/>"
                "<link_ctn id=\"port-%d\" direction=\"UP\"/></route>\n",
                i, i / 4, i, i);
    for (int i = 0; i < fours; i++)
        fprintf(stream,
                "    <route src=\"four-%d\" dst=\"sixteen-%d\">"
                "<link_ctn id=\"four-up-%d\" direction=\"UP\"/></route>\n",
                i, i / 4, i);
    for (int i = 0; i < sixteens; i++)
        fprintf(stream,
                "    <route src=\"sixteen-%d\" dst=\"root\">"
                "<link_ctn id=\"sixteen-up-%d\" direction=\"UP\"/></route>\n",
                i, i);
    fprintf(stream, "  </zone>\n");
}

const struct nuce_platform_ops nuce_platform_cm5 = {
    .name = "cm5",
    .summary = "CM-5: a fat tree behind the nodes' own software",
    .source =
        "Ranka, Wang and Kumar, section 3 (20, 10, 5 MB/s per node within groups of 4, of 16, all) "
        "and Table 2 (fitted: 40 us and 0.133 us per byte, both ways together)",
    .ranks = 32,
    .speed = "5Mf", /* section 3, without vector units */
    .poll_s = 1e-6,
    .most = MAX_RANKS,
    .called = "CM-5",
    .print = cm5_print,
};
