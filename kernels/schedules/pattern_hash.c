/* Who sends how much to whom, as one number. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "schedules/pattern.h"

nuce_status nuce_pattern_hash(const struct nuce_pattern *pattern, char hex[NUCE_HASH_BYTES],
                              struct nuce_error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    int good = stream != NULL && fprintf(stream, "%d\n", pattern->ranks) > 0;

    for (int source = 0; good && source < pattern->ranks; source++) {
        for (int64_t k = pattern->row[source]; k < pattern->row[source + 1]; k++)
            good &= fprintf(stream, "%d %d %" PRId64 "\n", source, pattern->destination[k],
                            pattern->bytes[k]) > 0;
    }
    good = stream != NULL && fclose(stream) == 0 && good;
    error->status = good ? nuce_hash(text, length, hex, error)
                         : nuce_error_set(error, NUCE_FAILED, "out of memory for a pattern's hash");
    free(text);
    return error->status;
}
