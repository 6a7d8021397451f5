/* Checks that the planned allocations of a node's ranks fit its memory. */
#ifndef NUCE_NODE_MEMORY_H
#define NUCE_NODE_MEMORY_H

#include <stdint.h>

#include "base/error.h"
#include "run/world.h"

/* Checks that the node has memory for bytes on this rank. NUCE_BAD_INPUT, with both numbers, if
 * the ranks of a node need more than is available. Available is Linux's MemAvailable; in a Slurm
 * job also the unused part of SLURM_MEM_PER_NODE. Sets world->lacks_memory to the result.
 * Collective over the world; the same status on all ranks. */
nuce_status nuce_node_memory_check(struct nuce_world *world, int64_t bytes,
                                   struct nuce_error *error);

/* The processor time that other processes take during a measurement. */
/* A machine is busy if others take more than this share of its processors. */
#define NUCE_OTHERS_CPU_BUSY 0.1

/* One rank's reading at one moment. */
struct nuce_others_cpu {
    double at_s; /* by nuce_clock */
    double
        busy_s; /* processor time of the machine that was not idle, all processors; NAN: unknown */
    double own_s; /* of this process */
};

/* Reads the clocks now. Local. */
void nuce_others_cpu_look(struct nuce_others_cpu *out);

/* Processors that other processes kept busy since begin, the mean over that time, on the machine
 * with most (0.5: half of one). A hypervisor's time counts as theirs. NAN if the system does not
 * report it, if less than 0.2 s went by, and on simulated machines. Collective over the world;
 * the same on all ranks. */
double nuce_others_cpu_since(struct nuce_world *world, const struct nuce_others_cpu *begin);

#endif
