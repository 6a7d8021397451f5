/* What is said of a comparison beside its table: what is not in it, what to doubt, the verdict. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "comparison/compare_print.h"
#include "results/message.h"
#include "support/allocate.h"
#include "support/statistics.h"

/* Prints a line formatted as by printf as nuce_message_print does. */
static void say_wrapped(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say_wrapped(const char *format, ...)
{
    char text[NUCE_MESSAGE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    nuce_message_print(text);
}

static const char *say_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* Lone points beyond it are counted: a terminal has so many lines. */
#define MOST_NAMED 20

/* Points of one side alone: what is not compared must not pass for the same. */
static void say_lone(const struct nuce_contrast *contrast, int side)
{
    int64_t count = 0, named = 0;

    for (int64_t i = 0; i < contrast->lone_count; i++)
        count += contrast->lone[i].side == side;
    if (count == 0)
        return;
    say_wrapped("%lld point%s only %s has:", (long long)count, say_plural(count),
                contrast->sides[side]->label);
    for (int64_t i = 0; i < contrast->lone_count && named < MOST_NAMED; i++) {
        if (contrast->lone[i].side != side)
            continue;
        say_wrapped("  %s", contrast->lone[i].name);
        named++;
    }
    if (count > named)
        say_wrapped("  and %lld more", (long long)(count - named));
}

void nuce_compare_say_left_out(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_choice *choice)
{
    for (int side = 0; side < 2; side++) {
        say_lone(contrast, side);
        if (contrast->not_ok[side] > 0)
            say_wrapped("%lld run%s of %s left out: not ok (see 'nuce show runs')",
                        (long long)contrast->not_ok[side], say_plural(contrast->not_ok[side]),
                        contrast->sides[side]->label);
    }
    if (contrast->other_kind > 0)
        say_wrapped("%lld run%s left out: not %s (see --kind)", (long long)contrast->other_kind,
                    say_plural(contrast->other_kind), choice->kind);
    if (contrast->untimed > 0)
        say_wrapped("%lld point%s left out: some time of %s is unknown or 0",
                    (long long)contrast->untimed, say_plural(contrast->untimed),
                    choice->part == NULL ? contrast->untimed == 1 ? "its" : "theirs"
                                         : choice->part);
}

struct counts {
    int64_t of[NUCE_VERDICT_BLIND + 1];
    int64_t by_samples;                      /* compared by them */
    int64_t busy, despite;                   /* distrusted for a busy machine; not, all the same */
    const struct nuce_contrast_point *worst; /* the largest of the regressions */
    double *detectable;                      /* of those that are not blind, ascending */
    int64_t able;
    int64_t fewest; /* runs a side, of those that are blind or compared by samples */
};

/* counts->detectable has room for all points. */
static void count_points(const struct nuce_contrast *contrast, struct counts *counts)
{
    for (int64_t i = 0; i < contrast->rule.points; i++) {
        const struct nuce_contrast_point *point = &contrast->points[i];
        const struct nuce_comparison *result = &point->result;
        int64_t runs = point->runs[0] < point->runs[1] ? point->runs[0] : point->runs[1];

        counts->of[result->verdict]++;
        if (result->verdict == NUCE_VERDICT_REGRESSION &&
            (counts->worst == NULL || result->ratio > counts->worst->result.ratio))
            counts->worst = point;
        counts->by_samples += result->unit == NUCE_UNIT_SAMPLES;
        counts->busy += point->is_distrusted;
        counts->despite += point->is_despite;
        if (isfinite(result->detectable))
            counts->detectable[counts->able++] = result->detectable;
        if ((result->unit == NUCE_UNIT_SAMPLES || !isfinite(result->detectable)) &&
            runs < counts->fewest)
            counts->fewest = runs;
    }
    nuce_statistics_sort(counts->detectable, counts->able);
}

/* How to come to enough runs, in buffer. */
static const char *say_remedy(const struct nuce_contrast *contrast,
                              const struct nuce_contrast_choice *choice,
                              const struct counts *counts, char buffer[NUCE_MESSAGE_BYTES])
{
    const char *a = contrast->sides[0]->label, *b = contrast->sides[1]->label;
    long long needed = (long long)nuce_comparison_runs_needed(&contrast->rule);
    long long more = needed - (long long)counts->fewest;
    char times[64];

    (void)snprintf(times, sizeof times, "%lld more time%s", more, say_plural(more));
    if (contrast->sides[0]->class == NUCE_SIDE_CAMPAIGN)
        (void)snprintf(buffer, NUCE_MESSAGE_BYTES,
                       "take %lld runs a side: run the sweeps of %s and %s %s, in turns, and name "
                       "all campaigns of a side with commas between them",
                       needed, a, b, times);
    else if (contrast->sides[0]->class == NUCE_SIDE_ENVIRONMENT)
        (void)snprintf(buffer, NUCE_MESSAGE_BYTES,
                       "take %lld runs a side: run the sweep %s in both environments, in turns "
                       "where they can alternate",
                       needed, times);
    else
        (void)snprintf(
            buffer, NUCE_MESSAGE_BYTES,
            "take %lld runs a side: run the sweep %s (it takes the contenders in turns)%s", needed,
            times, choice->campaign == NULL ? "" : " and compare without --campaign");
    return buffer;
}

/* What may make a difference of none, or hide one, and what to do about it. */
static void say_doubts(const struct nuce_contrast *contrast,
                       const struct nuce_contrast_choice *choice, const struct counts *counts)
{
    int64_t points = contrast->rule.points;
    char what[NUCE_MESSAGE_BYTES];

    if (counts->by_samples > 0)
        say_wrapped(
            "at %lld of %lld point%s there are too few runs and their samples are compared: what "
            "changes from launch to launch is unseen",
            (long long)counts->by_samples, (long long)points, say_plural(points));
    if (counts->busy > 0)
        say_wrapped(
            "at %lld of them nothing is shown: a launch began on a BUSY machine ('--unit samples' "
            "compares them all the same)",
            (long long)counts->busy);
    if (counts->by_samples < points && !contrast->in_turn &&
        contrast->points[0].result.unit != NUCE_UNIT_EXACT)
        say_wrapped(
            "all runs of one side came before those of the other, not in turns: a machine that "
            "drifts looks like a difference");
    if (counts->fewest < INT64_MAX && counts->able > 0)
        say_wrapped("to be surer: %.1500s", say_remedy(contrast, choice, counts, what));
}

/* How small a slow-down would have been seen. */
static void say_reach(const struct nuce_contrast *contrast, const struct counts *counts)
{
    char middle[NUCE_PERCENT_BYTES], worst[NUCE_PERCENT_BYTES];
    long long blind = (long long)(contrast->rule.points - counts->able);

    if (contrast->points[0].result.unit == NUCE_UNIT_EXACT || counts->able == 0)
        return;
    say_wrapped(
        "slow-downs below %s (median of the points; %s at the worst) could not have been shown",
        nuce_compare_percent(nuce_statistics_median(counts->detectable, counts->able), middle),
        nuce_compare_percent(counts->detectable[counts->able - 1], worst));
    if (blind > 0)
        say_wrapped("at %lld of %lld points no slow-down, however large, could have been shown",
                    blind, (long long)contrast->rule.points);
}

/* Why nothing could have been shown at any point, and what to do. */
static void say_blind(const struct nuce_contrast *contrast,
                      const struct nuce_contrast_choice *choice, const struct counts *counts)
{
    char what[NUCE_MESSAGE_BYTES];
    const char *why = "too few runs";

    if (counts->busy > 0)
        why = "too few runs, begun on a BUSY machine";
    else if (counts->despite > 0)
        why = "too few runs, begun on a BUSY machine, and too few independent samples in them";
    else if (counts->by_samples > 0)
        why = "too few runs, and too few independent samples in them";
    say_wrapped("verdict: cannot tell at any of %lld point%s, whatever the difference: %s: %.1500s",
                (long long)contrast->rule.points, say_plural(contrast->rule.points), why,
                say_remedy(contrast, choice, counts, what));
}

/* "exchange, 2 ranks, ac, unit 16: by +10 % [+8 +12] %", in buffer. */
static const char *describe_worst(const struct nuce_contrast_point *worst,
                                  char buffer[NUCE_MESSAGE_BYTES])
{
    char slower[NUCE_PERCENT_BYTES], reach[NUCE_PERCENT_BYTES];

    (void)snprintf(
        buffer, NUCE_MESSAGE_BYTES, "%s, %d rank%s%s%s%s%s: by %s%s%s", worst->workload,
        worst->ranks, say_plural(worst->ranks), worst->contender == NULL ? "" : ", ",
        worst->contender == NULL ? "" : worst->contender, worst->described[0] == '\0' ? "" : ", ",
        worst->described, nuce_compare_change(worst->result.ratio, slower),
        worst->result.unit == NUCE_UNIT_EXACT ? "" : " ",
        worst->result.unit == NUCE_UNIT_EXACT ? "" : nuce_compare_interval(&worst->result, reach));
    return buffer;
}

/* Only between campaigns and environments is what is slower a regression. */
static void say_found(const struct nuce_contrast *contrast, const struct counts *counts)
{
    const char *a = contrast->sides[0]->label, *b = contrast->sides[1]->label;
    int is_choice = contrast->sides[0]->class == NUCE_SIDE_CONTENDER;
    long long points = (long long)contrast->rule.points;
    double threshold = 100 * contrast->rule.threshold;
    int is_exact = contrast->points[0].result.unit == NUCE_UNIT_EXACT;
    char others[256], blind[64] = "", trust[256] = "", worst[NUCE_MESSAGE_BYTES];

    (void)snprintf(others, sizeof others, "slower by less %lld, faster %lld, no difference%s %lld",
                   (long long)counts->of[NUCE_VERDICT_SLOWER],
                   (long long)counts->of[NUCE_VERDICT_FASTER], is_exact ? "" : " shown",
                   (long long)counts->of[NUCE_VERDICT_NONE]);
    if (!is_exact)
        (void)snprintf(blind, sizeof blind, ", cannot tell %lld",
                       (long long)counts->of[NUCE_VERDICT_BLIND]);
    if (counts->despite > 0)
        (void)snprintf(trust, sizeof trust,
                       "; not to be relied on: a launch began on a BUSY machine at %lld of them, "
                       "which --unit samples takes all the same",
                       (long long)counts->despite);
    if (counts->worst == NULL)
        say_wrapped("verdict: %s%s is not %sslower than %s by more than %.4g %% at any of %lld "
                    "point%s (%s%s)%s",
                    is_choice ? "" : "no regression: ", b, is_exact ? "" : "shown to be ", a,
                    threshold, points, say_plural(points), others, blind, trust);
    else
        say_wrapped(
            "verdict: %s%s is slower than %s by more than %.4g %% at %lld of %lld point%s, most at "
            "%.1000s (%s%s)%s",
            is_choice ? "" : "REGRESSION: ", b, a, threshold,
            (long long)counts->of[NUCE_VERDICT_REGRESSION], points, say_plural(points),
            describe_worst(counts->worst, worst), others, blind, trust);
}

void nuce_compare_say_verdict(const struct nuce_contrast *contrast,
                              const struct nuce_contrast_choice *choice)
{
    struct nuce_error error;
    struct counts counts = {
        .detectable = nuce_allocate(contrast->rule.points, sizeof *counts.detectable, &error),
        .fewest = INT64_MAX};

    if (counts.detectable == NULL) {
        (void)nuce_message_error(&error);
        return;
    }
    count_points(contrast, &counts);
    say_doubts(contrast, choice, &counts);
    say_reach(contrast, &counts);
    if (counts.able == 0)
        say_blind(contrast, choice, &counts);
    else
        say_found(contrast, &counts);
    free(counts.detectable);
}
