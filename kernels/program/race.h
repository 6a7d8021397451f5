/* What the rounds of one launch say of a contender beside the reference. */
#ifndef NUCE_RACE_H
#define NUCE_RACE_H

#include <jansson.h>

#include "program/attempt.h"

/* Adds to row "as_long", the median over rounds of attempt's time / the reference's, of the part
 * that decides when to stop, with its 95 % interval, "as_long_low" and "as_long_high" (null where
 * there are too few rounds). It is called as in `nuce show`, and not "ratio", which is an option of
 * the stencil. To that of the reference itself, which is 1, "control", "control_low" and
 * "control_high": the same of its twin, what the ratio of two that are alike came out as, the noise
 * of the comparison. They are of one launch: what varies between launches is not in them. */
void nuce_race_describe(const struct nuce_attempt *attempt, const struct nuce_attempt *reference,
                        json_t *row);

#endif
