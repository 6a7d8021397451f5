/* node-aware: messages between nodes are gathered, sent as one for each pair of nodes, and spread.
 *
 * Problem: many small messages between the same two nodes pay for as many startups on the network.
 * Steps (three-step node-aware communication):
 *   1. on node A, each rank gives its bytes for node B to A's agent for B;
 *   2. the agent sends all of A's bytes for B in one message to B's agent for A;
 *   3. that agent gives each rank of B its bytes.
 * Messages inside a node go direct. The agents of a node for the other nodes, numbered from the
 * next one on, are its ranks in turn, so that all ranks of a node share the work and all pairs go
 * at once.
 * Cost: on the network at most nodes - 1 messages a node and direction, however many the pattern
 * has; each byte between nodes is copied over shared memory up to twice.
 * Limits: on one node it is ac, and run as that; with one rank a node it is ac and two copies.
 * Large messages pay for the copies.
 * Source: Bienz, Gropp and Olson, "Node aware sparse matrix-vector multiplication", Journal of
 * Parallel and Distributed Computing 130, 2019, pages 166-178. */
#include <stddef.h>

#include "schedules/all_at_once.h"

static int all_on_one_node(const struct nuce_schedule_input *input)
{
    for (int i = 0; i < input->pattern->ranks; i++) {
        if (input->node_of == NULL || input->node_of[i] != input->node_of[0])
            return 0;
    }
    return 1;
}

/* Two names of one thing are to take the same time: so it leaves the executor's work out, too. */
static nuce_status node_aware_build(const struct nuce_schedule_input *input,
                                    struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    if (all_on_one_node(input))
        builder->discipline = NUCE_POST_ALL;
    return nuce_schedule_all_at_once(input, builder, error);
}

const struct nuce_schedule_ops nuce_schedule_node_aware = {
    .name = "node-aware",
    .summary = "between nodes one message for each pair of nodes, gathered and spread on the nodes",
    .source = "Bienz, Gropp and Olson, JPDC 130, 2019",
    .executor = "node-aware",
    .discipline = NUCE_DYNAMIC,
    .concern = NUCE_CONCERN_NODE,
    .build = node_aware_build,
};
