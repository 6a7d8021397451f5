/* The groups of nodes that the ranks run on, as the machine's topology tells them. */
#ifndef NUCE_RANK_GROUPS_H
#define NUCE_RANK_GROUPS_H

#include "base/error.h"
#include "run/world.h"

/* *group_of[rank]: the number of the group that the rank's node is in, by the switch that it hangs
 * on: a new array on all ranks, freed by the caller. topology is the file; "": what the machine
 * says (nuce_machine_topology_path), and NULL where that says nothing. NUCE_BAD_INPUT: it cannot be
 * read, lacks a host, or has no groups. Collective over the world; the same status on all ranks. */
nuce_status nuce_rank_groups(struct nuce_world *world, const char *topology, int **group_of,
                             struct nuce_error *error);

#endif
