/* Times the compression of a dense COM that is made for the purpose alone: row by row, each entry
 * that is not 0. O(ranks^2). */
#include "schedules/compress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/clock.h"

/* Repeated until so many seconds have gone by: once takes about a microsecond, and the clock's
 * steps would show. */
#define ENOUGH_S 1e-4

/* The dense matrix, and room for what is found in it. */
struct dense {
    int64_t *com;     /* ranks x ranks */
    int *destination; /* messages: what compressing finds */
    int64_t *units;
};

/* What is timed; returns how many entries were found. */
static int64_t compress_dense(int ranks, const struct dense *dense)
{
    const int64_t *entry = dense->com;
    int64_t count = 0;

    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++, entry++) {
            if (*entry == 0)
                continue;
            dense->destination[count] = j;
            dense->units[count++] = *entry;
        }
    }
    return count;
}

/* As often as it takes to be well above the clock's step; what came of it is compared with the
 * pattern once, untimed. */
nuce_status nuce_compress_time(const struct nuce_pattern *pattern, double *seconds,
                               struct nuce_error *error)
{
    struct dense dense = {0};
    int64_t count = 0, repeats = 0;
    int64_t ranks = pattern->ranks;
    double begin, spent = 0;

    *seconds = NAN;
    if (pattern->ranks > NUCE_COMPRESS_MOST_RANKS)
        return NUCE_OK;
    dense.com = nuce_allocate(ranks * ranks, sizeof *dense.com);
    dense.destination = nuce_allocate(pattern->messages, sizeof *dense.destination);
    dense.units = nuce_allocate(pattern->messages, sizeof *dense.units);
    NUCE_EACH_MESSAGE (pattern, i, k)
        dense.com[i * ranks + pattern->destination[k]] = pattern->bytes[k];
    begin = nuce_processor_clock();
    while (spent < ENOUGH_S) {
        count = compress_dense(pattern->ranks, &dense);
        repeats++;
        spent = nuce_processor_clock() - begin;
    }
    error->status = NUCE_OK;
    if (count != pattern->messages ||
        memcmp(dense.destination, pattern->destination, (size_t)count * sizeof(int)) != 0 ||
        memcmp(dense.units, pattern->bytes, (size_t)count * sizeof(int64_t)) != 0)
        nuce_error_set(error, NUCE_CORRUPT, "COM, made sparse, is not the pattern");
    free(dense.com);
    free(dense.destination);
    free(dense.units);
    *seconds = spent / (double)repeats;
    return error->status;
}
