/* A heat: all contenders of one instance, set up one after another, then sampled together, round by
 * round. One that cannot be set up or delivers a wrong byte is recorded and drops out; the others
 * go on. */
#ifndef NUCE_HEAT_H
#define NUCE_HEAT_H

#include <jansson.h>

#include "run/point_loop.h"

/* How many lines from number first on are contenders of one heat: those that follow one another and
 * differ in nothing but schedule, decomposition or placement, whichever the workload compares, and
 * its tuning; at least 1, at most NUCE_HEAT_CONTENDERS_MOST. 1 where contenders would disturb each
 * other's findings: on a simulated machine, which has no noise that they could share, and where
 * events are counted. Local. */
size_t nuce_heat_size(const json_t *lines, size_t first);

/* Runs the points of lines (an array of plan lines, the same on all ranks), heat by heat, and
 * records each. A point that fails or is corrupt does not keep the others from running; the worst
 * status is returned, with the first such message. NUCE_INTERRUPTED ends the launch at once, as
 * does a record that cannot be written. Collective over the loop's world; all ranks return the same
 * status. */
nuce_status nuce_heat_run_all(struct nuce_point_loop *loop, const json_t *lines,
                              struct nuce_error *error);

#endif
