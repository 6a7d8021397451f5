/* The table of `nuce compare`. People get ratios with their intervals, within the width of a
 * terminal; programs get all numbers in full.
 *
 * A table for people has a column for each parameter in which points differ, so it may be too wide.
 * Columns with one value are removed first (take_same), then cells lose their middle
 * (cut_widest). */
#include "results/compare_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/text.h"
#include "base/units.h"
#include "campaigns/cli.h"

/* Bytes for the longest text of a cell, a ratio with its interval. */
#define CELL_BYTES NUCE_RATIO_BYTES

const char *nuce_compare_verdict(enum nuce_comparison_verdict verdict)
{
    static const char *const verdicts[] = {
        [NUCE_VERDICT_WORSE] = "worse",          [NUCE_VERDICT_SLOWER] = "slower",
        [NUCE_VERDICT_FASTER] = "faster",        [NUCE_VERDICT_SAME] = "same",
        [NUCE_VERDICT_UNKNOWN] = "inconclusive",
    };

    return verdicts[verdict];
}

/* Three decimals, or four figures for large ratios. So 1.102 and 12.35 both have four figures. */
static const char *format_ratio(double ratio, char buffer[CELL_BYTES])
{
    if (ratio < 9.9995)
        snprintf(buffer, CELL_BYTES, "%.3f", ratio);
    else
        snprintf(buffer, CELL_BYTES, "%.4g", ratio);
    return buffer;
}

/* "1.102 [1.080 1.124]"; without an interval for exact times, or for one launch. */
const char *nuce_compare_ratio(const struct nuce_comparison *result, char buffer[NUCE_RATIO_BYTES])
{
    char ratio[CELL_BYTES], low[CELL_BYTES], high[CELL_BYTES];
    int is_exact = !isnan(result->error) && !(result->error > 0);

    format_ratio(result->ratio, ratio);
    /* An exact difference is shown, however small. */
    if (is_exact && result->verdict != NUCE_VERDICT_SAME && strcmp(ratio, "1.000") == 0)
        snprintf(ratio, sizeof ratio, "%.9g", result->ratio);
    if (is_exact || isnan(result->error))
        snprintf(buffer, NUCE_RATIO_BYTES, "%.40sx", ratio);
    else
        snprintf(buffer, NUCE_RATIO_BYTES, "%.19sx [%.19s, %.19s]", ratio,
                 format_ratio(result->low, low), format_ratio(result->high, high));
    return buffer;
}

/* The number of launches behind the verdict. In a race both sides have the same launches. */
static const char *count_launches(const struct nuce_contrast *contrast,
                                  const struct nuce_contrast_point *point, char buffer[CELL_BYTES])
{
    if (contrast->design == NUCE_CONTRAST_EXACT)
        return "exact";
    if (contrast->design == NUCE_CONTRAST_RACED)
        snprintf(buffer, CELL_BYTES, "%lld", (long long)point->launches[0]);
    else
        snprintf(buffer, CELL_BYTES, "%lld+%lld", (long long)point->launches[0],
                 (long long)point->launches[1]);
    return buffer;
}

const char *nuce_compare_value(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_point *point, double seconds,
                               char buffer[NUCE_RATIO_BYTES])
{
    const char *unit = nuce_contrast_unit(contrast, point);
    double value = nuce_contrast_value(contrast, point, seconds);

    if (unit == NULL)
        return nuce_units_format_seconds(value, buffer);
    snprintf(buffer, CELL_BYTES, "%.4g%s%.40s", value, *unit != '\0' ? " " : "", unit);
    return buffer;
}

/* Columns to the right of the parameters. */
#define RIGHT_COLUMNS 5

/* Fills the heads of the columns and a row for each point. The columns of the parameters, between
 * the two fixed groups, differ between comparisons. */
