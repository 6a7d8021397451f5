/* The five-point stencil on doubles: the mean of the four neighbours, which is Jacobi's step for
 * Laplace's equation. */
#include "instances/jacobi.h"

#define REAL double
#define MEAN(above, here, below, j)                                                                \
    (0.25 * (((above)[j] + (below)[j]) + ((here)[(j)-1] + (here)[(j) + 1])))
#include "instances/jacobi_rows.inc"

const struct nuce_jacobi_ops nuce_jacobi_five_double = {
    .name = "five-double",
    .element = "double",
    .points = 5,
    .element_bytes = sizeof(double),
    .sweep = sweep,
};
