/* Lists of numbers, one for each rank, in the text of an option: "1,2,4,8". In the canonical form
 * they stand with as few digits as give the number back, so that 1.0 and 1 are the same point. */
#include "points/stencil_lists.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* Entries of list. */
static int count_entries(const char *list)
{
    int count = 1;

    for (; *list != '\0'; list++)
        count += *list == ',';
    return count;
}

/* Takes the next entry, number index of count, off *rest: a finite number above 0. */
static nuce_status next_number(const char *option, char **rest, int index, int count, double *out,
                               struct nuce_error *error)
{
    const char *word = strsep(rest, ",");

    if (nuce_units_parse_real(word, out, error) != NUCE_OK) {
        nuce_error_prefix(error, "number %d of %d", index + 1, count);
        return nuce_error_about(error, option);
    }
    if (!(*out > 0) || !isfinite(*out))
        return nuce_error_refuse(error, option, "number %d of %d: '%s': expected a number above 0",
                                 index + 1, count, word);
    return NUCE_OK;
}

nuce_status nuce_stencil_list_read(const char *option, const char *list, int count, double *numbers,
                                   struct nuce_error *error)
{
    char copy[NUCE_WEIGHTS_BYTES], *rest = copy;
    int entries = count_entries(list);

    snprintf(copy, sizeof copy, "%s", list);
    for (int i = 0; i < entries; i++) {
        double number;

        if (next_number(option, &rest, i, entries, &number, error) != NUCE_OK)
            return error->status;
        if (numbers != NULL && i < count)
            numbers[i] = number;
    }
    if (entries != count)
        return nuce_error_refuse(
            error, option,
            "'%s': %d number%s: expected one for each of %d ranks, such as "
            "1,2,4,8; in a sweep in quotes, as brackets hold several such lists",
            list, entries, entries == 1 ? "" : "s", count);
    return NUCE_OK;
}

/* 15 digits give back what a user wrote with as many; 17 give back any double. */
nuce_status nuce_stencil_list_normalise(const char *option, char *list, size_t room,
                                        struct nuce_error *error)
{
    char copy[NUCE_WEIGHTS_BYTES], again[NUCE_WEIGHTS_BYTES] = "", *rest = copy;
    int entries = count_entries(list);
    size_t length = 0;

    snprintf(copy, sizeof copy, "%s", list);
    for (int i = 0; i < entries; i++) {
        char text[32];
        double number;

        if (next_number(option, &rest, i, entries, &number, error) != NUCE_OK)
            return error->status;
        snprintf(text, sizeof text, "%.15g", number);
        if (strtod(text, NULL) != number)
            snprintf(text, sizeof text, "%.17g", number);
        length += (size_t)snprintf(again + length, room - length, "%s%s", i == 0 ? "" : ",", text);
        if (length >= room)
            return nuce_error_refuse(error, option, "longer than %zu bytes: '%.60s...'", room - 1,
                                     list);
    }
    snprintf(list, room, "%s", again);
    return NUCE_OK;
}
