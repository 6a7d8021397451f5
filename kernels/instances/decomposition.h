/* Decompositions: an array cut into one rectangle for each processor, in proportion to the
 * processor's speed (Kaddoura, Ranka, Wang: "Array Decompositions for Nonuniform Computational
 * Environments", 1996). */
#ifndef NUCE_DECOMPOSITION_H
#define NUCE_DECOMPOSITION_H

#include <stdint.h>

#include "base/error.h"
#include "base/rng.h"

#define NUCE_DECOMPOSITION_MAX_PARTS 1000000

/* Corners and sides nearer to each other than this share of the array's side coincide. Positions
 * are computed to about 1e-15 of it. Corners that differ by design differ by more than 1e-12 unless
 * weights agree to twelve digits. */
#define NUCE_DECOMPOSITION_TOLERANCE 1e-12

/* The rule for counting internal edges: the messages of a part, each of which costs a latency. The
 * paper's definition is exact. Its Tables 3 and 4 may come from corners compared as floating-point
 * numbers, merged ones counted twice: NUCE_EDGES_NAIVE serves to try that. */
enum nuce_edges {
    NUCE_EDGES_EXACT, /* coinciding corners are one: counts the pairs of parts that share an edge */
    NUCE_EDGES_NAIVE, /* two corners are counted where four parts meet: one edge more */
};

/* An array and its processors (the papers' m x n and a_1 .. a_p). */
struct nuce_array {
    double rows, columns;  /* cells, at least 1 */
    int parts;             /* 1 .. NUCE_DECOMPOSITION_MAX_PARTS */
    const double *weights; /* parts: relative speeds, more than 0; in any order; borrowed */
    double latency;        /* cost of an internal edge, in the unit of a cell's border; >= 0 */
    enum nuce_edges edges; /* rule for algorithms that weigh latency */
};

/* NUCE_BAD_INPUT, naming the error ("weights: weight 3: ..."), unless these conditions hold and
 * there is at least a cell for each part. No weight may be below 1e-12 of the largest. */
nuce_status nuce_array_check(const struct nuce_array *array, struct nuce_error *error);

/* Weights of a heterogeneous cluster: independent, uniform in [1, ratio]; ratio >= 1. */
void nuce_decomposition_draw_weights(struct nuce_rng *rng, double ratio, int parts,
                                     double *weights);

/* A part: rows .. row + rows by column .. column + columns, real-valued. */
struct nuce_rectangle {
    int owner; /* index of its weight in the given order */
    double row, column, rows, columns;
};

struct nuce_decomposition {
    double rows, columns; /* of the array */
    int parts;
    struct nuce_rectangle *rectangles; /* parts, in order of owner */
    int is_settled;                    /* 0: a search gave up; this is the best result so far */
};

void nuce_decomposition_fini(struct nuce_decomposition *decomposition);

/* The sides of the grid of the parts, row by row in order of owner, by the number of their rows and
 * columns: side[0] rows of side[1]. Both are 0 if they form no grid. */
void nuce_decomposition_grid_sides(const struct nuce_decomposition *decomposition, int side[2]);

struct nuce_array_problem;

/* A decomposition: one file, one row in decompositions.def. Its input is the problem, never the
 * array. */
struct nuce_decomposition_ops {
    const char *name;  /* stored in results: never reuse one */
    const char *label; /* beside the name in tables for people; NULL: the name says it all */
    const char *summary;
    const char *source;
    int most_parts; /* more parts are NUCE_BAD_INPUT; 0: no limit */
    int is_uniform; /* parts are of one size, for any weights */
    /* Fills the existing rectangles of out by nuce_array_problem_put. May clear out->is_settled,
     * which is set. */
    void (*build)(const struct nuce_array_problem *problem, struct nuce_decomposition *out);
};

/* All decompositions in the order of decompositions.def, NULL-ended. */
extern const struct nuce_decomposition_ops *const nuce_decompositions[];

/* The decomposition called name, borrowed from the table; NUCE_BAD_INPUT lists the known ones. */
nuce_status nuce_decomposition_find(const char *name, const struct nuce_decomposition_ops **out,
                                    struct nuce_error *error);

/* Checks array and decomposes it; array is borrowed for the call. Pure: the same input gives the
 * same rectangles, on every rank. NUCE_BAD_INPUT as in nuce_array_check, or if ops takes fewer
 * parts. Freed with nuce_decomposition_fini. */
nuce_status nuce_decomposition_compute(const struct nuce_decomposition_ops *ops,
                                       const struct nuce_array *array,
                                       struct nuce_decomposition *out, struct nuce_error *error);

/* Rounds every coordinate to the nearest whole number. That keeps the order of coordinates, so the
 * parts still tile the array exactly. A border moves by at most 1/2 and a side by at most 1; a side
 * of at least 1 stays so. The area of a part of h rows and w columns changes by at most h + w + 1.
 * The array's own sides must be whole. Parts without a cell are NUCE_BAD_INPUT, naming the first,
 * unless allow_empty: then they have rows or columns 0. Changes the rectangles in place. */
nuce_status nuce_decomposition_round(struct nuce_decomposition *decomposition, int allow_empty,
                                     struct nuce_error *error);

/* The cost of a decomposition in the papers' model: lengths in cells' borders, the unit of
 * latency. */
struct nuce_decomposition_cost {
    double acost;           /* the length of the inner borders */
    double bcost;           /* the same if the array wraps around: its own borders count too,
                               opposite ones once, unless one part has both */
    int64_t internal_edges; /* counted by the rule */
    double cost;            /* acost + latency x internal_edges */
};

/* Measures any tiling of the array, also a rounded one; parts without cells are ignored. latency is
 * per internal edge. O(p log p); the only error is NUCE_FAILED for memory. */
void nuce_decomposition_measure(const struct nuce_decomposition *decomposition, double latency,
                                enum nuce_edges edges, struct nuce_decomposition_cost *out);

#endif
