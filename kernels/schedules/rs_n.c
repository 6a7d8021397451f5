/* RS_N, random scheduling: phases in which no rank sends or receives twice, found greedily.
 *
 * Problem: cover the pattern by few partial permutations, quickly.
 * Steps:
 * 1. Shuffle the entries of each row once.
 * 2. Start a phase at a random row and go through all rows in cyclic order; each takes the first of
 *    its remaining entries whose receiver is still free in this phase. An entry that is taken is
 *    removed by moving the row's last entry into its place.
 * 3. Repeat until no row has entries left.
 * Cost: to build, O(messages) expected: rows that are done are no longer visited, and a mark per
 * rank says which receivers are taken. To run, about 1.2 D phases on random patterns, D being the
 * most messages of a rank: (number of phases) tau + sum over the phases of phi times the largest.
 * Limits: sizes play no part, so a phase can hold messages of very different sizes; the whole
 * pattern must be known on every rank, and all must draw the same random numbers.
 * Source: Ranka, Wang and Kumar, section 5.2 and figure 9 without the heaps and the splitting;
 * shuffling: their appendix A. */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "schedule.h"

struct state {
    const struct nuce_pattern *pattern;
    struct nuce_rng rng;
    int *destination; /* of the remaining entries: the first left[i] of row i */
    int *position;    /* of each in its row of the pattern */
    int *left;        /* entries that row i still has */
    int *active;      /* rows that have any, ascending */
    int actives;
    int *taken; /* 1 + the last phase in which the rank receives */
};

static void finish(struct state *state)
{
    free(state->destination);
    free(state->position);
    free(state->left);
    free(state->active);
    free(state->taken);
}

static nuce_status allocate(const struct nuce_schedule_input *input, struct state *out,
                            struct nuce_error *error)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct state state = {.pattern = pattern, .rng = input->rng};

    state.destination = nuce_allocate(pattern->messages, sizeof *state.destination, error);
    if (state.destination == NULL)
        goto fail;
    state.position = nuce_allocate(pattern->messages, sizeof *state.position, error);
    if (state.position == NULL)
        goto fail;
    state.left = nuce_allocate(pattern->ranks, sizeof *state.left, error);
    if (state.left == NULL)
        goto fail;
    state.active = nuce_allocate(pattern->ranks, sizeof *state.active, error);
    if (state.active == NULL)
        goto fail;
    state.taken = nuce_allocate(pattern->ranks, sizeof *state.taken, error);
    if (state.taken == NULL)
        goto fail;
    *out = state;
    return NUCE_OK;
fail:
    finish(&state);
    return error->status;
}

/* Fills row i with its entries in random order (Fisher and Yates, inside out: Knuth, "The Art of
 * Computer Programming" 2, 3.4.2). */
static void shuffle_row(struct state *state, int i)
{
    int64_t begin = state->pattern->row[i];
    int count = nuce_int(state->pattern->row[i + 1] - begin);
    int *destination = state->destination + begin, *position = state->position + begin;

    for (int k = 0; k < count; k++) {
        int other = (int)nuce_rng_below(&state->rng, (uint64_t)k + 1);

        destination[k] = destination[other];
        position[k] = position[other];
        destination[other] = state->pattern->destination[begin + k];
        position[other] = k;
    }
    state->left[i] = count;
    if (count > 0)
        state->active[state->actives++] = i;
}

/* The first remaining entry of row i whose receiver is free, or -1. */
static int find_free(const struct state *state, int i, int phase)
{
    const int *destination = state->destination + state->pattern->row[i];
    int left = state->left[i];

    for (int k = 0; k < left; k++) {
        if (state->taken[destination[k]] <= phase)
            return k;
    }
    return -1;
}

static nuce_status visit_row(struct state *state, int i, int phase,
                             struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    int64_t begin = state->pattern->row[i];
    int *destination = state->destination + begin, *position = state->position + begin;
    int k = find_free(state, i, phase);
    int receiver, last;
    int64_t bytes;

    if (k < 0)
        return NUCE_OK;
    receiver = destination[k];
    bytes = state->pattern->bytes[begin + position[k]];
    last = --state->left[i];
    destination[k] = destination[last];
    position[k] = position[last];
    state->taken[receiver] = phase + 1;
    return nuce_schedule_add(builder, i, receiver, phase, 0, bytes, error);
}

/* How many active rows lie before row x. */
static int count_before(const struct state *state, int x)
{
    int low = 0, high = state->actives;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (state->active[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static nuce_status build_phase(struct state *state, int phase,
                               struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    int x = (int)nuce_rng_below(&state->rng, (uint64_t)state->pattern->ranks);
    int first = count_before(state, x);
    int kept = 0;

    for (int k = first; k < state->actives; k++) {
        if (visit_row(state, state->active[k], phase, builder, error) != NUCE_OK)
            return error->status;
    }
    for (int k = 0; k < first; k++) {
        if (visit_row(state, state->active[k], phase, builder, error) != NUCE_OK)
            return error->status;
    }
    for (int k = 0; k < state->actives; k++) {
        if (state->left[state->active[k]] > 0)
            state->active[kept++] = state->active[k];
    }
    state->actives = kept;
    return NUCE_OK;
}

static nuce_status build(const struct nuce_schedule_input *input,
                         struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    struct state state;
    nuce_status status;

    if (allocate(input, &state, error) != NUCE_OK)
        return error->status;
    status = nuce_schedule_reserve(builder, input->pattern->messages, error);
    for (int i = 0; i < input->pattern->ranks; i++)
        shuffle_row(&state, i);
    for (int phase = 0; status == NUCE_OK && state.actives > 0; phase++)
        status = build_phase(&state, phase, builder, error);
    finish(&state);
    return status;
}

const struct nuce_schedule_ops nuce_schedule_rs_n = {
    .name = "rs-n",
    .summary = "random scheduling: greedy phases without two senders to one receiver",
    .source = "Ranka, Wang and Kumar, section 5.2",
    .discipline = NUCE_LOCKSTEP,
    .build = build,
};
