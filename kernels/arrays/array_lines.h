/* The lines of a decomposition: its coordinates in order, those that coincide as one, and of each
 * rectangle which lines it lies between. What is compared by line is compared exactly. */
#ifndef NUCE_ARRAY_LINES_H
#define NUCE_ARRAY_LINES_H

#include "arrays/decomposition.h"

struct nuce_span {
    int low, high; /* indices of lines */
};

/* Of one direction: rows or columns. */
struct nuce_array_lines {
    int count;
    double *at;              /* count, ascending */
    struct nuce_span *spans; /* of each rectangle */
};

/* Lines between rows, or columns if across is set. Freed with nuce_array_lines_fini. */
nuce_status nuce_array_lines_init(const struct nuce_decomposition *decomposition, int across,
                                  struct nuce_array_lines *out, struct nuce_error *error);
void nuce_array_lines_fini(struct nuce_array_lines *lines);

#endif
