/* Real processes: nothing is simulated. */
#include "run/simulation.h"

int nuce_simulation_is_on(void)
{
    return 0;
}
