/* The common part of the random schedules: heaps of each rank's remaining messages, and phases. */
#include "schedules/rs_phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/int.h"

/* The phases of RS_NH.
 *
 * Problem: cover the pattern by partial permutations whose messages are of similar size.
 * Steps:
 *   1. Shuffle the entries of each row and make each row a heap, the largest message at its root.
 *   2. Start a phase at a random row and go through all rows in cyclic order; each takes its
 *      largest remaining message whose receiver is still free in this phase.
 *   3. Choose the threshold, the most bytes of a message in this phase. It is at least the size
 *      that the share lambda of the ranks does not exceed, idle ones counting as 0; the rule may
 *      choose a larger one. If more than that share are idle all messages are sent whole. The bytes
 *      of a message beyond the threshold go back into its row's heap.
 *   4. Repeat until no row has entries left. Let d be the average number of messages per rank at
 *      the beginning. Once no more than max(2, d/16) messages per rank are left after a phase, all
 *      are sent whole from then on. These are the paper's two phases: rows become uneven in the
 *      end, and splitting would lengthen it.
 * Cost: to build, O(d log d) heap operations per rank on random patterns, each O(log d), and the
 * sorting of the sizes of each phase. To run, about 1.3 D phases, D being the most messages of a
 * rank, each as long as its threshold: (number of phases) tau + phi times the sum of thresholds.
 * Limits: as rs_n. Few small messages could cut many large ones into any number of pieces. So after
 * MOST_PIECES pieces per message all are sent whole.
 * Source: Ranka, Wang and Kumar, section 5.2 with figure 9, and section 7 on the two phases. */

#define MOST_PIECES 8 /* on average; random patterns have 1.3 at a lambda of 3/4 */

/* The rest of the pattern while its phases are made. */
struct heaps {
    const struct nuce_pattern *pattern;
    const struct nuce_rs_rule *rule;
    struct nuce_rs_phases phases; /* the entries of each row are a heap */
    int64_t *remaining;           /* messages: remaining bytes of each, indexed as in the pattern */
    int *sender;                  /* senders of this phase, in the order of their turns; the message
                                     that each sends follows the rest of its row */
    int senders;
    int64_t *sizes;   /* ranks: scratch */
    int64_t messages; /* not yet ended */
    int whole;        /* no message is split any more */
    int64_t operations;
};

/* A heap holds entries of a row by size, the largest at 0; bytes[entry] is its key. Lets the one at
 * place sink until no child is larger. */
