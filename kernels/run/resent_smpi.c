/* A simulated network loses nothing, and the kernel's counters are those of this machine. */
#include "run/resent.h"

int64_t nuce_resent_segments(const char *path)
{
    (void)path;
    return -1;
}
