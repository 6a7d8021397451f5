/* The ratios that a launch by hand prints. One estimator serves here and in the harness
 * (base/race_ratio.h); what is special is that one launch alone is looked at. */
#include "run/race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/race_ratio.h"

/* Copies the times by which contenders are compared, round by round. */
static void copy_times(const struct nuce_samples *samples, const struct nuce_attempt *attempt,
                       double *out)
{
    for (int64_t i = 0; i < samples->count; i++)
        out[i] = samples->seconds[i * NUCE_SAMPLE_PARTS + attempt->info.criterion];
}

/* Null where it is not known. */
static json_t *race_known(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

/* Adds what was found to row, as NAME, NAME_low and NAME_high. */
static void race_add(const char *name, const struct nuce_race_ratio *found, json_t *row)
{
    char low[32], high[32];

    snprintf(low, sizeof low, "%s_low", name);
    snprintf(high, sizeof high, "%s_high", name);
    json_object_set_new(row, name, race_known(found->ratio));
    json_object_set_new(row, low, race_known(found->low));
    json_object_set_new(row, high, race_known(found->high));
}

const char *nuce_race_key(const struct nuce_workload_ops *workload)
{
    return nuce_option_find(workload->options, "ratio") == NULL ? "ratio" : "as_long";
}

void nuce_race_describe(const struct nuce_attempt *attempt, const struct nuce_attempt *reference,
                        json_t *row)
{
    const struct nuce_samples *own =
        attempt == reference ? &attempt->twin : &attempt->entrant.samples;
    const struct nuce_samples *base = &reference->entrant.samples;
    const char *key = nuce_race_key(attempt->point.workload);
    struct nuce_race_ratio found = {.ratio = NAN, .low = NAN, .high = NAN};
    /* Without memory, or with unlike numbers of samples, the ratio is unknown, which a table can
     * say. */
    double *times =
        own->count == base->count ? nuce_allocate(2 * base->count + 1, sizeof *times) : NULL;

    if (times != NULL) {
        copy_times(own, attempt, times);
        copy_times(base, reference, times + base->count);
        found = nuce_race_ratio(times, times + base->count, base->count);
    }
    if (attempt == reference)
        json_object_set_new(row, key, json_integer(1));
    race_add(attempt == reference ? "control" : key, &found, row);
    free(times);
}
