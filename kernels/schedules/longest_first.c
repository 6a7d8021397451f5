/* The order in which colourings take messages. By what they cost and not by size: on an uneven
 * network a short message over a slow pair lasts longer than a long one over a fast pair.
 *
 * O(messages log messages), 16 bytes a message. A message of a rank to itself takes no wire and is
 * left out. */
#include "schedules/longest_first.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/int.h"

/* Descending; equal ones as they stand in the pattern, so that all ranks agree. */
static int longest_first_compare(const void *left, const void *right)
{
    const struct nuce_ordered_message *a = left, *b = right;

    if (a->seconds > b->seconds || a->seconds < b->seconds)
        return a->seconds > b->seconds ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

void nuce_longest_first(const struct nuce_pattern *pattern, const struct nuce_network *network,
                        struct nuce_ordered_message **out, int64_t *count)
{
    struct nuce_ordered_message *messages = nuce_allocate(pattern->messages, sizeof *messages);
    int64_t found = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            int j = pattern->destination[k];

            if (j != i)
                messages[found++] = (struct nuce_ordered_message){
                    nuce_network_seconds(network, i, j, pattern->bytes[k]), i,
                    nuce_int(k - pattern->row[i])};
        }
    }
    qsort(messages, (size_t)found, sizeof *messages, longest_first_compare);
    *out = messages;
    *count = found;
}
