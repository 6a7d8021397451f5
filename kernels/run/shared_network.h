/* The network that a point names, the same on all ranks. */
#ifndef NUCE_SHARED_NETWORK_H
#define NUCE_SHARED_NETWORK_H

#include "base/option.h"
#include "points/scheduling.h"
#include "run/world.h"
#include "schedules/network.h"

/* Rank 0 reads, draws or finds the network of scheduling, as nuce_scheduling_network does, and
 * sends it to all. Measured networks of world->hosts are looked up in world->networks. name: ""
 * for none. Freed with nuce_network_fini. Collective; all ranks return the same status. */
nuce_status nuce_shared_network(struct nuce_world *world, const struct nuce_scheduling *scheduling,
                                struct nuce_network *out, char name[NUCE_PATH_BYTES],
                                struct nuce_error *error);

#endif
