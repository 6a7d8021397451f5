/* The samples of a run, which are nearly all there is of a record. The database keeps them in one
 * row a run, an array of times for each sample, that the view `sample` unfolds: a row of its own
 * for each would take four times as long to insert, and is asked for by few queries. Records have
 * an array for each part instead, so they are turned round here. */
#include "db/collect_samples.h"

#include <math.h>
#include <stdlib.h>

#include "support/allocate.h"
#include "support/jsonl.h"
#include "support/statistics.h"

/* NaN of what is no array, or empty. */
static nuce_status part_median(const json_t *times, double *out, struct nuce_error *error)
{
    int64_t count = (int64_t)json_array_size(times);
    double *values = nuce_allocate(count + 1, sizeof *values, error);
    const json_t *value;
    size_t i;

    if (values == NULL)
        return error->status;
    json_array_foreach(times, i, value)
    {
        values[i] = json_number_value(value);
    }
    nuce_statistics_sort(values, count);
    *out = count > 0 ? nuce_statistics_median(values, count) : NAN;
    free(values);
    return NUCE_OK;
}

/* Numbers have the figures that records are written with. */
nuce_status nuce_collect_samples_from_json(const json_t *samples, struct nuce_collect_samples *out,
                                           struct nuce_error *error)
{
    json_t *parts[NUCE_SAMPLE_PARTS], *rows = json_array();
    size_t count =
        json_array_size(json_object_get(samples, nuce_record_sample_parts[NUCE_PART_STEP]));
    int last = 0;

    *out = (struct nuce_collect_samples){.count = (int64_t)count};
    error->status = NUCE_OK;
    for (int i = 0; i < NUCE_SAMPLE_PARTS && error->status == NUCE_OK; i++) {
        parts[i] = json_object_get(samples, nuce_record_sample_parts[i]);
        if (json_is_array(parts[i]))
            last = i;
        error->status = part_median(parts[i], &out->medians[i], error);
    }
    for (size_t number = 0; number < count && error->status == NUCE_OK; number++) {
        json_t *row = json_array();

        /* Parts behind the last that the run has need not even a null: most runs have few parts. */
        for (int i = 0; i <= last; i++) {
            json_t *time = json_array_get(parts[i], number);

            (void)json_array_append(row, time != NULL ? time : json_null());
        }
        (void)json_array_append_new(rows, row);
    }
    if (error->status == NUCE_OK)
        out->times = json_dumps(rows, JSON_COMPACT | JSON_REAL_PRECISION(NUCE_JSONL_PRECISION));
    json_decref(rows);
    if (out->times != NULL)
        return NUCE_OK;
    *out = (struct nuce_collect_samples){0};
    return nuce_error_set(error, NUCE_FAILED, "out of memory for samples");
}

void nuce_collect_samples_fini(struct nuce_collect_samples *samples)
{
    free(samples->times);
    *samples = (struct nuce_collect_samples){0};
}
