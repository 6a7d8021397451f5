/* Jacobi stencils: a cell's next value is a mean of its neighbours'. No MPI. Every stencil fixes
 * the order of its additions, so that a cell has the same bits on every rank. */
#ifndef NUCE_JACOBI_H
#define NUCE_JACOBI_H

#include <stdint.h>

/* A stencil for one type of element. */
struct nuce_jacobi_ops {
    const char *name;    /* in benchmarks and tests, as "five-double" */
    const char *element; /* "double" or "float" */
    int points;          /* 5 or 9: number of cells of the stencil, the cell itself included */
    int element_bytes;   /* size of an element in memory and in messages */
    /* Writes the next values of rows x columns cells to `to`, from the present ones at `from` and
     * those around them; rows of both are stride elements apart. The two do not overlap. */
    void (*sweep)(const void *from, void *to, int64_t stride, int64_t rows, int64_t columns);
};

/* All stencils, NULL-ended. */
extern const struct nuce_jacobi_ops *const nuce_jacobis[];

/* The stencil with that many points on such elements, borrowed from the table; NULL: there is
 * none. */
const struct nuce_jacobi_ops *nuce_jacobi_find(int64_t points, const char *element);

#endif
