/* greedy: the heuristic of Bhat, Prasanna and Raghavendra for uneven networks.
 *
 * Problem: end the whole exchange early where messages, and what a byte costs, differ.
 * Steps: the sender that is available first (the lowest rank of several) takes, of its remaining
 * receivers, the one that is available first (the lowest rank of several); the message starts as
 * soon as both are, and both are available again when it ends. Repeated until all are sent.
 * Messages to oneself need no wire and go first.
 * Cost: to build, O(m log n) for the senders (queues.h) and a search for a receiver for each
 * message (queues.h). To run, no rank ends later than row sum + column sum of its last message,
 * so at most twice the single-port bound; on test set 1 about 1.05 times.
 * Limits: many nearly equal messages: 51 steps where 40 would do (papers/ALGORITHMS.md).
 * Source: Bhat, Prasanna and Raghavendra, the greedy heuristic. */
#include <float.h>
#include <math.h>

#include "base/int.h"
#include "schedules/list_schedule.h"
#include "schedules/queues.h"

struct greedy {
    const struct nuce_pattern *pattern;
    const struct nuce_network *network;
    struct nuce_winner_tree senders; /* by when each is available: never, if it has sent all */
    struct nuce_receivers receivers;
};

static nuce_status greedy_build(const struct nuce_schedule_input *input,
                                struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    struct greedy state = {.pattern = input->pattern, .network = input->network};
    struct nuce_chain chain;

    (void)error;
    nuce_receivers_init(state.pattern, &state.receivers);
    nuce_winner_tree_init(state.pattern->ranks, &state.senders);
    for (int i = 0; i < state.pattern->ranks; i++) {
        if (state.receivers.left[i] > 0)
            nuce_winner_tree_set(&state.senders, i, 0);
    }
    builder->depth = nuce_int(input->tuning->depth);
    nuce_schedule_expect(builder, state.pattern);
    nuce_chain_init(builder, &chain);
    nuce_schedule_add_own(builder, state.pattern);
    while (state.receivers.messages > 0) {
        /* The next message of the sender that is available first. */
        double time; /* first when the sender is available, then when the message ends */
        int sender = nuce_winner_tree_first(&state.senders, &time);
        struct nuce_receivers_message message = nuce_receivers_take(&state.receivers, sender);
        int64_t bytes = state.pattern->bytes[message.k];

        if (state.receivers.available[message.receiver] > time)
            time = state.receivers.available[message.receiver];
        time += nuce_network_seconds(state.network, sender, message.receiver, bytes);
        time = time < DBL_MAX ? time : DBL_MAX; /* INFINITY: has sent all */
        nuce_receivers_release(&state.receivers, message.receiver, time);
        nuce_winner_tree_set(&state.senders, sender,
                             state.receivers.left[sender] > 0 ? time : INFINITY);
        nuce_chain_add(&chain, sender, message.receiver, 0, bytes);
    }
    nuce_chain_fini(&chain);
    nuce_winner_tree_fini(&state.senders);
    nuce_receivers_fini(&state.receivers);
    return NUCE_OK;
}

const struct nuce_schedule_ops nuce_schedule_greedy = {
    .name = "greedy",
    .summary = "the first available sender to its first available receiver",
    .source = "Bhat, Prasanna and Raghavendra, greedy heuristic",
    .discipline = NUCE_STREAMS,
    .uses = NUCE_USES_DEPTH,
    .build = greedy_build,
};
