/* Reads the text that collect_samples.c writes. A text of any other form has no samples. */
#include "db/times.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"

int nuce_times_part(const char *name)
{
    for (int i = 0; name != NULL && nuce_record_sample_parts[i] != NULL; i++) {
        if (strcmp(nuce_record_sample_parts[i], name) == 0)
            return i;
    }
    return -1;
}

/* The times of one part, count of them, a new array; NULL with *error. A sample without that part
 * is NaN and keeps its place, so that the i-th value stays that of round i. */
static double *read_part(const char *text, int part, int64_t *count, struct nuce_error *error)
{
    json_t *samples = json_loads(text, 0, NULL), *sample;
    double *values;
    size_t i;

    *count = (int64_t)json_array_size(samples);
    values = nuce_allocate(*count + 1, sizeof *values, error);
    json_array_foreach(samples, i, sample)
    {
        const json_t *time = json_array_get(sample, (size_t)part);

        if (values != NULL)
            values[i] = json_is_number(time) ? json_number_value(time) : NAN;
    }
    json_decref(samples);
    return values;
}

nuce_status nuce_times_race(const char *own, const char *reference, int part,
                            struct nuce_race_ratio *out, struct nuce_error *error)
{
    double *mine = NULL, *base = NULL;
    int64_t count = 0, rounds = 0;

    *out = (struct nuce_race_ratio){.ratio = NAN, .low = NAN, .high = NAN};
    if (part < 0 || part >= NUCE_SAMPLE_PARTS)
        return NUCE_OK;
    error->status = NUCE_OK;
    mine = read_part(own, part, &count, error);
    base = read_part(reference, part, &rounds, error);
    /* A launch that was stopped may have ended in the middle of a round. */
    if (mine != NULL && base != NULL)
        *out = nuce_race_ratio(mine, base, count < rounds ? count : rounds);
    free(mine);
    free(base);
    return error->status;
}
