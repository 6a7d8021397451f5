/* Who sends how much to whom, as one number. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "schedules/pattern.h"

char *nuce_pattern_text(const struct nuce_pattern *pattern, size_t *length,
                        struct nuce_error *error)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    int good = stream != NULL && fprintf(stream, "%d\n", pattern->ranks) > 0;

    for (int source = 0; good && source < pattern->ranks; source++) {
        for (int64_t k = pattern->row[source]; k < pattern->row[source + 1]; k++)
            good &= fprintf(stream, "%d %d %" PRId64 "\n", source, pattern->destination[k],
                            pattern->bytes[k]) > 0;
    }
    good = stream != NULL && fclose(stream) == 0 && good;
    if (good)
        return text;
    free(text);
    (void)nuce_error_set(error, NUCE_FAILED, "out of memory for a pattern's text");
    return NULL;
}

nuce_status nuce_pattern_hash(const struct nuce_pattern *pattern, char hex[NUCE_HASH_BYTES],
                              struct nuce_error *error)
{
    size_t length = 0;
    char *text = nuce_pattern_text(pattern, &length, error);
    nuce_status status = text != NULL ? nuce_hash(text, length, hex, error) : error->status;

    free(text);
    return status;
}
