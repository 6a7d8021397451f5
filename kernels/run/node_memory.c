/* Linux ends a process that uses too much memory, and with it the job, so the memory is checked
 * before. The available memory is read once for all ranks of a node and compared with the sum of
 * their needs. Other processes may take it between check and allocation: the check catches sizes
 * that never fit. */
#include "run/node_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "points/machine.h"
#include "run/control.h"
#include "run/simulation.h"
#include "run/world.h"

/* Bytes that processes can get without swapping; INT64_MAX if the kernel does not report them. */
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

/* Bytes that this process has in memory; 0 if the kernel does not report them. */
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

nuce_status nuce_node_memory_check(struct nuce_world *world, int64_t bytes,
                                   struct nuce_error *error)
{
    int64_t sums[2] = {bytes, resident()}, free_bytes = node_memory_available();
    /* Slurm's limit of the job on this node: it ends a job that takes more. 0 means all of the
     * node's memory. A job with memory by processor (SLURM_MEM_PER_CPU) has no such limit here. */
    const char *text = getenv("SLURM_MEM_PER_NODE");
    long long mib = text != NULL ? strtoll(text, NULL, 10) : 0;
    int64_t limit = mib > 0 && mib < INT64_MAX >> 20 ? (int64_t)mib << 20 : INT64_MAX, left;
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

/* Processor time of other processes: the machine's, /proc/stat (proc(5)), minus that of the
 * ranks on it.
 *
 * A load average covers the last minute, and includes earlier work such as our own build or the
 * previous launch. Ranks are summed over those under one kernel, by its boot id, because nodes
 * may be containers on one machine. Limits: ticks of 10 ms, so short races give little
 * information. The whole machine counts, including processors that the ranks may not use. */

static double usage_seconds(const struct timeval *time)
{
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

void nuce_others_cpu_look(struct nuce_others_cpu *out)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_SELF, &usage);
    out->at_s = nuce_clock();
    out->busy_s = nuce_machine_busy_s();
    out->own_s = usage_seconds(&usage.ru_utime) + usage_seconds(&usage.ru_stime);
}

double nuce_others_cpu_since(struct nuce_world *world, const struct nuce_others_cpu *begin)
{
    struct nuce_others_cpu now;
    double mine[2], *all = NULL, others, own_s = 0;
    int machine[2];

    if (nuce_simulation_is_on())
        return NAN;
    nuce_others_cpu_look(&now);
    nuce_wait_machine(machine);
    mine[0] = machine[0];
    mine[1] = now.own_s - begin->own_s;
    all = nuce_allocate(2 * (int64_t)world->size, sizeof *all);
    nuce_control_allgather(world, mine, 2, MPI_DOUBLE, all, world->control);
    for (int rank = 0; rank < world->size; rank++)
        own_s += all[2 * rank] == mine[0] ? all[2 * rank + 1] : 0;
    free(all);
    others = (now.busy_s - begin->busy_s - own_s) / (now.at_s - begin->at_s);
    if (isnan(others) || now.at_s - begin->at_s < NUCE_MACHINE_LEAST_S)
        others = -1;
    else
        others = fmax(others, 0); /* ticks end later than the ranks' own clocks */
    nuce_world_maximum(world, &others, 1);
    return others < 0 ? NAN : others;
}
