/* The table of `nuce compare`: for people percents with their intervals and what could have been
 * seen, for programs all numbers as they are. */
#include "comparison/compare_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "support/allocate.h"
#include "support/units.h"

/* What programs read, whatever is compared. */
static const char *const verdicts[] = {
    [NUCE_VERDICT_REGRESSION] = "regression", [NUCE_VERDICT_SLOWER] = "slower",
    [NUCE_VERDICT_FASTER] = "faster",         [NUCE_VERDICT_NONE] = "no difference",
    [NUCE_VERDICT_BLIND] = "cannot tell",
};
static const char *const units[] = {
    [NUCE_UNIT_RUNS] = "runs", [NUCE_UNIT_SAMPLES] = "blocks", [NUCE_UNIT_EXACT] = "exact"};

#define CELL_BYTES NUCE_PERCENT_BYTES

/* What is less is none: computed times differ by so much in their last digits. */
#define NO_PERCENT 1e-6

/* A change as a signed number of percents, without the sign of them: to a tenth, of what is large
 * to the whole, and what would be none so with a figure. */
static const char *format_change(double fraction, char buffer[CELL_BYTES])
{
    double percent = 100 * fraction, size = fabs(percent);

    if (size < NO_PERCENT)
        return "0";
    if (size < 0.05)
        (void)snprintf(buffer, CELL_BYTES, "%+.1g", percent);
    else
        (void)snprintf(buffer, CELL_BYTES, size < 99.95 ? "%+.1f" : "%+.0f", percent);
    return buffer;
}

const char *nuce_compare_percent(double fraction, char buffer[NUCE_PERCENT_BYTES])
{
    if (!isfinite(fraction))
        return "-";
    (void)snprintf(buffer, NUCE_PERCENT_BYTES, fraction < 0.9995 ? "%.1f %%" : "%.0f %%",
                   100 * fraction);
    return buffer;
}

const char *nuce_compare_change(double ratio, char buffer[NUCE_PERCENT_BYTES])
{
    char number[CELL_BYTES];

    (void)snprintf(buffer, NUCE_PERCENT_BYTES, "%.40s %%", format_change(ratio - 1, number));
    return buffer;
}

const char *nuce_compare_interval(const struct nuce_comparison *result,
                                  char buffer[NUCE_PERCENT_BYTES])
{
    char low[CELL_BYTES], high[CELL_BYTES];

    if (!isfinite(result->high))
        return "-";
    (void)snprintf(buffer, NUCE_PERCENT_BYTES, "[%.20s %.20s] %%",
                   format_change(result->low - 1, low), format_change(result->high - 1, high));
    return buffer;
}

/* On how many values of what unit the verdict rests, A's and B's. */
static const char *count_values(const struct nuce_contrast_point *point, char buffer[CELL_BYTES])
{
    const struct nuce_comparison *result = &point->result;

    if (result->unit == NUCE_UNIT_EXACT)
        return "exact";
    (void)snprintf(buffer, CELL_BYTES, "%lld+%lld %s%s", (long long)result->a_values,
                   (long long)result->b_values, units[result->unit],
                   point->is_distrusted || point->is_despite ? ", BUSY" : "");
    return buffer;
}

/* p as corrected for all points; a point that is not trusted has none. */
static const char *format_probability(const struct nuce_contrast_point *point,
                                      char buffer[CELL_BYTES])
{
    double value = point->result.p_corrected;

    if (point->is_distrusted)
        return "-";
    (void)snprintf(buffer, CELL_BYTES, value < 0.001 ? "%.1e" : "%.3f", value);
    return buffer;
}

/* Of two contenders none regresses: one is slower. */
static const char *verdict_text(const struct nuce_contrast *contrast,
                                enum nuce_comparison_verdict verdict, char buffer[CELL_BYTES])
{
    if (verdict != NUCE_VERDICT_REGRESSION || contrast->sides[0]->class != NUCE_SIDE_CONTENDER)
        return verdicts[verdict];
    (void)snprintf(buffer, CELL_BYTES, "slower by > %.4g %%", 100 * contrast->rule.threshold);
    return buffer;
}

/* Columns on the left of and on the right of those of the parameters. */
#define LEFT_COLUMNS 3
#define RIGHT_COLUMNS 9

/* Whether nothing was shown where a difference beyond the threshold could have been missed. */
static int is_blurred(const struct nuce_contrast *contrast, const struct nuce_comparison *result)
{
    return result->verdict == NUCE_VERDICT_NONE && result->unit != NUCE_UNIT_EXACT &&
           result->detectable > contrast->rule.threshold;
}

/* A row for people: what cannot be said of computed times stays empty, and an empty column is
 * dropped. */
static nuce_status add_readable(const struct nuce_contrast *contrast,
                                const struct nuce_contrast_point *point, const char **cells,
                                struct nuce_grid *grid, struct nuce_error *error)
{
    const struct nuce_comparison *result = &point->result;
    int is_exact = result->unit == NUCE_UNIT_EXACT;
    char ranks[CELL_BYTES], a[NUCE_UNITS_BYTES], b[NUCE_UNITS_BYTES], difference[CELL_BYTES];
    char reach[CELL_BYTES], p[CELL_BYTES], shows[CELL_BYTES], values[CELL_BYTES];
    char verdict[CELL_BYTES];
    const char *left[LEFT_COLUMNS] = {point->workload, ranks, point->contender};
    const char *right[RIGHT_COLUMNS] = {
        point->part,
        nuce_units_format_seconds(result->a_median, a),
        nuce_units_format_seconds(result->b_median, b),
        nuce_compare_change(result->ratio, difference),
        is_exact ? NULL : nuce_compare_interval(result, reach),
        is_exact ? NULL : format_probability(point, p),
        is_exact ? NULL : nuce_compare_percent(result->detectable, shows),
        count_values(point, values),
        is_blurred(contrast, result) ? "none shown"
                                     : verdict_text(contrast, result->verdict, verdict)};
    int at = 0;

