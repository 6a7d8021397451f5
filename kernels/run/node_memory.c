/* Linux ends a process that asks for too much, and with it a job; so it is asked before. What is
 * available is asked once for all ranks of a node and compared with the sum of what they need.
 * Between asking and allocating others may take it: this is to catch sizes that never fit. */
#include "run/node_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/control.h"

/* Bytes that processes can get without swapping; INT64_MAX where the kernel does not say. */
static int64_t node_memory_available(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[256];
    long long kib = -1;

    while (file != NULL && kib < 0 && fgets(line, sizeof line, file) != NULL)
        sscanf(line, "MemAvailable: %lld kB", &kib);
    if (file != NULL)
        fclose(file);
    return kib < 0 ? INT64_MAX : (int64_t)kib * 1024;
}

/* Bytes that this process has in memory; 0 where the kernel does not say. */
static int64_t resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long long pages = 0;

    if (file == NULL || fscanf(file, "%*d %lld", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

/* What Slurm lets the job have on this node, in MiB: it ends one that takes more. INT64_MAX where
 * it does not say; 0 is its word for all of the node's. A job that was given memory by processor
 * (SLURM_MEM_PER_CPU) has no such limit here. */
static int64_t memory_of_job(void)
{
    const char *text = getenv("SLURM_MEM_PER_NODE");
    long long mib = text != NULL ? strtoll(text, NULL, 10) : 0;

    return mib > 0 && mib < INT64_MAX >> 20 ? (int64_t)mib << 20 : INT64_MAX;
}

nuce_status nuce_node_memory_check(struct nuce_world *world, int64_t bytes,
                                   struct nuce_error *error)
{
    int64_t sums[2] = {bytes, resident()}, free_bytes = node_memory_available();
    int64_t limit = memory_of_job(), left;
    nuce_status status;

    nuce_control_allreduce(world, sums, 2, MPI_INT64_T, MPI_SUM, world->node);
    left = limit < INT64_MAX ? (limit > sums[1] ? limit - sums[1] : 0) : INT64_MAX;
    free_bytes = left < free_bytes ? left : free_bytes;
    if (sums[0] > free_bytes)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "the %d ranks of this node need %lld bytes for the arrays and "
                       "buffers, and it has %lld available: expected fewer elements, or "
                       "more nodes",
                       world->node_size, (long long)sums[0], (long long)free_bytes);
    status = nuce_world_agree(world, sums[0] > free_bytes ? NUCE_BAD_INPUT : NUCE_OK, error);
    world->lacks_memory = status != NUCE_OK;
    return status;
}
