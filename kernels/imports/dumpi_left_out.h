/* What a trace of sst-dumpi has that is counted, and not followed. */
#ifndef NUCE_DUMPI_LEFT_OUT_H
#define NUCE_DUMPI_LEFT_OUT_H

#include "recorder/raw.h"

/* What a call of that name (`MPI_Put`), which nothing else takes, is counted as (enum
 * nuce_raw_counter), so that a capture says what it lacks; -1: it carries no data, and is passed
 * over. */
int nuce_dumpi_left_out(const char *call);

#endif
