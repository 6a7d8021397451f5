/* Under SMPI all ranks are threads of one simulator, each in its own copy of the program, and
 * time is the simulator's. Source: SimGrid 3.32's SMPI manual, "Limitations". */
#include "run/simulation.h"

int nuce_simulation_is_on(void)
{
    return 1;
}
