/* List schedules: pieces in the order in which they start, and their phases. */
#include "schedules/list_schedule.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"

/* Gives each piece of a list schedule a phase. Lockstep allows at the earliest the phase after the
 * last one of its sender and of its receiver. So the number of phases is the longest chain of
 * pieces that wait for one another. */

/* sent[i] and received[j] are the first phases after the last send of rank i and the last receive
 * of rank j. */
void nuce_chain_init(struct nuce_schedule_builder *builder, struct nuce_chain *out)
{
    out->builder = builder;
    out->sent = nuce_allocate(2 * (int64_t)builder->ranks, sizeof *out->sent);
    out->received = out->sent + builder->ranks;
}

void nuce_chain_fini(struct nuce_chain *chain)
{
    free(chain->sent);
}

void nuce_chain_add(struct nuce_chain *chain, int source, int destination, int64_t offset,
                    int64_t bytes)
{
    int phase = chain->sent[source];

    if (chain->received[destination] > phase)
        phase = chain->received[destination];
    chain->sent[source] = chain->received[destination] = phase + 1;
    nuce_schedule_add(chain->builder, source, destination, phase, offset, bytes);
}

/* A list schedule is its own simulation. Whenever ports become idle, messages start in the order of
 * the shop, and run for their cost. Messages that start earlier come earlier in the queues. */

/* The shop and its running messages. */
struct list_state {
    struct nuce_shop shop;
    struct nuce_heap ends; /* key: the time; value: the message */
    struct nuce_chain chain;
};

/* Ends that are this near to each other, relative to the time, differ only by rounding. */
#define SAME_TIME 1e-12

/* Starts messages at time until no two idle ports have one for each other. A port's load is its
 * work not yet started, so it falls here. */
static void start_all(struct list_state *state, double time)
{
    struct nuce_shop *shop = &state->shop;

    for (int64_t k = nuce_shop_next(shop); k >= 0; k = nuce_shop_next(shop)) {
        shop->ports[nuce_shop_sender(shop, k)].load -= shop->messages[k].cost;
        shop->ports[nuce_shop_receiver(shop, k)].load -= shop->messages[k].cost;
        nuce_heap_push(&state->ends, (struct nuce_heap_entry){time + shop->messages[k].cost, 0, k});
        nuce_chain_add(&state->chain, shop->messages[k].source, shop->messages[k].destination, 0,
                       shop->pattern->bytes[k]);
    }
}

void nuce_list_schedule(const struct nuce_schedule_input *input, enum nuce_shop_order order,
                        struct nuce_schedule_builder *builder)
{
    struct list_state state = {0};

    builder->depth = nuce_int(input->tuning->in_flight);
    nuce_schedule_expect(builder, input->pattern);
    nuce_shop_init(input, order, &state.shop);
    nuce_chain_init(builder, &state.chain);
    nuce_schedule_add_own(builder, input->pattern);
    for (int p = 0; p < 2 * state.shop.pattern->ranks; p++)
        nuce_shop_release(&state.shop, p);
    start_all(&state, 0);
    while (state.ends.count > 0) {
        struct nuce_shop *shop = &state.shop;
        double time = state.ends.entries[0].key;

        /* Ends all messages whose end is now before any starts. Otherwise rounding would decide
         * which pair starts first. */
        while (state.ends.count > 0 && state.ends.entries[0].key <= time * (1 + SAME_TIME)) {
            int64_t k = state.ends.entries[0].value;

            nuce_heap_pop(&state.ends);
            nuce_shop_finish(shop, k);
            nuce_shop_release(shop, nuce_shop_sender(shop, k));
            nuce_shop_release(shop, nuce_shop_receiver(shop, k));
        }
        start_all(&state, time);
    }
    nuce_chain_fini(&state.chain);
    nuce_heap_fini(&state.ends);
    nuce_shop_fini(&state.shop);
}
