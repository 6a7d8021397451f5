/* The network of a point, on all ranks. Rank 0 reads or makes it, because the file may be on its
 * node alone. It sends the struct, then each array that the struct points to. */
#include "run/shared_network.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"

/* Allocates an array with count elements of size bytes on ranks other than 0, and sends it. */
static void share_array(struct nuce_world *world, void **array, int64_t count, size_t size)
{
    if (*array == NULL)
        return;
    if (world->rank != 0)
        *array = nuce_allocate(count, size);
    nuce_world_broadcast(world, *array, count * (int64_t)size);
}

/* The pointers in rank 0's struct show which arrays follow. Hosts are not sent. Collective. */
static void shared_network_share(struct nuce_world *world, struct nuce_network *network)
{
    struct nuce_tiers *tiers = &network->tiers;
    int64_t ranks, nodes, groups;

    nuce_world_broadcast(world, network, (int64_t)sizeof *network);
    if (world->rank != 0)
        network->host = NULL;
    ranks = network->ranks;
    nodes = tiers->nodes;
    groups = tiers->groups;
    {
        const struct {
            double **array;
            int64_t count;
        } arrays[] = {
            {&network->pair_startup, ranks * ranks},
            {&network->pair_bandwidth, ranks * ranks},
            {&network->out, ranks},
            {&network->in, ranks},
            {&network->speed, ranks},
            {&tiers->rail_out, ranks},
            {&tiers->rail_in, ranks},
            {&tiers->inside_out, ranks},
            {&tiers->inside_in, ranks},
            {&tiers->node_out, nodes},
            {&tiers->node_in, nodes},
            {&tiers->uplink_out, groups},
            {&tiers->uplink_in, groups},
        };

        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            share_array(world, (void **)arrays[i].array, arrays[i].count, sizeof(double));
    }
    share_array(world, (void **)&network->contention, network->contentions,
                sizeof *network->contention);
    share_array(world, (void **)&tiers->node_of, ranks, sizeof *tiers->node_of);
    share_array(world, (void **)&tiers->group_of, nodes, sizeof *tiers->group_of);
}

nuce_status nuce_shared_network(struct nuce_world *world, const struct nuce_scheduling *scheduling,
                                struct nuce_network *out, char name[NUCE_PATH_BYTES],
                                struct nuce_error *error)
{
    struct nuce_network network = {0};
    char *found = NULL;
    nuce_status status = NUCE_OK;

    /* All of its bytes are sent, including those after its end. */
    memset(name, 0, NUCE_PATH_BYTES);
    if (world->rank == 0) {
        const char **hosts = nuce_allocate(world->size, sizeof *hosts);
        struct nuce_measured_at at = {.folder = world->networks, .hosts = hosts};

        for (int rank = 0; rank < world->size; rank++)
            hosts[rank] = json_string_value(json_array_get(world->hosts, (size_t)rank));
        status = nuce_scheduling_network(scheduling, world->size, &at, &network, &found, error);
        free(hosts);
    }
    if (status == NUCE_OK && found != NULL)
        nuce_text_copy(name, NUCE_PATH_BYTES, found);
    free(found);
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK)
        nuce_world_broadcast(world, name, NUCE_PATH_BYTES);
    if (status == NUCE_OK)
        shared_network_share(world, &network);
    if (status == NUCE_OK)
        *out = network;
    else
        nuce_network_fini(&network);
    return status;
}
