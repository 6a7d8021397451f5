/* When a run's time is up, the watchdog describes the activity of each rank of a node, and names
 * the rank that is furthest behind: it delays the others.
 *
 * The thread sleeps in sigtimedwait, for a signal or until the deadline, so it takes no
 * processor time from the measurement. Ranks write their activities into memory that the node
 * shares (struct nuce_watch of run/wait.h), a few stores an activity. No rank is asked once time
 * is up, because a hanging rank does not answer. Source: POSIX.1-2017, sigtimedwait,
 * pthread_sigmask. */
#include "run/watchdog.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

/* Head start of rank 0's message over other ranks', seconds. */
#define GRACE_S 3

/* The largest deadline, seconds: 31 years, which the clock can still count. */
#define LONGEST_S 1e9

/* Slurm sends USR1 ahead of a job's end (harness/campaigns/script.c), and the launcher sends it
 * to interrupt a job; USR2 is ours. */
static const int watched[] = {SIGTERM, SIGINT, SIGUSR1, SIGUSR2};

/* The signals as a set, which must be blocked in all threads: sigtimedwait only takes blocked
 * signals. */
static sigset_t watched_set(void)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        sigaddset(&set, watched[i]);
    return set;
}

/* "rank 3 was in the exchange, phase 2, and waited for rank 5". */
static void describe_rank(const struct nuce_watch *watch, char *text, size_t size)
{
    static const char *const what[] = {"its set-up", "a collective operation of nuce",
                                       "the barrier, round", "the exchange, phase", "computing"};
    int activity = atomic_load(&watch->activity);
    int peer = atomic_load(&watch->peer);
    int detail = atomic_load(&watch->detail);
    char partner[64] = "", number[32] = "";

    if (peer >= 0)
        snprintf(partner, sizeof partner, ", and waited for rank %d", peer);
    if (activity == NUCE_ACTIVITY_BARRIER || activity == NUCE_ACTIVITY_EXCHANGE)
        snprintf(number, sizeof number, detail >= 0 ? " %d" : " unknown", detail);
    snprintf(text, size, "rank %d was in %s%s%s", watch->rank, what[activity], number, partner);
}

/* The rank of this node that has begun the fewest activities: it delays the others. The
 * comparison uses the difference, which is right even if the counters have wrapped around. */
static const struct nuce_watch *furthest_behind(const struct nuce_watchdog *watchdog)
{
    const struct nuce_watch *last = watchdog->own;

    for (int i = 0; i < watchdog->count; i++) {
        const struct nuce_watch *other = &watchdog->others[i];

        if ((int)(atomic_load(&other->steps) - atomic_load(&last->steps)) < 0)
            last = other;
    }
    return last;
}

/* Called with the mutex held. Before nuce_watchdog_look_at and behind nuce_watchdog_end the only
 * known fact is that the ranks did not start, or end, together. Uses _exit: handlers and
 * MPI_Finalize could hang too. The launcher ends the other ranks. */
static void watchdog_expire(struct nuce_watchdog *watchdog)
{
    const struct nuce_watch *last;
    char message[512], own[192], other[192] = "";

    if (watchdog->own == NULL) {
        snprintf(message, sizeof message, "timeout: after %g s the ranks had not %s",
                 watchdog->allowed_s, watchdog->is_ending ? "left MPI_Finalize" : "started");
    } else {
        last = furthest_behind(watchdog);
        describe_rank(watchdog->own, own, sizeof own);
        if (last != watchdog->own)
            describe_rank(last, other, sizeof other);
        snprintf(message, sizeof message, "timeout: after %g s %s%s%s", watchdog->allowed_s, own,
                 last != watchdog->own ? "; furthest behind, " : "", other);
    }
    fprintf(stderr, "nuce: %s\n", message);
    if (watchdog->expired != NULL)
        watchdog->expired(watchdog->context, message);
    _exit(nuce_error_exit_status(NUCE_FAILED));
}

/* Waits repeatedly until the program ends. Without a deadline each wait is an hour, with no
 * effect. */
