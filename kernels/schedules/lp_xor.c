/* LP by pairwise exchange at any rank count.
 *
 * Problem: as lp, with both messages of a pair in one phase, so that they can share a full-duplex
 * link.
 * Steps: in step k rank i exchanges with rank i xor k, for k = 1 .. 2^ceil(log2 n) - 1; a rank
 * whose partner is n or more idles.
 * Cost: as lp, with up to 2 n - 3 phases where n is just above a power of two.
 * Limits: n a power of two is the paper's; for others this is one of the easy extensions that it
 * mentions.
 * Source: Ranka, Wang and Kumar, section 5.1, figure 7. */
#include "schedules/plain.h"

const struct nuce_schedule_ops nuce_schedule_lp_xor = {
    .name = "lp-xor",
    .label = "pairwise phases, xor",
    .summary = "linear permutation: step k pairs rank i with rank i xor k",
    .source = "Ranka, Wang and Kumar, section 5.1",
    .discipline = NUCE_LOCKSTEP,
    .concern = NUCE_CONCERN_OWN,
    .fill = nuce_schedule_linear_xor,
};
