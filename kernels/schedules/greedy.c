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

#include "schedules/chain.h"
#include "schedules/pair_set.h"
#include "support/memory.h"

/* A tournament of senders: the winner is the one that is available first, the lowest rank of
 * several. Entry 1 is the winner of all, entry k that of entries 2 k and 2 k + 1, and entry
 * `leaves` + i is rank i (Knuth, "The Art of Computer Programming" 3, 5.4.1). Playing again after a
 * change takes log n matches against opponents that are known beforehand. */
struct entry {
    double available; /* INFINITY: has sent all */
    int rank;
};

/* Times are counted one by one from here on. */
#define COUNTED 8

struct state {
    const struct nuce_pattern *pattern;
    const struct nuce_network *network;
    struct entry *senders;
    int leaves;
    double *available; /* ranks: when the receiver is */
    int *left;         /* ranks: messages still to be sent */
    double *seconds;   /* messages: what each costs */
    /* Sparse patterns only. */
    int *position; /* messages: the first left[i] from row[i] on are those of row i that remain */
    /* Dense patterns only. */
    int dense;
    struct nuce_pair_set pairs;
    int *wanted;   /* ranks: messages that the receiver still gets */
    int *order;    /* from order[first] on, of 2 ranks: receivers that still get any, by
                      availability, then rank */
    double *times; /* when each of order is available: beside each other for the searches */
    int first, ordered;
};

static void finish(struct state *state)
{
    free(state->senders);
    free(state->available);
    free(state->left);
    free(state->seconds);
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
    state->seconds = nuce_allocate(state->pattern->messages, sizeof *state->seconds, error);
    if (state->seconds == NULL)
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
    state->order = nuce_allocate(2 * ranks, sizeof *state->order, error);
    if (state->order == NULL)
        return error->status;
    state->times = nuce_allocate(2 * ranks, sizeof *state->times, error);
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
            state->seconds[k] =
                nuce_network_seconds(state->network, i, pattern->destination[k], pattern->bytes[k]);
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

/* How many of count ascending times are less than time. Which half to go on with cannot be
 * foretold, so nothing is branched on, and few are counted one by one. */
static int count_earlier(const double *times, int count, double time)
{
    int64_t low = 0, earlier = 0;

    while (count > COUNTED) {
        int half = count / 2;

        low += half & -(times[low + half - 1] < time);
        count -= half;
    }
    for (int k = 0; k < count; k++)
        earlier += times[low + k] < time;
    return (int)(low + earlier);
}

/* The place in order, at or after place, before which all receivers that come before j are. */
static int place_of(const struct state *state, int place, int j)
{
    int end = state->first + state->ordered;
    double time = state->available[j];

    place += count_earlier(state->times + place, end - place, time);
    while (place < end && state->times[place] <= time && state->order[place] < j)
        place++;
    return place;
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
    return place_of(state, state->first, best);
}

/* The same place, along the order as long as that can be quicker. */
static int search_order(const struct state *state, int i)
{
    const uint64_t *row = state->pairs.left + (int64_t)i * state->pairs.words;
    int most = state->left[i] + state->pairs.words;
    int end = state->first + (state->ordered < most ? state->ordered : most);

    for (int place = state->first; place < end; place++) {
        int j = state->order[place];

        if (row[j / 64] >> j % 64 & 1)
            return place;
    }
    return search_row(state, i);
}

/* Moves count receivers of the order by one place. */
static void shift(struct state *state, int from, int to, int count)
{
    memmove(state->order + to, state->order + from, (size_t)count * sizeof *state->order);
    memmove(state->times + to, state->times + from, (size_t)count * sizeof *state->times);
}

/* Makes room behind the order. */
static void rewind_order(struct state *state)
{
    shift(state, state->first, 0, state->ordered);
    state->first = 0;
}

/* Takes the receiver out of the row of sender i and returns the message; *place is where in order
 * the receiver still is. */
static int64_t take_dense(struct state *state, int i, int *place)
{
    int j;

    if (state->first + state->ordered == 2 * state->pattern->ranks)
        rewind_order(state);
    *place = search_order(state, i);
    j = state->order[*place];
    nuce_pair_set_remove(&state->pairs, i, j);
    state->left[i]--;
    state->wanted[j]--;
    return nuce_pair_set_entry(&state->pairs, i, j);
}

/* Takes the receiver at place, whose availability has grown, to where it now belongs, or out: the
 * shorter of what lies between and of what lies around makes room. */
static void move_receiver(struct state *state, int place)
{
    int j = state->order[place], first = state->first, end = first + state->ordered;
    int next = state->wanted[j] > 0 ? place_of(state, place + 1, j) : end;
    int between = next - place - 1;

    if (between <= state->ordered / 2) {
        shift(state, place + 1, place, between);
        next--;
    } else {
        shift(state, first, first + 1, place - first);
        shift(state, next, next + 1, end - next);
        state->first++;
    }
    if (state->wanted[j] > 0) {
        state->order[next] = j;
        state->times[next] = state->available[j];
    } else {
        state->ordered--;
    }
}

/* The next message of the sender that is available first. */
static nuce_status send_one(struct state *state, struct nuce_chain *chain, struct nuce_error *error)
{
    double time = state->senders[1].available;
    int i = state->senders[1].rank, place = 0;
    int64_t k = state->dense ? take_dense(state, i, &place) : take_sparse(state, i);
    int j = state->dense ? state->order[place] : state->pattern->destination[k];

    __builtin_prefetch(&state->pattern->bytes[k]); /* seldom in a cache, and soon looked at */
    if (state->available[j] > time)
        time = state->available[j];
    time += state->seconds[k];
    time = time < DBL_MAX ? time : DBL_MAX; /* INFINITY: has sent all */
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

    if (nuce_schedule_expect(builder, state->pattern, error) != NUCE_OK ||
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
