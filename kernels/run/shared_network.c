/* The network of a point, on all ranks: rank 0 reads or makes it, since the file may be on its node
 * alone, and sends the struct, then each array that the struct says is there. */
#include "run/shared_network.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"

/* The network that scheduling names: a preset, a file, or the one that was measured between these
 * hosts. Rank 0; *out and *name (a new string) are empty where the point names none. */
static nuce_status shared_network_find(struct nuce_world *world,
                                       const struct nuce_scheduling *scheduling,
                                       struct nuce_network *out, char **name,
                                       struct nuce_error *error)
{
    const char **hosts = nuce_allocate(world->size, sizeof *hosts);
    struct nuce_measured_at at = {.folder = world->networks, .hosts = hosts};
    nuce_status status;

    for (int rank = 0; rank < world->size; rank++)
        hosts[rank] = json_string_value(json_array_get(world->hosts, (size_t)rank));
    status = nuce_scheduling_network(scheduling, world->size, &at, out, name, error);
    free(hosts);
    return status;
}

/* The arrays of a network, each there or not. */
enum { ARRAYS = 13 };

/* In the one order in which all ranks send and receive them; lengths in elements. */
static void list_arrays(struct nuce_network *network, double ***arrays, int64_t *lengths)
{
    int64_t ranks = network->ranks;

    arrays[0] = &network->pair_startup;
    arrays[1] = &network->pair_bandwidth;
    arrays[2] = &network->out;
    arrays[3] = &network->in;
    arrays[4] = &network->speed;
    arrays[5] = &network->tiers.rail_out;
    arrays[6] = &network->tiers.rail_in;
    arrays[7] = &network->tiers.inside_out;
    arrays[8] = &network->tiers.inside_in;
    arrays[9] = &network->tiers.node_out;
    arrays[10] = &network->tiers.node_in;
    arrays[11] = &network->tiers.uplink_out;
    arrays[12] = &network->tiers.uplink_in;
    for (int i = 0; i < ARRAYS; i++)
        lengths[i] = i < 2    ? ranks * ranks
                     : i < 9  ? ranks
                     : i < 11 ? network->tiers.nodes
                              : network->tiers.groups;
}

/* Ranks other than 0 have got rank 0's struct: its pointers say what is to come. Hosts are left
 * behind. */
static void shared_network_make_room(struct nuce_network *network)
{
    double **arrays[ARRAYS];
    int64_t lengths[ARRAYS];

    network->host = NULL;
    list_arrays(network, arrays, lengths);
    for (int i = 0; i < ARRAYS; i++) {
        if (*arrays[i] == NULL)
            continue;
        *arrays[i] = nuce_allocate(lengths[i], sizeof(double));
    }
    if (network->contention != NULL)
        network->contention = nuce_allocate(network->contentions, sizeof *network->contention);
    if (network->tiers.node_of != NULL)
        network->tiers.node_of = nuce_allocate(network->ranks, sizeof *network->tiers.node_of);
    if (network->tiers.group_of != NULL)
        network->tiers.group_of =
            nuce_allocate(network->tiers.nodes, sizeof *network->tiers.group_of);
}

/* Collective. After a failure *network may have arrays that were not filled; nuce_network_fini
 * frees what is there. */
static void shared_network_share(struct nuce_world *world, struct nuce_network *network)
{
    double **arrays[ARRAYS];
    int64_t lengths[ARRAYS];

    nuce_world_broadcast(world, network, (int64_t)sizeof *network);
    if (world->rank != 0)
        shared_network_make_room(network);
    list_arrays(network, arrays, lengths);
    for (int i = 0; i < ARRAYS; i++) {
        if (*arrays[i] != NULL)
            nuce_world_broadcast(world, *arrays[i], lengths[i] * (int64_t)sizeof(double));
    }
    if (network->contention != NULL)
        nuce_world_broadcast(world, network->contention,
                             network->contentions * (int64_t)sizeof *network->contention);
    if (network->tiers.node_of != NULL)
        nuce_world_broadcast(world, network->tiers.node_of,
                             network->ranks * (int64_t)sizeof *network->tiers.node_of);
    if (network->tiers.group_of != NULL)
        nuce_world_broadcast(world, network->tiers.group_of,
                             network->tiers.nodes * (int64_t)sizeof *network->tiers.group_of);
}

nuce_status nuce_shared_network(struct nuce_world *world, const struct nuce_scheduling *scheduling,
                                struct nuce_network *out, char name[NUCE_PATH_BYTES],
                                struct nuce_error *error)
{
    struct nuce_network network = {0};
    char *found = NULL;
    nuce_status status = NUCE_OK;

    /* All of its bytes are sent, those behind its end as well. */
    memset(name, 0, NUCE_PATH_BYTES);
    if (world->rank == 0)
        status = shared_network_find(world, scheduling, &network, &found, error);
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