static void rs_heaps_sink(const int64_t *bytes, int *heap, int count, int place)
{
    int moved = heap[place];

    for (;;) {
        int child = 2 * place + 1;

        if (child >= count)
            break;
        if (child + 1 < count && bytes[heap[child + 1]] > bytes[heap[child]])
            child++;
        if (bytes[heap[child]] <= bytes[moved])
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = moved;
}

/* Lets the one at place rise: inserts it into the heap before it. */
static void rs_heaps_rise(const int64_t *bytes, int *heap, int place)
{
    int moved = heap[place];

    while (place > 0 && bytes[heap[(place - 1) / 2]] < bytes[moved]) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = moved;
}

static void rs_heaps_swap(int *a, int *b)
{
    int value = *a;

    *a = *b;
    *b = value;
}

/* A row's turn in the phase. Takes entries from row i's heap until one has a free receiver, and
 * puts the others back. The entries taken from the heap lie after it, so they need no memory; the
 * one to send ends up right after the heap. */
static void visit_row(struct heaps *heaps, int i)
{
    int64_t begin = heaps->pattern->row[i];
    const int64_t *bytes = heaps->remaining + begin;
    int *heap = heaps->phases.entry + begin, *taken = heaps->phases.taken;
    int left = heaps->phases.left[i], count = left, found = 0;

    while (count > 0 && !found) {
        int receiver = heaps->pattern->destination[begin + heap[0]];

        rs_heaps_swap(&heap[0], &heap[--count]);
        rs_heaps_sink(bytes, heap, count, 0);
        found = taken[receiver] <= heaps->phases.phase;
        if (found)
            taken[receiver] = heaps->phases.phase + 1;
    }
    heaps->operations += left - count;
    if (found) {
        rs_heaps_swap(&heap[count], &heap[--left]);
        heaps->sender[heaps->senders++] = i;
    }
    heaps->operations += left - count;
    for (; count < left; count++)
        rs_heaps_rise(bytes, heap, count);
    heaps->phases.left[i] = left;
}

/* The i-th sender's message, as its number in the pattern. */
static int64_t message_of(const struct heaps *heaps, int i)
{
    int row = heaps->sender[i];
    int64_t begin = heaps->pattern->row[row];

    return begin + heaps->phases.entry[begin + heaps->phases.left[row]];
}

/* Ascending. */
static int compare_sizes(const void *left, const void *right)
{
    return NUCE_INT_ORDER({*(const int64_t *)left, *(const int64_t *)right});
}

/* Decide_Size of the paper: the most bytes of a message in this phase, INT64_MAX for whole
 * messages. pieces: those added so far. sizes.least becomes the index of the ceil(lambda n)-th
 * smallest of n sizes, idle ranks being the smallest and not listed. */
static int64_t decide_size(struct heaps *heaps, int64_t pieces)
{
    struct nuce_rs_sizes sizes = {.ranks = heaps->pattern->ranks, .bytes = heaps->sizes};
    int64_t left = heaps->messages - heaps->senders;
    /* Subtracts a possible rounding error: 0.56 of 25 ranks are 14, not 15. */
    int place = (int)ceil(heaps->rule->lambda * sizes.ranks - 1e-6);

    if (left <= 2 * (int64_t)sizes.ranks || left <= heaps->phases.messages / 16 ||
        pieces / MOST_PIECES >= heaps->phases.messages)
        heaps->whole = 1;
    if (heaps->whole)
        return INT64_MAX;
    for (int i = 0; i < heaps->senders; i++)
        heaps->sizes[sizes.count++] = heaps->remaining[message_of(heaps, i)];
    sizes.least = place - 1 - (sizes.ranks - sizes.count);
    if (sizes.least < 0)
        return INT64_MAX;
    qsort(heaps->sizes, (size_t)sizes.count, sizeof *heaps->sizes, compare_sizes);
    if (heaps->rule->choose == NULL)
        return heaps->sizes[sizes.least];
    return heaps->sizes[heaps->rule->choose(heaps->rule, &sizes)];
}

/* Puts the sender's message back into its row's heap. */
static void go_back(struct heaps *heaps, int row)
{
    int64_t begin = heaps->pattern->row[row];

    heaps->operations++;
    rs_heaps_rise(heaps->remaining + begin, heaps->phases.entry + begin, heaps->phases.left[row]++);
}

/* Begins a phase. Returns the place of the first of the active rows; the others follow in cyclic
 * order. Starts at a random row (step 2 of RS_N, rs_n.c), so that no sender is always first. */
static int phases_begin(struct nuce_rs_phases *phases)
{
    int x = (int)nuce_rng_below(&phases->rng, (uint64_t)phases->pattern->ranks);
    int first = 0, high = phases->actives;

    /* Binary search for the number of active rows before row x. */
    while (first < high) {
        int middle = first + (high - first) / 2;

        if (phases->active[middle] < x)
            first = middle + 1;
        else
            high = middle;
    }
    return first;
}

/* The active row at a place below 2 actives. */
static int phases_row(const struct nuce_rs_phases *phases, int place)
{
    return phases->active[place < phases->actives ? place : place - phases->actives];
}

/* Ends the phase: rows with nothing left are no longer active. */
static void phases_end(struct nuce_rs_phases *phases)
{
    int kept = 0;

    for (int k = 0; k < phases->actives; k++) {
        if (phases->left[phases->active[k]] > 0)
            phases->active[kept++] = phases->active[k];
    }
    phases->actives = kept;
    phases->phase++;
}

/* Makes a phase: all rows' turns, then the threshold, then the pieces. */
static void build_phase(struct heaps *heaps, struct nuce_schedule_builder *builder)
{
    int64_t threshold;
    int sending;

    heaps->senders = 0;
    for (int n = 0, k = phases_begin(&heaps->phases); n < heaps->phases.actives; n++)
        visit_row(heaps, phases_row(&heaps->phases, k + n));
    /* Draws the ranks that do not send in this phase, and puts their messages back. */
    sending = (int)ceil(heaps->rule->lambda * heaps->senders - 1e-6);
    while (heaps->rule->puts_back && heaps->senders > sending) {
        int drawn = (int)nuce_rng_below(&heaps->phases.rng, (uint64_t)heaps->senders);

        go_back(heaps, heaps->sender[drawn]);
        heaps->sender[drawn] = heaps->sender[--heaps->senders];
    }
    threshold = heaps->rule->puts_back ? INT64_MAX : decide_size(heaps, builder->count);
    for (int i = 0; i < heaps->senders; i++) {
        /* Sends at most threshold of the i-th sender's message; the rest goes back. */
        int row = heaps->sender[i];
        int64_t message = message_of(heaps, i);
        int64_t bytes = heaps->remaining[message];
        int64_t offset = heaps->pattern->bytes[message] - bytes;
        int receiver = heaps->pattern->destination[message];

        if (bytes > threshold) {
            bytes = threshold;
            heaps->remaining[message] -= bytes;
            go_back(heaps, row);
        } else {
            heaps->messages--;
        }
        nuce_schedule_add(builder, row, receiver, heaps->phases.phase, offset, bytes);
    }
    phases_end(&heaps->phases);
}

void nuce_rs_heaps_build(const struct nuce_schedule_input *input, const struct nuce_rs_rule *rule,
                         struct nuce_schedule_builder *builder)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct heaps heaps = {.pattern = pattern,
                          .rule = rule,
                          .whole = rule->puts_back || (rule->choose == NULL && rule->lambda >= 1)};
    double begin;

    NUCE_ASSERT(rule->lambda > 0 && rule->lambda <= 1);
    nuce_rs_phases_init(input, &heaps.phases);
    heaps.remaining = nuce_allocate(pattern->messages, sizeof *heaps.remaining);
    heaps.sender = nuce_allocate(pattern->ranks, sizeof *heaps.sender);
    heaps.sizes = nuce_allocate(pattern->ranks, sizeof *heaps.sizes);
    memcpy(heaps.remaining, pattern->bytes, (size_t)pattern->messages * sizeof *heaps.remaining);
    heaps.messages = heaps.phases.messages;
    /* Rows become heaps, Floyd's way, from the last parent up: O(entries) per row. */
    begin = nuce_processor_clock();
    for (int i = 0; i < pattern->ranks; i++) {
        for (int place = heaps.phases.left[i] / 2 - 1; place >= 0; place--)
            rs_heaps_sink(heaps.remaining + pattern->row[i], heaps.phases.entry + pattern->row[i],
                          heaps.phases.left[i], place);
    }
    builder->costs.heap_s = nuce_processor_clock() - begin;
    nuce_schedule_add_own(builder, pattern);
    while (heaps.phases.actives > 0)
        build_phase(&heaps, builder);
    builder->costs.heap_operations = heaps.operations;
    nuce_rs_phases_fini(&heaps.phases);
    free(heaps.remaining);
    free(heaps.sender);
    free(heaps.sizes);
}

