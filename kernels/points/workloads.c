/* The table of workloads, made from workloads.def: a new one is a folder and a row there. Also the
 * properties of instances in their tables of options. */
#include "points/workload.h"

#include <string.h>

#define NUCE_REGISTRY workload
#define NUCE_REGISTRY_ROWS "points/workloads.def"
#define NUCE_REGISTRY_FIND
#include "base/registry.inc"

/* Checks the columns of the row, then the workload's own conditions. */
int nuce_workload_applies(const struct nuce_workload_ops *workload,
                          const struct nuce_option *option, const void *params)
{
    if (workload->scheduling != NULL && option->flags & (NUCE_OPTION_TUNING | NUCE_OPTION_DRAWN) &&
        !nuce_scheduling_applies(option, workload->scheduling(params)))
        return 0;
    if (option->flags & NUCE_OPTION_IF_SET && !nuce_option_is_set(option, params))
        return 0;
    return workload->applies == NULL || workload->applies(option, params);
}

/* The value of the option of that name, which is a count; otherwise if there is none. */
static int64_t whole_option(const struct nuce_workload_ops *workload, const void *params,
                            const char *name, int64_t otherwise)
{
    const struct nuce_option *option = nuce_option_find(workload->options, name);
    int64_t value = otherwise;

    if (option != NULL)
        memcpy(&value, (const char *)params + option->offset, sizeof value);
    return value;
}

static void set_whole_option(const struct nuce_workload_ops *workload, void *params,
                             const char *name, int64_t value)
{
    const struct nuce_option *option = nuce_option_find(workload->options, name);

    if (option != NULL)
        memcpy((char *)params + option->offset, &value, sizeof value);
}

int64_t nuce_workload_samples(const struct nuce_workload_ops *workload, const void *params)
{
    const struct nuce_option *option = nuce_option_find(workload->options, "samples");

    if (option == NULL || !nuce_workload_applies(workload, option, params))
        return 1;
    return whole_option(workload, params, "samples", 1);
}

int nuce_workload_is_mean(const struct nuce_workload_ops *workload, const void *params)
{
    return nuce_workload_samples(workload, params) > 1;
}

/* Instance numbers count from the point's own. */
void nuce_workload_choose_sample(const struct nuce_workload_ops *workload, void *params, int64_t k)
{
    set_whole_option(workload, params, "instance",
                     whole_option(workload, params, "instance", 0) + k);
    set_whole_option(workload, params, "samples", 1);
}
