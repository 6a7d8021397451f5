/* colouring: the least possible number of phases.
 *
 * Problem: cover the pattern by exactly D partial permutations. D is the most messages that a rank
 * sends or receives, without its message to itself, which needs no wire. By Koenig's theorem that
 * many always suffice.
 * Steps: take the messages in the order of their cost, the longest first, so that long ones share
 * phases at no extra cost. Each gets the first phase below D in which its sender u and its receiver
 * v are both free. If there is none, let a be a phase in which u is free and b one in which v is.
 * The path from v of messages in phases a, b, a, .. in turn does not reach u (it reaches senders in
 * phase a only), so exchanging a and b along it makes v free in a; the path from u makes u free in
 * b. Both are followed at the same time, and the phases are exchanged along the one that ends
 * first.
 * Cost: to build, O(m log m + m D / 64) for m messages and the paths, which are at most 2 n long
 * and mostly a few messages. To run, D tau + phi times the sum over the phases of the longest.
 * Limits: with large messages balance matters more than the number of phases.
 * Source: Koenig 1916; alternating paths as in Gabow and Kariv, "Algorithms for edge coloring
 * bipartite graphs and multigraphs", SIAM J. Comput. 11, 1982. */
#include <stdlib.h>

#include "base/allocate.h"
#include "schedules/phase_table.h"
#include "schedules/schedule.h"

/* One message of a path. The table's value at a sender is the position in its row, at a receiver
 * the sender. */
struct colouring_step {
    int sender, position, receiver;
};

/* An alternating path and its current end. */
struct path {
    struct colouring_step *steps; /* 2 ranks: a path visits each port once at most */
    int length;
    int port;          /* the current end */
    int phase, other;  /* phase of its next step, and of the one after that */
    int first, second; /* phase of its first step, and of the next */
};

/* The colouring so far. It is partial and always valid: each of its messages has a phase below
 * degree, the number of phases. */
struct colouring_state {
    const struct nuce_pattern *pattern;
    struct nuce_phase_table table;
    struct path paths[2];
    int degree;
};

/* Gives a message to phase at both of its ports. */
static void colouring_take(struct colouring_state *state, const struct colouring_step *step,
                           int phase)
{
    nuce_phase_table_take(&state->table, step->sender, phase, step->position);
    nuce_phase_table_take(&state->table, step->receiver, phase, step->sender);
}

/* The message at that position of the sender's row, as a step. */
static struct colouring_step colouring_step_of(const struct colouring_state *state, int sender,
                                               int position)
{
    const struct nuce_pattern *pattern = state->pattern;

    return (struct colouring_step){
        sender, position, pattern->ranks + pattern->destination[pattern->row[sender] + position]};
}

/* Begins a path at port. Its first message is in `phase`, the next in `other`, and so on in
 * turn. */
static void colouring_begin(struct path *path, int port, int phase, int other)
{
    path->length = 0;
    path->port = port;
    path->phase = path->first = phase;
    path->other = path->second = other;
}

/* Moves on by one message; 0 if the path ends here. */
static int colouring_advance(const struct colouring_state *state, struct path *path)
{
    int phase = path->phase, value = nuce_phase_table_find(&state->table, path->port, phase);
    struct colouring_step *step = &path->steps[path->length];

    if (value < 0)
        return 0;
    if (path->port < state->pattern->ranks) {
        *step = colouring_step_of(state, path->port, value);
        path->port = step->receiver;
    } else {
        *step = colouring_step_of(state, value, nuce_phase_table_find(&state->table, value, phase));
        path->port = value;
    }
    path->length++;
    path->phase = path->other;
    path->other = phase;
    return 1;
}

/* Exchanges the two phases along the path. All are released before any is taken again, because a
 * port in the middle has both. */
static void turn_over(struct colouring_state *state, const struct path *path)
{
    for (int i = 0; i < path->length; i++) {
        int phase = i % 2 == 0 ? path->first : path->second;

        nuce_phase_table_release(&state->table, path->steps[i].sender, phase);
        nuce_phase_table_release(&state->table, path->steps[i].receiver, phase);
    }
    for (int i = 0; i < path->length; i++)
        colouring_take(state, &path->steps[i], i % 2 == 0 ? path->second : path->first);
}

/* A phase below D in which both ports of a message are free. If there is none, exchanging phases
 * along the shorter path makes one. Both ports have a free phase below D, since the message itself
 * is one of their at most D. */
static int make_common(struct colouring_state *state, const struct colouring_step *message)
{
    int phase =
        nuce_phase_table_common(&state->table, message->sender, message->receiver, state->degree);
    struct path *sending = &state->paths[0], *receiving = &state->paths[1];
    int a, b;

    if (phase >= 0)
        return phase;
    a = nuce_phase_table_first(&state->table, message->sender);
    b = nuce_phase_table_first(&state->table, message->receiver);
    colouring_begin(sending, message->sender, b, a);
    colouring_begin(receiving, message->receiver, a, b);
    for (;;) {
        if (!colouring_advance(state, receiving)) {
            turn_over(state, receiving);
            return a;
        }
        if (!colouring_advance(state, sending)) {
            turn_over(state, sending);
            return b;
        }
    }
}

static void colouring_fill(const struct nuce_schedule_input *input,
                           struct nuce_schedule_builder *builder)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct colouring_state state = {.pattern = pattern};
    struct nuce_ordered_message *messages;
    int64_t count;

    nuce_phase_table_init(pattern, &state.table);
    for (int i = 0; i < 2; i++)
        state.paths[i].steps = nuce_allocate(state.table.ports, sizeof(struct colouring_step));
    for (int p = 0; p < state.table.ports; p++)
        state.degree = state.table.degree[p] > state.degree ? state.table.degree[p] : state.degree;
    /* Colours all messages, the costliest first. */
    nuce_phase_table_longest_first(pattern, input->network, &messages, &count);
    for (int64_t i = 0; i < count; i++) {
        struct colouring_step message =
            colouring_step_of(&state, messages[i].source, messages[i].position);

        colouring_take(&state, &message, make_common(&state, &message));
    }
    free(messages);
    /* Builds the schedule from the table, sender by sender; phases are sorted when the builder
     * ends. */
    nuce_schedule_add_own(builder, pattern);
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t slot = state.table.first[i]; slot < state.table.first[i + 1]; slot++) {
            const struct nuce_phase_slot *taken = &state.table.slots[slot];
            int64_t k = pattern->row[i] + taken->value;

            if (taken->taken > 0)
                nuce_schedule_add(builder, i, pattern->destination[k], taken->taken - 1, 0,
                                  pattern->bytes[k]);
        }
    }
    nuce_phase_table_fini(&state.table);
    free(state.paths[0].steps);
    free(state.paths[1].steps);
}

const struct nuce_schedule_ops nuce_schedule_colouring = {
    .name = "colouring",
    .label = "fewest phases",
    .summary = "bipartite edge colouring: exactly as many phases as the busiest rank has messages",
    .source = "Koenig 1916; Gabow and Kariv 1982",
    .discipline = NUCE_LOCKSTEP,
    .fill = colouring_fill,
};
