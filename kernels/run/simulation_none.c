/* Real processes: nothing is simulated. */
#include <unistd.h>

#include "run/simulation.h"

const char *nuce_simulation_kind(void)
{
    return "measured";
}

int nuce_simulation_times_computation(void)
{
    return 1;
}

int nuce_simulation_blocks(void)
{
    return 0;
}

void nuce_simulation_host(char *name, size_t size)
{
    gethostname(name, size);
}

int nuce_simulation_platform(char *path, size_t size)
{
    (void)path;
    (void)size;
    return 0;
}

const char *nuce_simulation_program(const char *started_as)
{
    (void)started_as;
    return "/proc/self/exe";
}
