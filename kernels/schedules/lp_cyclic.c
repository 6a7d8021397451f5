/* LP by shifts at any rank count.
 *
 * Problem: as lp.
 * Steps: in step k = 1 .. n - 1 rank i sends to (i + k) mod n and receives from (i - k) mod n.
 * Cost: as lp: n - 1 phases.
 * Limits: the two messages of a pair are in different phases; the paper found the pairwise exchange
 * slightly faster on the CM-5.
 * Source: Ranka, Wang and Kumar, section 5.1, the variation. */
#include "schedules/plain.h"

const struct nuce_schedule_ops nuce_schedule_lp_cyclic = {
    .name = "lp-cyclic",
    .label = "shifted phases",
    .summary = "linear permutation: step k sends from rank i to rank (i + k) mod n",
    .source = "Ranka, Wang and Kumar, section 5.1",
    .discipline = NUCE_LOCKSTEP,
    .concern = NUCE_CONCERN_OWN,
    .fill = nuce_schedule_linear_cyclic,
};
