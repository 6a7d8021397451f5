/* The phases of RS_N and its kin, in O(messages) expected instead of the paper's passes over an n x
 * n matrix: rows are lists of what is left, rows that are done are not visited, and a receiver is
 * taken by the number of the phase, so nothing is cleared between phases. */
#include "schedules/rs_phases.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"

void nuce_rs_phases_fini(struct nuce_rs_phases *phases)
{
    free(phases->entry);
    free(phases->left);
    free(phases->active);
    free(phases->taken);
    memset(phases, 0, sizeof *phases);
}

/* rng goes on from here in the phases: the whole schedule is one draw after another. */
void nuce_rs_phases_init(const struct nuce_schedule_input *input, struct nuce_rs_phases *out)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct nuce_rs_phases phases = {.pattern = pattern, .rng = input->rng};

    phases.entry = nuce_allocate(pattern->messages, sizeof *phases.entry);
    phases.left = nuce_allocate(pattern->ranks, sizeof *phases.left);
    phases.active = nuce_allocate(pattern->ranks, sizeof *phases.active);
    phases.taken = nuce_allocate(pattern->ranks, sizeof *phases.taken);
    for (int i = 0; i < pattern->ranks; i++) {
        /* Fills row i with its entries in random order (Fisher and Yates, inside out: Knuth, "The
         * Art of Computer Programming" 2, 3.4.2). Its message to itself, at place `own` of the row,
         * is passed over. */
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

/* From a random row on, around (step 2 of RS_N, rs_n.c): no sender is always first. visit may take
 * entries, and must not change which rows are active. */
nuce_status nuce_rs_phases_visit(struct nuce_rs_phases *phases,
                                 nuce_status (*visit)(void *context, int row,
                                                      struct nuce_error *error),
                                 void *context, struct nuce_error *error)
{
    int x = (int)nuce_rng_below(&phases->rng, (uint64_t)phases->pattern->ranks);
    int first = 0, high = phases->actives;

    /* How many active rows lie before row x. */
    while (first < high) {
        int middle = first + (high - first) / 2;

        if (phases->active[middle] < x)
            first = middle + 1;
        else
            high = middle;
    }
    for (int k = first; k < phases->actives; k++) {
        if (visit(context, phases->active[k], error) != NUCE_OK)
            return error->status;
    }
    for (int k = 0; k < first; k++) {
        if (visit(context, phases->active[k], error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

void nuce_rs_phases_end(struct nuce_rs_phases *phases)
{
    int kept = 0;

    for (int k = 0; k < phases->actives; k++) {
        if (phases->left[phases->active[k]] > 0)
            phases->active[kept++] = phases->active[k];
    }
    phases->actives = kept;
    phases->phase++;
}

/* What take_first_free needs. */
struct first_free {
    struct nuce_rs_phases *phases;
    struct nuce_schedule_builder *builder;
};

/* A row's turn under RS_N. Whether a receiver is free is told by taken[receiver] <= phase, as it
 * holds the number of the phase behind the last one that it was taken in. */
static nuce_status take_first_free(void *context, int row, struct nuce_error *error)
{
    const struct first_free *what = context;
    struct nuce_rs_phases *phases = what->phases;
    int64_t begin = phases->pattern->row[row];
    const int *destination = phases->pattern->destination + begin;
    int *entry = phases->entry + begin, *taken = phases->taken;
    int left = phases->left[row], phase = phases->phase;

    (void)error;
    for (int k = 0; k < left; k++) {
        int place = entry[k], receiver = destination[place];

        if (taken[receiver] > phase)
            continue;
        taken[receiver] = phase + 1;
        entry[k] = entry[left - 1];
        phases->left[row] = left - 1;
        nuce_schedule_add(what->builder, row, receiver, phase, 0,
                          phases->pattern->bytes[begin + place]);
        return NUCE_OK;
    }
    return NUCE_OK;
}

nuce_status nuce_rs_phases_first_free(struct nuce_rs_phases *phases,
                                      struct nuce_schedule_builder *builder,
                                      struct nuce_error *error)
{
    struct first_free what = {phases, builder};

    nuce_schedule_reserve(builder, phases->pattern->messages);
    nuce_schedule_add_own(builder, phases->pattern);
    while (phases->actives > 0) {
        if (nuce_rs_phases_visit(phases, take_first_free, &what, error) != NUCE_OK)
            return error->status;
        nuce_rs_phases_end(phases);
    }
    return NUCE_OK;
}
