/* From a sweep to its points, in the order in which they run. */
#ifndef NUCE_EXPAND_H
#define NUCE_EXPAND_H

#include <stdbool.h>

#include "base/hash.h"
#include "campaigns/sweep.h"
#include "campaigns/yaml_file.h"

/* A point in a plan. The programs get its line; planning and packing use the other members
 * often. */
struct nuce_planned {
    char id[NUCE_HASH_BYTES];
    int ranks;
    double limit_s;      /* of sampling, without set-up and warm-up */
    int is_computed;     /* only a model can compute it; no program runs it */
    json_t *line;        /* of the plan file (nuce_point_to_json), owned */
    json_t *canonical;   /* the params that count (struct nuce_point), owned */
    int is_reference;    /* the contender that the sweep names as reference */
    int64_t combination; /* its number in the sweep */
    uint64_t order[2];   /* sort key within its ranks: block, instance */
};

/* The points of a sweep in the order in which they run; points of one race are neighbours. count,
 * excluded and repeated add up to combinations. */
struct nuce_plan {
    struct nuce_planned *points;
    int64_t count, capacity;
    int64_t combinations; /* before exclusion */
    int64_t excluded;
    int64_t repeated; /* repetitions of a point, dropped */
};

/* Makes the points of sweep. The order is by rank count, ascending. Within it, points that share
 * every option with a costly set-up form a block; the blocks are in random order. In a block the
 * instances are in random order, which depends only on the sweep's seed. In an instance the
 * reference comes first, then its other contenders as the sweep lists them. The rounds of a race
 * have orders of their own.
 *
 * facts remembers the contents of files that points name; several sweeps may share it. Points that
 * cannot run are added to problems, and *out then stays unchanged. Freed with nuce_plan_fini. */
void nuce_sweep_expand(const struct nuce_sweep *sweep, struct nuce_facts *facts,
                       struct nuce_plan *out, struct nuce_problems *problems);

/* Drops the points whose flag is false; the others stay in their order. */
void nuce_plan_keep(struct nuce_plan *plan, const bool *is_kept);

/* Accepts an all zero struct. */
void nuce_plan_fini(struct nuce_plan *plan);

#endif
