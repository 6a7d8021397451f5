/* RS_N with sorted rows: random scheduling in which large messages are tried first.
 *
 * Problem: as rs_n, with messages of similar size in the same phase.
 * Steps:
 *   1. Shuffle the entries of each row, then sort each row by size, descending, once; equal sizes
 *      stay in random order.
 *   2. Continue as rs_n does. Moving a row's last entry into the place of a taken one disturbs the
 *      order, which is not restored.
 * Cost: to build, O(messages log D) for the sort, then as rs_n, D being the most messages of a
 * rank. To run, as many phases as rs_n, somewhat more even ones.
 * Limits: as rs_n. The order is only kept at the beginning; rs_nh_lambda1 keeps it throughout.
 * Source: Ranka, Wang and Kumar, section 7.1, algorithm 7. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/int.h"
#include "schedules/rs_phases.h"

/* An entry of a row while it is sorted. */
struct sortable {
    int64_t bytes;
    int entry;
    int order; /* place before sorting */
};

/* By size, descending; equal ones keep their random order. */
static int rs_n_compare_descending(const void *left, const void *right)
{
    const struct sortable *a = left, *b = right;

    return NUCE_INT_ORDER({b->bytes, a->bytes}, {a->order, b->order});
}

static void rs_n_sort_fill(const struct nuce_schedule_input *input,
                           struct nuce_schedule_builder *builder)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct sortable *scratch = nuce_allocate(pattern->ranks, sizeof *scratch);
    struct nuce_rs_phases phases;
    double begin;

    nuce_rs_phases_init(input, &phases);
    begin = nuce_processor_clock();
    for (int i = 0; i < pattern->ranks; i++) {
        int *entry = phases.entry + pattern->row[i], count = phases.left[i];

        for (int k = 0; k < count; k++)
            scratch[k] = (struct sortable){pattern->bytes[pattern->row[i] + entry[k]], entry[k], k};
        qsort(scratch, (size_t)count, sizeof *scratch, rs_n_compare_descending);
        for (int k = 0; k < count; k++)
            entry[k] = scratch[k].entry;
    }
    builder->costs.sort_s = nuce_processor_clock() - begin;
    nuce_rs_phases_first_free(&phases, builder);
    nuce_rs_phases_fini(&phases);
    free(scratch);
}

const struct nuce_schedule_ops nuce_schedule_rs_n_sort = {
    .name = "rs-n-sort",
    .label = "random phases, largest first",
    .summary = "random scheduling, each rank's largest messages tried first",
    .source = "Ranka, Wang and Kumar, section 7.1",
    .discipline = NUCE_LOCKSTEP,
    .fill = rs_n_sort_fill,
};
