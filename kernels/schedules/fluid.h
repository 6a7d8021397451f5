/* The fluid execution: transfers in flight at once that share ports (execution.h, NUCE_FLUID). */
#ifndef NUCE_FLUID_H
#define NUCE_FLUID_H

#include "schedules/execution.h"

/* Fills timing, whose arrays are there and zeroed. source: pieces, who sends each send. */
void nuce_fluid_run(const struct nuce_schedule *schedule, const struct nuce_network *network,
                    const int *source, struct nuce_timing *timing);

#endif
