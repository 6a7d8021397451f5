/* How to measure a point: the common options of all workloads.
 *
 * One table serves sweeps, command lines and help. Programs, which are one launch, hide an option
 * that only campaigns use (NUCE_OPTION_CAMPAIGN). Conditions between several options are checked
 * once all are set (nuce_measure_settle). None of the options is in a point's identity: a point
 * that is measured longer is the same point. */
#include <string.h>

#include "points/workload.h"

#define AT(member) offsetof(struct nuce_measure, member)

const struct nuce_option nuce_measure_options[] = {
    NUCE_OPTION(COUNT, "warmup", AT(warmup), "3", "STEPS",
                "steps before the first sample; 2 if they take longer than time-limit. For "
                "programs: launches, by default 1",
                .minimum = 0),
    NUCE_OPTION(COUNT, "min-samples", AT(min_samples), "10", "SAMPLES",
                "minimum samples per launch, unless time-limit ends it first", .minimum = 1),
    NUCE_OPTION(COUNT, "max-samples", AT(max_samples), "50", "SAMPLES",
                "maximum samples per launch", .minimum = 1),
    NUCE_OPTION(COUNT, "launches", AT(launches), "12", "STARTS",
                "separate starts of the processes per point, each with all its rounds",
                .flags = NUCE_OPTION_CAMPAIGN, .minimum = 1),
    NUCE_OPTION(FLAG, "job-per-launch", AT(job_per_launch), "false", NULL,
                "one Slurm job per launch of a race, so that intervals include differences "
                "between allocations; otherwise one job for all launches",
                .flags = NUCE_OPTION_CAMPAIGN),
    NUCE_OPTION(
        FLAG, "precise", AT(precise), "false", NULL,
        "effort that resolves a difference of 2 %: at least 30 launches, 60 samples (max-samples "
        "100) and time-limit 90s, target-ci at most 0.02"),
    NUCE_OPTION(
        REAL, "target-ci", AT(target_ci), "0.05", "FRACTION",
        "half-width of the 95 % interval that ends sampling, as a fraction of the median, in a "
        "race of each median ratio",
        .minimum = 0),
    NUCE_OPTION(DURATION, "time-limit", AT(time_limit), "15s", "TIME",
                "sampling time per point and launch; then sampling stops, even after one sample. "
                "Sweeps without it share 1500ms among their launches (12: 125ms each)",
                .minimum = 0),
    NUCE_OPTION(
        DURATION, "timeout", AT(timeout), "5min", "TIME",
        "time limit of a whole run with set-up, in a race per contender; then nuce records a "
        "timeout and aborts the job",
        .minimum = 0.1),
    NUCE_OPTION(
        DURATION, "start", AT(start), "20s", "TIME",
        "time limit of the launcher, on top of timeout, until a rank has started; then nuce ends "
        "it with all its processes",
        .flags = NUCE_OPTION_CAMPAIGN, .minimum = 0.1),
    NUCE_OPTION(CHOICE, "until", AT(until), "launches", "END",
                "end of a race of programs: all its launches, or known (as soon as each contender "
                "is faster, slower or within margin; launches are the most then)",
                .flags = NUCE_OPTION_CAMPAIGN,
                .words = (const char *const[]){"launches", NUCE_UNTIL_KNOWN, NULL}),
    NUCE_OPTION(REAL, "margin", AT(margin), "0.05", "FRACTION",
                "difference that does not matter, as a fraction of the time; a race until known "
                "ends when the interval lies within it",
                .flags = NUCE_OPTION_CAMPAIGN | NUCE_OPTION_POSITIVE),
    NUCE_OPTION(REAL, "at-least", AT(at_least), NULL, "FRACTION",
                "fraction of the reference's speed that a contender must reach; a race until "
                "known ends when it is shown that it does or does not",
                .flags = NUCE_OPTION_CAMPAIGN | NUCE_OPTION_POSITIVE),
    NUCE_OPTION(DURATION, "budget", AT(budget), "10min", "TIME",
                "longest sum of its commands' times, without the warm-up, that a race until known "
                "takes",
                .flags = NUCE_OPTION_CAMPAIGN | NUCE_OPTION_POSITIVE),
    NUCE_OPTION(
        CHOICE, "wait", AT(wait), "auto", "POLICY",
        "wait policy of the ranks: spin, yield, sleep (in 20 us intervals; in practice about 70 "
        "us) or auto (yield on oversubscribed nodes)",
        .words = (const char *const[]){"auto", "spin", "yield", "sleep", NULL}),
    NUCE_OPTION(CHOICE, "sync", AT(sync), "barrier", "HOW",
                "common start of a step: a barrier, or a window (a given time on synchronised "
                "clocks)",
                .words = (const char *const[]){"barrier", "window", NULL}),
    NUCE_OPTION(COUNT, "batch", AT(batch), "0", "STEPS",
                "consecutive steps timed together as one sample; 0: as many as a coarse clock "
                "needs, one if a step is long",
                .minimum = 0),
    NUCE_OPTION(
        LIST, "papi", AT(papi), NULL, "EVENTS",
        "PAPI events counted in each part of a step, comma list; each contender then runs by "
        "itself, without a race"),
    NUCE_OPTION(FLAG, "per-rank", AT(per_rank), "false", NULL,
                "time of every rank in every sample, in the record"),
    NUCE_OPTION(
        FLAG, "trace", AT(trace), "false", NULL,
        "start and end of every transfer of one more step after the samples; transfers inside "
        "library calls stay invisible"),
    NUCE_OPTION(COUNT, "trace-events", AT(trace_events), "100000", "EVENTS",
                "maximum number of trace events (starts and ends of transfers), shared evenly by "
                "the ranks",
                .minimum = 1),
    {.name = NULL},
};

