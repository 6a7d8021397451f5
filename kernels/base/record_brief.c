/* Reading how a run ended without its times, which are nearly all of its bytes. They are cut out of
 * the text before it is read as JSON: a campaign of 10 000 runs with 80 samples opens in a third of
 * the time. */
#include <stdlib.h>
#include <string.h>

#include "base/int.h"
#include "base/record.h"
#include "base/text.h"

/* Behind the JSON number at `at`, not negative and small enough for a double; NULL: another one. */
static const char *skip_number(const char *at)
{
    static const char digits[] = "0123456789";
    size_t whole = strspn(at, digits), more;

    if (whole == 0 || whole > 17 || (*at == '0' && whole > 1))
        return NULL;
    at += whole;
    if (*at == '.') {
        more = strspn(at + 1, digits);
        if (more == 0)
            return NULL;
        at += 1 + more;
    }
    if (*at == 'e') {
        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        more = strspn(at, digits);
        if (more == 0 || more > 2)
            return NULL;
        at += more;
    }
    return at;
}

/* Behind the array of such numbers whose bracket is at `at`, and how many they are; NULL: no such
 * array. */
static const char *skip_numbers(const char *at, int64_t *count)
{
    *count = 0;
    if (strncmp(at, "[]", 2) == 0)
        return at + 2;
    if (*at != '[')
        return NULL;
    do {
        at = skip_number(at + 1);
        ++*count;
    } while (at != NULL && *at == ',');
    return at != NULL && *at == ']' ? at + 1 : NULL;
}

/* Behind the samples whose first key is at `at`: arrays of one length, with the step's. */
static const char *skip_samples(const char *at, int64_t *count)
{
    static const char step[] = "\"step\":";
    int has_step = 0;
    int64_t numbers;

    *count = -1;
    do {
        has_step |= strncmp(at, step, sizeof step - 1) == 0;
        at += strcspn(at, ":\n");
        at = *at == ':' ? skip_numbers(at + 1, &numbers) : NULL;
        if (at == NULL || (*count >= 0 && numbers != *count))
            return NULL;
        *count = numbers;
    } while (*at++ == ',');
    return has_step && at[-1] == '}' ? at : NULL;
}

json_t *nuce_record_read_brief(const char *text, size_t length)
{
    /* Strings have their quotation marks escaped, so these bytes are keys. */
    static const char place_key[] = ",\"place\":", samples_key[] = ",\"samples\":{";
    const char *place = memmem(text, length, place_key, sizeof place_key - 1);
    const char *samples = memmem(text, length, samples_key, sizeof samples_key - 1);
    const char *behind_place, *behind_samples;
    int64_t count = 0, places = 0;
    struct nuce_error ignored;
    json_t *record;
    char *brief;

    behind_samples =
        samples == NULL ? NULL : skip_samples(samples + sizeof samples_key - 1, &count);
    if (behind_samples == NULL)
        return NULL;
    /* Keys are sorted. */
    behind_place = place == NULL ? NULL : skip_numbers(place + sizeof place_key - 1, &places);
    if (place == NULL)
        place = behind_place = samples;
    else if (behind_place == NULL || behind_place > samples || places != count)
        return NULL;
    brief = nuce_text_format("%.*s%.*s,\"samples\":{\"step\":[]}%.*s", nuce_int(place - text), text,
                             nuce_int(samples - behind_place), behind_place,
                             nuce_int(text + length - behind_samples), behind_samples);
    record = json_loads(brief, JSON_REJECT_DUPLICATES, NULL);
    free(brief);
    if (record != NULL && nuce_record_check_run(record, &ignored) == NUCE_OK)
        return record;
    json_decref(record);
    return NULL;
}