static void fill_readable(const struct nuce_contrast *contrast, struct nuce_grid *out)
{
    static const char *const left[] = {"workload", "part", "ranks", "contender"};
    enum { LEFT_COLUMNS = sizeof left / sizeof *left };
    int keys = nuce_int((int64_t)json_array_size(contrast->keys)), at = 0;
    const char **cells = nuce_allocate(LEFT_COLUMNS + keys + RIGHT_COLUMNS, sizeof *cells);
    int is_exact = contrast->design == NUCE_CONTRAST_EXACT;
    int is_files = contrast->sides[0]->class == NUCE_SIDE_FILE;
    char ratio[CELL_BYTES] = "ratio";

    if (!is_exact)
        snprintf(ratio, sizeof ratio, "ratio [%.4g %%]", 100 * contrast->rule.confidence);
    for (int i = 0; i < LEFT_COLUMNS; i++)
        cells[at++] = left[i];
    for (int i = 0; i < keys; i++)
        cells[at++] = json_string_value(json_array_get(contrast->keys, (size_t)i));
    cells[at++] = contrast->sides[0]->label;
    cells[at++] = contrast->sides[1]->label;
    cells[at++] = ratio;
    cells[at++] = is_exact                 ? ""
                  : !contrast->by_campaign ? "launches"
                  : is_files               ? "files"
                                           : "campaigns";
    cells[at++] = "verdict";
    nuce_grid_init(at, cells, out);
    for (int64_t i = 0; i < contrast->rule.points; i++) {
        const struct nuce_contrast_point *point = &contrast->points[i];
        json_t *values = json_loads(nuce_contrast_text(contrast, point, "cells"), 0, NULL);
        char a[CELL_BYTES], b[CELL_BYTES], launches[CELL_BYTES];

        at = 0;
        for (int k = 0; k < LEFT_COLUMNS; k++) {
            const char *text = nuce_contrast_text(contrast, point, left[k]);

            cells[at++] = *text == '\0' ? NULL : text;
        }
        for (int k = 0; k < keys; k++)
            cells[at++] = json_string_value(json_array_get(values, (size_t)k));
        cells[at++] = nuce_compare_value(contrast, point, point->seconds[0], a);
        cells[at++] = nuce_compare_value(contrast, point, point->seconds[1], b);
        cells[at++] = nuce_compare_ratio(&point->result, ratio);
        cells[at++] = count_launches(contrast, point, launches);
        cells[at++] = nuce_compare_verdict(point->result.verdict);
        nuce_cli_add(out, cells);
        json_decref(values);
    }
    free((void *)cells);
}

/* Characters of a column, its head included. */
static size_t column_width(const struct nuce_grid *grid, int column)
{
    size_t widest = strlen(grid->names[column]);

    for (int64_t row = 0; row < grid->rows; row++) {
        const char *text = nuce_grid_cell(grid, row, column)->text;

        if (text != NULL && strlen(text) > widest)
            widest = strlen(text);
    }
    return widest;
}

/* A space separates columns. */
static size_t table_width(const struct nuce_grid *grid)
{
    size_t total = (size_t)grid->columns - 1;

    for (int i = 0; i < grid->columns; i++)
        total += column_width(grid, i);
    return total;
}

/* The common value of all rows in a column, or NULL. */
static const char *only_value(const struct nuce_grid *grid, int column)
{
    const char *first = nuce_grid_cell(grid, 0, column)->text;

    for (int64_t row = 1; row < grid->rows; row++) {
        const char *text = nuce_grid_cell(grid, row, column)->text;

        if (first == NULL || text == NULL || strcmp(first, text) != 0)
            return NULL;
    }
    return first;
}

/* Removes columns with a single value from a table that is too wide, from the left. They go to
 * *same, "ranks 4, unit 16", for the legend; the columns of results stay. Each turn removes a
 * column or goes to the next one. */
static void take_same(struct nuce_grid *grid, char **same)
{
    int at = 0;

    while (table_width(grid) > NUCE_COMPARE_COLUMNS && at < grid->columns - RIGHT_COLUMNS) {
        const char *value = only_value(grid, at);

        if (value == NULL) {
            at++;
            continue;
        }
        nuce_text_append(same, "%s%s %s", *same == NULL ? "" : ", ", grid->names[at], value);
        for (int64_t row = 0; row < grid->rows; row++)
            nuce_cell_copy(nuce_grid_cell(grid, row, at), NUCE_CELL_NULL, NULL);
        nuce_grid_drop_empty(grid, at);
    }
}

/* A cut cell keeps at least its beginning, two dots, and its end. */
#define LEAST_WIDTH 10

/* Removes the middle of a text longer than width, in place. width is at least LEAST_WIDTH, so both
 * ends remain. */