/* The effort that shows a difference of 2 %: docs/evidence/statistics.md, "Planted differences".
 * Samples are per launch, CI is a fraction of the median, the limit is for the sampling of a
 * launch. */
#define PRECISE_LAUNCHES 30
#define PRECISE_SAMPLES 60
#define PRECISE_SAMPLES_MOST 100
#define PRECISE_CI 0.02
#define PRECISE_LIMIT_S 90.0

/* Limit for sampling a point in all its launches, in seconds, as in the help of `limit`. More
 * launches improve a ratio more than more rounds do: docs/evidence/statistics.md, "How many
 * launches". */
#define SHARED_LIMIT_S 1.5

void nuce_measure_share_limit(struct nuce_measure *measure)
{
    if (!measure->precise)
        measure->time_limit = SHARED_LIMIT_S / (double)measure->launches;
}

/* `precise` comes first, as it may raise values that are checked below. Larger values than it needs
 * stay. */
nuce_status nuce_measure_settle(struct nuce_measure *measure, struct nuce_error *error)
{
    const struct {
        const char *key;
        const int64_t *value;
        int64_t most;
    } limits[] = {
        {"max-samples", &measure->max_samples, 1000000},
        {"launches", &measure->launches, NUCE_MEASURE_LAUNCHES_MOST},
        {"batch", &measure->batch, 1000000},
        {"trace-events", &measure->trace_events, 10000000},
    };

    if (measure->precise) {
        if (measure->launches < PRECISE_LAUNCHES)
            measure->launches = PRECISE_LAUNCHES;
        if (measure->min_samples < PRECISE_SAMPLES)
            measure->min_samples = PRECISE_SAMPLES;
        if (measure->max_samples < PRECISE_SAMPLES_MOST)
            measure->max_samples = PRECISE_SAMPLES_MOST;
        if (measure->max_samples < measure->min_samples)
            measure->max_samples = measure->min_samples;
        measure->target_ci = measure->target_ci > PRECISE_CI ? PRECISE_CI : measure->target_ci;
        measure->time_limit =
            measure->time_limit < PRECISE_LIMIT_S ? PRECISE_LIMIT_S : measure->time_limit;
    }
    if (measure->target_ci >= 1)
        return nuce_error_refuse(error, "target-ci",
                                 "'%g' is %.0f %%: expected a fraction, 0.05 for 5 %%",
                                 measure->target_ci, 100 * measure->target_ci);
    if (measure->at_least > 0 && strcmp(measure->until, NUCE_UNTIL_KNOWN) != 0)
        return nuce_error_refuse(error, "at-least", "'%g': expected 'until: known' beside it",
                                 measure->at_least);
    if (measure->margin >= 1 || measure->at_least > 2)
        return nuce_error_refuse(error, measure->margin >= 1 ? "margin" : "at-least",
                                 "'%g': expected a fraction, such as 0.05 or 5%%",
                                 measure->margin >= 1 ? measure->margin : measure->at_least);
    if (measure->max_samples < measure->min_samples)
        return nuce_error_refuse(error, "max-samples", "%lld is less than min-samples, %lld",
                                 (long long)measure->max_samples, (long long)measure->min_samples);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (*limits[i].value > limits[i].most)
            return nuce_error_refuse(error, limits[i].key, "'%lld': expected at most %lld",
                                     (long long)*limits[i].value, (long long)limits[i].most);
    }
    return NUCE_OK;
}
