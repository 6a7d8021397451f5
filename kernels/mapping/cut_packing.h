/* The best packing of cuts into the links that they cross. */
#ifndef NUCE_CUT_PACKING_H
#define NUCE_CUT_PACKING_H

#include <stdint.h>

#include "support/error.h"

struct nuce_cut {
    int64_t first, count; /* what it takes: entry[first .. first + count - 1], 1 of row e or, where
                             an entry is -1 - e, -1 of row e; each row once */
    double value;         /* what a share of 1 is worth */
    double share;         /* the result */
};

/* Finds cut[].share, at least 0, whose sum of share x value is the largest (but for rounding) among
 * those that take at most room[e] >= 0 of each row e: the simplex method with an inverse of the
 * basis, rows x rows (Dantzig and Orchard-Hays, Mathematical Tables and Other Aids to Computation
 * 8, 1954). Rooms are changed by up to 1e-5, so that steps are no ties, and after 50 x rows steps
 * what has been reached is taken: the caller looks at what is taken in the end. NUCE_FAILED: no
 * memory. */
nuce_status nuce_cut_packing(int rows, const double *room, const int *entry, struct nuce_cut *cut,
                             int64_t cuts, struct nuce_error *error);

#endif