static void cut_cell(struct nuce_cell *cell, size_t width)
{
    size_t length = cell->text == NULL ? 0 : strlen(cell->text), tail = (width - 2) / 2;

    if (length <= width)
        return;
    memcpy(cell->text + (width - tail - 2), "..", 2);
    memmove(cell->text + (width - tail), cell->text + (length - tail), tail + 1);
}

/* Cuts the cells of the widest parameters until the table fits: one character at a time off the
 * widest, so that all become equally narrow. Lengths are in bytes; names with non-ASCII letters
 * count more than they show. */
static void cut_widest(struct nuce_grid *grid)
{
    for (size_t total = table_width(grid); total > NUCE_COMPARE_COLUMNS; total--) {
        size_t most = 0;
        int widest = 0;

        for (int i = 0; i < grid->columns - RIGHT_COLUMNS; i++) {
            if (column_width(grid, i) > most) {
                most = column_width(grid, i);
                widest = i;
            }
        }
        if (most <= LEAST_WIDTH)
            return;
        for (int64_t row = 0; row < grid->rows; row++)
            cut_cell(nuce_grid_cell(grid, row, widest), most - 1);
    }
}

void nuce_compare_table(const struct nuce_contrast *contrast, struct nuce_grid *out, char **same)
{
    *same = NULL;
    fill_readable(contrast, out);
    nuce_grid_drop_empty(out, 0);
    take_same(out, same);
    cut_widest(out);
}

void nuce_compare_rows(const struct nuce_contrast *contrast, struct nuce_grid *out)
{
    static const char *const names[] = {
        "workload",   "contender", "instance",  "point",      "environment", "part",
        "compared",   "verdict",   "ranks",     "a_launches", "b_launches",  "a_s",
        "b_s",        "ratio",     "ratio_low", "ratio_high", "p",           "p_corrected",
        "detectable", "unit",      "a_value",   "b_value"};
    static const char *const designs[] = {[NUCE_CONTRAST_APART] = "launches",
                                          [NUCE_CONTRAST_RACED] = "races",
                                          [NUCE_CONTRAST_EXACT] = "exact"};
    enum { TEXTS = 6 }; /* columns of names in struct nuce_contrast */

    nuce_grid_init(sizeof names / sizeof *names, names, out);
    for (int64_t i = 0; i < contrast->rule.points; i++) {
        const struct nuce_contrast_point *point = &contrast->points[i];
        const struct nuce_comparison *result = &point->result;
        const char *unit = nuce_contrast_unit(contrast, point);
        const double reals[] = {unit == NULL ? point->seconds[0] : NAN,
                                unit == NULL ? point->seconds[1] : NAN,
                                result->ratio,
                                result->low,
                                result->high,
                                result->p,
                                result->p_corrected,
                                result->detectable};
        const char *ranks = nuce_contrast_text(contrast, point, "ranks");
        struct nuce_cell *row;

        nuce_grid_add_row(out, &row);
        for (int k = 0; k < TEXTS; k++, row++) {
            const struct nuce_cell *cell = nuce_grid_cell(
                &contrast->told, point->place, nuce_grid_column(&contrast->told, names[k]));

            nuce_cell_copy(row, cell->type, cell->text);
        }
        nuce_cell_copy(row++, NUCE_CELL_TEXT,
                       !contrast->by_campaign                        ? designs[contrast->design]
                       : contrast->sides[0]->class == NUCE_SIDE_FILE ? "files"
                                                                     : "campaigns");
        nuce_cell_copy(row++, NUCE_CELL_TEXT, nuce_compare_verdict(result->verdict));
        nuce_cell_copy(row++, *ranks == '\0' ? NUCE_CELL_NULL : NUCE_CELL_INTEGER, ranks);
        nuce_cell_set_integer(row++, point->launches[0]);
        nuce_cell_set_integer(row++, point->launches[1]);
        for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
            nuce_cell_set_real(row++, reals[k]);
        nuce_cell_copy(row++, NUCE_CELL_TEXT, unit != NULL ? unit : "s");
        for (int side = 0; side < 2; side++)
            nuce_cell_set_real(row++, nuce_contrast_value(contrast, point, point->seconds[side]));
    }
}
