/* The sequential cost of making COM sparse: step 1 of the paper's RS_NH (Ranka, Wang and Kumar,
 * Figure 8 and Table 4). This program does without it, since it never has COM dense. */
#ifndef NUCE_COMPRESS_H
#define NUCE_COMPRESS_H

#include "base/error.h"
#include "schedules/pattern.h"

/* A dense COM of more ranks than this is not made. */
#define NUCE_COMPRESS_MOST_RANKS 1024

/* *seconds: processor seconds of finding the entries of the dense ranks x ranks matrix of pattern;
 * NaN beyond NUCE_COMPRESS_MOST_RANKS. NUCE_CORRUPT if the result is not the pattern. Local; takes
 * 0.1 ms or one pass, whichever is longer, and 8 ranks^2 bytes for that time. */
nuce_status nuce_compress_time(const struct nuce_pattern *pattern, double *seconds,
                               struct nuce_error *error);

#endif
