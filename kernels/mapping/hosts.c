/* Nodes of a topology by the names of hosts. A launcher may call a host by its short name where the
 * topology has the whole, or the other way round. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "mapping/names.h"
#include "mapping/topology.h"

/* The length of the whole name, and of its part before the first dot: what the index is asked
 * for. */
static int hosts_whole(const char *name)
{
    return nuce_int((int64_t)strlen(name));
}

static int until_dot(const char *name)
{
    return nuce_int((int64_t)strcspn(name, "."));
}

/* The names of nodes, whole and up to the first dot. */
struct index {
    struct nuce_names whole, shortened;
    int *node; /* of each of shortened: the first of that name */
};

/* Of nodes that share a short name the first one keeps it. */
static void index_init(const struct nuce_topology *topology, struct index *index)
{
    *index = (struct index){.node = nuce_allocate(topology->nodes, sizeof *index->node)};
    for (int node = 0; node < topology->nodes; node++) {
        const char *name = topology->node_name[node];
        int number, known = index->shortened.count;

        nuce_names_add(&index->whole, name, hosts_whole(name), &number);
        nuce_names_add(&index->shortened, name, until_dot(name), &number);
        if (number == known)
            index->node[number] = node;
    }
}

/* The node of host: by its whole name; by its short name, where the topology has that; or by the
 * short name of a node, where host itself is short. -1: there is none. */
static int hosts_find(const struct index *index, const char *host)
{
    int node = nuce_names_find(&index->whole, host, hosts_whole(host));

    if (node < 0)
        node = nuce_names_find(&index->whole, host, until_dot(host));
    if (node < 0 && strchr(host, '.') == NULL) {
        node = nuce_names_find(&index->shortened, host, hosts_whole(host));
        node = node < 0 ? -1 : index->node[node];
    }
    return node;
}

/* O(nodes + count): hosts are looked up by hashes, for there may be thousands of each. */
nuce_status nuce_topology_find_hosts(const struct nuce_topology *topology, const char *const *host,
                                     int count, int *node, struct nuce_error *error)
{
    struct index index;
    nuce_status status = NUCE_OK;

    index_init(topology, &index);

    for (int i = 0; status == NUCE_OK && i < count; i++) {
        node[i] = hosts_find(&index, host[i]);
        if (node[i] < 0)
            status = nuce_error_set(error, NUCE_BAD_INPUT,
                                    "no node '%.80s', on which rank %d runs: expected every host "
                                    "in the topology, which has %d nodes, the first '%.80s'",
                                    host[i], i, topology->nodes, topology->node_name[0]);
    }
    nuce_names_fini(&index.whole);
    nuce_names_fini(&index.shortened);
    free(index.node);
    return status;
}
