/* Reads the text that collect_samples.c writes.
 *
 * A text of any other form ends the reading, as if there were no more samples. */
#include "db/times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"

int nuce_times_next(const char **at, double parts[NUCE_SAMPLE_PARTS])
{
    const char *text = *at + strcspn(*at, "[]0123456789");
    int part = 0;

    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        parts[i] = NAN;
    text += *text == '[' && text[1] == '['; /* the one around them all */
    if (*text++ != '[')
        return 0;
    while (*text != ']' && part < NUCE_SAMPLE_PARTS) {
        char *behind;
        double time_s = strtod(text, &behind);
        int is_null = strncmp(text, "null", 4) == 0;

        if (behind == text && !is_null)
            return 0;
        parts[part++] = is_null ? NAN : time_s;
        text = is_null ? text + 4 : behind;
        text += *text == ',';
    }
    *at = text + (*text == ']');
    return part > 0 && *text == ']';
}

int nuce_times_part(const char *name)
{
    for (int i = 0; name != NULL && nuce_record_sample_parts[i] != NULL; i++) {
        if (strcmp(nuce_record_sample_parts[i], name) == 0)
            return i;
    }
    return -1;
}

/* Of one part, seconds, in the order of rounds. */
struct times {
    double *values;
    int64_t count, capacity;
};

/* The times of one part; out->values is the caller's to free, also after a failure. A sample
 * without that part is NaN and keeps its place, so that the i-th value stays that of round i. */
static nuce_status read_part(const char *text, int part, struct times *out,
                             struct nuce_error *error)
{
    double parts[NUCE_SAMPLE_PARTS];

    while (nuce_times_next(&text, parts)) {
        void *data = out->values;

        if (nuce_allocate_more(&data, &out->capacity, out->count + 1, sizeof *out->values, error) !=
            NUCE_OK)
            return error->status;
        out->values = data;
        out->values[out->count++] = parts[part];
    }
    return NUCE_OK;
}

nuce_status nuce_times_race(const char *own, const char *reference, int part,
                            struct nuce_race_ratio *out, struct nuce_error *error)
{
    struct times mine = {0}, base = {0};
    nuce_status status = NUCE_OK;

    *out = (struct nuce_race_ratio){.ratio = NAN, .low = NAN, .high = NAN};
    if (part < 0 || part >= NUCE_SAMPLE_PARTS)
        return NUCE_OK;
    status = read_part(own, part, &mine, error);
    if (status == NUCE_OK)
        status = read_part(reference, part, &base, error);
    /* A launch that was stopped may have ended in the middle of a round. */
    if (status == NUCE_OK)
        *out = nuce_race_ratio(mine.values, base.values,
                               mine.count < base.count ? mine.count : base.count);
    free(mine.values);
    free(base.values);
    return status;
}
