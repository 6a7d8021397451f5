/* What a trace of sst-dumpi has that is counted, and not followed. */
#ifndef NUCE_DUMPI_LEFT_OUT_H
#define NUCE_DUMPI_LEFT_OUT_H

#include "recorder/raw.h"

/* What a call of that name, which nothing else takes, is counted as (enum nuce_raw_counter); -1: it
 * carries no data. */
int nuce_dumpi_left_out(const char *call);

#endif
