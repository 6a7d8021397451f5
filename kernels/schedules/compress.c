/* Times the compression of a dense COM that is made only for this purpose: row by row, each entry
 * that is not
 *   0. O(ranks^2). */
#include "schedules/compress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/clock.h"

/* Repeats the compression for at least this long, in seconds: once takes about a microsecond, which
 * the clock cannot resolve. */
#define ENOUGH_S 1e-4

/* Repeats until the time is well above the clock's resolution. The result is compared with the
 * pattern once, untimed. */
nuce_status nuce_compress_time(const struct nuce_pattern *pattern, double *seconds,
                               struct nuce_error *error)
{
    int64_t count = 0, repeats = 0, ranks = pattern->ranks, *com, *units;
    int *destination; /* results of the compression, with units */
    double begin, spent = 0;

    *seconds = NAN;
    if (pattern->ranks > NUCE_COMPRESS_MOST_RANKS)
        return NUCE_OK;
    com = nuce_allocate(ranks * ranks, sizeof *com);
    destination = nuce_allocate(pattern->messages, sizeof *destination);
    units = nuce_allocate(pattern->messages, sizeof *units);
    NUCE_EACH_MESSAGE (pattern, i, k)
        com[i * ranks + pattern->destination[k]] = pattern->bytes[k];
    begin = nuce_processor_clock();
    while (spent < ENOUGH_S) {
        const int64_t *entry = com;

        count = 0;
        for (int i = 0; i < pattern->ranks; i++) {
            for (int j = 0; j < pattern->ranks; j++, entry++) {
                if (*entry == 0)
                    continue;
                destination[count] = j;
                units[count++] = *entry;
            }
        }
        repeats++;
        spent = nuce_processor_clock() - begin;
    }
    error->status = NUCE_OK;
    if (count != pattern->messages ||
        memcmp(destination, pattern->destination, (size_t)count * sizeof *destination) != 0 ||
        memcmp(units, pattern->bytes, (size_t)count * sizeof *units) != 0)
        nuce_error_set(error, NUCE_CORRUPT, "COM, made sparse, is not the pattern");
    free(com);
    free(destination);
    free(units);
    *seconds = spent / (double)repeats;
    return error->status;
}
