/* Values that are known without a run: of any cell before the first sweep, and for the wave, an
 * eigenfunction of both stencils, after any number of sweeps. With w the angle between neighbours
 * in a direction, the mean of both neighbours there is cos w times the cell. So a sweep multiplies
 * every cell by the same factor: (cos a + cos b) / 2 for five points, (2 (cos a + cos b) + cos a
 * cos b) / 5 for nine. */
#include "instances/field.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"

/* The angle between neighbours in the wave. A periodic array has a whole wave around it. A fixed
 * one has half a wave from border to border, 0 at both ends; its border cells are at -1 and
 * count. */
static double wave_angle(int64_t count, int is_periodic)
{
    return is_periodic ? 2 * M_PI / (double)count : M_PI / (double)(count + 1);
}

/* The wave along one direction, of positions -1 .. count at 0 .. count + 1; the border's stay 0.
 * The caller frees it. */
static double *wave_of_positions(int64_t count, int is_periodic)
{
    double *values = nuce_allocate(count + 2, sizeof *values);
    double step = wave_angle(count, is_periodic);

    for (int64_t i = 0; i < count; i++)
        values[i + 1] = is_periodic ? cos(step * (double)i) : sin(step * (double)(i + 1));
    return values;
}

void nuce_field_init(const struct nuce_jacobi_ops *jacobi, int64_t rows, int64_t columns,
                     int is_periodic, struct nuce_field *out)
{
    struct nuce_field field = {
        .jacobi = jacobi, .rows = rows, .columns = columns, .is_periodic = is_periodic};

    field.row_wave = wave_of_positions(rows, is_periodic);
    field.column_wave = wave_of_positions(columns, is_periodic);
    *out = field;
}

void nuce_field_fini(struct nuce_field *field)
{
    free(field->row_wave);
    free(field->column_wave);
    memset(field, 0, sizeof *field);
}

static int is_inside(int64_t at, int64_t count)
{
    return at >= 0 && at < count;
}

int nuce_field_has(const struct nuce_field *field, int64_t row, int64_t column)
{
    return field->is_periodic || (is_inside(row, field->rows) && is_inside(column, field->columns));
}

/* C's % has the sign of the dividend; positions above and to the left of the array are negative. */
static int64_t wrap_position(int64_t at, int64_t count)
{
    int64_t rest = at % count;

    return rest < 0 ? rest + count : rest;
}

double nuce_field_value(const struct nuce_field *field, enum nuce_field_kind kind, uint64_t salt,
                        int64_t row, int64_t column)
{
    uint64_t mixed;

    if (field->is_periodic) {
        row = wrap_position(row, field->rows);
        column = wrap_position(column, field->columns);
    } else if (!is_inside(row + 1, field->rows + 2) || !is_inside(column + 1, field->columns + 2)) {
        return 0;
    }
    if (kind == NUCE_FIELD_WAVE)
        return field->row_wave[row + 1] * field->column_wave[column + 1];
    mixed = nuce_rng_mix(nuce_rng_mix((uint64_t)row + salt) ^ (uint64_t)column);
    return (double)(mixed >> 40) / (double)(1 << 24);
}

double nuce_field_factor(const struct nuce_field *field)
{
    double row = cos(wave_angle(field->rows, field->is_periodic));
    double column = cos(wave_angle(field->columns, field->is_periodic));

    if (field->jacobi->points == 5)
        return (row + column) / 2;
    return (2 * (row + column) + row * column) / 5;
}

double nuce_field_tolerance(const struct nuce_field *field, int64_t sweeps)
{
    double rounding =
        field->jacobi->element_bytes == (int)sizeof(float) ? FLT_EPSILON : DBL_EPSILON;

    return 8 * rounding * (double)(sweeps + 1);
}

/* Uses memcpy: a plane's memory is bytes, whose element type is known only at run time. */
double nuce_plane_get_cell(const struct nuce_plane *plane, int64_t row, int64_t column)
{
    const unsigned char *cell = plane->now + nuce_plane_at(plane, row, column);
    double wide;
    float narrow;

    if (plane->jacobi->element_bytes == (int)sizeof wide) {
        memcpy(&wide, cell, sizeof wide);
        return wide;
    }
    memcpy(&narrow, cell, sizeof narrow);
    return (double)narrow;
}

void nuce_plane_set_cell(struct nuce_plane *plane, int64_t row, int64_t column, double value)
{
    int64_t at = nuce_plane_at(plane, row, column);
    float narrow = (float)value;
    const void *bytes = &narrow;
    size_t size = sizeof narrow;

    if (plane->jacobi->element_bytes == (int)sizeof value) {
        bytes = &value;
        size = sizeof value;
    }
    memcpy(plane->now + at, bytes, size);
    memcpy(plane->next + at, bytes, size);
}

/* The serial run with which results are compared. It is independent of decompositions, ghosts,
 * messages and blocks. A cell depends only on cells at most as far away as there are sweeps. So a
 * window with that many cells around the region gets the same values as a run over the whole
 * array. */

