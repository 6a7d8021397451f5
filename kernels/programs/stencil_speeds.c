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

void nuce_speeds_create(struct nuce_world *world, struct nuce_speeds **out)
{
    struct nuce_speeds *speeds = nuce_allocate(1, sizeof *speeds);

    speeds->world = world;
    *out = speeds;
}

void nuce_speeds_destroy(struct nuce_speeds *speeds)
{
    if (speeds == NULL)
        return;
    free(speeds->relative);
    free(speeds);
}

/* How often this rank repeats its sweeps for the emulated speeds that a run begins with. */
static nuce_status sweep_speeds_find_extra(const struct nuce_stencil_params *params, int rank,
                                           int ranks, double *extra, struct nuce_error *error)
{
    struct nuce_speed_periods periods;

    if (nuce_speed_periods_init(params, ranks, &periods, error) != NUCE_OK)
        return error->status;
    *extra = nuce_speed_periods_extra(&periods, 0, rank, ranks);
    nuce_speed_periods_fini(&periods);
    return NUCE_OK;
}

/* The root of the mean part's cells; at least 1. */
static int64_t side_of(const struct nuce_stencil_params *params, int ranks)
{
    double side = sqrt((double)params->rows * (double)params->columns / ranks);

    return side > SIDE_MOST ? SIDE_MOST : (int64_t)fmax(side, 1);
}

/* By way of its text, so that the number is the one that a record's text reads as. */
static double round_speed(double speed)
{
    char text[NUCE_WEIGHTS_EACH_BYTES];

    snprintf(text, sizeof text, "%.*g", NUCE_WEIGHTS_DIGITS, speed);
    return strtod(text, NULL);
}

/* Rank 0's rates of all, to all: relative to the fastest, and rounded. */
static void sweep_speeds_share(struct nuce_world *world, double mine, double *all)
{
    double most = 0;

    nuce_world_gather(world, &mine, 1, world->rank == 0 ? all : NULL);
    nuce_world_broadcast(world, all, (int64_t)sizeof *all * world->size);
    for (int i = 0; i < world->size; i++)
        most = fmax(most, all[i]);
    for (int i = 0; i < world->size; i++)
        all[i] = round_speed(all[i] / most);
}

/* Rates of the point's own stencil, extra work of emulated speeds included, into speeds->relative.
 * Collective over the world: the barrier has all ranks sweep together, as memory that they share
 * makes them slower together. */
static nuce_status sweep_speeds_measure(struct nuce_speeds *speeds,
                                        const struct nuce_stencil_params *params, int64_t side,
                                        struct nuce_error *error)
{
    struct nuce_world *world = speeds->world;
    struct nuce_rate rate;
    double extra = 0;
    nuce_status status = sweep_speeds_find_extra(params, world->rank, world->size, &extra, error);

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

/* Sets *found to whether the network has speeds, which then are the ranks'. Collective. */
static nuce_status look_up(struct nuce_speeds *speeds, const struct nuce_stencil_params *params,
                           int *found, struct nuce_error *error)
{
    struct nuce_world *world = speeds->world;
    struct nuce_network network;
    char name[NUCE_PATH_BYTES];

    if (nuce_shared_network(world, &params->scheduling, &network, name, error) != NUCE_OK)
        return error->status;
    *found = network.ranks > 0 && network.speed != NULL;
    if (*found)
        sweep_speeds_share(world, network.speed[world->rank], speeds->relative);
    nuce_network_fini(&network);
    return NUCE_OK;
}

/* The key is empty while they are being found, so that a failure leaves no half of them. */
nuce_status nuce_speeds_find(struct nuce_speeds *speeds, const struct nuce_stencil_params *params,
                             struct nuce_error *error)
{
    struct nuce_world *world = speeds->world;
    int64_t side = side_of(params, world->size);
    char key[sizeof speeds->key];
    int found = 0;

    snprintf(key, sizeof key, "%lld %lld %s %s %s %s", (long long)side, (long long)params->points,
             params->element, params->emulate_speeds, params->speeds_after,
             params->scheduling.network);
    if (strcmp(key, speeds->key) == 0)
        return NUCE_OK;
    speeds->key[0] = '\0';
    free(speeds->relative);
    speeds->relative = nuce_allocate(world->size, sizeof *speeds->relative);
    if (look_up(speeds, params, &found, error) != NUCE_OK ||
        (!found && sweep_speeds_measure(speeds, params, side, error) != NUCE_OK))
        return error->status;
    memcpy(speeds->key, key, sizeof key);
    return NUCE_OK;
}
