/* The table of workloads, made from workloads.def: a new one is a folder and a row there. */
#include "workloads/workload.h"

#include <string.h>

#define X(name) extern const struct nuce_workload_ops nuce_workload_##name;
#include "workloads/workloads.def"
#undef X

#define X(name) &nuce_workload_##name,
const struct nuce_workload_ops *const nuce_workloads[] = {
#include "workloads/workloads.def"
    NULL};
#undef X

const struct nuce_workload_ops *nuce_workload_find(const char *name)
{
    for (int i = 0; nuce_workloads[i] != NULL; i++) {
        if (strcmp(nuce_workloads[i]->name, name) == 0)
            return nuce_workloads[i];
    }
    return NULL;
}
