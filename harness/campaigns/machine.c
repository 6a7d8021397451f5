/* The machine that nuce runs on: what of it the harness may use. */
#include "campaigns/machine.h"

#include <sched.h>

int nuce_machine_processors(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 1)
        return 1;
    return CPU_COUNT(&set);
}
