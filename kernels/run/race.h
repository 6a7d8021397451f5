/* What the rounds of one launch say of a contender beside the reference. */
#ifndef NUCE_RACE_H
#define NUCE_RACE_H

#include <jansson.h>

#include "run/attempt.h"

/* How rows of the workload call how many times as long as the reference a contender takes: "ratio",
 * or, where that is one of its options, "as_long". */
const char *nuce_race_key(const struct nuce_workload_ops *workload);

/* Adds to row, as nuce_race_key says, the median over rounds of attempt's time / the reference's,
 * of the part that decides when to stop, with its 95 % interval, KEY_low and KEY_high (null where
 * there are too few rounds). To that of the reference itself, which is 1, "control", "control_low"
 * and "control_high": the same of its twin, what the ratio of two that are alike came out as, the
 * noise of the comparison. They are of one launch: what varies between launches is not in them. */
void nuce_race_describe(const struct nuce_attempt *attempt, const struct nuce_attempt *reference,
                        json_t *row);

#endif
