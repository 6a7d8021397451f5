/* t3e: the Cray T3E of the redistribution paper: 150 MB/s out of and into every node.
 *
 * Only each node's own port limits its network, which is the paper's premise (section 4.1: a
 * virtual network that connects every pair). The paper names no startup time, so it is 0, except
 * for the 0.11 us of the 16 bytes that SMPI adds to a message. Source: Bhat, Prasanna and
 * Raghavendra, section 5. */
#include "programs/platform.h"

#define BANDWIDTH 150e6 /* bytes per second, section 5 */
#define MAX_RANKS 2048  /* our bound; the paper shows 16 and 64 */

static void t3e_print(const struct nuce_platform_ops *ops, const struct nuce_platform_input *input,
                      FILE *stream)
{
    nuce_platform_print_cluster(ops, input->ranks, BANDWIDTH, 0, "", stream);
}

const struct nuce_platform_ops nuce_platform_t3e = {
    .name = "t3e",
    .summary = "Cray T3E: 150 MB/s per node, contention at its own port only",
    .source = "Bhat, Prasanna and Raghavendra, section 5",
    .ranks = 64,
    .speed = "1Gf",
    .poll_s = 1e-6,
    .most = MAX_RANKS,
    .called = "T3E",
    .print = t3e_print,
};
