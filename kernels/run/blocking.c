/* Blocking: every receive is posted at once. Sends go in order, up to `depth` at a time; the
 * next starts when a receiver has an earlier one. Depth 1 is AC of Ranka, Wang and Kumar, Figure
 * 6, where sends wait. */
#include "run/streams.h"

const struct nuce_executor_ops nuce_executor_blocking = {
    .name = "blocking",
    .traces = 1,
    .self_size = sizeof(struct nuce_streams),
    .build = nuce_streams_build,
    .start = nuce_streams_start,
    .progress = nuce_streams_progress,
    .diagnose = nuce_streams_diagnose,
    .destroy = nuce_streams_destroy,
};
