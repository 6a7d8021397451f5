/* Linux ends a process that asks for too much, and with it a job; so it is asked before. */
#include "world/node_memory.h"

#include <stdio.h>

#include "world/control.h"

/* Bytes that processes can get without swapping; INT64_MAX where the kernel does not say. */
static int64_t node_memory_available(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[256];
    long long kib = -1;

    while (file != NULL && kib < 0 && fgets(line, sizeof line, file) != NULL)
        (void)sscanf(line, "MemAvailable: %lld kB", &kib);
    if (file != NULL)
        (void)fclose(file);
    return kib < 0 ? INT64_MAX : (int64_t)kib * 1024;
}

nuce_status nuce_node_memory_check(struct nuce_world *world, int64_t bytes,
                                   struct nuce_error *error)
{
    int64_t needed = bytes, free_bytes;

    nuce_control_allreduce(world, &needed, 1, MPI_INT64_T, MPI_SUM, world->node);
    free_bytes = node_memory_available();
    if (needed > free_bytes)
        (void)nuce_error_set(error, NUCE_BAD_INPUT,
                             "the %d ranks of this node need %lld bytes for the arrays and "
                             "buffers, and it has %lld available: expected fewer elements, or "
                             "more nodes",
                             world->node_size, (long long)needed, (long long)free_bytes);
    return nuce_world_agree(world, needed > free_bytes ? NUCE_BAD_INPUT : NUCE_OK, error);
}
