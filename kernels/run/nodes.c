/* Ranks grouped by the names of their hosts. */
#include "run/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/control.h"
#include "run/simulation.h"

/* Searches backwards, because most ranks follow one of their own node: O(ranks x nodes). */
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

char *nuce_nodes_names(struct nuce_world *world)
{
    char name[NUCE_NODE_NAME_BYTES] = "";
    char *names = nuce_allocate(world->size, NUCE_NODE_NAME_BYTES);

    nuce_simulation_host(name, NUCE_NODE_NAME_BYTES - 1);
    nuce_control_allgather(world, name, NUCE_NODE_NAME_BYTES, MPI_CHAR, names, world->control);
    return names;
}

void nuce_nodes_by_host(struct nuce_world *world, int **node_of)
{
    char *names = nuce_nodes_names(world);

    *node_of = nuce_allocate(world->size, sizeof **node_of);
    nuce_nodes_group(names, NUCE_NODE_NAME_BYTES, world->size, *node_of);
    free(names);
}
