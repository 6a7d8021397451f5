/* Whether what the ranks of a node are about to allocate fits its memory. */
#ifndef NUCE_NODE_MEMORY_H
#define NUCE_NODE_MEMORY_H

#include <stdint.h>

#include "base/error.h"
#include "run/world.h"

/* bytes is what this rank is about to allocate. NUCE_BAD_INPUT where the ranks of a node need more
 * than it has available (Linux: MemAvailable; in a Slurm job also what SLURM_MEM_PER_NODE leaves of
 * what the job was given), with both numbers. world->lacks_memory says whether it was so.
 * Collective over the world; the same status on all ranks. */
nuce_status nuce_node_memory_check(struct nuce_world *world, int64_t bytes,
                                   struct nuce_error *error);

/* How much processor time of the machine others take while we measure. */
/* A machine is busy where others take more than this share of its processors. */
#define NUCE_OTHERS_CPU_BUSY 0.1

/* One rank's view at one moment. */
struct nuce_others_cpu {
    double at_s; /* by nuce_clock */
    double
        busy_s; /* processor time of the machine that was not idle, all processors; NAN: unknown */
    double own_s; /* of this process */
};

/* Looks at the clocks now. Local. */
void nuce_others_cpu_look(struct nuce_others_cpu *out);

/* Processors that processes other than the ranks kept busy since begin, the mean over that time, of
 * the machine with most (0.5: half of one); what a hypervisor took counts as theirs. NAN where the
 * system does not tell, where less than 0.2 s went by, and on simulated machines. Collective over
 * the world; the same on all ranks. */
double nuce_others_cpu_since(struct nuce_world *world, const struct nuce_others_cpu *begin);

#endif
