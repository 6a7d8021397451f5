/* The affinity masks of all ranks, gathered and compared by node. A launcher that binds all ranks
 * of a node to one processor, and one that gives each its own, leave each rank one processor: only
 * the masks side by side tell them apart. */
#include "run/affinity.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "run/control.h"
#include "run/simulation.h"

/* What a rank says of itself; sent as bytes. */
struct affinity_mask {
    cpu_set_t usable;
    int has_all; /* processors of its node that are online */
    int rank;
};

/* "0-3,8". New reference. */
static json_t *mask_text(const cpu_set_t *mask)
{
    char text[512] = "";
    size_t length = 0;

    for (size_t first = 0, end; first < CPU_SETSIZE && length < sizeof text; first = end) {
        for (end = first; end < CPU_SETSIZE && CPU_ISSET(end, mask); end++)
            ;
        if (end == first)
            end++;
        else
            length += (size_t)snprintf(&text[length], sizeof text - length,
                                       end - first > 1 ? "%s%zu-%zu" : "%s%zu",
                                       length > 0 ? "," : "", first, end - 1);
    }
    return json_string(text);
}

static int by_host(const void *left, const void *right, void *hosts)
{
    const struct affinity_mask *a = left, *b = right;

    return strcmp(json_string_value(json_array_get(hosts, (size_t)a->rank)),
                  json_string_value(json_array_get(hosts, (size_t)b->rank)));
}

/* Whether no two ranks of a node may use the same processor; masks are sorted by host. */
static int are_apart(const struct affinity_mask *masks, int ranks, const json_t *hosts)
{
    cpu_set_t taken, both;

    for (int i = 0; i < ranks; i++) {
        if (i == 0 || by_host(&masks[i - 1], &masks[i], (void *)hosts) != 0)
            CPU_ZERO(&taken);
        CPU_AND(&both, &taken, &masks[i].usable);
        if (CPU_COUNT(&both) > 0)
            return 0;
        CPU_OR(&taken, &taken, &masks[i].usable);
    }
    return 1;
}

json_t *nuce_affinity_describe(struct nuce_world *world, const json_t *hosts, json_t **masks)
{
    struct affinity_mask mine, *all = NULL;
    int fewest = CPU_SETSIZE, most = 0, whole = 1;
    const char *binding;

    *masks = NULL;
    if (nuce_simulation_blocks())
        return NULL;
    memset(&mine, 0, sizeof mine);
    sched_getaffinity(0, sizeof mine.usable, &mine.usable);
    mine.has_all = CPU_COUNT(&mine.usable) >= sysconf(_SC_NPROCESSORS_ONLN);
    mine.rank = world->rank;
    if (world->rank == 0)
        all = nuce_allocate(world->size, sizeof *all);
    nuce_control_gather(world, &mine, (int)sizeof mine, MPI_BYTE, all, world->control);
    if (world->rank != 0)
        return NULL;
    *masks = json_array();
    for (int i = 0; i < world->size; i++) {
        int count = CPU_COUNT(&all[i].usable);

        fewest = count < fewest ? count : fewest;
        most = count > most ? count : most;
        whole &= all[i].has_all;
        json_array_append_new(*masks, mask_text(&all[i].usable));
    }
    qsort_r(all, (size_t)world->size, sizeof *all, by_host, (void *)hosts);
    binding = whole ? "whole node" : are_apart(all, world->size, hosts) ? "own" : "shared";
    free(all);
    return json_pack("{s:s, s:i, s:i}", "binding", binding, "fewest", fewest, "most", most);
}
