/* The one reader of the digits of samples. */
#include "db/times.h"

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

int nuce_times_next(const char **at, double parts[NUCE_SAMPLE_PARTS])
{
    const char *text = *at;
    int part = 0;

    text += text[0] == '[' && text[1] == '['; /* the array of all */
    text = strchr(text, '[');
    if (text == NULL)
        return 0;
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        parts[i] = NAN;
    do {
        char *end;
        double time = strtod(++text, &end);

        if (part < NUCE_SAMPLE_PARTS)
            parts[part++] = end == text ? NAN : time;
        text += strcspn(text, ",]");
    } while (*text == ',');
    *at = text;
    return 1;
}

nuce_status nuce_times_race(const char *own, const char *reference, int part,
                            struct nuce_race_ratio *out, struct nuce_error *error)
{
    double mine[NUCE_SAMPLE_PARTS], base[NUCE_SAMPLE_PARTS], *times, *base_times;
    int64_t most = (int64_t)strlen(own) / 2 + 1, rounds = 0; /* a sample has two brackets */

    *out = (struct nuce_race_ratio){.ratio = NAN, .low = NAN, .high = NAN};
    if (part < 0 || part >= NUCE_SAMPLE_PARTS)
        return NUCE_OK;
    times = nuce_allocate(2 * most, sizeof *times, error);
    if (times == NULL)
        return error->status;
    base_times = times + most;
    /* A launch that was stopped may have ended in the middle of a round. */
    while (nuce_times_next(&own, mine) && nuce_times_next(&reference, base)) {
        times[rounds] = mine[part];
        base_times[rounds++] = base[part];
    }
    *out = nuce_race_ratio(times, base_times, rounds);
    free(times);
    return NUCE_OK;
}
