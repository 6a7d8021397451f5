/* A network of switches as rows of neighbours, made from a list of links, and its islands.
 *
 * O(switches + links log links) time. */
#include "mapping/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"

/* names may be NULL: a random network has none. */
static void free_names(char **names, int count)
{
    for (int i = 0; names != NULL && i < count; i++)
        free(names[i]);
    free(names);
}

void nuce_topology_fini(struct nuce_topology *topology)
{
    free_names(topology->switch_name, topology->switches);
    free_names(topology->node_name, topology->nodes);
    free(topology->start);
    free(topology->neighbor);
    free(topology->home);
    free(topology->island);
    memset(topology, 0, sizeof *topology);
}

/* Breadth first from the lowest switch without an island, until all have one. */
static void find_islands(struct nuce_topology *topology)
{
    int *queue = nuce_allocate(topology->switches, sizeof *queue);
    int count = 0;

    for (int s = 0; s < topology->switches; s++)
        topology->island[s] = -1;
    for (int s = 0; s < topology->switches; s++) {
        if (topology->island[s] >= 0)
            continue;
        topology->island[s] = topology->islands;
        queue[count++] = s;
        for (int i = count - 1; i < count; i++) {
            for (int64_t k = topology->start[queue[i]]; k < topology->start[queue[i] + 1]; k++) {
                int other = topology->neighbor[k];

                if (topology->island[other] >= 0)
                    continue;
                topology->island[other] = topology->islands;
                queue[count++] = other;
            }
        }
        topology->islands++;
    }
    free(queue);
}

void nuce_topology_init(int switches, const int (*link)[2], int links, const int *home, int nodes,
                        struct nuce_topology *out)
{
    int64_t *start;
    struct nuce_topology topology = {.switches = switches, .links = links, .nodes = nodes};

    topology.start = nuce_allocate((int64_t)switches + 1, sizeof *topology.start);
    topology.neighbor = nuce_allocate(2 * (int64_t)links, sizeof *topology.neighbor);
    topology.home = nuce_allocate(nodes, sizeof *topology.home);
    topology.island = nuce_allocate(switches, sizeof *topology.island);
    memcpy(topology.home, home, (size_t)nodes * sizeof *home);
    /* Rows of neighbours, ascending: counted, placed, sorted. A double link or a link of a switch
     * to itself is a bug of the caller; files are checked before. */
    start = topology.start;
    for (int k = 0; k < topology.links; k++) {
        NUCE_ASSERT(link[k][0] != link[k][1]);
        start[link[k][0]]++;
        start[link[k][1]]++;
    }
    for (int s = 1; s <= topology.switches; s++)
        start[s] += start[s - 1];
    for (int k = 0; k < topology.links; k++) {
        topology.neighbor[--start[link[k][0]]] = link[k][1];
        topology.neighbor[--start[link[k][1]]] = link[k][0];
    }
    for (int s = 0; s < topology.switches; s++) {
        int *row = topology.neighbor + start[s];
        int64_t degree = start[s + 1] - start[s];

        qsort(row, (size_t)degree, sizeof *row, nuce_int_compare);
        for (int64_t k = 1; k < degree; k++)
            NUCE_ASSERT(row[k - 1] != row[k]);
    }
    find_islands(&topology);
    *out = topology;
}

void nuce_topology_largest(const struct nuce_topology *topology, int *island, int *nodes)
{
    int *count = nuce_allocate(topology->islands, sizeof *count);

    for (int i = 0; i < topology->nodes; i++)
        count[topology->island[topology->home[i]]]++;
    *island = 0;
    for (int i = 1; i < topology->islands; i++)
        *island = count[i] > count[*island] ? i : *island;
    if (nodes != NULL)
        *nodes = count[*island];
    free(count);
}

/* Moves each name to its new number, which is no higher; -1: it is removed. names may be NULL. */
static void keep_names(char **names, const int *number, int count)
{
    for (int i = 0; names != NULL && i < count; i++) {
        if (number[i] < 0)
            free(names[i]);
        else
            names[number[i]] = names[i];
    }
}

/* Numbers only fall, and keep their order, so writes never overtake reads. */
void nuce_topology_keep(struct nuce_topology *topology, int island, int *node, int count)
{
    int *switch_number = nuce_allocate(topology->switches, sizeof *switch_number);
    int *node_number = nuce_allocate(topology->nodes, sizeof *node_number);
    int64_t entries = 0;
    int kept = 0, kept_nodes = 0;

    for (int s = 0; s < topology->switches; s++)
        switch_number[s] = topology->island[s] == island ? kept++ : -1;
    for (int i = 0; i < topology->nodes; i++) {
        int home = switch_number[topology->home[i]];

        node_number[i] = home >= 0 ? kept_nodes++ : -1;
        if (home >= 0)
            topology->home[node_number[i]] = home;
    }
    keep_names(topology->node_name, node_number, topology->nodes);
    keep_names(topology->switch_name, switch_number, topology->switches);
    for (int s = 0; s < topology->switches; s++) {
        int64_t first = topology->start[s], last = topology->start[s + 1];

        if (switch_number[s] < 0)
            continue;
        topology->start[switch_number[s]] = entries;
        for (int64_t k = first; k < last; k++)
            topology->neighbor[entries++] = switch_number[topology->neighbor[k]];
    }
    topology->start[kept] = entries;
    topology->nodes = kept_nodes;
    topology->switches = kept;
    topology->links = nuce_int(entries / 2);
    topology->islands = 1;
    memset(topology->island, 0, (size_t)kept * sizeof *topology->island);
    for (int i = 0; i < count; i++)
        node[i] = node_number[node[i]];
    free(switch_number);
    free(node_number);
}

/* A binary search: rows ascend. O(log(links of a)). */
int nuce_topology_has_link(const struct nuce_topology *topology, int a, int b)
{
    int64_t first = topology->start[a];

    return bsearch(&b, topology->neighbor + first, (size_t)(topology->start[a + 1] - first),
                   sizeof b, nuce_int_compare) != NULL;
}

nuce_status nuce_topology_check_ports(const struct nuce_topology *topology, int ports,
                                      struct nuce_error *error)
{
    int *nodes = nuce_allocate(topology->switches, sizeof *nodes);
    nuce_status status = NUCE_OK;

    for (int i = 0; i < topology->nodes; i++)
        nodes[topology->home[i]]++;
    for (int s = 0; status == NUCE_OK && s < topology->switches; s++) {
        int links = nuce_int(topology->start[s + 1] - topology->start[s]);
        char number[16];

        if (links + nodes[s] <= ports)
            continue;
        snprintf(number, sizeof number, "%d", s);
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "switch '%s' has %d links and %d nodes: expected at most %d ports",
                                topology->switch_name == NULL ? number : topology->switch_name[s],
                                links, nodes[s], ports);
    }
    free(nodes);
    return status;
}

/* Switches without a rank get no number, so groups are 0 .. groups - 1 with a rank in each. */
nuce_status nuce_topology_groups(const struct nuce_topology *topology, const int *node, int ranks,
                                 int *group_of, struct nuce_error *error)
{
    int *seen, groups = 0, n = 0;

    while (n < topology->nodes && topology->home[n] == topology->home[0])
        n++;
    if (n == topology->nodes)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "has no groups: all of its nodes are on one switch: expected nodes "
                              "on several");
    seen = nuce_allocate(topology->switches, sizeof *seen);
    for (int i = 0; i < ranks; i++) {
        int home = topology->home[node[i]];

        if (seen[home] == 0)
            seen[home] = ++groups;
        group_of[i] = seen[home] - 1;
    }
    free(seen);
    return NUCE_OK;
}
