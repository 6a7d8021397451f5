/* Separate clocks: all ranks but the first two have one of their own (the fault "clocks"),
 * seconds apart and fast or slow by some ppm. Since they are on one machine, rank 0 has the true
 * clock, and the others' corrected clocks are compared with it. The allowed error follows from the
 * round trips, however long they took. */
#include "expect.h"

#include <time.h>

#include "run/clock_sync.h"

static double right_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The error of the common clock here. Another process may come between two readings: the nearest of
 * some. */
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

/* The error that the worst of the points of this clock's line may have, and a double of some 1e5 s.
 */
static double may_be_off(const struct nuce_clock_sync *sync)
{
    double most = 1e-9;

    for (int i = 0; i < sync->fit.count; i++)
        most = fmax(most, sync->fit.points[i].error_s);
    return most;
}

static void say(const struct nuce_clock_sync *sync, int is_right, const char *what)
{
    const struct nuce_clock_fit *fit = &sync->fit;

    if (!is_right)
        fprintf(stderr, "off by %.3g s, drift %.3g, known to %.3g s: ", clock_is_off(sync),
                fit->drift, fit->count == 0 ? 0 : nuce_clock_fit_last(fit)->error_s);
    expect(sync->world, is_right, what);
}

/* Ranks 0 and 1 share a clock, all others have one each. */
static void check_groups(const struct nuce_clock_sync *sync)
{
    int ranks = sync->world->size, rank = sync->world->rank;
    int number = rank == 0 || ranks < 3 ? 0 : rank - 1;

    say(sync, sync->count == (ranks > 2 ? ranks - 1 : 1), "number of clocks");
    say(sync, sync->number == (rank == 1 && ranks > 2 ? -1 : number), "whose clock");
    say(sync, (rank < 2) == (sync->fit.count == 0), "whose line");
}

/* The drift between two ranks' clocks that the fault "clocks" makes at most, s/s. */
#define DRIFT_MOST 200e-6

/* A line is as close as the points that it was fitted to, except for the drift since, which is
 * small while the line is valid. */
static void check_clock(const struct nuce_clock_sync *sync, double passed_s, const char *when)
{
    double held_s = right_clock() - passed_s;
    double over_s = sync->count > 1 ? fmax(held_s - sync->holds_s, 0) : 0;

    say(sync, clock_is_off(sync) <= 3 * may_be_off(sync) + DRIFT_MOST * over_s, when);
}

/* As long as the line is good for, and no longer where others leave it a processor. */
static void wait_while_it_holds(const struct nuce_clock_sync *sync)
{
    double holds_s = sync->count > 1 ? sync->holds_s : 0;
    struct timespec pause = {.tv_sec = (time_t)holds_s};

    pause.tv_nsec = (long)(1e9 * (holds_s - (double)pause.tv_sec));
    nanosleep(&pause, NULL);
}

/* Passes at their due times, as between rounds. */
static void check_second(struct nuce_clock_sync *sync, double begun_s)
{
    double passed_s = begun_s, until_s = begun_s + 1;
    int more = sync->count > 1;

    while (more) {
        double longest_s;

        wait_while_it_holds(sync);
        check_clock(sync, passed_s, "before a pass");
        passed_s = right_clock();
        nuce_clock_sync_pass(sync);
        check_clock(sync, passed_s, "after a pass");
        longest_s = right_clock();
        nuce_world_maximum(sync->world, &longest_s, 1);
        more = longest_s < until_s;
    }
}

static void check_inverse(const struct nuce_clock_sync *sync)
{
    double now = nuce_clock();

    say(sync, fabs(nuce_clock_sync_local(sync, nuce_clock_sync_common(sync, now)) - now) < 1e-8,
        "there and back");
}

static void check_quality(struct nuce_clock_sync *sync)
{
    struct nuce_clock_quality quality = nuce_clock_sync_quality(sync);
    int is_one = sync->count == 1;

    say(sync, is_one ? quality.error_s <= 0 : quality.error_s > 0, "error");
    say(sync,
        isfinite(quality.residual_s) && quality.residual_s >= 0 &&
            (!is_one || quality.residual_s <= 0),
        "residual");
}

int main(int argc, char **argv)
{
    struct nuce_world world;
    struct nuce_clock_sync sync;
    double begun_s;

    setenv("NUCE_FAULT", "clocks", 1);
    ranks_begin(&argc, &argv, &world);
    begun_s = right_clock();
    nuce_clock_sync_init(&world, &sync);
    check_groups(&sync);
    check_clock(&sync, begun_s, "at first");
    check_second(&sync, begun_s);
    check_inverse(&sync);
    check_quality(&sync);
    nuce_clock_sync_fini(&sync);
    return ranks_end(&world);
}
