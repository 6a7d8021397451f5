#include "compare_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "memory.h"
#include "statistics.h"
#include "text.h"
#include "units.h"

static const char *const verdicts[] = {
    [NUCE_VERDICT_REGRESSION] = "regression", [NUCE_VERDICT_SLOWER] = "slower",
    [NUCE_VERDICT_FASTER] = "faster",         [NUCE_VERDICT_NONE] = "no difference",
    [NUCE_VERDICT_BLIND] = "cannot tell",
};
static const char *const units[] = {
    [NUCE_UNIT_RUNS] = "runs", [NUCE_UNIT_SAMPLES] = "blocks", [NUCE_UNIT_EXACT] = "exact"};

#define CELL_BYTES 64

/* "12 %", with as many figures as say something; "-" where there is none. */
static const char *percent(double fraction, char buffer[CELL_BYTES])
{
    if (!isfinite(fraction))
        return "-";
    (void)snprintf(buffer, CELL_BYTES, fraction < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * fraction);
    return buffer;
}

static const char *interval(const struct nuce_comparison *result, char buffer[CELL_BYTES])
{
    if (!isfinite(result->high))
        return "-";
    (void)snprintf(buffer, CELL_BYTES, "[%.3f %.3f]", result->low, result->high);
    return buffer;
}

static const char *count_values(const struct nuce_comparison *result, char buffer[CELL_BYTES])
{
    if (result->unit == NUCE_UNIT_EXACT)
        return "exact";
    (void)snprintf(buffer, CELL_BYTES, "%lld+%lld %s", (long long)result->a_values,
                   (long long)result->b_values, units[result->unit]);
    return buffer;
}

static const char *small_number(double value, char buffer[CELL_BYTES])
{
    (void)snprintf(buffer, CELL_BYTES, value < 0.001 ? "%.1e" : "%.3f", value);
    return buffer;
}

static nuce_status add_readable(const struct nuce_contrast_point *point, struct nuce_grid *grid,
                                struct nuce_error *error)
{
    const struct nuce_comparison *result = &point->result;
    char ranks[CELL_BYTES], a[NUCE_UNITS_BYTES], b[NUCE_UNITS_BYTES], ratio[CELL_BYTES];
    char reach[CELL_BYTES], p[CELL_BYTES], shows[CELL_BYTES], values[CELL_BYTES];
    const char *cells[] = {
        point->workload,
        ranks,
        point->algorithm,
        point->instance,
        point->part,
        nuce_format_seconds(result->a_median, a),
        nuce_format_seconds(result->b_median, b),
        ratio,
        interval(result, reach),
        result->unit == NUCE_UNIT_EXACT ? NULL : small_number(result->p_corrected, p),
        result->unit == NUCE_UNIT_EXACT ? NULL : percent(result->detectable, shows),
        count_values(result, values),
        verdicts[result->verdict]};

    (void)snprintf(ranks, sizeof ranks, "%d", point->ranks);
    (void)snprintf(ratio, sizeof ratio, "%.3f", result->ratio);
    return nuce_cli_add(grid, cells, error);
}

nuce_status nuce_compare_table(const struct nuce_contrast *contrast, struct nuce_grid *out,
                               struct nuce_error *error)
{
    char reach[CELL_BYTES];
    const char *names[] = {"workload", "ranks", "algorithm", "instance",   "part", "A",      "B",
                           "B / A",    reach,   "p",         "could show", "unit", "verdict"};
    nuce_status status;

    (void)snprintf(reach, sizeof reach, "%.4g %% interval", 100 * contrast->rule.confidence);
    status = nuce_grid_init(sizeof names / sizeof *names, names, out, error);
    for (int64_t i = 0; i < contrast->rule.points && status == NUCE_OK; i++)
        status = add_readable(&contrast->points[i], out, error);
    return status;
}

static nuce_status set_real(struct nuce_cell *cell, double value, struct nuce_error *error)
{
    char text[CELL_BYTES];

    if (!isfinite(value))
        return NUCE_OK;
    (void)snprintf(text, sizeof text, "%.17g", value);
    return nuce_cell_copy(cell, NUCE_CELL_REAL, text, error);
}

static nuce_status set_integer(struct nuce_cell *cell, int64_t value, struct nuce_error *error)
{
    char text[CELL_BYTES];

    (void)snprintf(text, sizeof text, "%lld", (long long)value);
    return nuce_cell_copy(cell, NUCE_CELL_INTEGER, text, error);
}

