/* Two structures behind one interface (receivers.h says which and why): an order of the receivers
 * beside bit sets of the senders, or plain lists of what each sender has left. */
#include "schedules/receivers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"

/* Entries that are moved at once. */
#define BLOCK 16

/* Whether a receiver that is available at time is to be taken before another. */
static int is_before(double time, int rank, const struct nuce_receivers_entry *other)
{
    return time < other->time || (time <= other->time && rank < other->rank);
}

/* Puts the messages of each sender, but that to itself, in front of its part of rest. */
static void init_sparse(struct nuce_receivers *receivers)
{
    const struct nuce_pattern *pattern = receivers->pattern;

    receivers->rest = nuce_allocate(pattern->messages, sizeof *receivers->rest);
    for (int i = 0; i < pattern->ranks; i++) {
        int *rest = receivers->rest + pattern->row[i];

        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            if (pattern->destination[k] != i)
                *rest++ = nuce_int(k - pattern->row[i]);
        }
    }
}

static void init_dense(struct nuce_receivers *receivers)
{
    int ranks = receivers->pattern->ranks;

    receivers->room = 2 * ranks;
    receivers->order = nuce_allocate(receivers->room, sizeof *receivers->order);
    for (int j = 0; j < ranks; j++) {
        if (receivers->wanted[j] > 0)
            receivers->order[receivers->end++] = (struct nuce_receivers_entry){0, j};
    }
    nuce_pair_set_init(receivers->pattern, &receivers->pairs);
}

/* Counts all messages but those of ranks to themselves. */
static void count_messages(struct nuce_receivers *receivers)
{
    const struct nuce_pattern *pattern = receivers->pattern;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            int is_wire = pattern->destination[k] != i;

            receivers->left[i] += is_wire;
            receivers->wanted[pattern->destination[k]] += is_wire;
            receivers->messages += is_wire;
        }
    }
}

/* On failure *out may be partly made; nuce_receivers_fini frees it. */
void nuce_receivers_init(const struct nuce_pattern *pattern, struct nuce_receivers *out)
{
    *out = (struct nuce_receivers){.pattern = pattern, .is_dense = nuce_pair_set_fits(pattern)};
    out->available = nuce_allocate(pattern->ranks, sizeof *out->available);
    out->left = nuce_allocate(pattern->ranks, sizeof *out->left);
    out->wanted = nuce_allocate(pattern->ranks, sizeof *out->wanted);
    count_messages(out);
    if (out->is_dense)
        init_dense(out);
    else
        init_sparse(out);
}

void nuce_receivers_fini(struct nuce_receivers *receivers)
{
    free(receivers->available);
    free(receivers->left);
    free(receivers->rest);
    nuce_pair_set_fini(&receivers->pairs);
    free(receivers->wanted);
    free(receivers->order);
    memset(receivers, 0, sizeof *receivers);
}

/* O(messages that sender has left); of equally early receivers the lowest. */
static struct nuce_receivers_message take_sparse(struct nuce_receivers *receivers, int sender)
{
    int64_t row = receivers->pattern->row[sender];
    const int *destination = receivers->pattern->destination + row;
    int *rest = receivers->rest + row;
    struct nuce_receivers_entry first = {INFINITY, 0};
    struct nuce_receivers_message taken;
    int place = 0;

    for (int k = 0; k < receivers->left[sender]; k++) {
        int j = destination[rest[k]];

        if (is_before(receivers->available[j], j, &first)) {
            first = (struct nuce_receivers_entry){receivers->available[j], j};
            place = k;
        }
    }
    taken = (struct nuce_receivers_message){first.rank, row + rest[place]};
    rest[place] = rest[receivers->left[sender] - 1];
    return taken;
}

/* The place in order of the first receiver that sender has a message for. */
static int search_order(const struct nuce_receivers *receivers, int sender)
{
    const uint64_t *row = receivers->pairs.left + (int64_t)sender * receivers->pairs.words;
    const struct nuce_receivers_entry *order = receivers->order;
    int place = receivers->first;

    while (!(row[order[place].rank / 64] >> order[place].rank % 64 & 1))
        place++;
    return place;
}

/* Takes an entry out of the order, near the beginning as a rule: those before it move up. */
static void remove_entry(struct nuce_receivers *receivers, int place)
{
    struct nuce_receivers_entry *order = receivers->order;

    for (; place > receivers->first; place--)
        order[place] = order[place - 1];
    receivers->first++;
}

static struct nuce_receivers_message take_dense(struct nuce_receivers *receivers, int sender)
{
    int place = search_order(receivers, sender);
    int j = receivers->order[place].rank;

    remove_entry(receivers, place);
    nuce_pair_set_remove(&receivers->pairs, sender, j);
    return (struct nuce_receivers_message){j, nuce_pair_set_entry(&receivers->pairs, sender, j)};
}

struct nuce_receivers_message nuce_receivers_take(struct nuce_receivers *receivers, int sender)
{
    struct nuce_receivers_message taken =
        receivers->is_dense ? take_dense(receivers, sender) : take_sparse(receivers, sender);

    receivers->left[sender]--;
    receivers->wanted[taken.receiver]--;
    receivers->messages--;
    return taken;
}

/* Makes room behind the order, which has wandered to the end of its memory. */
static void rewind_order(struct nuce_receivers *receivers)
{
    int count = receivers->end - receivers->first;

    memmove(receivers->order, receivers->order + receivers->first,
            (size_t)count * sizeof *receivers->order);
    receivers->first = 0;
    receivers->end = count;
}

/* Puts an entry into the order as an insertion sort does, from the end, where it belongs as a rule:
 * entries that come after it move up, as long as possible a block at once. */
static void insert_entry(struct nuce_receivers *receivers, int rank, double time)
{
    struct nuce_receivers_entry *place, *first;

    if (receivers->end == receivers->room)
        rewind_order(receivers);
    place = receivers->order + receivers->end++;
    first = receivers->order + receivers->first;
    for (; place - first >= BLOCK && is_before(time, rank, place - BLOCK); place -= BLOCK)
        memmove(place - BLOCK + 1, place - BLOCK, BLOCK * sizeof *place);
    for (; place > first && is_before(time, rank, place - 1); place--)
        *place = place[-1];
    *place = (struct nuce_receivers_entry){time, rank};
}

/* The receiver is available again at time, and goes into the order if anybody still has something
 * for it. */
void nuce_receivers_release(struct nuce_receivers *receivers, int receiver, double time)
{
    receivers->available[receiver] = time;
    if (receivers->is_dense && receivers->wanted[receiver] > 0)
        insert_entry(receivers, receiver, time);
}
