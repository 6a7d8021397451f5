/* Clocks that are not one: all ranks but the first two have one of their own (the fault "clocks"),
 * seconds apart and fast or slow by some ppm. Since they are on one machine there is a clock beside
 * them that is right, and rank 0 has it: what the others make of theirs is held against it. How far
 * it may be off follows from the round trips, however long the machine let them take. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure/clock_sync.h"
#include "world/check.h"

static double right_clock(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What the common clock is off by here. Another process may come between two readings: the nearest
 * of some. */
static double clock_is_off(const struct nuce_clock_sync *sync)
{
    double least = INFINITY;

    for (int i = 0; i < 100; i++) {
        double before = right_clock();
        double common = nuce_clock_sync_common(sync, nuce_clock()), after = right_clock();

        if (common >= before && common <= after)
            return 0;
        least = fmin(least, common < before ? before - common : common - after);
    }
    return least;
}

/* What the worst of the points of this clock's line may be off by, and a double of some 1e5 s. */
static double may_be_off(const struct nuce_clock_sync *sync)
{
    double most = 1e-9;

    for (int i = 0; i < sync->fit.count; i++)
        most = fmax(most, sync->fit.points[i].error_s);
    return most;
}

static int expect(const struct nuce_clock_sync *sync, int is_right, const char *what)
{
    const struct nuce_clock_fit *fit = &sync->fit;

    if (!is_right)
        (void)fprintf(stderr, "rank %d of %d: %s: off by %.3g s, drift %.3g, known to %.3g s\n",
                      sync->world->rank, sync->world->size, what, clock_is_off(sync), fit->drift,
                      fit->count == 0 ? 0 : nuce_clock_fit_last(fit)->error_s);
    return !is_right;
}

/* Ranks 0 and 1 share a clock, all others have one each. */
static int check_groups(const struct nuce_clock_sync *sync)
{
    int ranks = sync->world->size, sharing = ranks;

    if (sync->sharing != MPI_COMM_NULL)
        NUCE_MPI(MPI_Comm_size(sync->sharing, &sharing));
    return expect(sync, sync->count == (ranks > 2 ? ranks - 1 : 1), "number of clocks") +
           expect(sync, sharing == (sync->world->rank < 2 && ranks > 1 ? 2 : 1), "ranks sharing") +
           expect(sync, (sync->world->rank < 2) == (sync->fit.count == 0), "whose line");
}

/* A line is no further off than what it was drawn through but for what it has drifted since, which
 * is no more than what the first seconds leave unknown of it. */
static int check_clock(const struct nuce_clock_sync *sync, const char *when)
{
    return expect(sync, clock_is_off(sync) <= 3 * may_be_off(sync), when);
}

static int check_inverse(const struct nuce_clock_sync *sync)
{
    double now = nuce_clock();

    return expect(sync,
                  fabs(nuce_clock_sync_local(sync, nuce_clock_sync_common(sync, now)) - now) < 1e-8,
                  "there and back");
}

static int check_quality(struct nuce_clock_sync *sync)
{
    struct nuce_clock_quality quality = nuce_clock_sync_quality(sync);
    int is_one = sync->count == 1;

    return expect(sync, is_one ? quality.error_s <= 0 : quality.error_s > 0, "error") +
           expect(sync,
                  isfinite(quality.residual_s) && quality.residual_s >= 0 &&
                      (!is_one || quality.residual_s <= 0),
                  "residual");
}

int main(int argc, char **argv)
{
    struct nuce_world world;
    struct nuce_clock_sync sync;
    int64_t wrong;

    (void)setenv("NUCE_FAULT", "clocks", 1);
    NUCE_MPI(MPI_Init(&argc, &argv));
    nuce_world_init(&world);
    nuce_clock_sync_init(&world, &sync);
    wrong = check_groups(&sync) + check_clock(&sync, "after the first passes");
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    wrong += check_clock(&sync, "a little later");
    nuce_clock_sync_pass(&sync);
    wrong += check_clock(&sync, "after one more pass") + check_inverse(&sync);
    wrong += check_quality(&sync);
    nuce_world_sum(&world, &wrong, 1);
    nuce_clock_sync_fini(&sync);
    nuce_world_fini(&world);
    NUCE_MPI(MPI_Finalize());
    return wrong == 0 ? 0 : 1;
}
