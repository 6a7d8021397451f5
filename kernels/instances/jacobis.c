/* The table of stencils, made from jacobis.def. */
#include <stddef.h>
#include <string.h>

#include "instances/jacobi.h"

#define NUCE_REGISTRY jacobi
#define NUCE_REGISTRY_ROWS "instances/jacobis.def"
#include "base/registry.inc"

const struct nuce_jacobi_ops *nuce_jacobi_find(int64_t points, const char *element)
{
    for (int i = 0; nuce_jacobis[i] != NULL; i++) {
        if (nuce_jacobis[i]->points == points && strcmp(nuce_jacobis[i]->element, element) == 0)
            return nuce_jacobis[i];
    }
    return NULL;
}
