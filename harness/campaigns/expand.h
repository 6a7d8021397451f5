/* From a sweep to its points, in the order in which they are to be run. */
#ifndef NUCE_EXPAND_H
#define NUCE_EXPAND_H

#include "base/hash.h"
#include "campaigns/sweep.h"
#include "campaigns/yaml_file.h"
#include "points/facts.h"

/* A point as a plan keeps it: its line is what the programs are given, the rest is what planning
 * and packing ask for again and again. */
struct nuce_planned {
    char id[NUCE_HASH_BYTES];
    int ranks;
    double limit_s;      /* of sampling; set-up and warm-up are not in it */
    int is_computed;     /* a model alone can say something of it: no program runs it */
    json_t *line;        /* of the plan file (nuce_point_to_json), owned */
    json_t *canonical;   /* the params that count (struct nuce_point), owned */
    int is_reference;    /* the contender that the sweep's reference names */
    int64_t combination; /* its number in the sweep */
    uint64_t order[2];   /* sort key within its ranks: block, instance */
};

/* The points of a sweep in the order in which they are to be run; points of one heat are
 * neighbours. count, excluded and repeated add up to combinations. */
struct nuce_plan {
    struct nuce_planned *points;
    int64_t count, capacity;
    int64_t combinations; /* before exclusion */
    int64_t excluded;
    int64_t repeated; /* the same point again, dropped */
};

/* Makes the points of sweep. By rank count, ascending; within that in blocks of points that share
 * every option with a costly set-up, the blocks in random order; in a block the instances in random
 * order, which depends on the sweep's seed and on nothing else; in an instance its contenders as
 * the sweep lists them, but its reference before the others: the first is the reference of their
 * heat, whose rounds have orders of their own.
 *
 * facts remembers what files say that points name; it may be used for several sweeps. Points that
 * cannot be run are added to problems; then *out stays as it was. Freed with nuce_plan_fini. */
void nuce_sweep_expand(const struct nuce_sweep *sweep, struct nuce_facts *facts,
                       struct nuce_plan *out, struct nuce_problems *problems);

/* Accepts an all zero one. */
void nuce_plan_fini(struct nuce_plan *plan);

#endif
