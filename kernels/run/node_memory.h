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

#endif
