/* Points of these workloads share nothing but the world, which is their session. */
#include "calibrate/calibrate.h"

nuce_status nuce_calibrate_open(struct nuce_world *world, void **session, struct nuce_error *error)
{
    (void)error;
    *session = world;
    return NUCE_OK;
}

void nuce_calibrate_close(void *session)
{
    (void)session;
}
