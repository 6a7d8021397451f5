/* Which processors the ranks got. */
#ifndef NUCE_AFFINITY_H
#define NUCE_AFFINITY_H

#include <jansson.h>

#include "run/world.h"

/* At rank 0 a new object, NULL elsewhere and where ranks are simulated: {"binding":"whole node" |
 * "own" | "shared","fewest":N,"most":N}. fewest and most: processors that a rank may run on.
 * binding: every rank may use all of its node; no two ranks of a node the same; or some of them the
 * same. It says nothing of how many ranks there are, as an environment is to hold for all rank
 * counts. *masks: a list of the processors of each rank, "0-3,8", in the same way. hosts: names by
 * rank, at rank 0. Collective over the world. */
json_t *nuce_affinity_describe(struct nuce_world *world, const json_t *hosts, json_t **masks);

#endif
