/* Block-cyclic redistributions: an array moves from one block-cyclic layout to another, cyclic(x)
 * on P ranks to cyclic(y) on Q ranks in each of its two dimensions. */
#ifndef NUCE_REDISTRIBUTION_H
#define NUCE_REDISTRIBUTION_H

#include <stdint.h>

#include "base/error.h"
#include "instances/cyclic.h"
#include "schedules/pattern.h"

/* The layout of a two-dimensional array on a grid of rows.ranks x columns.ranks ranks, which are
 * numbered along the rows of the grid: rank = grid row * columns.ranks + grid column (BLACS:
 * "Row"). Each holds its rows of its columns, column by column without gaps, as in ScaLAPACK. */
struct nuce_layout {
    struct nuce_cyclic rows, columns;
};

struct nuce_redistribution {
    struct nuce_layout from, to; /* with the same numbers of rows and columns */
    int64_t element_bytes;
};

/* NUCE_BAD_INPUT, naming the layout, the dimension, the value and the expected one: no elements,
 * blocks or ranks, layouts of different sizes, an array beyond 2^53 bytes, a grid beyond
 * NUCE_PATTERN_MAX_RANKS. The other functions require that this check passes. */
nuce_status nuce_redistribution_check(const struct nuce_redistribution *redistribution,
                                      struct nuce_error *error);

/* Ranks of the layout's grid. */
int nuce_layout_ranks(const struct nuce_layout *layout);

/* Elements that rank holds; 0 for a rank beyond the grid. */
int64_t nuce_layout_elements(const struct nuce_layout *layout, int rank);

/* The number of ranks that take part: those of the larger grid. */
int nuce_redistribution_ranks(const struct nuce_redistribution *redistribution);

/* Bytes that rank holds before and after. */
int64_t nuce_redistribution_bytes_before(const struct nuce_redistribution *redistribution,
                                         int rank);
int64_t nuce_redistribution_bytes_after(const struct nuce_redistribution *redistribution, int rank);

/* The reverse redistribution. */
struct nuce_redistribution
nuce_redistribution_reverse(const struct nuce_redistribution *redistribution);

/* *out = the bytes from each rank to each other and to itself, on nuce_redistribution_ranks ranks.
 * Time and memory grow with the messages and with the blocks of one period of the layouts, not with
 * the array. Free with nuce_pattern_fini. */
nuce_status nuce_redistribution_pattern(const struct nuce_redistribution *redistribution,
                                        struct nuce_pattern *out, struct nuce_error *error);

#endif
