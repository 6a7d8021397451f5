/* Ordinary copies, for processors without a known way past the cache. */
#include "instances/stream.h"

#include <string.h>

void nuce_stream_runs(unsigned char *restrict to, int64_t to_stride,
                      const unsigned char *restrict from, int64_t from_stride, int64_t bytes,
                      int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * to_stride, from + i * from_stride, (size_t)bytes);
}
