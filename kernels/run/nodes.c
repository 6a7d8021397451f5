/* Ranks grouped by the names of their hosts. */
#include "run/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/control.h"
#include "run/simulation.h"

#define NAME_BYTES 65 /* HOST_NAME_MAX of Linux, and the end */

/* Backwards, since most ranks follow one of their own node: O(ranks x nodes). */
void nuce_nodes_group(const char *names, int width, int ranks, int *node_of)
{
    int nodes = 0;

    for (int i = 0; i < ranks; i++) {
        const char *name = names + (size_t)i * (size_t)width;
        int j = i - 1;

        while (j >= 0 && strcmp(names + (size_t)j * (size_t)width, name) != 0)
            j--;
        node_of[i] = j >= 0 ? node_of[j] : nodes++;
    }
}

void nuce_nodes_names(struct nuce_world *world, char **names, int *width)
{
    char name[NAME_BYTES] = "";

    *width = (int)sizeof name;
    *names = nuce_allocate(world->size, sizeof name);
    nuce_simulation_host(name, sizeof name - 1);
    nuce_control_allgather(world, name, (int)sizeof name, MPI_CHAR, *names, world->control);
}

void nuce_nodes_by_host(struct nuce_world *world, int **node_of)
{
    char *names;
    int *nodes, width;

    nuce_nodes_names(world, &names, &width);
    nodes = nuce_allocate(world->size, sizeof *nodes);
    nuce_nodes_group(names, width, world->size, nodes);
    free(names);
    *node_of = nodes;
}
