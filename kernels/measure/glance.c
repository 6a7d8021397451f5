/* A mark is a hash of all that a rank received. As every step of a contender receives the same, all
 * marks are the first's; the payload itself is checked before and after the samples. A change of
 * one bit is seen where it is looked, but for one in 2^64. */
#include "measure/glance.h"

#include <math.h>

#include "support/clock.h"

/* The part of a turn that a look may take. */
#define LOOK_SHARE 0.2

void nuce_glance_after(struct nuce_glance *look, const struct nuce_workload_run *run, void *self,
                       double turn_s, struct nuce_rng *rng)
{
    uint64_t mark;
    double begin;

    if (run->mark == NULL)
        return;
    look->turns++;
    if (look->looks > 0 && nuce_rng_uniform(rng) * look->mark_s > LOOK_SHARE * turn_s)
        return;
    begin = nuce_clock();
    mark = run->mark(self);
    begin = nuce_clock() - begin;
    look->mark_s = look->looks == 0 ? begin : fmin(look->mark_s, begin);
    if (look->looks++ == 0)
        look->mark = mark;
    look->wrong += mark != look->mark;
}

void nuce_glance_add(struct nuce_glance *look, const struct nuce_glance *other)
{
    if (look->looks == 0)
        look->mark = other->mark;
    look->turns += other->turns;
    look->looks += other->looks;
    look->wrong += other->wrong + (other->looks > 0 && other->mark != look->mark);
}
