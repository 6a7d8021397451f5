/* Measures the interposer's own cost: every WATCH_EVERY-th call is timed. It uses the monotonic
 * clock, because reading a thread's processor time takes longer than the timed code. */
#include <time.h>

#include "capture/tap_state.h"

/* Reading the clock four times takes about as long as noting a call, so this interval adds 1 %.
 * It is a prime, so that all calls of a round are timed in turn. */
#define WATCH_EVERY 101

/* A longer time (ns) was an interruption: another process had the processor. */
#define WATCH_LONGEST 50000

/* Readings of the clock; the fastest gives the time of one reading. */
#define WATCH_READINGS 64

/* Processor time of the process, ns. */
static int64_t processor_time(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void nuce_tap_watch_open(void)
{
    struct nuce_tap_state *state = nuce_tap_the_state();

    state->reading_ns = INT64_MAX;
    for (int i = 0; i < WATCH_READINGS; i++) {
        int64_t before = nuce_tap_now(), taken = nuce_tap_now() - before;

        state->reading_ns = taken < state->reading_ns ? taken : state->reading_ns;
    }
    state->begin_ns = processor_time();
}

void nuce_tap_watch_begin(struct nuce_tap_watch *watch)
{
    int64_t number = __atomic_fetch_add(&nuce_tap_the_state()->calls, 1, __ATOMIC_RELAXED);

    watch->is_on = number % WATCH_EVERY == WATCH_EVERY / 2; /* not the first call, which warms up */
    watch->own_ns = 0;
    if (watch->is_on)
        watch->since_ns = nuce_tap_now();
}

void nuce_tap_watch_pause(struct nuce_tap_watch *watch)
{
    if (watch->is_on)
        watch->own_ns += nuce_tap_now() - watch->since_ns - nuce_tap_the_state()->reading_ns;
}

void nuce_tap_watch_resume(struct nuce_tap_watch *watch)
{
    if (watch->is_on)
        watch->since_ns = nuce_tap_now();
}

void nuce_tap_watch_end(struct nuce_tap_watch *watch)
{
    if (!watch->is_on)
        return;
    nuce_tap_watch_pause(watch);
    if (watch->own_ns > WATCH_LONGEST)
        return;
    __atomic_fetch_add(&nuce_tap_the_state()->watched, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&nuce_tap_the_state()->watched_ns, watch->own_ns > 0 ? watch->own_ns : 0,
                       __ATOMIC_RELAXED);
}

void nuce_tap_watch_close(int64_t *counters)
{
    const struct nuce_tap_state *state = nuce_tap_the_state();

    counters[NUCE_RAW_CALLS] = __atomic_load_n(&state->calls, __ATOMIC_RELAXED);
    counters[NUCE_RAW_WATCHED] = __atomic_load_n(&state->watched, __ATOMIC_RELAXED);
    counters[NUCE_RAW_WATCHED_NS] = __atomic_load_n(&state->watched_ns, __ATOMIC_RELAXED);
    counters[NUCE_RAW_CPU_NS] = processor_time() - state->begin_ns;
}
