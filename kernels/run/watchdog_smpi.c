/* Under SMPI all ranks are one process, and the simulator detects a blocked rank. The remaining
 * case is a point that takes too long in real time: the process is ended. The harness, which
 * knows from the record what had begun, continues with the others. There is no thread: the
 * simulator's clock and calls are for its own threads only. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "run/watchdog.h"

static void watchdog_smpi_expire(int number)
{
    static const char message[] = "nuce: timeout: the point took longer to simulate than it may\n";

    (void)number;
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    _exit(nuce_error_exit_status(NUCE_FAILED));
}

nuce_status nuce_watchdog_start(struct nuce_watchdog *watchdog, struct nuce_error *error)
{
    (void)error;
    memset(watchdog, 0, sizeof *watchdog);
    return NUCE_OK;
}

void nuce_watchdog_stop(struct nuce_watchdog *watchdog)
{
    nuce_watchdog_disarm(watchdog);
}

void nuce_watchdog_look_at(struct nuce_watchdog *watchdog, const struct nuce_watch *own,
                           const struct nuce_watch *others, int count)
{
    (void)watchdog;
    (void)own;
    (void)others;
    (void)count;
}

/* Only the rank that records has an action on expiry, so it alone keeps the time. */
void nuce_watchdog_arm(struct nuce_watchdog *watchdog, double allowed_s,
                       void (*expired)(void *context, const char *message), void *context)
{
    struct sigaction action = {.sa_handler = watchdog_smpi_expire};

    (void)context;
    if (expired == NULL)
        return;
    watchdog->armed = 1;
    sigaction(SIGALRM, &action, NULL);
    alarm(allowed_s < 1 ? 1 : allowed_s > 1e6 ? 1000000 : (unsigned)allowed_s);
}

/* The simulator ends MPI_Finalize of all ranks. */
void nuce_watchdog_end(struct nuce_watchdog *watchdog, int rank, double allowed_s)
{
    (void)watchdog;
    (void)rank;
    (void)allowed_s;
}

void nuce_watchdog_disarm(struct nuce_watchdog *watchdog)
{
    if (watchdog->armed)
        alarm(0);
    watchdog->armed = 0;
}
