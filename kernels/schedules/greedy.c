/* greedy: the heuristic of Bhat, Prasanna and Raghavendra for uneven networks.
 *
 * Problem: end the whole exchange early where messages, and what a byte costs, differ.
 * Steps: the sender that is available first (the lowest rank of several) takes, of its remaining
 * receivers, the one that is available first (the lowest rank of several); the message starts as
 * soon as both are, and both are available again when it ends. Repeated until all are sent.
 * Messages to oneself need no wire and go first.
 * Cost: to build, O(m log n) and the searches for a receiver, each at most as long as the sender
 * has messages left. Where the pattern is dense, receivers are kept in the order of their
 * availability and the first that the sender's bit set still has is taken: about n / (messages
 * left) looks. To run, no rank ends later than row sum + column sum of its last message, so at most
 * twice the single-port bound; on test set 1 about 1.05 times.
 * Limits: many nearly equal messages: 51 steps where 40 would do (papers/ALGORITHMS.md).
 * Source: Bhat, Prasanna and Raghavendra, the greedy heuristic. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "memory.h"
#include "pair_set.h"

/* A tournament of senders: the winner is the one that is available first, the lowest rank of
 * several. Entry 1 is the winner of all, entry k that of entries 2 k and 2 k + 1, and entry
 * `leaves` + i is rank i (Knuth, "The Art of Computer Programming" 3, 5.4.1). Playing again after a
 * change takes log n matches against opponents that are known beforehand. */
struct entry {
    double available; /* INFINITY: has sent all */
    int rank;
};

struct state {
    const struct nuce_pattern *pattern;
    const struct nuce_network *network;
    struct entry *senders;
    int leaves;
    double *available; /* ranks: when the receiver is */
    int *left;         /* ranks: messages still to be sent */
    /* Sparse patterns only. */
    int *position; /* messages: the first left[i] from row[i] on are those of row i that remain */
    /* Dense patterns only. */
    int dense;
    struct nuce_pair_set pairs;
    int *wanted;   /* ranks: messages that the receiver still gets */
    int *order;    /* receivers that still get any, by availability, then rank */
    double *times; /* when each of order is available: beside each other for the searches */
    int ordered;
};

static void finish(struct state *state)
{
    free(state->senders);
    free(state->available);
    free(state->left);
    free(state->position);
    nuce_pair_set_fini(&state->pairs);
    free(state->wanted);
    free(state->order);
    free(state->times);
}

static nuce_status allocate(struct state *state, struct nuce_error *error)
{
    int64_t ranks = state->pattern->ranks;

    for (state->leaves = 1; state->leaves < ranks; state->leaves *= 2)
        continue;
    state->senders = nuce_allocate(2 * (int64_t)state->leaves, sizeof *state->senders, error);
    if (state->senders == NULL)
        return error->status;
    state->available = nuce_allocate(ranks, sizeof *state->available, error);
    if (state->available == NULL)
        return error->status;
    state->left = nuce_allocate(ranks, sizeof *state->left, error);
    if (state->left == NULL)
        return error->status;
    if (!state->dense) {
        state->position = nuce_allocate(state->pattern->messages, sizeof *state->position, error);
        return state->position != NULL ? NUCE_OK : error->status;
    }
    if (nuce_pair_set_init(state->pattern, &state->pairs, error) != NUCE_OK)
        return error->status;
    state->wanted = nuce_allocate(ranks, sizeof *state->wanted, error);
    if (state->wanted == NULL)
        return error->status;
    state->order = nuce_allocate(ranks, sizeof *state->order, error);
    if (state->order == NULL)
        return error->status;
    state->times = nuce_allocate(ranks, sizeof *state->times, error);
    return state->times != NULL ? NUCE_OK : error->status;
}

/* Lower ranks are to the left, so of equal ones the left wins. Which one it is cannot be foretold,
 * so it is computed instead of branched on. */
static void set_sender(struct state *state, int i, double available)
{
    int best = i;

    state->senders[state->leaves + i] = (struct entry){available, i};
    for (int place = state->leaves + i; place > 1; place /= 2) {
        const struct entry *other = &state->senders[place ^ 1];
        int wins = (other->available < available) | ((other->available <= available) & place & 1);

        best ^= (best ^ other->rank) & -wins;
        available = other->available < available ? other->available : available;
        state->senders[place / 2] = (struct entry){available, best};
    }
}

static void start_tournament(struct state *state)
{
    for (int i = 0; i < 2 * state->leaves; i++)
        state->senders[i] = (struct entry){INFINITY, i};
    for (int i = 0; i < state->pattern->ranks; i++) {
        if (state->left[i] > 0)
            set_sender(state, i, 0);
    }
}

static nuce_status prepare(struct state *state, struct nuce_error *error)
{
    const struct nuce_pattern *pattern = state->pattern;

    state->dense = nuce_pair_set_fits(pattern);
    if (allocate(state, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            if (pattern->destination[k] == i)
                continue;
            if (state->dense)
                state->wanted[pattern->destination[k]]++;
            else
                state->position[pattern->row[i] + state->left[i]] = nuce_int(k - pattern->row[i]);
            state->left[i]++;
        }
    }
    for (int j = 0; state->dense && j < pattern->ranks; j++) {
        if (state->wanted[j] > 0)
            state->order[state->ordered++] = j;
    }
    start_tournament(state);
    return NUCE_OK;
}

