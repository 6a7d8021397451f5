/* The samples of a run, which are nearly all there is of a record. The database keeps them in one
 * row a run, an array of times for each sample, that the view `sample` unfolds: a row of its own
 * for each would take four times as long to insert, and is asked for by few queries. Records have
 * an array for each part instead, so they are turned round here; numbers go from text to text as
 * they are, which is exact and takes a tenth of printing them anew. */
#include "db/collect_samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"
#include "support/statistics.h"

/* No number that is printed here is longer: a sign, 17 figures, a point, e-308 make 24 bytes. 17
 * significant figures give every double back exactly (C11, DBL_DECIMAL_DIG). */
#define NUMBER_BYTES 32

/* Numbers of one part, in the order of the samples: from a line's text or from JSON, or none at
 * all. */
struct part {
    const char *at; /* in a line: the next number; or NULL */
    const json_t *array;
    double *values; /* the numbers that have been turned round; NULL: none at all */
};

/* Prints the number-th time of the part to out, which has room for it, and gives its end. */
static char *print_json_time(const struct part *part, int64_t number, double *value, char *out)
{
    *value = json_number_value(json_array_get(part->array, (size_t)number));
    return out + snprintf(out, NUMBER_BYTES, "%.17g", *value);
}

/* Copies the next time of the part, which begins at part->at, and goes to the one behind it. */
static char *copy_time(struct part *part, double *value, char *out)
{
    size_t length = strcspn(part->at, ",]");

    *value = strtod(part->at, NULL);
    memcpy(out, part->at, length);
    part->at += length + 1;
    return out + length;
}

/* Fills the times of out, whose count is set, and the values of parts, which the caller frees.
 * bytes: what all numbers take at most. */
static nuce_status turn_round(struct part parts[NUCE_SAMPLE_PARTS], size_t bytes,
                              struct nuce_collect_samples *out, struct nuce_error *error)
{
    int last = NUCE_SAMPLE_PARTS - 1;
    char *at;

    /* Parts behind the last that the run has need not even a null: most runs have few parts. */
    while (last > 0 && parts[last].at == NULL && parts[last].array == NULL)
        last--;
    for (int i = 0; i <= last; i++) {
        if (parts[i].at == NULL && parts[i].array == NULL)
            bytes += (size_t)out->count * strlen("null");
        else if ((parts[i].values = nuce_allocate(out->count + 1, sizeof(double), error)) == NULL)
            return error->status;
    }
    /* Of each sample a comma behind each part, a bracket before and a comma behind it. */
    bytes += (size_t)out->count * (size_t)(last + 4) + sizeof "[]";
    at = out->times = nuce_allocate((int64_t)bytes, 1, error);
    if (at == NULL)
        return error->status;
    *at++ = '[';
    for (int64_t number = 0; number < out->count; number++) {
        *at++ = '[';
        for (int i = 0; i <= last; i++) {
            if (parts[i].values == NULL)
                at = stpcpy(at, "null");
            else if (parts[i].at != NULL)
                at = copy_time(&parts[i], &parts[i].values[number], at);
            else
                at = print_json_time(&parts[i], number, &parts[i].values[number], at);
            *at++ = i < last ? ',' : ']';
        }
        *at++ = ',';
    }
    /* The last sample's comma becomes the closing bracket. */
    at -= out->count > 0;
    (void)stpcpy(at, "]");
    return NUCE_OK;
}

/* Sorts the values: the times have been made of them before. */
static double part_median(const struct part *part, int64_t count)
{
    if (part->values == NULL || count == 0)
        return NAN;
    nuce_statistics_sort(part->values, count);
    return nuce_statistics_median(part->values, count);
}

/* All of out but its count, which is set; out is all zero after a failure. */
static nuce_status fill_samples(struct part parts[NUCE_SAMPLE_PARTS], size_t bytes,
                                struct nuce_collect_samples *out, struct nuce_error *error)
{
    nuce_status status = turn_round(parts, bytes, out, error);

    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++) {
        if (status == NUCE_OK)
            out->medians[i] = part_median(&parts[i], out->count);
        free(parts[i].values);
    }
    if (status != NUCE_OK)
        nuce_collect_samples_fini(out);
    return status;
}

nuce_status nuce_collect_samples_from_json(const json_t *samples, struct nuce_collect_samples *out,
                                           struct nuce_error *error)
{
    struct part parts[NUCE_SAMPLE_PARTS] = {{0}};
    size_t numbers = 0;

    *out = (struct nuce_collect_samples){0};
    out->count = (int64_t)json_array_size(
        json_object_get(samples, nuce_record_sample_parts[NUCE_PART_STEP]));
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++) {
        const json_t *array = json_object_get(samples, nuce_record_sample_parts[i]);

        parts[i].array = json_is_array(array) ? array : NULL;
        numbers += json_array_size(array);
    }
    return fill_samples(parts, numbers * NUMBER_BYTES, out, error);
}

nuce_status nuce_collect_samples_from_text(const struct nuce_record_samples *samples,
                                           struct nuce_collect_samples *out,
                                           struct nuce_error *error)
{
    struct part parts[NUCE_SAMPLE_PARTS] = {{0}};

    *out = (struct nuce_collect_samples){.count = samples->count};
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        parts[i].at = samples->parts[i];
    return fill_samples(parts, (size_t)samples->bytes, out, error);
}

void nuce_collect_samples_fini(struct nuce_collect_samples *samples)
{
    free(samples->times);
    *samples = (struct nuce_collect_samples){0};
}