/* Approximate number of cells of a window: the amount that is checked at a time. */
#define WINDOW_CELLS 262144

/* Two planes of cells around a region. */
struct window {
    int64_t row, column, rows, columns; /* in the array, beyond its border as well */
    unsigned char *now, *next;          /* rows x columns elements each, without gaps */
};

/* Computes the next value of cell number `at` of the window, which has neighbours on all sides. The
 * operations and their order are those of five_*.c and nine_*.c, or the bits would differ: addition
 * of doubles does not associate. */
#define STEP_CELL(type)                                                                            \
    do {                                                                                           \
        const type *cell = (const type *)(const void *)window.now + at;                            \
        const type *above = cell - window.columns, *below = cell + window.columns;                 \
        type direct = (above[0] + below[0]) + (cell[-1] + cell[1]);                                \
        ((type *)(void *)window.next)[at] =                                                        \
            field->jacobi->points == 5                                                             \
                ? (type)0.25 * direct                                                              \
                : (type)0.05 * (4 * direct + ((above[-1] + above[1]) + (below[-1] + below[1])));   \
    } while (0)

/* Checks rows row .. row + rows - 1 of plane, its last region.rows, by a window of their own, whose
 * inner cells are `sweeps` layers away from its border. */
static nuce_status window_check_rows(const struct nuce_field *field, uint64_t salt,
                                     const struct nuce_plane *plane, struct nuce_region region,
                                     int64_t sweeps, struct nuce_error *error)
{
    struct window window = {.row = region.row - sweeps,
                            .column = region.column - sweeps,
                            .rows = region.rows + 2 * sweeps,
                            .columns = region.columns + 2 * sweeps};
    int64_t cells = window.rows * window.columns, first = plane->rows - region.rows;
    size_t bytes = (size_t)field->jacobi->element_bytes;
    unsigned char *memory = nuce_allocate(2 * cells, bytes);

    error->status = NUCE_OK;

    window.now = memory;
    window.next = memory + cells * field->jacobi->element_bytes;
    /* Values before the first sweep. `next` gets them too, so that border cells, never swept, are
     * in both. */
    for (int64_t at = 0; at < cells; at++) {
        double value =
            nuce_field_value(field, NUCE_FIELD_MIXED, salt, window.row + at / window.columns,
                             window.column + at % window.columns);

        if (field->jacobi->element_bytes == (int)sizeof(double))
            ((double *)(void *)window.now)[at] = value;
        else
            ((float *)(void *)window.now)[at] = (float)value;
    }
    memcpy(window.next, window.now, (size_t)(cells * field->jacobi->element_bytes));
    for (int64_t k = 1; k <= sweeps; k++) {
        /* Sweep number k, from 1. The outermost k layers lack correct neighbours and are skipped;
         * cells beyond a fixed border keep their values. */
        unsigned char *now = window.next;

        for (int64_t row = k; row < window.rows - k; row++) {
            for (int64_t column = k; column < window.columns - k; column++) {
                int64_t at = row * window.columns + column;

                if (!nuce_field_has(field, window.row + row, window.column + column))
                    continue;
                if (bytes == sizeof(double))
                    STEP_CELL(double);
                else
                    STEP_CELL(float);
            }
        }
        window.next = window.now;
        window.now = now;
    }
    for (int64_t i = 0; i < region.rows && error->status == NUCE_OK; i++) {
        const unsigned char *found = plane->now + nuce_plane_at(plane, first + i, 0);
        const unsigned char *wanted =
            window.now + (size_t)((sweeps + i) * window.columns + sweeps) * bytes;
        int64_t j = 0;

        if (memcmp(found, wanted, (size_t)plane->columns * bytes) == 0)
            continue;
        while (memcmp(found + (size_t)j * bytes, wanted + (size_t)j * bytes, bytes) == 0)
            j++;
        nuce_error_set(error, NUCE_CORRUPT,
                       "after %lld sweeps the cell at row %lld, column %lld is %.17g, which "
                       "differs from a serial run",
                       (long long)sweeps, (long long)(window.row + sweeps + i),
                       (long long)(window.column + sweeps + j),
                       nuce_plane_get_cell(plane, first + i, j));
    }
    free(memory);
    return error->status;
}

nuce_status nuce_field_check(const struct nuce_field *field, uint64_t salt,
                             const struct nuce_plane *plane, struct nuce_region region,
                             int64_t sweeps, struct nuce_error *error)
{
    /* Windows overlap by 2 * sweeps rows, which are computed twice. So a window has at least that
     * many new rows. */
    int64_t most = WINDOW_CELLS / (region.columns + 2 * sweeps) + 2 * sweeps;

    if (region.rows == 0 || region.columns == 0)
        return NUCE_OK;
    for (int64_t row = 0; row < region.rows; row += most) {
        struct nuce_region part = region;
        struct nuce_plane rows = *plane;

        part.row += row;
        part.rows = region.rows - row < most ? region.rows - row : most;
        /* A plane whose last rows these are. */
        rows.rows = row + part.rows;
        if (window_check_rows(field, salt, &rows, part, sweeps, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}
