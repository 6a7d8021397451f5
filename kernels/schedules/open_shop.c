/* Proposals determine the pair that goes first. Each idle port proposes its best message that could
 * start; a heap holds the proposals. When a proposal whose peer has become busy comes to the top,
 * the port proposes again. The new proposal can only be worse, so a valid top is the best of all.
 * On dense patterns a port searches the idle ports by load instead of its own messages, because it
 * soon finds one that cannot be beaten. */
#include "schedules/open_shop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

void nuce_shop_fini(struct nuce_shop *shop)
{
    free(shop->messages);
    free(shop->done);
    free(shop->list);
    free(shop->ports);
    free(shop->fresh);
    nuce_heap_fini(&shop->proposals);
    nuce_pair_set_fini(&shop->pairs);
    free(shop->idle[0]);
    free(shop->idle[1]);
    memset(shop, 0, sizeof *shop);
}

/* True if all pairs are alike: then bytes are the unit of time. */
static int is_uniform(const struct nuce_network *network)
{
    return network->pair_bandwidth == NULL;
}

/* In units of time. */
static double startup_of(const struct nuce_shop *shop, int64_t k)
{
    return shop->per_second * nuce_network_startup(shop->network, shop->messages[k].source,
                                                   shop->messages[k].destination);
}

/* Bytes in a unit of time. */
static double rate_of(const struct nuce_shop *shop, int64_t k)
{
    if (is_uniform(shop->network))
        return 1;
    return nuce_network_bandwidth(shop->network, shop->messages[k].source,
                                  shop->messages[k].destination) /
           shop->per_second;
}

double nuce_shop_cost(const struct nuce_shop *shop, int64_t k, int64_t bytes)
{
    return startup_of(shop, k) + (double)bytes / rate_of(shop, k);
}

double nuce_shop_bytes(const struct nuce_shop *shop, int64_t k, double time)
{
    return (time - startup_of(shop, k)) * rate_of(shop, k);
}

/* Numbers the messages, lists them at both of their ports, and sums the loads. A rank's message to
 * itself counts as done. */
static void enter_all(struct nuce_shop *shop)
{
    const struct nuce_pattern *pattern = shop->pattern;
    int64_t place = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        shop->ports[i].first = pattern->row[i];
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            shop->messages[k].source = i;
            shop->messages[k].destination = pattern->destination[k];
            shop->ports[pattern->ranks + pattern->destination[k]].count++;
        }
    }
    for (int p = pattern->ranks; p < 2 * pattern->ranks; p++) {
        shop->ports[p].first = pattern->messages + place;
        place += shop->ports[p].count;
        shop->ports[p].count = 0;
    }
    for (int64_t k = 0; k < pattern->messages; k++) {
        int i = shop->messages[k].source, j = shop->messages[k].destination;

        shop->done[k] = i == j;
        if (i == j)
            continue;
        shop->messages[k].cost = nuce_shop_cost(shop, k, pattern->bytes[k]);
        for (int side = 0; side < 2; side++) {
            struct nuce_shop_port *port = &shop->ports[side == 0 ? i : pattern->ranks + j];

            shop->list[port->first + port->count++] = k;
            port->left++;
            port->load += shop->messages[k].cost;
            port->longest = fmax(port->longest, shop->messages[k].cost);
        }
    }
}

void nuce_shop_init(const struct nuce_schedule_input *input, enum nuce_shop_order order,
                    struct nuce_shop *out)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct nuce_shop shop = {.pattern = pattern, .network = input->network, .order = order};
    int64_t messages = pattern->messages, ports = 2 * (int64_t)pattern->ranks;

    shop.per_second = is_uniform(input->network) ? input->network->bandwidth : 1;
    shop.dense = nuce_pair_set_fits(pattern);
    shop.messages = nuce_allocate(messages, sizeof *shop.messages);
    shop.done = nuce_allocate(messages, sizeof *shop.done);
    shop.list = nuce_allocate(2 * messages, sizeof *shop.list);
    shop.ports = nuce_allocate(ports, sizeof *shop.ports);
    shop.fresh = nuce_allocate(ports, sizeof *shop.fresh);
    if (shop.dense) {
        nuce_pair_set_init(pattern, &shop.pairs);
        for (int side = 0; side < 2; side++)
            shop.idle[side] = nuce_allocate(pattern->ranks, sizeof *shop.idle[side]);
    }
    enter_all(&shop);
    *out = shop;
}

