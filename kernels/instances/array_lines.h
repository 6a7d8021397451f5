/* The lines of a decomposition: its coordinates in order, those that coincide as one, and of each
 * rectangle which lines it lies between. What is compared by line is compared exactly. */
#ifndef NUCE_ARRAY_LINES_H
#define NUCE_ARRAY_LINES_H

#include "instances/decomposition.h"

struct nuce_span {
    int low, high; /* indices into nuce_array_lines.at: the rectangle reaches from low to high; low
                      == high: no area */
};

/* Of one direction: rows or columns. */
struct nuce_array_lines {
    int count;
    double *at;              /* count, ascending */
    struct nuce_span *spans; /* parts, in order of owner: between which lines each rectangle lies */
};

/* Lines between rows, or between columns if across is set, of a decomposition that is borrowed for
 * the call. Ends nearer than NUCE_DECOMPOSITION_TOLERANCE of the side are one line; O(p log p). The
 * only error is NUCE_FAILED for memory. Freed with nuce_array_lines_fini, also where it is all
 * zero. */
void nuce_array_lines_init(const struct nuce_decomposition *decomposition, int across,
                           struct nuce_array_lines *out);
void nuce_array_lines_fini(struct nuce_array_lines *lines);

#endif
