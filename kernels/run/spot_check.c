/* A mark is a hash of everything that a rank received. If every step of a contender receives the
 * same, all marks equal the first. If steps differ, the sent data is hashed too, message by
 * message: summed over all ranks both are equal. The payload itself is checked before and after
 * the samples. Before a turn with a look the old data is spoilt, where steps send the same: else
 * a message that does not come would leave it right. A look detects a change of one bit, except
 * one in 2^64. */
#include "run/spot_check.h"

#include <math.h>

#include "base/clock.h"

/* The part of a turn that a look may take. */
#define LOOK_SHARE 0.2

/* Timed looks beforehand: the shortest time counts. */
#define LOOKS_TIMED 5

static uint64_t glance_mark(const struct nuce_workload_run *run, void *self)
{
    uint64_t mark = run->mark(self);

    return run->mark_sent != NULL ? mark - run->mark_sent(self) : mark;
}

void nuce_glance_begin(struct nuce_world *world, const struct nuce_workload_run *run, void *self,
                       int prepares, double turn_s, struct nuce_glance *look)
{
    uint64_t mark = 0;

    if (run->mark == NULL || (run->mark_sent != NULL && prepares))
        return;
    look->mark_s = INFINITY;
    for (int i = 0; i < LOOKS_TIMED; i++) {
        double begin = nuce_clock();

        mark += glance_mark(run, self);
        look->mark_s = fmin(look->mark_s, nuce_clock() - begin);
    }
    look->mark = run->mark_sent == NULL ? mark : 0; /* overwritten by the first look */
    nuce_world_maximum(world, &look->mark_s, 1);
    look->share = look->mark_s > LOOK_SHARE * turn_s ? LOOK_SHARE * turn_s / look->mark_s : 1;
}

int nuce_glance_is_due(struct nuce_glance *look, double drawn)
{
    if (look->share == 0)
        return 0;
    look->turns++;
    return drawn < look->share;
}

void nuce_glance_take(struct nuce_glance *look, const struct nuce_workload_run *run, void *self)
{
    uint64_t mark = glance_mark(run, self);

    if (run->mark_sent != NULL) {
        look->looks++;
        look->balance += mark;
        return;
    }
    if (look->looks++ == 0)
        look->mark = mark;
    look->wrong += mark != look->mark;
}

nuce_status nuce_glance_verify(struct nuce_world *world, const struct nuce_glance *look,
                               struct nuce_error *error)
{
    int64_t balance = (int64_t)look->balance;
    nuce_status mine = NUCE_OK;

    if (look->wrong > 0)
        mine = nuce_error_set(error, NUCE_CORRUPT,
                              "received bytes differ between turns: %lld of %lld checks found "
                              "other bytes than the first",
                              (long long)look->wrong, (long long)look->looks);
    nuce_world_sum(world, &balance, 1);
    if (balance != 0)
        mine = nuce_error_set(error, NUCE_CORRUPT,
                              "wrong bytes were received in %lld of the checked turns",
                              (long long)look->looks);
    return nuce_world_agree(world, mine, error);
}
