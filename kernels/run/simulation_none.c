#include <unistd.h>

#include "simulation.h"

const char *nuce_simulation_kind(void)
{
    return "measured";
}

int nuce_simulation_blocks(void)
{
    return 0;
}

void nuce_simulation_forget(struct nuce_run_info *info)
{
    (void)info;
}

void nuce_simulation_host(char *name, size_t size)
{
    (void)gethostname(name, size);
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
