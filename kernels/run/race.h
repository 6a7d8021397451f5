/* A race: all contenders of one instance, set up one after another, then sampled together, round
 * by round. A contender that cannot be set up or delivers a wrong byte is recorded and drops
 * out; the others go on. */
#ifndef NUCE_RACE_H
#define NUCE_RACE_H

#include <jansson.h>

#include "run/point_loop.h"

/* Runs the points of lines (an array of plan lines, the same on all ranks), race by race, and
 * records each. The others still run after a point that fails or is corrupt. Returns the worst
 * status, with the first such message. NUCE_INTERRUPTED ends the launch at once, as does an
 * unwritable record. Collective over the loop's world; all ranks return the same status. */
nuce_status nuce_race_run_all(struct nuce_point_loop *loop, const json_t *lines,
                              struct nuce_error *error);

#endif
