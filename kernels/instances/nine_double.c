/* The nine-point stencil on doubles: direct neighbours count four times as much as diagonal ones,
 * which is Jacobi's step for the compact discretisation of Laplace's equation. */
#include "instances/jacobi.h"

#define REAL double
#define MEAN(above, here, below, j)                                                                \
    (0.05 * (4 * (((above)[j] + (below)[j]) + ((here)[(j)-1] + (here)[(j) + 1])) +                 \
             (((above)[(j)-1] + (above)[(j) + 1]) + ((below)[(j)-1] + (below)[(j) + 1]))))
#include "instances/jacobi_rows.inc"

const struct nuce_jacobi_ops nuce_jacobi_nine_double = {
    .name = "nine-double",
    .element = "double",
    .points = 9,
    .element_bytes = sizeof(double),
    .sweep = sweep,
};
