/* When each rank was in each call of a capture that was taken with --trace. */
#ifndef NUCE_CAPTURE_TIMELINE_H
#define NUCE_CAPTURE_TIMELINE_H

#include "base/grid.h"
#include "capture/capture.h"

/* A row for each rank in each call, in order of time: start and duration in nanoseconds from the
 * first one's start, rank of the world, communicator and call by number, pattern, kind. A duration
 * that was not seen is empty. Freed with nuce_grid_fini. NUCE_BAD_INPUT: the capture, which was
 * read from path, has no stamps. */
nuce_status nuce_capturing_timeline(const struct nuce_capture *capture, const char *path,
                                    struct nuce_grid *out, struct nuce_error *error);

#endif
