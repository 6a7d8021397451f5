/* Finds the file that describes the switches, and which of its nodes the ranks run on. */
#include "run/machine_topology.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/text.h"
#include "run/simulation.h"

/* The topology.conf of the cluster that this job runs on: a new string; NULL with *error: none can
 * be read. */
static char *slurm_topology(struct nuce_error *error)
{
    static const char *const folders[] = {"/etc/slurm", "/run/slurm/conf", "/etc/slurm-llnl"};
    const char *configuration = getenv("SLURM_CONF");
    const char *slash = configuration == NULL ? NULL : strrchr(configuration, '/');
    char *path;

    if (slash != NULL) {
        path = nuce_text_format("%.*s/topology.conf", (int)(slash - configuration), configuration);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        path = nuce_text_format("%s/topology.conf", folders[i]);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    nuce_error_refuse(error, "topology",
                      "not given, and Slurm has no topology.conf here, neither beside "
                      "its configuration nor in /etc/slurm: expected a file, such as "
                      "'scontrol show topology' prints");
    return NULL;
}

char *nuce_machine_topology_path(const struct nuce_placing *placing, struct nuce_error *error)
{
    char platform[NUCE_PATH_BYTES];

    if (placing->topology[0] != '\0')
        return nuce_text_format("%s", placing->topology);
    if (nuce_simulation_platform(platform, sizeof platform))
        return nuce_text_format("%s", platform);
    if (getenv("SLURM_JOB_ID") != NULL)
        return slurm_topology(error);
    nuce_error_refuse(error, "topology",
                      "not given: expected a file along with a placement, except in a "
                      "job of Slurm or on a simulated platform");
    return NULL;
}

/* Ranks in order: rank r is on node r, for topologies whose nodes are not those of this machine. */
static nuce_status find_nodes(const struct nuce_world *world, const struct nuce_placing *placing,
                              const struct nuce_topology *topology, int *node,
                              struct nuce_error *error)
{
    const char **hosts;
    nuce_status status;

    if (nuce_placing_is_in_order(placing)) {
        for (int rank = 0; rank < world->size; rank++)
            node[rank] = rank;
        return NUCE_OK;
    }
    hosts = nuce_allocate(world->size, sizeof *hosts);
    for (int rank = 0; rank < world->size; rank++)
        hosts[rank] = json_string_value(json_array_get(world->hosts, (size_t)rank));
    status = nuce_topology_find_hosts(topology, hosts, world->size, node, error);
    free(hosts);
    return status;
}

/* Leaves the island that the ranks' nodes are on, and numbers them as they are there. */
static nuce_status keep_island(struct nuce_topology *topology, int *node, int ranks,
                               struct nuce_error *error)
{
    int island = topology->island[topology->home[node[0]]];

    for (int i = 1; i < ranks; i++) {
        if (topology->island[topology->home[node[i]]] != island)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "no switch joins node '%.80s' of rank 0 and node '%.80s' of rank "
                                  "%d: expected ranks on nodes that switches join",
                                  topology->node_name[node[0]], topology->node_name[node[i]], i);
    }
    nuce_topology_keep(topology, island, node, ranks);
    return NUCE_OK;
}

nuce_status nuce_machine_topology(const struct nuce_world *world,
                                  const struct nuce_placing *placing, const char *path,
                                  struct nuce_topology *out, int *node, struct nuce_error *error)
{
    struct nuce_topology topology = {0};
    nuce_status status = nuce_topology_read(path, &topology, error);

    if (status != NUCE_OK)
        return nuce_error_about(error, "topology");
    if (nuce_placing_is_in_order(placing) && topology.nodes < world->size)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%d nodes for %d ranks: expected as many",
                                topology.nodes, world->size);
    if (status == NUCE_OK)
        status = find_nodes(world, placing, &topology, node, error);
    if (status == NUCE_OK)
        status = keep_island(&topology, node, world->size, error);
    if (status == NUCE_OK) {
        *out = topology;
        return NUCE_OK;
    }
    nuce_topology_fini(&topology);
    return nuce_error_prefix(error, "topology: %s", path);
}
