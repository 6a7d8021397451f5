/* Blocking: every receive is posted at once; sends go in their order, up to `depth` of them at a
 * time, and the next one starts when a receiver has one before. Depth 1 is AC of Ranka, Wang and
 * Kumar, Figure 6, where sends wait. */
#include <limits.h>

#include "run/streams.h"

/* INT_MAX receives at a time: all of them. */
static nuce_status blocking_create(const struct nuce_engine_input *input, void **self,
                                   struct nuce_error *error)
{
    (void)error;
    nuce_streams_create(input, INT_MAX, input->schedule->depth, self);
    return NUCE_OK;
}

const struct nuce_executor_ops nuce_executor_blocking = {
    .name = "blocking",
    .traces = 1,
    .create = blocking_create,
    .start = nuce_streams_start,
    .progress = nuce_streams_progress,
    .diagnose = nuce_streams_diagnose,
    .destroy = nuce_streams_destroy,
};
