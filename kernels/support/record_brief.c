/* Reading how a run ended without its samples, which are nearly all of its bytes: they are cut out
 * of the text before JSON is made of it, and what they would have had to be is checked on the
 * bytes. Whatever does not look as nuce_jsonl_append writes it is left to the caller. */
#include <stdlib.h>
#include <string.h>

#include "support/record.h"

/* More would not always fit an integer or, with an exponent, a real: then JSON decides. */
#define MOST_DIGITS 17
#define MOST_EXPONENT_DIGITS 2

/* Each skip_... takes the first byte of a thing and gives the byte behind it, or NULL if it is
 * not there in the one form that is known here. */

static const char *skip_text(const char *at, const char *end, const char *text)
{
    size_t length = strlen(text);

    if (at == NULL || (size_t)(end - at) < length || memcmp(at, text, length) != 0)
        return NULL;
    return at + length;
}

/* At least one digit and no more than most. */
static const char *skip_digits(const char *at, const char *end, int64_t most)
{
    const char *first = at;

    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at > first && at - first <= most ? at : NULL;
}

/* A number as in JSON, finite and not negative. */
static const char *skip_time(const char *at, const char *end)
{
    const char *first = at;

    at = skip_digits(at, end, MOST_DIGITS);
    if (at == NULL || (*first == '0' && at - first > 1))
        return NULL;
    if (at < end && *at == '.')
        at = skip_digits(at + 1, end, end - at);
    if (at == NULL || at == end || (*at != 'e' && *at != 'E'))
        return at;
    at++;
    if (at < end && (*at == '+' || *at == '-'))
        at++;
    return skip_digits(at, end, MOST_EXPONENT_DIGITS);
}

/* An array of times, "[]" or "[T,T,...]" without blanks; *count: how many, wrong where NULL is
 * returned. */
static const char *skip_times(const char *at, const char *end, int64_t *count)
{
    *count = 0;
    at = skip_text(at, end, "[");
    if (skip_text(at, end, "]") != NULL)
        return at + 1;
    while (at != NULL) {
        at = skip_time(at, end);
        ++*count;
        if (at == NULL || at == end || *at != ',')
            break;
        at++;
    }
    return skip_text(at, end, "]");
}

/* The key of a part that is not among those of *samples yet, with its colon. *part: which. */
static const char *skip_part(const char *at, const char *end,
                             const struct nuce_record_samples *samples, int *part)
{
    at = skip_text(at, end, "\"");
    for (int i = 0; at != NULL && i < NUCE_SAMPLE_PARTS; i++) {
        const char *behind = skip_text(at, end, nuce_record_sample_parts[i]);

        behind = skip_text(behind, end, "\":");
        if (behind == NULL || samples->parts[i] != NULL)
            continue;
        *part = i;
        return behind;
    }
    return NULL;
}

/* The object of samples as nuce_record_check_run wants it: arrays of one length, one of them the
 * step's. */
static const char *skip_samples(const char *at, const char *end,
                                struct nuce_record_samples *samples)
{
    const char *first = at;
    int64_t count;
    int part = 0;

    *samples = (struct nuce_record_samples){.count = -1};
    at = skip_text(at, end, "{");
    while (at != NULL) {
        const char *times = skip_part(at, end, samples, &part);

        at = skip_times(times, end, &count);
        if (at == NULL || (samples->count >= 0 && count != samples->count))
            return NULL;
        samples->count = count;
        samples->parts[part] = times + 1;
        if (at == end || *at != ',')
            break;
        at++;
    }
    samples->bytes = at == NULL ? 0 : at - first;
    return samples->parts[NUCE_PART_STEP] != NULL ? skip_text(at, end, "}") : NULL;
}

/* JSON of the text without what is from first up to rest, with no samples in place of it. Once more
 * the bytes without the samples: NULL also where what is left is no JSON. */
static json_t *parse_around(const char *text, const char *first, const char *rest, const char *end)
{
    static const char none[] = "{\"step\":[]}";
    size_t before = (size_t)(first - text), behind = (size_t)(end - rest);
    char *brief = malloc(before + sizeof none - 1 + behind);
    json_t *record;

    if (brief == NULL)
        return NULL;
    memcpy(brief, text, before);
    memcpy(brief + before, none, sizeof none - 1);
    memcpy(brief + before + sizeof none - 1, rest, behind);
    record = json_loadb(brief, before + sizeof none - 1 + behind, JSON_REJECT_DUPLICATES, NULL);
    free(brief);
    return record;
}

json_t *nuce_record_read_without_samples(const char *text, size_t length,
                                         struct nuce_record_samples *samples)
{
    struct nuce_record_samples ignored;

    /* A string holds its quotation marks escaped: these bytes are a key and its value wherever the
     * text is JSON at all, and where it is not what is left of it is none either. Should the key
     * stand inside another object, nothing that anybody checks is cut out. */
    static const char key[] = ",\"samples\":";
    const char *first = memmem(text, length, key, sizeof key - 1), *end = text + length;
    const char *rest = NULL;
    json_t *record;

    if (first != NULL)
        rest = skip_samples(first + sizeof key - 1, end, samples != NULL ? samples : &ignored);
    if (rest == NULL)
        return NULL;
    record = parse_around(text, first + sizeof key - 1, rest, end);
    /* Times of ranks are held against the number of samples. */
    if (record != NULL && !json_is_null(json_object_get(record, "per_rank")) &&
        json_object_get(record, "per_rank") != NULL) {
        json_decref(record);
        return NULL;
    }
    return record;
}

json_t *nuce_record_read_brief(const char *text, size_t length)
{
    return nuce_record_read_without_samples(text, length, NULL);
}