static nuce_status add_full(const struct nuce_contrast_point *point, struct nuce_grid *grid,
                            struct nuce_error *error)
{
    const struct nuce_comparison *result = &point->result;
    const char *texts[] = {point->workload,     point->algorithm,         point->instance,
                           point->point,        point->environment,       point->part,
                           units[result->unit], verdicts[result->verdict]};
    const int64_t integers[] = {point->ranks,      point->runs[0],    point->runs[1],
                                point->samples[0], point->samples[1], result->a_values,
                                result->b_values,  point->is_busy};
    const double reals[] = {result->a_median,    result->b_median,
                            result->ratio,       isfinite(result->high) ? result->low : NAN,
                            result->high,        result->p,
                            result->p_corrected, result->detectable};
    struct nuce_cell *row;
    nuce_status status = nuce_grid_add_row(grid, &row, error);

    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == NUCE_OK; i++, row++) {
        if (texts[i] != NULL)
            status = nuce_cell_copy(row, NUCE_CELL_TEXT, texts[i], error);
    }
    for (size_t i = 0; i < sizeof integers / sizeof *integers && status == NUCE_OK; i++)
        status = set_integer(row++, integers[i], error);
    for (size_t i = 0; i < sizeof reals / sizeof *reals && status == NUCE_OK; i++)
        status = set_real(row++, reals[i], error);
    return status;
}

nuce_status nuce_compare_rows(const struct nuce_contrast *contrast, struct nuce_grid *out,
                              struct nuce_error *error)
{
    static const char *const names[] = {
        "workload",  "algorithm", "instance",   "point",  "environment", "part",
        "unit",      "verdict",   "ranks",      "a_runs", "b_runs",      "a_samples",
        "b_samples", "a_values",  "b_values",   "busy",   "a_s",         "b_s",
        "ratio",     "ratio_low", "ratio_high", "p",      "p_corrected", "detectable"};
    nuce_status status = nuce_grid_init(sizeof names / sizeof *names, names, out, error);

    for (int64_t i = 0; i < contrast->rule.points && status == NUCE_OK; i++)
        status = add_full(&contrast->points[i], out, error);
    return status;
}

/* Prints a line formatted as by printf as nuce_message_print does. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
    char text[NUCE_MESSAGE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    nuce_message_print(text);
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

#define MOST_NAMED 20

static void say_lone(const struct nuce_contrast *contrast, int side)
{
    int64_t count = 0, named = 0;

    for (int64_t i = 0; i < contrast->lone_count; i++)
        count += contrast->lone[i].side == side;
    if (count == 0)
        return;
    say("%lld point%s only %s has:", (long long)count, plural(count), side == 0 ? "A" : "B");
    for (int64_t i = 0; i < contrast->lone_count && named < MOST_NAMED; i++) {
        if (contrast->lone[i].side != side)
            continue;
        say("  %s", contrast->lone[i].name);
        named++;
    }
    if (count > named)
        say("  and %lld more", (long long)(count - named));
}

void nuce_compare_say_left_out(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_choice *choice)
{
    for (int side = 0; side < 2; side++) {
        say_lone(contrast, side);
        if (contrast->not_ok[side] > 0)
            say("%lld run%s of %s left out: not ok (see 'nuce show runs')",
                (long long)contrast->not_ok[side], plural(contrast->not_ok[side]),
                side == 0 ? "A" : "B");
    }
    if (contrast->other_kind > 0)
        say("%lld run%s left out: not %s (see --kind)", (long long)contrast->other_kind,
            plural(contrast->other_kind), choice->kind);
    if (contrast->untimed > 0)
        say("%lld point%s left out: some time of %s is unknown or 0", (long long)contrast->untimed,
            plural(contrast->untimed), choice->part == NULL ? "it" : choice->part);
}

struct counts {
    int64_t of[NUCE_VERDICT_BLIND + 1];
    int64_t by_samples, busy;                /* compared by samples; not, for a busy machine */
    const struct nuce_contrast_point *worst; /* the largest of the regressions */
    double *detectable;                      /* of those that are not blind, ascending */
    int64_t able;
};

