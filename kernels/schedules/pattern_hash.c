/* Who sends how much to whom, as one number.
 *
 * Of the text of a COM file, so that anybody can check it with sha256sum, and two patterns have one
 * hash if and only if a COM file of the one is that of the other. O(messages) time and text: some
 * 20 bytes a message. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "schedules/pattern.h"

/* The rows first .. end - 1, below a head line where there is one. Rows and destinations ascend, so
 * a pattern has one text. */
static char *pattern_print_rows(const struct nuce_pattern *pattern, int first, int end,
                                const char *head, size_t *length, struct nuce_error *error)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    int good = stream != NULL && fputs(head, stream) >= 0;

    for (int source = first; good && source < end; source++) {
        for (int64_t k = pattern->row[source]; k < pattern->row[source + 1]; k++)
            good &= fprintf(stream, "%d %d %" PRId64 "\n", source, pattern->destination[k],
                            pattern->bytes[k]) > 0;
    }
    good = stream != NULL && fclose(stream) == 0 && good;
    if (good)
        return text;
    free(text);
    nuce_error_set(error, NUCE_FAILED, "out of memory for a pattern's text");
    return NULL;
}

void nuce_pattern_head(int ranks, char head[NUCE_PATTERN_HEAD_BYTES])
{
    snprintf(head, NUCE_PATTERN_HEAD_BYTES, "%d\n", ranks);
}

char *nuce_pattern_text(const struct nuce_pattern *pattern, size_t *length,
                        struct nuce_error *error)
{
    char head[NUCE_PATTERN_HEAD_BYTES];

    nuce_pattern_head(pattern->ranks, head);
    return pattern_print_rows(pattern, 0, pattern->ranks, head, length, error);
}

char *nuce_pattern_row_text(const struct nuce_pattern *pattern, int source, size_t *length,
                            struct nuce_error *error)
{
    return pattern_print_rows(pattern, source, source + 1, "", length, error);
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
