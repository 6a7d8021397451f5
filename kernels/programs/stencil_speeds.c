/* The ranks' speeds, by which decompositions cut: as given, from the network's file, or measured by
 * sweeps of a plane about as large as a part.
 *
 * Found once for points that agree in what the speeds depend on (the key), since each takes SECONDS
 * of sweeping: contenders of a heat then cut by the very same numbers. Rounded to a few digits,
 * which is what a record can say and a user can give again. */
#include "programs/stencil_speeds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "instances/rate.h"
#include "points/stencil_instance.h"
#include "points/stencil_periods.h"
#include "run/shared_network.h"

/* Cells of a side. Of a rank: as large as its part will be in the mean, at most so. Larger ones are
 * out of cache in any case. */
#define SIDE_MOST 1500

/* Of sweeping on each rank, all at a time. */
#define SECONDS 1

/* Rank 0's rates of all, to all: relative to the fastest, and rounded by way of the text, so that
 * the number is the one that a record's text reads as. */
static void sweep_speeds_share(struct nuce_world *world, double mine, double *all)
{
    double most = 0;

    nuce_world_gather(world, &mine, 1, world->rank == 0 ? all : NULL);
    nuce_world_broadcast(world, all, (int64_t)sizeof *all * world->size);
    for (int i = 0; i < world->size; i++)
        most = fmax(most, all[i]);
    for (int i = 0; i < world->size; i++) {
        char text[NUCE_WEIGHTS_EACH_BYTES];

        snprintf(text, sizeof text, "%.*g", NUCE_WEIGHTS_DIGITS, all[i] / most);
        all[i] = strtod(text, NULL);
    }
}

/* Rates of the point's own stencil, extra work of the emulated speeds that a run begins with
 * included, into speeds->relative.
 * Collective over the world: the barrier has all ranks sweep together, as memory that they share
 * makes them slower together. */
static nuce_status sweep_speeds_measure(struct nuce_speeds *speeds,
                                        const struct nuce_stencil_params *params, int64_t side,
                                        struct nuce_error *error)
{
    struct nuce_world *world = speeds->world;
    struct nuce_speed_periods periods;
    struct nuce_rate rate;
    double extra = 0;
    nuce_status status = nuce_speed_periods_init(params, world->size, &periods, error);

    if (status == NUCE_OK) {
        extra = nuce_speed_periods_extra(&periods, 0, world->rank, world->size);
        nuce_speed_periods_fini(&periods);
    }
    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
    nuce_world_barrier(world);
    status = nuce_rate_measure(nuce_jacobi_find(params->points, params->element), side, extra,
                               SECONDS, &rate, error);
    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
    sweep_speeds_share(world, rate.median, speeds->relative);
    return NUCE_OK;
}

/* The key is empty while they are being found, so that a failure leaves no half of them. A network
 * that has speeds gives them. The side is the root of the mean part's cells. */
nuce_status nuce_speeds_find(struct nuce_speeds *speeds, const struct nuce_stencil_params *params,
                             struct nuce_error *error)
{
    struct nuce_world *world = speeds->world;
    double root = sqrt((double)params->rows * (double)params->columns / world->size);
    int64_t side = root > SIDE_MOST ? SIDE_MOST : (int64_t)fmax(root, 1);
    char key[sizeof speeds->key], name[NUCE_PATH_BYTES];
    struct nuce_network network;
    int is_known;

    snprintf(key, sizeof key, "%lld %lld %s %s %s %s", (long long)side, (long long)params->points,
             params->element, params->emulate_speeds, params->speeds_after,
             params->scheduling.network);
    if (strcmp(key, speeds->key) == 0)
        return NUCE_OK;
    speeds->key[0] = '\0';
    free(speeds->relative);
    speeds->relative = nuce_allocate(world->size, sizeof *speeds->relative);
    if (nuce_shared_network(world, &params->scheduling, &network, name, error) != NUCE_OK)
        return error->status;
    is_known = network.ranks > 0 && network.speed != NULL;
    if (is_known)
        sweep_speeds_share(world, network.speed[world->rank], speeds->relative);
    nuce_network_fini(&network);
    if (!is_known && sweep_speeds_measure(speeds, params, side, error) != NUCE_OK)
        return error->status;
    memcpy(speeds->key, key, sizeof key);
    return NUCE_OK;
}