/* Whether receiver a, available at time, is to be taken before b, available at other. */
static int before(double time, int a, double other, int b)
{
    return (time < other) | ((time <= other) & (a < b));
}

/* Takes the receiver out of the row of sender i and returns the message. */
static int64_t take_sparse(struct state *state, int i)
{
    const struct nuce_pattern *pattern = state->pattern;
    const int *destination = pattern->destination + pattern->row[i];
    int *position = state->position + pattern->row[i];
    int best = 0, taken;

    for (int k = 1; k < state->left[i]; k++) {
        int j = destination[position[k]], other = destination[position[best]];

        if (before(state->available[j], j, state->available[other], other))
            best = k;
    }
    taken = position[best];
    position[best] = position[--state->left[i]];
    return pattern->row[i] + taken;
}

/* How many of the receivers in order[from ..] come before receiver j. Which half to go on with
 * cannot be foretold, so it is computed instead of branched on. */
static int count_before(const struct state *state, int from, int j)
{
    int count = state->ordered - from, low = from;
    double time = state->available[j];

    while (count > 1) {
        int half = count / 2;

        low = state->times[low + half - 1] < time ? low + half : low;
        count -= half;
    }
    low += count == 1 && state->times[low] < time;
    while (low < state->ordered && state->times[low] <= time && state->order[low] < j)
        low++;
    return low - from;
}

/* The place in order of the first receiver that sender i has, by looking at all that it has. */
static int search_row(const struct state *state, int i)
{
    const uint64_t *row = state->pairs.left + (int64_t)i * state->pairs.words;
    int best = -1;

    for (int word = 0; word < state->pairs.words; word++) {
        for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
            int j = word * 64 + __builtin_ctzll(bits);

            if (best < 0 || before(state->available[j], j, state->available[best], best))
                best = j;
        }
    }
    return count_before(state, 0, best);
}

/* The same place, along the order as long as that can be quicker. */
static int search_order(const struct state *state, int i)
{
    int most = state->left[i] + state->pairs.words;

    for (int place = 0; place < state->ordered && place < most; place++) {
        if (nuce_pair_set_has(&state->pairs, i, state->order[place]))
            return place;
    }
    return search_row(state, i);
}

static int64_t take_dense(struct state *state, int i, int *place)
{
    int j;

    *place = search_order(state, i);
    j = state->order[*place];
    nuce_pair_set_remove(&state->pairs, i, j);
    state->left[i]--;
    state->wanted[j]--;
    return nuce_pair_set_entry(&state->pairs, i, j);
}

/* Puts the receiver at place, whose availability has grown, where it now belongs. */
static void move_receiver(struct state *state, int place)
{
    int j = state->order[place], moved;

    if (state->wanted[j] == 0)
        moved = --state->ordered - place;
    else
        moved = count_before(state, place + 1, j);
    memmove(state->order + place, state->order + place + 1, (size_t)moved * sizeof *state->order);
    memmove(state->times + place, state->times + place + 1, (size_t)moved * sizeof *state->times);
    if (state->wanted[j] > 0) {
        state->order[place + moved] = j;
        state->times[place + moved] = state->available[j];
    }
}

/* The next message of the sender that is available first. */
static nuce_status send_one(struct state *state, struct nuce_chain *chain, struct nuce_error *error)
{
    double time = state->senders[1].available;
    int i = state->senders[1].rank, place = 0, j;
    int64_t k = state->dense ? take_dense(state, i, &place) : take_sparse(state, i);

    j = state->pattern->destination[k];
    if (state->available[j] > time)
        time = state->available[j];
    time += nuce_network_seconds(state->network, i, j, state->pattern->bytes[k]);
    time = fmin(time, DBL_MAX); /* INFINITY: has sent all */
    state->available[j] = time;
    if (state->dense)
        move_receiver(state, place);
    set_sender(state, i, state->left[i] > 0 ? time : INFINITY);
    return nuce_chain_add(chain, i, j, 0, state->pattern->bytes[k], error);
}

static nuce_status send_all(struct state *state, struct nuce_schedule_builder *builder,
                            struct nuce_error *error)
{
    struct nuce_chain chain;
    nuce_status status;

    if (nuce_schedule_reserve(builder, state->pattern->messages, error) != NUCE_OK ||
        nuce_chain_init(builder, &chain, error) != NUCE_OK)
        return error->status;
    status = nuce_chain_add_own(&chain, state->pattern, error);
    while (status == NUCE_OK && isfinite(state->senders[1].available))
        status = send_one(state, &chain, error);
    nuce_chain_fini(&chain);
    return status;
}

static nuce_status build(const struct nuce_schedule_input *input,
                         struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    struct state state = {.pattern = input->pattern, .network = input->network};
    nuce_status status = prepare(&state, error);

    builder->depth = input->tuning->depth;
    if (status == NUCE_OK)
        status = send_all(&state, builder, error);
    finish(&state);
    return status;
}

const struct nuce_schedule_ops nuce_schedule_greedy = {
    .name = "greedy",
    .summary = "the first available sender to its first available receiver",
    .source = "Bhat, Prasanna and Raghavendra, greedy heuristic",
    .discipline = NUCE_STREAMS,
    .uses = NUCE_USES_DEPTH,
    .build = build,
};
