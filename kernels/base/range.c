/* Ranges LOW..HIGH of any quantity, and single values as ranges of themselves.
 *
 * Each end is read by the quantity's own reader, so units and messages are the same as for single
 * values. The first ".." splits the text: no quantity has two dots in a row. */
#include "base/range.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

nuce_status nuce_range_parse(const char *text, nuce_quantity_read *read, struct nuce_range *out,
                             struct nuce_error *error)
{
    const char *dots = strstr(text, "..");
    struct nuce_range range;

    if (dots == NULL) {
        if (read(text, &range.low, error) != NUCE_OK)
            return error->status;
        range.high = range.low;
    } else {
        char *low = nuce_text_format("%.*s", (int)(dots - text), text);
        nuce_status status = read(low, &range.low, error);

        free(low);
        if (status != NUCE_OK || read(dots + 2, &range.high, error) != NUCE_OK)
            return nuce_error_prefix(error, "'%s'", text);
    }
    if (range.low > range.high)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': the first is above the second: expected LOW..HIGH", text);
    *out = range;
    return NUCE_OK;
}