/* 0: a sending port, 1: a receiving one. */
static int open_shop_side_of(const struct nuce_shop *shop, int port)
{
    return port >= shop->pattern->ranks;
}

/* The place of port among the idle ones of its side, or the place to insert it. Ports with a larger
 * load, or with the same load and a lower number, come before it. The next half is computed instead
 * of branched on, because it cannot be predicted. */
static int place_among_idle(const struct nuce_shop *shop, int port)
{
    int side = open_shop_side_of(shop, port), low = 0, count = shop->idle_count[side];
    const struct nuce_shop_idle *idle = shop->idle[side];
    double load = shop->ports[port].load;

    while (count > 0) {
        int half = (count + 1) / 2;
        const struct nuce_shop_idle *other = &idle[low + half - 1];
        int is_before = (other->load > load) | ((other->load >= load) & (other->port < port));

        low += half & -is_before;
        count -= half;
    }
    return low;
}

void nuce_shop_release(struct nuce_shop *shop, int port)
{
    int side = open_shop_side_of(shop, port);

    if (shop->ports[port].left == 0)
        return;
    shop->ports[port].idle = 1;
    if (!shop->ports[port].fresh)
        shop->fresh[shop->fresh_count++] = port;
    shop->ports[port].fresh = 1;
    if (shop->dense) {
        struct nuce_shop_idle *place = shop->idle[side] + place_among_idle(shop, port);
        struct nuce_shop_idle *end = shop->idle[side] + shop->idle_count[side]++;

        memmove(place + 1, place, (size_t)(end - place) * sizeof *place);
        *place = (struct nuce_shop_idle){shop->ports[port].load, port};
    }
}

void nuce_shop_occupy(struct nuce_shop *shop, int port)
{
    int side = open_shop_side_of(shop, port);

    shop->ports[port].idle = 0;
    if (shop->dense) {
        struct nuce_shop_idle *place = shop->idle[side] + place_among_idle(shop, port);
        struct nuce_shop_idle *end = shop->idle[side] + --shop->idle_count[side];

        memmove(place, place + 1, (size_t)(end - place) * sizeof *place);
    }
}

void nuce_shop_finish(struct nuce_shop *shop, int64_t k)
{
    int i = shop->messages[k].source, j = shop->messages[k].destination;

    shop->done[k] = 1;
    shop->ports[i].left--;
    shop->ports[shop->pattern->ranks + j].left--;
    if (shop->dense)
        nuce_pair_set_remove(&shop->pairs, i, j);
}

/* A port's choice of a message, with its urgency. */
struct shop_choice {
    double first, second;
    int64_t k;
};

/* Keeps message k between port and its idle peer in *best if it is better: longer, or of a larger
 * common load and then longer. */
static void open_shop_consider(const struct nuce_shop *shop, int port, int peer, int64_t k,
                               struct shop_choice *best)
{
    struct shop_choice it = {shop->messages[k].cost, 0, k};

    if (shop->order == NUCE_SHOP_LOAD) {
        it.first = shop->ports[port].load + shop->ports[peer].load;
        it.second = shop->messages[k].cost;
    }
    if (best->k < 0 || it.first > best->first ||
        (it.first >= best->first && it.second > best->second))
        *best = it;
}

/* True if no other message of port can be better than the best. With peer >= 0 that includes only
 * messages with idle ports after peer in the order of loads; -1: all messages. */
