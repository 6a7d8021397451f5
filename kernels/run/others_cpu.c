/* Others' processor time: the machine's, /proc/stat (proc(5)), less that of the ranks on it.
 *
 * A load average is of the last minute, and counts what ran before: our own build, the launch just
 * ended. Ranks are summed over those that see the same kernel, by its boot id, since nodes may be
 * containers on one machine. Limits: ticks of 10 ms, so that short heats tell little; the whole
 * machine counts, also processors that the ranks may not use. */
#include "run/others_cpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "run/control.h"
#include "run/simulation.h"

/* Seconds; shorter times are a few ticks, and nothing is said of them. */
#define LEAST_S 0.2

/* Processor seconds since the boot that were work: user, nice, system, irq, softirq and steal. Idle
 * and iowait are no work, guests are counted in user. NAN: the system does not tell. */
static double machine_busy(void)
{
    FILE *file = fopen("/proc/stat", "re");
    double user, nice, system, idle, iowait, irq, softirq, steal, busy = NAN;

    if (file != NULL && fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system,
                               &idle, &iowait, &irq, &softirq, &steal) == 8)
        busy = (user + nice + system + irq + softirq + steal) / (double)sysconf(_SC_CLK_TCK);
    if (file != NULL)
        fclose(file);
    return busy;
}

static double usage_seconds(const struct timeval *time)
{
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

void nuce_others_cpu_look(struct nuce_others_cpu *out)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_SELF, &usage);
    out->at_s = nuce_clock();
    out->busy_s = machine_busy();
    out->own_s = usage_seconds(&usage.ru_utime) + usage_seconds(&usage.ru_stime);
}

/* A number that kernels differ in: the first digits of the boot's id; 0: unknown. */
static double kernel_number(void)
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    unsigned number = 0;

    if (file != NULL && fscanf(file, "%8x", &number) != 1)
        number = 0;
    if (file != NULL)
        fclose(file);
    return number;
}

double nuce_others_cpu_since(struct nuce_world *world, const struct nuce_others_cpu *begin)
{
    struct nuce_others_cpu now;
    double mine[2], *all = NULL, others, own_s = 0;

    if (nuce_simulation_blocks())
        return NAN;
    nuce_others_cpu_look(&now);
    mine[0] = kernel_number();
    mine[1] = now.own_s - begin->own_s;
    all = nuce_allocate(2 * (int64_t)world->size, sizeof *all);
    nuce_control_allgather(world, mine, 2, MPI_DOUBLE, all, world->control);
    for (int rank = 0; rank < world->size; rank++)
        own_s += all[2 * rank] == mine[0] ? all[2 * rank + 1] : 0;
    free(all);
    others = (now.busy_s - begin->busy_s - own_s) / (now.at_s - begin->at_s);
    if (isnan(others) || now.at_s - begin->at_s < LEAST_S)
        others = -1;
    else
        others = fmax(others, 0); /* ticks end later than the ranks' own clocks */
    nuce_world_maximum(world, &others, 1);
    return others < 0 ? NAN : others;
}
