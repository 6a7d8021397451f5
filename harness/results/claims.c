/* Judgements in words.
 *
 * Queries of plots/says put yes, partly or no into their columns holds and printed; any other text,
 * "" among them, means that nothing was judged. */
#include "results/claims.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *judged, *holds, *printed;
} judged_words[] = {
    {"yes", "holds", "as printed"},
    {"partly", "holds in part", "in part as printed"},
    {"no", "does not hold", "not as printed"},
};

enum { JUDGED_WORDS = sizeof judged_words / sizeof *judged_words };

const char *nuce_claims_holds(const char *judged)
{
    for (int i = 0; i < JUDGED_WORDS; i++) {
        if (strcmp(judged, judged_words[i].judged) == 0)
            return judged_words[i].holds;
    }
    return NULL;
}

const char *nuce_claims_printed(const char *judged)
{
    for (int i = 0; i < JUDGED_WORDS; i++) {
        if (strcmp(judged, judged_words[i].judged) == 0)
            return judged_words[i].printed;
    }
    return NULL;
}
