/* Samples and their memory.
 *
 * A sample takes 8 bytes a part, twice, and 8 more. */
#include "run/entrant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/record.h"

/* Room for most samples in all; what is there stays. On failure some arrays may have grown, which
 * does no harm. */
void nuce_samples_reserve(struct nuce_samples *samples, int64_t most)
{
    nuce_allocate_more((void **)&samples->seconds, &samples->capacity, most * NUCE_SAMPLE_PARTS,
                       sizeof(double));
    nuce_allocate_more((void **)&samples->last, &samples->last_capacity, most * NUCE_SAMPLE_PARTS,
                       sizeof(double));
    nuce_allocate_more((void **)&samples->last_rank, &samples->last_rank_capacity, most,
                       sizeof(int));
    nuce_allocate_more((void **)&samples->place, &samples->place_capacity, most, sizeof(int));
}

void nuce_samples_fini(struct nuce_samples *samples)
{
    free(samples->seconds);
    free(samples->last);
    free(samples->last_rank);
    free(samples->place);
    free(samples->of_rank);
    memset(samples, 0, sizeof *samples);
}

/* Means over the middle half of the samples.
 *
 * The quarters with the shortest and the longest steps are left out: an outlier would be most of a
 * mean. O(samples log samples), 24 bytes a sample. */

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

/* Ranks are not negative: the difference does not overflow. */
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

/* last_PART_s of each part of a step that was timed, and what is left. */
void nuce_samples_describe_last(const struct nuce_samples *samples, unsigned timed,
                                struct nuce_found *found)
{
    int64_t count = samples->count, first = count / 4, middle = count - 2 * first, times;
    struct last_sample *all = nuce_allocate(count + 1, sizeof *all);
    const unsigned wholes = 1U << NUCE_PART_STEP | 1U << NUCE_PART_OWN;
    double mean[NUCE_SAMPLE_PARTS] = {0}, other_s;
    char name[32];

    for (int64_t i = 0; i < count; i++)
        all[i] = (struct last_sample){samples->seconds[i * NUCE_SAMPLE_PARTS + NUCE_PART_STEP], i,
                                      samples->last_rank[i]};
    if (count > 0) {
        qsort(all, (size_t)count, sizeof *all, by_step);
        for (int64_t i = first; i < first + middle; i++) {
            for (int part = 0; part < NUCE_SAMPLE_PARTS; part++)
                mean[part] +=
                    samples->last[all[i].number * NUCE_SAMPLE_PARTS + part] / (double)middle;
            mean[NUCE_PART_STEP] += all[i].step_s / (double)middle;
        }
        nuce_found_integer(found, "last_rank", last_most_often(all + first, middle, &times));
        nuce_found_real(found, "last_share", (double)times / (double)middle);
        other_s = mean[NUCE_PART_OWN];
        for (int part = 0; part < NUCE_SAMPLE_PARTS; part++) {
            if (!(timed & ~wholes & 1U << part))
                continue;
            snprintf(name, sizeof name, "last_%s_s", nuce_record_sample_parts[part]);
            nuce_found_real(found, name, mean[part]);
            other_s -= mean[part];
        }
        nuce_found_real(found, "last_late_s", mean[NUCE_PART_STEP] - mean[NUCE_PART_OWN]);
        nuce_found_real(found, "last_other_s", other_s);
        nuce_found_real(found, "last_step_s", mean[NUCE_PART_STEP]);
    }
    free(all);
}
