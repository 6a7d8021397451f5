/* Under a simulator nobody waits for ever: it ends a run in which no rank can go on. */
#include <string.h>

#include "watchdog.h"

nuce_status nuce_watchdog_start(struct nuce_watchdog *watchdog, struct nuce_error *error)
{
    (void)error;
    memset(watchdog, 0, sizeof *watchdog);
    return NUCE_OK;
}

void nuce_watchdog_stop(struct nuce_watchdog *watchdog)
{
    (void)watchdog;
}

void nuce_watchdog_look_at(struct nuce_watchdog *watchdog, const struct nuce_watch *own,
                           const struct nuce_watch *others, int count)
{
    (void)watchdog;
    (void)own;
    (void)others;
    (void)count;
}

void nuce_watchdog_arm(struct nuce_watchdog *watchdog, double allowed_s,
                       void (*expired)(void *context, const char *message), void *context)
{
    (void)watchdog;
    (void)allowed_s;
    (void)expired;
    (void)context;
}

void nuce_watchdog_disarm(struct nuce_watchdog *watchdog)
{
    (void)watchdog;
}
