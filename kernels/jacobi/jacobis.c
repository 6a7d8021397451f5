/* The table of stencils, made from jacobis.def. */
#include <stddef.h>
#include <string.h>

#include "jacobi/jacobi.h"

#define X(name) extern const struct nuce_jacobi_ops nuce_jacobi_##name;
#include "jacobi/jacobis.def"
#undef X

const struct nuce_jacobi_ops *const nuce_jacobis[] = {
#define X(name) &nuce_jacobi_##name,
#include "jacobi/jacobis.def"
#undef X
    NULL};

const struct nuce_jacobi_ops *nuce_jacobi_find(int64_t points, const char *element)
{
    for (int i = 0; nuce_jacobis[i] != NULL; i++) {
        if (nuce_jacobis[i]->points == points && strcmp(nuce_jacobis[i]->element, element) == 0)
            return nuce_jacobis[i];
    }
    return NULL;
}
