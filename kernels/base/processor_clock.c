/* The processor time of this thread: the cost of computing a schedule, without other processes'
 * time. */
#include <time.h>

#include "base/clock.h"

double nuce_processor_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
