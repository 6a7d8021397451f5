/* The one reader of the digits of samples. Records have an array for each part. The database
 * keeps them in one row per run, as an array of times for each sample, which the view `sample`
 * unfolds. A row for each sample would take four times as long to insert, and few queries need
 * one. */
#include "db/times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/statistics.h"

int nuce_times_part(const char *name)
{
    for (int i = 0; name != NULL && nuce_record_sample_parts[i] != NULL; i++) {
        if (strcmp(nuce_record_sample_parts[i], name) == 0)
            return i;
    }
    return -1;
}

/* Appends the number at *at to the text, which has room for it, and moves past it. Returns 0 if
 * it is not a time. */
static int times_take(const char **at, double *time, char **text)
{
    const char *begin = ++*at; /* a bracket or a comma */
    char *end;

    *time = strtod(begin, &end);
    if (end == begin || !isfinite(*time) || *time < 0)
        return 0;
    if (end - begin > 18 && strcspn(begin, ".eE") >= (size_t)(end - begin))
        return 0; /* an integer beyond 64 bits */
    memcpy(*text, begin, (size_t)(end - begin));
    *text += end - begin;
    *at = end;
    return 1;
}

int nuce_times_read(const char *const parts[NUCE_SAMPLE_PARTS], struct nuce_times *out)
{
    const char *at[NUCE_SAMPLE_PARTS];
    size_t length = 3;
    int last = 0, is_good = parts[NUCE_PART_STEP] != NULL;
    int64_t count = is_good && parts[NUCE_PART_STEP][0] == '[' && parts[NUCE_PART_STEP][1] != ']';
    double *values;
    char *text;

    /* Invalid elements are found when they are read. */
    for (const char *c = parts[NUCE_PART_STEP]; is_good && *c != '\0'; c++)
        count += *c == ',';
    *out = (struct nuce_times){.count = count};
    for (int part = 0; part < NUCE_SAMPLE_PARTS; part++) {
        at[part] = parts[part];
        if (at[part] != NULL) {
            is_good &= at[part][0] == '[';
            length += strlen(at[part]);
            last = part;
        }
    }
    values = nuce_allocate(NUCE_SAMPLE_PARTS * count + 1, sizeof *values);
    out->times = text = nuce_allocate(
        (int64_t)length + count * (int64_t)(2 + NUCE_SAMPLE_PARTS * sizeof "null,"), 1);
    if (is_good)
        *text++ = '[';
    for (int64_t i = 0; is_good && i < count; i++) {
        for (int part = 0; is_good && part <= last; part++) {
            *text++ = part > 0 ? ',' : '[';
            if (at[part] != NULL)
                is_good = times_take(&at[part], &values[part * count + i], &text);
            else
                text = stpcpy(text, "null");
        }
        *text++ = ']';
        *text++ = ',';
    }
    for (int part = 0; is_good && part < NUCE_SAMPLE_PARTS; part++) {
        is_good = at[part] == NULL || strcmp(at[part] + (count == 0), "]") == 0;
        out->medians[part] = NAN;
        if (at[part] == NULL || !is_good || count == 0)
            continue;
        nuce_statistics_sort(&values[part * count], count);
        out->medians[part] = nuce_statistics_median(&values[part * count], count);
    }
    free(values);
    if (!is_good) {
        nuce_times_fini(out);
        return 0;
    }
    text[count > 0 ? -1 : 0] = ']'; /* over the last comma */
    return 1;
}

void nuce_times_fini(struct nuce_times *times)
{
    free(times->times);
    *times = (struct nuce_times){0};
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

void nuce_times_race(const char *own, const char *reference, int part, struct nuce_race_ratio *out)
{
    double mine[NUCE_SAMPLE_PARTS], base[NUCE_SAMPLE_PARTS], *times, *base_times;
    int64_t most = (int64_t)strlen(own) / 2 + 1, rounds = 0; /* a sample has two brackets */

    *out = (struct nuce_race_ratio){.ratio = NAN, .low = NAN, .high = NAN};
    if (part < 0 || part >= NUCE_SAMPLE_PARTS)
        return;
    times = nuce_allocate(2 * most, sizeof *times);
    base_times = times + most;
    /* A launch that was stopped may have ended in the middle of a round. */
    while (nuce_times_next(&own, mine) && nuce_times_next(&reference, base)) {
        times[rounds] = mine[part];
        base_times[rounds++] = base[part];
    }
    *out = nuce_race_ratio(times, base_times, rounds);
    free(times);
}
