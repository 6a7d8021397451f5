/* The table of decompositions, made from decompositions.def: a new one is a file and a row
 * there. */
#include <stdio.h>
#include <string.h>

#include "instances/decomposition.h"

#define NUCE_REGISTRY decomposition
#define NUCE_REGISTRY_ROWS "instances/decompositions.def"
#include "base/registry.inc"

nuce_status nuce_decomposition_find(const char *name, const struct nuce_decomposition_ops **out,
                                    struct nuce_error *error)
{
    char names[NUCE_MESSAGE_BYTES / 2] = "";
    size_t length = 0;

    for (int i = 0; nuce_decompositions[i] != NULL; i++) {
        const char *known = nuce_decompositions[i]->name;

        if (strcmp(known, name) == 0) {
            *out = nuce_decompositions[i];
            return NUCE_OK;
        }
        if (length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       i == 0 ? "" : ", ", known);
    }
    return nuce_error_refuse(error, "decomposition", "'%s': expected one of %s", name, names);
}
