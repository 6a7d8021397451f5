/* greedy: the heuristic of Bhat, Prasanna and Raghavendra for uneven networks.
 *
 * Problem: end the whole exchange early if messages, and the costs of a byte, differ.
 * Steps: the sender that is available first (the lowest rank of several) takes the first available
 * of its remaining receivers (the lowest rank of several). The message starts as soon as both are,
 * and both are available again when it ends. Repeated until all are sent. Messages to oneself need
 * no wire and go first.
 * Cost: to build, O(m log n) for the senders and a search for a receiver for each message. To run,
 * no rank ends later than row sum + column sum of its last message, so at most twice the
 * single-port bound; on test set 1 about 1.05 times.
 * Limits: many nearly equal messages: 51 steps instead of a possible 40 (papers/ALGORITHMS.md).
 * Source: Bhat, Prasanna and Raghavendra, the greedy heuristic. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/list_schedule.h"
#include "schedules/queues.h"

/* The senders: a tournament of ranks by time. The first is known at once, and a change of one
 * rank's time costs a match against a known opponent on each of log2(ranks) levels (Knuth, "The Art
 * of Computer Programming" 3, 5.4.1: a tree of winners). Entry k holds the winner of entries 2 k
 * and 2 k + 1, and so entry 1 that of all; the leaf of rank i is leaves + i. */
struct winner {
    int64_t key; /* the bits of the time, which for times >= 0 are in the order of the values (IEEE
                    754): integers are compared, and chosen from, without branches */
    int rank;
};

struct winner_tree {
    int leaves; /* a power of two, at least as many as ranks */
    struct winner *entries;
};

static int64_t winner_key(double time)
{
    int64_t key;

    memcpy(&key, &time, sizeof key);
    return key;
}

/* Sets the time of a rank (INFINITY: takes no part) and plays its matches without branches, since
 * the winners cannot be predicted. */
static void winner_tree_set(struct winner_tree *tree, int rank, double time)
{
    struct winner *entries = tree->entries;
    int64_t key = winner_key(time);
    int place = tree->leaves + rank;

    entries[place] = (struct winner){key, rank};
    for (; place > 1; place /= 2) {
        const struct winner *other = &entries[place ^ 1];
        /* At equal times the left one wins, whose ranks are lower; places on the right are odd. */
        int loses = other->key < key + (place & 1);

        rank ^= (rank ^ other->rank) & -loses; /* the other, if it has won */
        key = other->key < key ? other->key : key;
        entries[place / 2] = (struct winner){key, rank};
    }
}

/* The receivers of a pattern by the time when they are available, and the receivers that each
 * sender still has a message for: the structure behind list schedules. These ask for the first
 * available receiver of a sender once per message.
 *
 * In a dense pattern, the receivers are kept in the order of their availability. The first that the
 * sender's bit set still has is taken, on average after ranks / (messages left) checks. There are
 * at most as many checks as receivers that still get a message. In a sparse one, the sender's
 * remaining messages are checked one by one. */

struct available {
    double time; /* seconds: when the receiver is available */
    int rank;
};

/* The receivers that a sender may choose from, by the time when they are free. Arrays are owned. */
struct receivers {
    const struct nuce_pattern *pattern; /* borrowed */
    double *available;                  /* ranks, seconds: when each receiver is available */
    int *left;                          /* ranks: messages left at the sender */
    int *wanted;                        /* ranks: messages left for the receiver */
    int64_t messages;                   /* left in all */
    int is_dense;
    /* Sparse patterns only. */
    int *rest; /* messages: the first left[i] from row[i] on are the remaining ones of sender i, as
                  places in its row */
    /* Dense patterns only. */
    struct nuce_pair_set pairs; /* messages left */
    struct available *order;    /* order[first] .. order[end - 1]: the receivers that still
                                              get a message, by time, then rank */
    int first, end, room;
};

/* Entries moved by one memory operation. */
#define BLOCK 16

/* A message that was taken. */
struct greedy_message {
    int receiver;
    int64_t k; /* its entry in the pattern */
};

/* True if a receiver that is available at time comes before another. */
static int is_before(double time, int rank, const struct available *other)
{
    return time < other->time || (time <= other->time && rank < other->rank);
}

/* All receivers are available at 0; all messages are left except those of ranks to themselves. */
static void receivers_init(const struct nuce_pattern *pattern, struct receivers *out)
{
    int ranks = pattern->ranks;

    *out = (struct receivers){.pattern = pattern, .is_dense = nuce_pair_set_fits(pattern)};
    out->available = nuce_allocate(ranks, sizeof *out->available);
    out->left = nuce_allocate(ranks, sizeof *out->left);
    out->wanted = nuce_allocate(ranks, sizeof *out->wanted);
    if (!out->is_dense)
        out->rest = nuce_allocate(pattern->messages, sizeof *out->rest);
    /* All messages except those of ranks to themselves; in rest those of each sender are at the
     * beginning of its part. */
    NUCE_EACH_MESSAGE (pattern, i, k) {
        if (pattern->destination[k] == i)
            continue;
        if (!out->is_dense)
            out->rest[pattern->row[i] + out->left[i]] = nuce_int(k - pattern->row[i]);
        out->left[i]++;
        out->wanted[pattern->destination[k]]++;
        out->messages++;
    }
    if (!out->is_dense)
        return;
    out->room = 2 * ranks;
    out->order = nuce_allocate(out->room, sizeof *out->order);
    for (int j = 0; j < ranks; j++) {
        if (out->wanted[j] > 0)
            out->order[out->end++] = (struct available){0, j};
    }
    nuce_pair_set_init(pattern, &out->pairs);
}

