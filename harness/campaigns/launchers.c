/* The table of launchers. */
#include "campaigns/launchers.h"

#include <string.h>

const struct nuce_launcher_ops *const nuce_launchers[] = {
#define X(name) &nuce_launcher_##name,
#include "campaigns/launchers.def"
#undef X
    NULL,
};

const struct nuce_launcher_ops *nuce_launchers_find(const char *name)
{
    for (int i = 0; name != NULL && nuce_launchers[i] != NULL; i++) {
        if (strcmp(nuce_launchers[i]->name, name) == 0)
            return nuce_launchers[i];
    }
    return NULL;
}
