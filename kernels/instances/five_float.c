/* The five-point stencil on floats: the mean of the four neighbours, which is Jacobi's step for
 * Laplace's equation. */
#include "instances/jacobi.h"

#define REAL float
#define MEAN(above, here, below, j)                                                                \
    (0.25F * (((above)[j] + (below)[j]) + ((here)[(j)-1] + (here)[(j) + 1])))
#include "instances/jacobi_rows.inc"

const struct nuce_jacobi_ops nuce_jacobi_five_float = {
    .name = "five-float",
    .element = "float",
    .points = 5,
    .element_bytes = sizeof(float),
    .sweep = sweep,
};
