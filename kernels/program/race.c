/* Ratios round by round: what slows a round down slows both. */
#include "program/race.h"

#include <math.h>
#include <stdlib.h>

#include "support/allocate.h"
#include "support/statistics.h"

#define CONFIDENCE 0.95

static double race_seconds(const struct nuce_samples *samples, int64_t round,
                           const struct nuce_attempt *attempt)
{
    return samples->seconds[round * NUCE_SAMPLE_PARTS + attempt->info.criterion];
}

static void set_ratios(json_t *row, double *ratios, int64_t count)
{
    struct nuce_interval interval;

    nuce_statistics_sort(ratios, count);
    interval = nuce_statistics_median_interval(ratios, count, CONFIDENCE);
    (void)json_object_set_new(row, "ratio", json_real(nuce_statistics_median(ratios, count)));
    if (interval.confidence < CONFIDENCE)
        return;
    (void)json_object_set_new(row, "ratio_low", json_real(interval.low));
    (void)json_object_set_new(row, "ratio_high", json_real(interval.high));
}

void nuce_race_describe(const struct nuce_attempt *attempt, const struct nuce_attempt *reference,
                        json_t *row)
{
    const struct nuce_samples *own =
        attempt == reference ? &attempt->twin : &attempt->entrant.samples;
    int64_t count = reference->entrant.samples.count, used = 0;
    struct nuce_error ignored;
    double *ratios = own->count == count ? nuce_allocate(count, sizeof *ratios, &ignored) : NULL;

    (void)json_object_set_new(row, "ratio", json_null());
    (void)json_object_set_new(row, "ratio_low", json_null());
    (void)json_object_set_new(row, "ratio_high", json_null());
    for (int64_t i = 0; ratios != NULL && i < count; i++) {
        double ratio =
            race_seconds(own, i, attempt) / race_seconds(&reference->entrant.samples, i, reference);

        if (isfinite(ratio))
            ratios[used++] = ratio;
    }
    if (used > 0)
        set_ratios(row, ratios, used);
    free(ratios);
}
