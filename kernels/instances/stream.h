/* Copying runs past the cache, for arrays that it cannot hold: an ordinary store first fetches the
 * line that it is about to overwrite, a third of all traffic. */
#ifndef NUCE_STREAM_H
#define NUCE_STREAM_H

#include <stdint.h>

/* Shorter runs are not worth it: their ends are stored in the ordinary way. */
#define NUCE_STREAM_LEAST_BYTES 256

/* Copies count runs of bytes >= NUCE_STREAM_LEAST_BYTES, each side at its own stride in bytes. What
 * it wrote can be read by anyone once it returns. */
void nuce_stream_runs(unsigned char *restrict to, int64_t to_stride,
                      const unsigned char *restrict from, int64_t from_stride, int64_t bytes,
                      int64_t count);

#endif
