/* cm5: the Connection Machine CM-5 of the exchange paper.
 *
 * A fat tree: groups of 4 nodes, of 16 and all. A node's link into it carries 20 MB/s, the link of
 * a group of 4 what its nodes may send further, 10 MB/s each, that of a group of 16 5 MB/s each.
 * Both directions of a link are apart, and above the groups of 16 nothing limits: messages are
 * spread over the tree at random there (section 1).
 *
 * Before it comes each node's own software, a link of its own, half of tau there and half at the
 * receiver, with 1 / phi bytes per second: slower than all the tree, so that a lone message of B
 * bytes takes tau + B phi, and all that leaves or reaches one node shares 1 / phi. Not as SMPI's
 * own overheads (smpi/os, ois, or): SimGrid charges these for MPI_Isend and for sends that are
 * detached, not for a blocking or a persistent send that is a rendezvous, so a message would cost
 * more or less by the call that sent it. What a latency does not say: startups of messages that
 * one node sends at the same time overlap.
 *
 * tau and phi are those of nuce's network cm5, after section 3.2, which prints the averages behind
 * them: 0.543 ms for 1 KiB and 62.923 ms for 256 KiB (a line through both has 0.298 ms and 0.2389
 * us per byte), of permutations in which every node sends and receives. Table 2's lone messages
 * were faster: 0.516 ms for 4096 bytes.
 * Source: Ranka, Wang and Kumar, sections 3 and 3.2. */
#include "platform.h"
#include "platform_xml.h"

#define MAX_RANKS 1024 /* section 3 */

/* Section 3, bytes per second and node. */
#define WITHIN_4 20e6
#define WITHIN_16 10e6
#define WITHIN_ALL 5e6

static nuce_status check(int ranks, struct nuce_error *error)
{
    if (ranks > MAX_RANKS)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%d': a CM-5 has at most %d", ranks,
                              MAX_RANKS);
    return NUCE_OK;
}

static int groups(int ranks, int size)
{
    return (ranks + size - 1) / size;
}

static void print_routers(const char *prefix, int count, FILE *stream)
{
    for (int i = 0; i < count; i++)
        (void)fprintf(stream, "    <router id=\"%s%d\"/>\n", prefix, i);
}

static void print_nodes(int ranks, const struct nuce_network *software, const char *speed,
                        FILE *stream)
{
    double latency = nuce_xml_latency(software->startup, software->bandwidth);

    for (int i = 0; i < ranks; i++)
        (void)fprintf(stream, "    <host id=\"node-%d\" speed=\"%s\"/>\n", i, speed);
    for (int i = 0; i < ranks; i++)
        nuce_xml_print_duplex("software-", i, software->bandwidth, latency / 2, stream);
    for (int i = 0; i < ranks; i++)
        nuce_xml_print_duplex("port-", i, WITHIN_4, 0, stream);
}

static void print_groups(int ranks, FILE *stream)
{
    print_routers("four-", groups(ranks, 4), stream);
    print_routers("sixteen-", groups(ranks, 16), stream);
    (void)fprintf(stream, "    <router id=\"root\"/>\n");
    for (int i = 0; i < groups(ranks, 4); i++)
        nuce_xml_print_duplex("four-up-", i, 4 * WITHIN_16, 0, stream);
    for (int i = 0; i < groups(ranks, 16); i++)
        nuce_xml_print_duplex("sixteen-up-", i, 16 * WITHIN_ALL, 0, stream);
}

/* One hop each; SimGrid puts them together, and takes the other direction on the way back. */
static void print_routes(int ranks, FILE *stream)
{
    for (int i = 0; i < ranks; i++)
        (void)fprintf(stream,
                      "    <route src=\"node-%d\" dst=\"four-%d\">"
                      "<link_ctn id=\"software-%d\" direction=\"UP\"/>"
                      "<link_ctn id=\"port-%d\" direction=\"UP\"/></route>\n",
                      i, i / 4, i, i);
    for (int i = 0; i < groups(ranks, 4); i++)
        (void)fprintf(stream,
                      "    <route src=\"four-%d\" dst=\"sixteen-%d\">"
                      "<link_ctn id=\"four-up-%d\" direction=\"UP\"/></route>\n",
                      i, i / 4, i);
    for (int i = 0; i < groups(ranks, 16); i++)
        (void)fprintf(stream,
                      "    <route src=\"sixteen-%d\" dst=\"root\">"
                      "<link_ctn id=\"sixteen-up-%d\" direction=\"UP\"/></route>\n",
                      i, i);
}

static nuce_status print(const struct nuce_platform_ops *ops,
                         const struct nuce_platform_input *input, FILE *stream,
                         struct nuce_error *error)
{
    struct nuce_network software; /* uniform: holds no memory */

    if (nuce_network_preset("cm5", input->ranks, &software, error) != NUCE_OK)
        return error->status;
    (void)fprintf(stream, "  <zone id=\"cm5\" routing=\"Dijkstra\">\n");
    print_nodes(input->ranks, &software, ops->speed, stream);
    print_groups(input->ranks, stream);
    print_routes(input->ranks, stream);
    (void)fprintf(stream, "  </zone>\n");
    return NUCE_OK;
}

const struct nuce_platform_ops nuce_platform_cm5 = {
    .name = "cm5",
    .summary = "CM-5: a fat tree behind the nodes' own software",
    .source =
        "Ranka, Wang and Kumar, sections 3 (20, 10, 5 MB/s a node within groups of 4, of 16, all) "
        "and after 3.2 (tau 0.299 ms, phi 0.2389 us per byte)",
    .ranks = 32,
    .speed = "5Mf", /* section 3, without vector units */
    .poll_s = 1e-6,
    .check = check,
    .print = print,
};
