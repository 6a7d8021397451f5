/* Means over the middle half of the samples. */
#include "measure/last_rank.h"

#include <stdlib.h>

/* A sample, what it is sorted by, and who ended last in it. */
struct last_sample {
    double step_s;
    int64_t number;
    int rank;
};

/* By step, then by number: the same whatever qsort does. */
static int by_step(const void *a, const void *b)
{
    const struct last_sample *one = a, *other = b;

    if (one->step_s != other->step_s)
        return one->step_s < other->step_s ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

static int by_rank(const void *a, const void *b)
{
    return ((const struct last_sample *)a)->rank - ((const struct last_sample *)b)->rank;
}

/* Which rank is there most often; the lowest of equals. Sorts. */
static int last_most_often(struct last_sample *middle, int64_t count, int64_t *times)
{
    int64_t same = 0;
    int rank = 0;

    *times = 0;
    qsort(middle, (size_t)count, sizeof *middle, by_rank);
    for (int64_t i = 0; i < count; i++) {
        same = i > 0 && middle[i].rank == middle[i - 1].rank ? same + 1 : 1;
        if (same > *times) {
            *times = same;
            rank = middle[i].rank;
        }
    }
    return rank;
}

static const struct {
    int part;
    const char *name;
} last_rows[] = {
    {NUCE_PART_PACK, "last_pack_s"},           {NUCE_PART_COMMUNICATION, "last_communication_s"},
    {NUCE_PART_UNPACK, "last_unpack_s"},       {NUCE_PART_COMPUTATION, "last_computation_s"},
    {NUCE_PART_REBALANCE, "last_rebalance_s"}, {NUCE_PART_MOVE, "last_move_s"},
};

static void describe_means(const double mean[NUCE_SAMPLE_PARTS], unsigned timed,
                           struct nuce_found *found)
{
    double other_s = mean[NUCE_PART_OWN];

    for (size_t i = 0; i < sizeof last_rows / sizeof *last_rows; i++) {
        if (!(timed & 1U << last_rows[i].part))
            continue;
        nuce_found_real(found, last_rows[i].name, mean[last_rows[i].part]);
        other_s -= mean[last_rows[i].part];
    }
    nuce_found_real(found, "last_late_s", mean[NUCE_PART_STEP] - mean[NUCE_PART_OWN]);
    nuce_found_real(found, "last_other_s", other_s);
    nuce_found_real(found, "last_step_s", mean[NUCE_PART_STEP]);
}

void nuce_last_rank_describe(const struct nuce_samples *samples, unsigned timed,
                             struct nuce_found *found)
{
    int64_t count = samples->count, first = count / 4, middle = count - 2 * first, times;
    struct last_sample *all = calloc((size_t)count + 1, sizeof *all);
    double mean[NUCE_SAMPLE_PARTS] = {0};

    for (int64_t i = 0; all != NULL && i < count; i++)
        all[i] = (struct last_sample){samples->seconds[i * NUCE_SAMPLE_PARTS + NUCE_PART_STEP], i,
                                      samples->last_rank[i]};
    if (all != NULL && count > 0) {
        qsort(all, (size_t)count, sizeof *all, by_step);
        for (int64_t i = first; i < first + middle; i++) {
            for (int part = 0; part < NUCE_SAMPLE_PARTS; part++)
                mean[part] +=
                    samples->last[all[i].number * NUCE_SAMPLE_PARTS + part] / (double)middle;
            mean[NUCE_PART_STEP] += all[i].step_s / (double)middle;
        }
        nuce_found_integer(found, "last_rank", last_most_often(all + first, middle, &times));
        nuce_found_real(found, "last_share", (double)times / (double)middle);
        describe_means(mean, timed, found);
    }
    free(all);
}
