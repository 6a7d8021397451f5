/* Non-temporal stores of SSE2, which every x86-64 has, of whole cache lines. */
#include "instances/stream.h"

#include <emmintrin.h>
#include <string.h>

enum {
    LINE = 64,    /* bytes */
    AHEAD = 2048, /* bytes fetched in advance: the processor does not predict the jumps between
                     runs. 4 runs of 512 bytes were as good as any on an AMD EPYC */
};

/* The next bytes to fetch: the runs again, further on. */
struct ahead {
    const unsigned char *run;
    int64_t stride, bytes;
    int64_t offset; /* in the run */
    int64_t left;   /* runs */
};

/* Fetches one line more, a fixed distance ahead of the copy. */
static inline void fetch_line(struct ahead *ahead)
{
    if (ahead->left == 0)
        return;
    _mm_prefetch((const char *)ahead->run + ahead->offset, _MM_HINT_T0);
    ahead->offset += LINE;
    if (ahead->offset >= ahead->bytes) {
        ahead->offset = 0;
        ahead->left--;
        if (ahead->left > 0)
            ahead->run += ahead->stride;
    }
}

/* Copies one run: ordinary stores up to the first line boundary of the target and after the
 * last. */
static void stream_run(unsigned char *to, const unsigned char *from, int64_t bytes,
                       struct ahead *ahead)
{
    int64_t at = (int64_t)(-(uintptr_t)to % LINE); /* to the first whole line */

    memcpy(to, from, (size_t)at);
    for (; at + LINE <= bytes; at += LINE) {
        fetch_line(ahead);
        /* Writes a whole line of the target at once, so that the processor need not read it. */
        for (int64_t k = at; k < at + LINE; k += 16)
            _mm_stream_si128((__m128i *)(void *)(to + k),
                             _mm_loadu_si128((const __m128i *)(const void *)(from + k)));
    }
    memcpy(to + at, from + at, (size_t)(bytes - at));
    fetch_line(ahead); /* for the bytes at the ends */
}

void nuce_stream_runs(unsigned char *restrict to, int64_t to_stride,
                      const unsigned char *restrict from, int64_t from_stride, int64_t bytes,
                      int64_t count)
{
    struct ahead ahead = {.run = from, .stride = from_stride, .bytes = bytes, .left = count};

    for (int64_t fetched = 0; fetched < AHEAD; fetched += LINE)
        fetch_line(&ahead);
    for (int64_t i = 0; i < count; i++)
        stream_run(to + i * to_stride, from + i * from_stride, bytes, &ahead);
    /* Such stores are not ordered with later ones, but a message may be sent as soon as this
     * returns. */
    _mm_sfence();
}
