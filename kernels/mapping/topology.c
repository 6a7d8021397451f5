/* A network of switches as rows of neighbours, made from a list of links and checked to be
 * connected.
 *
 * O(switches + links log links) time. A topology is not changed once it is made; routings and
 * placements borrow it. */
#include "mapping/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"
#include "support/int.h"

/* names may be NULL: a drawn network has none. */
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
    memset(topology, 0, sizeof *topology);
}

static int topology_compare_ints(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;

    return (a > b) - (a < b);
}

/* Rows of neighbours, ascending: counted, placed, sorted. A link that is there twice or joins a
 * switch to itself is a bug of the caller's; files are checked before. */
static void fill_neighbors(struct nuce_topology *topology, const int (*link)[2])
{
    int64_t *start = topology->start;

    for (int k = 0; k < topology->links; k++) {
        NUCE_ASSERT(link[k][0] != link[k][1]);
        start[link[k][0]]++;
        start[link[k][1]]++;
    }
    for (int s = 1; s <= topology->switches; s++)
        start[s] += start[s - 1];
    for (int k = 0; k < topology->links; k++) {
        topology->neighbor[--start[link[k][0]]] = link[k][1];
        topology->neighbor[--start[link[k][1]]] = link[k][0];
    }
    for (int s = 0; s < topology->switches; s++) {
        int *row = topology->neighbor + start[s];
        int64_t degree = start[s + 1] - start[s];

        qsort(row, (size_t)degree, sizeof *row, topology_compare_ints);
        for (int64_t k = 1; k < degree; k++)
            NUCE_ASSERT(row[k - 1] != row[k]);
    }
}

/* The lowest switch that cannot be reached from switch 0; -1: all can; -2: no memory. */
static int find_apart(const struct nuce_topology *topology, struct nuce_error *error)
{
    int *queue = nuce_allocate(topology->switches, sizeof *queue, error);
    char *is_seen = nuce_allocate(topology->switches, 1, error);
    int apart = -1, count = 1;

    if (queue == NULL || is_seen == NULL) {
        apart = -2;
        goto done;
    }
    is_seen[0] = 1;
    for (int i = 0; i < count; i++) {
        for (int64_t k = topology->start[queue[i]]; k < topology->start[queue[i] + 1]; k++) {
            int other = topology->neighbor[k];

            if (!is_seen[other])
                queue[count++] = other;
            is_seen[other] = 1;
        }
    }
    for (int s = topology->switches - 1; s >= 0; s--)
        apart = is_seen[s] ? apart : s;
done:
    free(queue);
    free(is_seen);
    return apart;
}

nuce_status nuce_topology_init(int switches, const int (*link)[2], int links, const int *home,
                               int nodes, struct nuce_topology *out, int *apart,
                               struct nuce_error *error)
{
    struct nuce_topology topology = {.switches = switches, .links = links, .nodes = nodes};
    int found = -1;

    topology.start = nuce_allocate((int64_t)switches + 1, sizeof *topology.start, error);
    topology.neighbor = nuce_allocate(2 * (int64_t)links, sizeof *topology.neighbor, error);
    topology.home = nuce_allocate(nodes, sizeof *topology.home, error);
    if (topology.start == NULL || topology.neighbor == NULL || topology.home == NULL)
        goto fail;
    memcpy(topology.home, home, (size_t)nodes * sizeof *home);
    fill_neighbors(&topology, link);
    found = find_apart(&topology, error);
    if (found >= 0)
        (void)nuce_error_set(error, NUCE_BAD_INPUT,
                             "no way from switch 0 to switch %d: expected a connected network",
                             found);
    if (found != -1)
        goto fail;
    *out = topology;
    return NUCE_OK;
fail:
    nuce_topology_fini(&topology);
    if (apart != NULL)
        *apart = found >= 0 ? found : -1;
    return error->status;
}

/* By bisection: rows ascend. O(log(links of a)). */
int nuce_topology_has_link(const struct nuce_topology *topology, int a, int b)
{
    int64_t first = topology->start[a];

    return bsearch(&b, topology->neighbor + first, (size_t)(topology->start[a + 1] - first),
                   sizeof b, topology_compare_ints) != NULL;
}

nuce_status nuce_topology_check_ports(const struct nuce_topology *topology, int ports,
                                      struct nuce_error *error)
{
    int *nodes = nuce_allocate(topology->switches, sizeof *nodes, error);
    nuce_status status = NUCE_OK;

    if (nodes == NULL)
        return error->status;
    for (int i = 0; i < topology->nodes; i++)
        nodes[topology->home[i]]++;
    for (int s = 0; status == NUCE_OK && s < topology->switches; s++) {
        int links = nuce_int(topology->start[s + 1] - topology->start[s]);
        char number[16];

        if (links + nodes[s] <= ports)
            continue;
        (void)snprintf(number, sizeof number, "%d", s);
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "switch '%s' has %d links and %d nodes: expected at most %d ports",
                                topology->switch_name == NULL ? number : topology->switch_name[s],
                                links, nodes[s], ports);
    }
    free(nodes);
    return status;
}

/* Whether two nodes hang on different switches. */
static int has_groups(const struct nuce_topology *topology)
{
    int n = 0;

    while (n < topology->nodes && topology->home[n] == topology->home[0])
        n++;
    return n < topology->nodes;
}

/* Switches without a rank get no number, so groups are 0 .. groups - 1 with a rank in each. */
nuce_status nuce_topology_groups(const struct nuce_topology *topology, const int *node, int ranks,
                                 int *group_of, struct nuce_error *error)
{
    int *seen, groups = 0;

    if (!has_groups(topology))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "has no groups: all of its nodes are on one switch: expected nodes "
                              "on several");
    seen = nuce_allocate(topology->switches, sizeof *seen, error);
    if (seen == NULL)
        return error->status;
    for (int i = 0; i < ranks; i++) {
        int home = topology->home[node[i]];

        if (seen[home] == 0)
            seen[home] = ++groups;
        group_of[i] = seen[home] - 1;
    }
    free(seen);
    return NUCE_OK;
}