/* The phases of RS_N and its variants, in O(messages) expected instead of the paper's passes over
 * an n x n matrix. Rows are lists of the remaining messages, and finished rows are not visited. A
 * receiver is marked with the number of the phase, so no mark is cleared between phases. */

void nuce_rs_phases_fini(struct nuce_rs_phases *phases)
{
    free(phases->entry);
    free(phases->left); /* frees the other arrays of ranks, too */
    memset(phases, 0, sizeof *phases);
}

/* The phases continue with rng: the whole schedule is one sequence of draws. */
void nuce_rs_phases_init(const struct nuce_schedule_input *input, struct nuce_rs_phases *out)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct nuce_rs_phases phases = {.pattern = pattern, .rng = input->rng};

    phases.entry = nuce_allocate(pattern->messages, sizeof *phases.entry);
    phases.left = nuce_allocate(3 * (int64_t)pattern->ranks, sizeof *phases.left);
    phases.active = phases.left + pattern->ranks;
    phases.taken = phases.active + pattern->ranks;
    for (int i = 0; i < pattern->ranks; i++) {
        /* Fills row i with its entries in random order (Fisher and Yates, inside out: Knuth, "The
         * Art of Computer Programming" 2, 3.4.2). Its message to itself, at place `own` of the row,
         * is skipped. */
        int64_t begin = phases.pattern->row[i];
        int64_t own = nuce_pattern_find(phases.pattern, i, i) - begin;
        int count = nuce_int(phases.pattern->row[i + 1] - begin) - (own >= 0);
        int *entry = phases.entry + begin;

        for (int k = 0; k < count; k++) {
            int other = (int)nuce_rng_below(&phases.rng, (uint64_t)k + 1);

            entry[k] = entry[other];
            entry[other] = own >= 0 && k >= own ? k + 1 : k;
        }
        phases.left[i] = count;
        phases.messages += count;
        if (count > 0)
            phases.active[phases.actives++] = i;
    }
    *out = phases;
}

/* A row's turn under RS_N. A receiver is free if taken[receiver] <= phase, because taken is 1 + the
 * last phase in which the rank receives. */
static void take_first_free(struct nuce_rs_phases *phases, int row,
                            struct nuce_schedule_builder *builder)
{
    int64_t begin = phases->pattern->row[row];
    const int *destination = phases->pattern->destination + begin;
    int *entry = phases->entry + begin, *taken = phases->taken;
    int left = phases->left[row], phase = phases->phase;

    for (int k = 0; k < left; k++) {
        int place = entry[k], receiver = destination[place];

        if (taken[receiver] > phase)
            continue;
        taken[receiver] = phase + 1;
        entry[k] = entry[left - 1];
        phases->left[row] = left - 1;
        nuce_schedule_add(builder, row, receiver, phase, 0, phases->pattern->bytes[begin + place]);
        return;
    }
}

void nuce_rs_phases_first_free(struct nuce_rs_phases *phases, struct nuce_schedule_builder *builder)
{
    nuce_schedule_add_own(builder, phases->pattern);
    while (phases->actives > 0) {
        int first = phases_begin(phases);

        for (int n = 0; n < phases->actives; n++)
            take_first_free(phases, phases_row(phases, first + n), builder);
        phases_end(phases);
    }
}
