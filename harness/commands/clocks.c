/* Clocks: how fine, how fast to read, how steady. Everything that nuce measures is a difference of
 * two readings of CLOCK_MONOTONIC (base/clock.h), so a clock that is coarse, slow or goes back
 * spoils all of it; and clocks of two nodes that part faster than they can be set spoil what is
 * timed across nodes. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/units.h"
#include "commands/doctor_check.h"

/* Seconds over which the drift is looked at. */
#define DRIFT_S 0.2
/* A clock that is wrong by more is not of quartz. Quartz is off by 1e-5 to 1e-4; ntp pulls by 5e-4
 * at most. */
#define MOST_DRIFT 2e-3

static double seconds_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The least that reading it twice takes; *backwards: it was seen to go back. */
static double smallest_step(int *backwards)
{
    double smallest = 1, last = seconds_of(CLOCK_MONOTONIC);

    *backwards = 0;
    for (int i = 0; i < 10000; i++) {
        double now = seconds_of(CLOCK_MONOTONIC), step = now - last;

        *backwards |= step < 0;
        smallest = step > 0 && step < smallest ? step : smallest;
        last = now;
    }
    return smallest;
}

/* CLOCK_MONOTONIC is what everything is timed by. One that takes a microsecond to read cannot time
 * short messages. */
static void look_clock(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    static const char source_path[] =
        "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    struct timespec resolution;
    char buffer[NUCE_UNITS_BYTES], source[64];
    int backwards;
    double smallest = smallest_step(&backwards);

    (void)local;
    clock_getres(CLOCK_MONOTONIC, &resolution);
    if (!nuce_doctor_read_line(source_path, source, sizeof source))
        snprintf(source, sizeof source, "unknown");
    if (backwards)
        nuce_doctor_finding_set(finding, "wrong", "source %s: it goes backwards", source);
    else
        nuce_doctor_finding_set(finding, smallest < 1e-6 ? "ok" : "wrong",
                                "source %s, resolution %ld ns, reading it twice takes %s", source,
                                resolution.tv_nsec, nuce_units_format_seconds(smallest, buffer));
}

/* How far the clock is ahead of the hardware's. Of many looks that with the least time between the
 * readings counts: in others somebody else ran meanwhile. */
static double doctor_clock_offset(void)
{
    double best = 1, ahead = 0;

    for (int i = 0; i < 200; i++) {
        double before = seconds_of(CLOCK_MONOTONIC), raw = seconds_of(CLOCK_MONOTONIC_RAW);
        double after = seconds_of(CLOCK_MONOTONIC);

        if (after - before < best) {
            best = after - before;
            ahead = before + best / 2 - raw;
        }
    }
    return ahead;
}

/* The clock that times are taken by is set right all the time, the raw one never: how far one runs
 * from the other is how far the processor's clock is off, and how the clocks of two nodes part. */
static void look_drift(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    struct timespec pause = {.tv_nsec = (long)(DRIFT_S * 1e9)};
    double begun = seconds_of(CLOCK_MONOTONIC), first = doctor_clock_offset(), drift;

    (void)local;
    nanosleep(&pause, NULL);
    drift = (doctor_clock_offset() - first) / (seconds_of(CLOCK_MONOTONIC) - begun);
    nuce_doctor_finding_set(finding, fabs(drift) <= MOST_DRIFT ? "ok" : "wrong",
                            "%.1f us a second between the clock and the hardware's", 1e6 * drift);
}

const struct nuce_doctor_check nuce_doctor_clocks[] = {
    {"clock", 1, "measure elsewhere, or choose the tsc clock source", look_clock},
    {"drift", 0, "see to the machine's time service (chrony, ntp): it is pulling hard", look_drift},
    {0},
};
