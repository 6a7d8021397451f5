/* Decompositions: an array cut into one rectangle for each processor, each as large as its
 * processor is fast (Kaddoura, Ranka, Wang: "Array Decompositions for Nonuniform Computational
 * Environments", 1996). */
#ifndef NUCE_DECOMPOSITION_H
#define NUCE_DECOMPOSITION_H

#include <stdint.h>

#include "base/error.h"
#include "base/rng.h"

#define NUCE_DECOMPOSITION_MAX_PARTS 1000000

/* Corners and sides that are nearer to each other than this share of the array's side coincide.
 * Positions are computed to about 1e-15 of it, and corners that differ by design differ by more
 * than 1e-12 unless weights agree to twelve digits. */
#define NUCE_DECOMPOSITION_TOLERANCE 1e-12

/* How internal edges are counted: the messages of a part, each of which costs a latency. The
 * paper's definition is exact; that its Tables 3 and 4 come from corners compared as floating-point
 * numbers, merged ones counted twice, is what NUCE_EDGES_NAIVE lets one try. */
enum nuce_edges {
    NUCE_EDGES_EXACT, /* corners that coincide are one: the pairs of parts that share an edge */
    NUCE_EDGES_NAIVE, /* where four parts meet two corners are counted: one edge more */
};

/* An array and the processors that shall have it (the papers' m x n and a_1 .. a_p). */
struct nuce_array {
    double rows, columns;  /* cells, at least 1 */
    int parts;             /* 1 .. NUCE_DECOMPOSITION_MAX_PARTS */
    const double *weights; /* parts: relative speeds, more than 0; in any order; borrowed */
    double latency;        /* what an internal edge costs, in the unit of a cell's border; >= 0 */
    enum nuce_edges edges; /* what algorithms that weigh latency count */
};

/* NUCE_BAD_INPUT, naming what is wrong ("weights: weight 3: ..."), unless all of that holds and
 * there is at least a cell for each part. No weight may be below 1e-12 of the largest. */
nuce_status nuce_array_check(const struct nuce_array *array, struct nuce_error *error);

/* Weights of a heterogeneous cluster: independent, uniform in [1, ratio]; ratio >= 1. */
void nuce_decomposition_draw_weights(struct nuce_rng *rng, double ratio, int parts,
                                     double *weights);

/* A part: rows .. row + rows by column .. column + columns, real-valued. */
struct nuce_rectangle {
    int owner; /* index of its weight as given */
    double row, column, rows, columns;
};

struct nuce_decomposition {
    double rows, columns; /* of the array */
    int parts;
    struct nuce_rectangle *rectangles; /* parts, in order of owner */
    int is_settled;                    /* 0: a search gave up; this is the best that it has found */
};

void nuce_decomposition_fini(struct nuce_decomposition *decomposition);

/* Where the parts lie on a grid, row by row in order of owner, as many as their rows and columns
 * say: side[0] rows of side[1]. Else both are 0. */
void nuce_decomposition_grid_sides(const struct nuce_decomposition *decomposition, int side[2]);

struct nuce_array_problem;

/* A decomposition: one file, one row in decompositions.def. It sees the problem, never the
 * array. */
struct nuce_decomposition_ops {
    const char *name; /* stored in results: never reuse one */
    const char *summary;
    const char *source;
    int most_parts; /* more are NUCE_BAD_INPUT; 0: no limit */
    int is_uniform; /* parts are of one size, whatever the weights */
    /* Fills the rectangles of out, which are there, by nuce_array_problem_put. May clear
     * out->is_settled, which is set. */
    void (*build)(const struct nuce_array_problem *problem, struct nuce_decomposition *out);
};

/* All decompositions in the order of decompositions.def, NULL-ended. */
extern const struct nuce_decomposition_ops *const nuce_decompositions[];

/* The decomposition called name, borrowed from the table; NUCE_BAD_INPUT lists those there are. */
nuce_status nuce_decomposition_find(const char *name, const struct nuce_decomposition_ops **out,
                                    struct nuce_error *error);

/* Checks array and decomposes it; array is borrowed for the call. Pure: the same input gives the
 * same rectangles, on every rank. NUCE_BAD_INPUT as nuce_array_check says or where ops takes fewer
 * parts. Freed with nuce_decomposition_fini. */
nuce_status nuce_decomposition_compute(const struct nuce_decomposition_ops *ops,
                                       const struct nuce_array *array,
                                       struct nuce_decomposition *out, struct nuce_error *error);

/* Rounds every coordinate to the nearest whole number. That keeps the order of coordinates, so the
 * parts still tile the array exactly; a border moves by at most 1/2, a side by at most 1, a side of
 * at least 1 stays so, and the area of a part of h rows and w columns by at most h + w + 1. The
 * array's own sides must be whole. Parts that get no cell are NUCE_BAD_INPUT, naming the first,
 * unless allow_empty: then they have rows or columns 0. Changes the rectangles in place. */
nuce_status nuce_decomposition_round(struct nuce_decomposition *decomposition, int allow_empty,
                                     struct nuce_error *error);

/* What a decomposition costs in the papers' model: lengths in cells' borders, the unit of
 * latency. */
struct nuce_decomposition_cost {
    double acost;           /* the length of the inner borders */
    double bcost;           /* the same where the array wraps around: its own borders count too,
                               opposite ones once, unless one part has both */
    int64_t internal_edges; /* as they are to be counted */
    double cost;            /* acost + latency x internal_edges */
};

/* Measures any tiling of the array, also a rounded one; parts without cells count for nothing.
 * latency is per internal edge. O(p log p); the only error is NUCE_FAILED for memory. */
void nuce_decomposition_measure(const struct nuce_decomposition *decomposition, double latency,
                                enum nuce_edges edges, struct nuce_decomposition_cost *out);

#endif
