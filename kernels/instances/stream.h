/* Copies runs past the cache, for arrays larger than the cache: an ordinary store first fetches the
 * line that it will overwrite, a third of all traffic. */
#ifndef NUCE_STREAM_H
#define NUCE_STREAM_H

#include <stdint.h>

/* Shorter runs gain nothing: their ends are stored in the ordinary way. */
#define NUCE_STREAM_LEAST_BYTES 256

/* Copies count runs of bytes >= NUCE_STREAM_LEAST_BYTES, each side at its own stride in bytes.
 * After its return all processors can read the result. */
void nuce_stream_runs(unsigned char *restrict to, int64_t to_stride,
                      const unsigned char *restrict from, int64_t from_stride, int64_t bytes,
                      int64_t count);

#endif