/* counts->detectable has room for all points. */
static void count_points(const struct nuce_contrast *contrast, struct counts *counts)
{
    for (int64_t i = 0; i < contrast->rule.points; i++) {
        const struct nuce_contrast_point *point = &contrast->points[i];
        const struct nuce_comparison *result = &point->result;

        counts->of[result->verdict]++;
        if (result->verdict == NUCE_VERDICT_REGRESSION &&
            (counts->worst == NULL || result->ratio > counts->worst->result.ratio))
            counts->worst = point;
        counts->by_samples += result->unit == NUCE_UNIT_SAMPLES;
        counts->busy += point->is_distrusted;
        if (isfinite(result->detectable))
            counts->detectable[counts->able++] = result->detectable;
    }
    nuce_sort(counts->detectable, counts->able);
}

static void say_doubts(const struct nuce_contrast *contrast, const struct counts *counts)
{
    int64_t points = contrast->rule.points;
    long long needed = (long long)nuce_comparison_runs_needed(&contrast->rule);

    if (counts->by_samples > 0)
        say("%lld of %lld points have too few runs and are compared by their samples: what changes "
            "from launch to launch is unseen (%lld runs a side would show it, best in turns A, B, "
            "A, B)",
            (long long)counts->by_samples, (long long)points, needed);
    if (counts->busy > 0)
        say("%lld of them show nothing: a launch began on a BUSY machine ('--unit samples' "
            "compares "
            "them all the same)",
            (long long)counts->busy);
    if (counts->by_samples < points && !contrast->in_turn &&
        contrast->points[0].result.unit != NUCE_UNIT_EXACT)
        say("all runs of one side came before those of the other: a machine that drifts looks like "
            "a "
            "difference");
}

/* How small a slow-down would have been seen. */
static void say_reach(const struct nuce_contrast *contrast, const struct counts *counts)
{
    char middle[CELL_BYTES], worst[CELL_BYTES];
    long long blind = (long long)(contrast->rule.points - counts->able);

    if (contrast->points[0].result.unit == NUCE_UNIT_EXACT)
        return;
    if (counts->able > 0)
        say("slow-downs below %s (median of the points; %s at the worst) could not have been shown",
            percent(nuce_median(counts->detectable, counts->able), middle),
            percent(counts->detectable[counts->able - 1], worst));
    if (blind > 0)
        say("at %lld of %lld points no slow-down, however large, could have been shown: take more "
            "runs, or more samples",
            blind, (long long)contrast->rule.points);
}

static void say_worst(const struct nuce_contrast *contrast, const struct counts *counts)
{
    const struct nuce_contrast_point *worst = counts->worst;
    char threshold[CELL_BYTES], slower[CELL_BYTES], reach[CELL_BYTES];

    say("verdict: REGRESSION: B is slower than A by more than %s at %lld of %lld points, most at "
        "%s, "
        "%d ranks%s%s%s%s: by %s %s",
        percent(contrast->rule.threshold, threshold),
        (long long)counts->of[NUCE_VERDICT_REGRESSION], (long long)contrast->rule.points,
        worst->workload, worst->ranks, worst->algorithm == NULL ? "" : ", ",
        worst->algorithm == NULL ? "" : worst->algorithm, worst->instance[0] == '\0' ? "" : ", ",
        worst->instance, percent(worst->result.ratio - 1, slower), interval(&worst->result, reach));
}

void nuce_compare_say_verdict(const struct nuce_contrast *contrast)
{
    struct nuce_error error;
    struct counts counts = {
        .detectable = nuce_allocate(contrast->rule.points, sizeof *counts.detectable, &error)};
    char threshold[CELL_BYTES];

    if (counts.detectable == NULL) {
        (void)nuce_message_error(&error);
        return;
    }
    count_points(contrast, &counts);
    say_doubts(contrast, &counts);
    say_reach(contrast, &counts);
    if (counts.worst != NULL)
        say_worst(contrast, &counts);
    else if (counts.able == 0)
        say("verdict: cannot tell: these runs could not have shown a difference at any of %lld "
            "point%s",
            (long long)contrast->rule.points, plural(contrast->rule.points));
    else
        say("verdict: no regression: at none of %lld point%s is B shown to be slower than A by "
            "more "
            "than %s (slower by less %lld, faster %lld, no difference shown %lld, cannot tell "
            "%lld)",
            (long long)contrast->rule.points, plural(contrast->rule.points),
            percent(contrast->rule.threshold, threshold), (long long)counts.of[NUCE_VERDICT_SLOWER],
            (long long)counts.of[NUCE_VERDICT_FASTER], (long long)counts.of[NUCE_VERDICT_NONE],
            (long long)counts.of[NUCE_VERDICT_BLIND]);
    free(counts.detectable);
}
