/* Values of an array as functions of position, for comparison in checks. No MPI. */
#ifndef NUCE_FIELD_H
#define NUCE_FIELD_H

#include <stdint.h>

#include "base/error.h"
#include "instances/jacobi.h"
#include "instances/plane.h"

enum nuce_field_kind {
    NUCE_FIELD_MIXED, /* multiples of 2^-24 in [0, 1) that a salt chooses: exact in any element */
    NUCE_FIELD_WAVE,  /* an eigenfunction of the stencil, 0 on a fixed border: a sweep multiplies it
                         by nuce_field_factor */
};

/* The array. If it is not periodic, there are cells around it that have values and keep them. */
struct nuce_field {
    const struct nuce_jacobi_ops *jacobi;
    int64_t rows, columns; /* cells of the array, at least 1 each */
    int is_periodic;
    double *row_wave; /* rows + 2: the wave's factor at each row, from the border row above on; a
                         cell's value is the product */
    double *column_wave;
};

/* Freed with nuce_field_fini, which accepts an empty (all zero) one. */
void nuce_field_init(const struct nuce_jacobi_ops *jacobi, int64_t rows, int64_t columns,
                     int is_periodic, struct nuce_field *out);
void nuce_field_fini(struct nuce_field *field);

/* True if the cell, possibly beyond the border, is one of the array's cells. */
int nuce_field_has(const struct nuce_field *field, int64_t row, int64_t column);

/* The value of a cell before the first sweep; salt matters only for NUCE_FIELD_MIXED. Beyond the
 * border of a periodic array are its own cells again. Beyond a fixed border, at most one cell away,
 * is the fixed value; further away 0. */
double nuce_field_value(const struct nuce_field *field, enum nuce_field_kind kind, uint64_t salt,
                        int64_t row, int64_t column);

/* The factor of the wave in one sweep: the eigenvalue, of magnitude at most 1. */
double nuce_field_factor(const struct nuce_field *field);

/* The largest absolute difference, after that many sweeps, from the wave times the factor to that
 * power (the wave is at most 1): eight units of rounding for each sweep. */
double nuce_field_tolerance(const struct nuce_field *field, int64_t sweeps);

/* A cell of a plane, as a double. */
double nuce_plane_get_cell(const struct nuce_plane *plane, int64_t row, int64_t column);
/* Sets both copies: a sweep reads ghosts and borders from the one that is `now`, which
 * alternates. */
void nuce_plane_set_cell(struct nuce_plane *plane, int64_t row, int64_t column, double value);

/* Compares the own cells of plane, which is region of the array, bit by bit with a serial run. The
 * run makes that many sweeps from the mixed values of salt, by a plain loop over the region and the
 * cells that it depends on. NUCE_CORRUPT names the first cell that differs. Local; takes as many
 * sweeps again. */
nuce_status nuce_field_check(const struct nuce_field *field, uint64_t salt,
                             const struct nuce_plane *plane, struct nuce_region region,
                             int64_t sweeps, struct nuce_error *error);

#endif
