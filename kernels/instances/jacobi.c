/* The stencils and their table. They are optimised in every build and without contraction to fused
 * operations, because the loops are timed and a cell's bits must not depend on the compiler. The
 * mean of the four neighbours is Jacobi's step for Laplace's equation. With nine points direct
 * neighbours count four times as much as diagonal ones, which is Jacobi's step for the compact
 * discretisation. */
#include "instances/jacobi.h"

#include <stddef.h>
#include <string.h>

#define DIRECT(above, here, below, j)                                                              \
    (((above)[j] + (below)[j]) + ((here)[(j)-1] + (here)[(j) + 1]))
#define DIAGONAL(above, below, j)                                                                  \
    (((above)[(j)-1] + (above)[(j) + 1]) + ((below)[(j)-1] + (below)[(j) + 1]))

#define STENCIL five_double
#define REAL double
#define MEAN(above, here, below, j) (0.25 * DIRECT(above, here, below, j))
#include "instances/jacobi_rows.inc"

#define STENCIL five_float
#define REAL float
#define MEAN(above, here, below, j) (0.25F * DIRECT(above, here, below, j))
#include "instances/jacobi_rows.inc"

#define STENCIL nine_double
#define REAL double
#define MEAN(above, here, below, j)                                                                \
    (0.05 * (4 * DIRECT(above, here, below, j) + DIAGONAL(above, below, j)))
#include "instances/jacobi_rows.inc"

#define STENCIL nine_float
#define REAL float
#define MEAN(above, here, below, j)                                                                \
    (0.05F * (4 * DIRECT(above, here, below, j) + DIAGONAL(above, below, j)))
#include "instances/jacobi_rows.inc"

static const struct nuce_jacobi_ops stencils[] = {
    {"five-double", "double", 5, sizeof(double), sweep_five_double},
    {"five-float", "float", 5, sizeof(float), sweep_five_float},
    {"nine-double", "double", 9, sizeof(double), sweep_nine_double},
    {"nine-float", "float", 9, sizeof(float), sweep_nine_float},
};

const struct nuce_jacobi_ops *const nuce_jacobis[] = {
    &stencils[0], &stencils[1], &stencils[2], &stencils[3], NULL,
};

const struct nuce_jacobi_ops *nuce_jacobi_find(int64_t points, const char *element)
{
    for (int i = 0; nuce_jacobis[i] != NULL; i++) {
        if (nuce_jacobis[i]->points == points && strcmp(nuce_jacobis[i]->element, element) == 0)
            return nuce_jacobis[i];
    }
    return NULL;
}