    (void)snprintf(ranks, sizeof ranks, "%d", point->ranks);
    for (int i = 0; i < LEFT_COLUMNS; i++)
        cells[at++] = left[i];
    for (size_t i = 0; i < json_array_size(contrast->keys); i++)
        cells[at++] = json_string_value(json_array_get(point->values, i));
    for (int i = 0; i < RIGHT_COLUMNS; i++)
        cells[at++] = right[i];
    return nuce_cli_add(grid, cells, error);
}

/* Heads of the columns: those of the parameters, between the two fixed groups, differ from
 * comparison to comparison. */
static nuce_status name_columns(const struct nuce_contrast *contrast, const char **cells,
                                struct nuce_grid *out, struct nuce_error *error)
{
    char reach[CELL_BYTES];
    const char *left[LEFT_COLUMNS] = {"workload", "ranks", "contender"};
    const char *right[RIGHT_COLUMNS] = {"part",
                                        contrast->sides[0]->label,
                                        contrast->sides[1]->label,
                                        "difference",
                                        reach,
                                        "p",
                                        "could show",
                                        "compared",
                                        "verdict"};
    int at = 0;

    (void)snprintf(reach, sizeof reach, "%.4g %% interval", 100 * contrast->rule.confidence);
    for (int i = 0; i < LEFT_COLUMNS; i++)
        cells[at++] = left[i];
    for (size_t i = 0; i < json_array_size(contrast->keys); i++)
        cells[at++] = json_string_value(json_array_get(contrast->keys, i));
    for (int i = 0; i < RIGHT_COLUMNS; i++)
        cells[at++] = right[i];
    return nuce_grid_init(at, cells, out, error);
}

nuce_status nuce_compare_table(const struct nuce_contrast *contrast, struct nuce_grid *out,
                               struct nuce_error *error)
{
    int64_t columns = (int64_t)json_array_size(contrast->keys) + LEFT_COLUMNS + RIGHT_COLUMNS;
    const char **cells = nuce_allocate(columns, sizeof *cells, error);
    nuce_status status = cells == NULL ? error->status : name_columns(contrast, cells, out, error);

    for (int64_t i = 0; i < contrast->rule.points && status == NUCE_OK; i++)
        status = add_readable(contrast, &contrast->points[i], cells, out, error);
    if (status == NUCE_OK)
        nuce_grid_drop_empty(out, 0);
    free((void *)cells);
    return status;
}

static nuce_status comparison_set_real(struct nuce_cell *cell, double value,
                                       struct nuce_error *error)
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
    const char *texts[] = {point->workload,     point->contender,         point->instance,
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
        status = comparison_set_real(row++, reals[i], error);
    if (status == NUCE_OK)
        status = set_integer(row, point->is_despite, error);
    return status;
}

nuce_status nuce_compare_rows(const struct nuce_contrast *contrast, struct nuce_grid *out,
                              struct nuce_error *error)
{
    static const char *const names[] = {
        "workload",   "contender", "instance",    "point",      "environment",
        "part",       "unit",      "verdict",     "ranks",      "a_runs",
        "b_runs",     "a_samples", "b_samples",   "a_values",   "b_values",
        "busy",       "a_s",       "b_s",         "ratio",      "ratio_low",
        "ratio_high", "p",         "p_corrected", "detectable", "despite_busy"};
    nuce_status status = nuce_grid_init(sizeof names / sizeof *names, names, out, error);

    for (int64_t i = 0; i < contrast->rule.points && status == NUCE_OK; i++)
        status = add_full(&contrast->points[i], out, error);
    return status;
}

static void print_meaning(const struct nuce_contrast *contrast)
{
    const char *a = contrast->sides[0]->label, *b = contrast->sides[1]->label;

    if (contrast->points[0].result.unit == NUCE_UNIT_EXACT) {
        (void)printf("difference: of %s from %s; computed times are exact\n", b, a);
        return;
    }
    (void)printf("difference: of %s from %s by the Hodges-Lehmann estimate, the median over all "
                 "pairs of their values: not that of the two medians beside it\n",
                 b, a);
    (void)printf("p: Mann and Whitney's, Holm-corrected for %lld point%s, which the intervals are "
                 "not: it decides; could show: the smallest slow-down that would have been shown\n",
                 (long long)contrast->rule.points, contrast->rule.points == 1 ? "" : "s");
}

void nuce_compare_print_legend(const struct nuce_contrast *contrast)
{
    (void)fputc('\n', stdout);
    for (int i = 0; i < 2; i++) {
        const struct nuce_side *side = contrast->sides[i];

        if (strcmp(side->label, side->name) != 0)
            (void)printf("%s = %s %s\n", side->label, nuce_side_classes[side->class], side->name);
    }
    print_meaning(contrast);
}