static int is_settled(const struct nuce_shop *shop, int port, int peer,
                      const struct shop_choice *best)
{
    if (best->k < 0)
        return 0;
    if (shop->order == NUCE_SHOP_LONGEST)
        return best->first >= shop->ports[port].longest;
    if (peer < 0 || shop->ports[port].load + shop->ports[peer].load > best->first)
        return 0;
    return shop->ports[port].load + shop->ports[peer].load < best->first ||
           best->second >= shop->ports[port].longest;
}

/* Searches the idle peers by falling load, as long as that can be quicker than the list. Returns 0
 * if it was not: *best is then incomplete. */
static int look_at_idle(const struct nuce_shop *shop, int port, struct shop_choice *best)
{
    int ranks = shop->pattern->ranks, side = open_shop_side_of(shop, port);
    const struct nuce_shop_idle *idle = shop->idle[!side];

    for (int place = 0; place < shop->idle_count[!side]; place++) {
        int peer = idle[place].port;
        int source = side ? peer : port, destination = (side ? port : peer) - ranks;

        if (is_settled(shop, port, peer, best))
            return 1;
        if (place == shop->ports[port].left)
            return 0;
        if (nuce_pair_set_has(&shop->pairs, source, destination))
            open_shop_consider(shop, port, peer,
                               nuce_pair_set_entry(&shop->pairs, source, destination), best);
    }
    return 1;
}

/* The best that port can start now, as an entry of the heap; 0 if there is nothing. */
static int open_shop_propose(struct nuce_shop *shop, int port, struct nuce_heap_entry *out)
{
    struct shop_choice best = {.k = -1};

    if (!shop->dense || !look_at_idle(shop, port, &best)) {
        /* The best remaining message of port with an idle peer. Messages that are done are dropped
         * from its list on the way. */
        struct nuce_shop_port *self = &shop->ports[port];
        int64_t *list = shop->list + self->first;

        for (int i = 0; i < self->count && !is_settled(shop, port, -1, &best);) {
            int64_t k = list[i];

            if (shop->done[k]) {
                list[i] = list[--self->count];
                continue;
            }
            if (shop->ports[nuce_shop_peer(shop, port, k)].idle)
                open_shop_consider(shop, port, nuce_shop_peer(shop, port, k), k, &best);
            i++;
        }
    }
    shop->ports[port].proposed = best.k;
    *out = (struct nuce_heap_entry){-best.first, -best.second, port};
    return best.k >= 0;
}

/* Two idle ports that both proposed before had nothing for each other, so the best pair has a fresh
 * port. A port's proposal is at least as urgent as anything that it can still do. */
int64_t nuce_shop_next(struct nuce_shop *shop)
{
    /* Ports that have become idle make their proposals. */
    for (; shop->fresh_count > 0; shop->fresh_count--) {
        int port = shop->fresh[shop->fresh_count - 1];
        struct nuce_heap_entry entry;

        shop->ports[port].fresh = 0;
        if (shop->ports[port].idle && open_shop_propose(shop, port, &entry))
            nuce_heap_push(&shop->proposals, entry);
    }
    while (shop->proposals.count > 0) {
        int port = (int)shop->proposals.entries[0].value;
        int64_t proposed = shop->ports[port].proposed;
        struct nuce_heap_entry entry;

        if (!shop->ports[port].idle) {
            nuce_heap_pop(&shop->proposals);
            continue;
        }
        if (shop->ports[nuce_shop_peer(shop, port, proposed)].idle) {
            /* It is seldom in a cache, and the caller that starts it reads it. */
            __builtin_prefetch(&shop->pattern->bytes[proposed]);
            nuce_heap_pop(&shop->proposals);
            nuce_shop_occupy(shop, nuce_shop_sender(shop, proposed));
            nuce_shop_occupy(shop, nuce_shop_receiver(shop, proposed));
            return proposed;
        }
        if (open_shop_propose(shop, port, &entry))
            nuce_heap_replace(&shop->proposals, entry);
        else
            nuce_heap_pop(&shop->proposals);
    }
    return -1;
}