/* O(messages left at sender); of equally early receivers the lowest. */
static struct greedy_message take_sparse(struct receivers *receivers, int sender)
{
    int64_t row = receivers->pattern->row[sender];
    const int *destination = receivers->pattern->destination + row;
    int *rest = receivers->rest + row;
    struct available first = {INFINITY, 0};
    struct greedy_message taken;
    int place = 0;

    for (int k = 0; k < receivers->left[sender]; k++) {
        int j = destination[rest[k]];

        if (is_before(receivers->available[j], j, &first)) {
            first = (struct available){receivers->available[j], j};
            place = k;
        }
    }
    taken = (struct greedy_message){first.rank, row + rest[place]};
    rest[place] = rest[receivers->left[sender] - 1];
    return taken;
}

/* Takes the first receiver in the order that sender has a message for. It is usually near the
 * beginning; the entries before it move up. */
static struct greedy_message take_dense(struct receivers *receivers, int sender)
{
    const uint64_t *row = receivers->pairs.left + (int64_t)sender * receivers->pairs.words;
    struct available *order = receivers->order;
    int place = receivers->first, j;

    while (!(row[order[place].rank / 64] >> order[place].rank % 64 & 1))
        place++;
    j = order[place].rank;
    for (; place > receivers->first; place--)
        order[place] = order[place - 1];
    receivers->first++;
    nuce_pair_set_remove(&receivers->pairs, sender, j);
    return (struct greedy_message){j, nuce_pair_set_entry(&receivers->pairs, sender, j)};
}

/* Inserts an entry into the order from the end, where it usually belongs, as an insertion sort
 * does. Later entries move up, a block at once as long as possible. */
static void insert_entry(struct receivers *receivers, int rank, double time)
{
    struct available *place, *first;

    if (receivers->end == receivers->room) {
        /* The order has reached the end of its memory. */
        receivers->end -= receivers->first;
        memmove(receivers->order, receivers->order + receivers->first,
                (size_t)receivers->end * sizeof *receivers->order);
        receivers->first = 0;
    }
    place = receivers->order + receivers->end++;
    first = receivers->order + receivers->first;
    for (; place - first >= BLOCK && is_before(time, rank, place - BLOCK); place -= BLOCK)
        memmove(place - BLOCK + 1, place - BLOCK, BLOCK * sizeof *place);
    for (; place > first && is_before(time, rank, place - 1); place--)
        *place = place[-1];
    *place = (struct available){time, rank};
}

static void greedy_fill(const struct nuce_schedule_input *input,
                        struct nuce_schedule_builder *builder)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct winner_tree senders = {.leaves = 1}; /* by the time when each is available; INFINITY once
                                                   it has sent all */
    struct receivers receivers;
    struct nuce_chain chain;

    receivers_init(pattern, &receivers);
    while (senders.leaves < pattern->ranks)
        senders.leaves *= 2;
    /* Ranks that take no part yet, and leaves beyond the ranks, are at infinity. At equal times the
     * lowest rank wins. */
    senders.entries = nuce_allocate(2 * (int64_t)senders.leaves, sizeof *senders.entries);
    for (int k = 2 * senders.leaves - 1; k > 0; k--)
        senders.entries[k] =
            (struct winner){winner_key(INFINITY),
                            k >= senders.leaves ? k - senders.leaves : senders.entries[2 * k].rank};
    for (int i = 0; i < pattern->ranks; i++) {
        if (receivers.left[i] > 0)
            winner_tree_set(&senders, i, 0);
    }
    builder->depth = nuce_int(input->tuning->in_flight);
    nuce_schedule_expect(builder, pattern);
    nuce_chain_init(builder, &chain);
    nuce_schedule_add_own(builder, pattern);
    for (; receivers.messages > 0; receivers.messages--) {
        /* The next message of the sender that is available first. */
        int sender = senders.entries[1].rank;
        struct greedy_message message =
            receivers.is_dense ? take_dense(&receivers, sender) : take_sparse(&receivers, sender);
        int64_t bytes = pattern->bytes[message.k];
        double time; /* first: when the sender is available; then: when the message ends */

        memcpy(&time, &senders.entries[1].key, sizeof time);
        if (receivers.available[message.receiver] > time)
            time = receivers.available[message.receiver];
        time += nuce_network_seconds(input->network, sender, message.receiver, bytes);
        time = time < DBL_MAX ? time : DBL_MAX; /* INFINITY: has sent all */
        receivers.available[message.receiver] = time;
        /* Enters the order if another sender still has a message for it. */
        if (--receivers.wanted[message.receiver] > 0 && receivers.is_dense)
            insert_entry(&receivers, message.receiver, time);
        winner_tree_set(&senders, sender, --receivers.left[sender] > 0 ? time : INFINITY);
        nuce_chain_add(&chain, sender, message.receiver, 0, bytes);
    }
    nuce_chain_fini(&chain);
    free(senders.entries);
    free(receivers.available);
    free(receivers.left);
    free(receivers.wanted);
    free(receivers.rest);
    free(receivers.order);
    nuce_pair_set_fini(&receivers.pairs);
}

const struct nuce_schedule_ops nuce_schedule_greedy = {
    .name = "greedy",
    .label = "first free pair",
    .summary = "the first available sender to its first available receiver",
    .source = "Bhat, Prasanna and Raghavendra, greedy heuristic",
    .discipline = NUCE_STREAMS,
    .uses = NUCE_USES_IN_FLIGHT,
    .in_flight = 1,
    .fill = greedy_fill,
};