static void *watch_all(void *argument)
{
    struct nuce_watchdog *watchdog = argument;
    sigset_t set = watched_set();

    for (;;) {
        struct timespec left = {.tv_sec = 3600};
        int number, over;

        pthread_mutex_lock(&watchdog->mutex);
        if (watchdog->armed) {
            double left_s = watchdog->deadline_s - nuce_clock();

            if (left_s < 0)
                watchdog_expire(watchdog);
            left.tv_sec = (time_t)left_s;
            left.tv_nsec = (long)(1e9 * (left_s - (double)left.tv_sec));
        }
        over = watchdog->over;
        pthread_mutex_unlock(&watchdog->mutex);
        if (over)
            return NULL;
        number = sigtimedwait(&set, NULL, &left); /* USR2: read the state again */
        if (number == SIGTERM || number == SIGINT || number == SIGUSR1)
            atomic_store(&watchdog->interrupted, 1);
    }
}

/* On failure the signals stay blocked; the program ends in any case. */
nuce_status nuce_watchdog_start(struct nuce_watchdog *watchdog, struct nuce_error *error)
{
    sigset_t set = watched_set();
    int code;

    memset(watchdog, 0, sizeof *watchdog);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_mutex_init(&watchdog->mutex, NULL);
    code = pthread_create(&watchdog->thread, NULL, watch_all, watchdog);
    if (code != 0)
        return nuce_error_set(error, NUCE_FAILED, "cannot start the watchdog: %s", strerror(code));
    return NUCE_OK;
}

/* Makes the thread read the changed state. */
static void watchdog_nudge(struct nuce_watchdog *watchdog)
{
    pthread_kill(watchdog->thread, SIGUSR2);
}

void nuce_watchdog_look_at(struct nuce_watchdog *watchdog, const struct nuce_watch *own,
                           const struct nuce_watch *others, int count)
{
    watchdog->own = own;
    watchdog->others = others;
    watchdog->count = count;
}

/* Returns when the thread has ended: it uses *watchdog no more. */
void nuce_watchdog_stop(struct nuce_watchdog *watchdog)
{
    pthread_mutex_lock(&watchdog->mutex);
    watchdog->over = 1;
    pthread_mutex_unlock(&watchdog->mutex);
    watchdog_nudge(watchdog);
    pthread_join(watchdog->thread, NULL);
    pthread_mutex_destroy(&watchdog->mutex);
}

/* If it is already armed, the new deadline replaces the old one. */
void nuce_watchdog_arm(struct nuce_watchdog *watchdog, double allowed_s,
                       void (*expired)(void *context, const char *message), void *context)
{
    double grace_s = watchdog->own == NULL || watchdog->own->rank == 0 ? 0 : GRACE_S;

    pthread_mutex_lock(&watchdog->mutex);
    watchdog->deadline_s = nuce_clock() + fmin(allowed_s, LONGEST_S) + grace_s;
    watchdog->allowed_s = allowed_s;
    watchdog->expired = expired;
    watchdog->context = context;
    watchdog->armed = 1;
    pthread_mutex_unlock(&watchdog->mutex);
    watchdog_nudge(watchdog);
}

void nuce_watchdog_end(struct nuce_watchdog *watchdog, int rank, double allowed_s)
{
    pthread_mutex_lock(&watchdog->mutex);
    watchdog->own = NULL;
    watchdog->is_ending = 1;
    pthread_mutex_unlock(&watchdog->mutex);
    nuce_watchdog_arm(watchdog, allowed_s + (rank == 0 ? 0 : GRACE_S), NULL, NULL);
}

/* Waits for the mutex: an expiry finishes writing its record, and then this does not return. */
void nuce_watchdog_disarm(struct nuce_watchdog *watchdog)
{
    pthread_mutex_lock(&watchdog->mutex);
    watchdog->armed = 0;
    watchdog->expired = NULL;
    pthread_mutex_unlock(&watchdog->mutex);
}
