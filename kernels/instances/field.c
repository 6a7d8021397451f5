/* Values that are known without a run: of any cell before the first sweep, and after any number of
 * sweeps for the wave, an eigenfunction of both stencils. With w the angle between neighbours in a
 * direction, the mean of both neighbours there is cos w times the cell, so a sweep multiplies every
 * cell by the same factor: (cos a + cos b) / 2 for five points, (2 (cos a + cos b) + cos a cos b) /
 * 5 for nine. */
#include "instances/field.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"

/* The angle between neighbours in the wave: a whole wave around a periodic array; half a wave, 0 at
 * both ends, from border to border of a fixed one, whose border cells are at -1 and count. */
static double wave_angle(int64_t count, int is_periodic)
{
    return is_periodic ? 2 * M_PI / (double)count : M_PI / (double)(count + 1);
}

/* The wave along one direction, of positions -1 .. count at 0 .. count + 1; the border's stay 0.
 * For the caller to free. */
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

/* Through memcpy: a plane's memory is bytes, whose element is known at run time only. */
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
