/* Rows of results as the columns of a view say. What is unknown is null in JSON, a dash in text,
 * empty in CSV. A value comes from the point, from the instances' means, or from the lists that
 * were kept; the column says which. Numbers that count stay whole where there is one instance: a
 * mean of several is a real. O(rows x columns). */
#include "programs/model_view.h"

#include <math.h>
#include <string.h>

/* A number as the column's flags say; 9e15 is below 2^53, up to which doubles are exact
 * integers. */
static json_t *number_json(const struct nuce_model_column *column, double value, int64_t samples)
{
    int is_whole = floor(value) == value && fabs(value) < 9e15;

    if (!isfinite(value))
        return json_null();
    if (column->flags & NUCE_COLUMN_TRUTH)
        return json_boolean(value > 0);
    if (is_whole &&
        (column->flags & NUCE_COLUMN_WHOLE || (column->flags & NUCE_COLUMN_COUNT && samples == 1)))
        return json_integer((json_int_t)value);
    return json_real(value);
}

/* The number of the column, scaled; NaN where it is unknown. */
static double number_of(const struct nuce_model_column *column, const struct nuce_model_mean *mean)
{
    double scale = column->scale > 0 ? column->scale : 1;

    if (mean->count == 0)
        return NAN;
    if (column->from == NUCE_FROM_DEVIATION)
        return scale * nuce_model_mean_deviation(mean);
    if (column->from == NUCE_FROM_LARGEST)
        return scale * mean->largest;
    if (column->from == NUCE_FROM_LEAST)
        return scale * mean->least;
    return scale * mean->sum / (double)mean->count;
}

/* The column's value: a new reference; null where it is unknown. */
static json_t *value_json(const struct nuce_model_column *column, const struct nuce_model_row *row)
{
    const struct nuce_point *point = &row->point;

    switch (column->from) {
    case NUCE_FROM_OPTION:
        return nuce_option_json(nuce_option_find(point->workload->options, column->of),
                                point->params);
    case NUCE_FROM_RANKS:
        return json_integer(point->ranks);
    case NUCE_FROM_SAMPLES:
        return json_integer((json_int_t)row->samples);
    case NUCE_FROM_TEXT:
    case NUCE_FROM_LIST: {
        json_t *value = json_object_get(
            column->from == NUCE_FROM_TEXT ? row->means.last : row->kept, column->of);

        return value == NULL ? json_null() : json_incref(value);
    }
    case NUCE_FROM_MEAN:
    case NUCE_FROM_DEVIATION:
    case NUCE_FROM_LARGEST:
    case NUCE_FROM_LEAST:
        break;
    }
    if (row->samples == 1 && column->flags & NUCE_COLUMN_COUNT &&
        json_is_integer(json_object_get(row->means.last, column->of)))
        return json_incref(json_object_get(row->means.last, column->of)); /* beyond 2^53 too */
    return number_json(column, number_of(column, nuce_model_means_of(&row->means, column->of)),
                       row->samples);
}

/* Whether the column's flags leave it out of this row. Weights that are drawn have a ratio. */
static int is_left_out(const struct nuce_model_column *column, const struct nuce_model_row *row,
                       const json_t *value)
{
    const struct nuce_option *ratio = nuce_option_find(row->point.workload->options, "ratio");

    if (column->flags & NUCE_COLUMN_IF_KNOWN &&
        (json_is_null(value) || (json_is_number(value) && !(json_number_value(value) > 0))))
        return 1;
    if (column->flags & NUCE_COLUMN_IF_FOUND && json_is_null(value))
        return 1;
    if (column->flags & NUCE_COLUMN_IF_GIVEN && ratio != NULL &&
        nuce_option_is_set(ratio, row->point.params))
        return 1;
    return (column->flags & NUCE_COLUMN_IF_SEVERAL && row->samples == 1) ||
           (column->flags & NUCE_COLUMN_IF_SINGLE && row->samples > 1) ||
           (column->flags & NUCE_COLUMN_IF_BESIDE && !row->is_beside);
}

json_t *nuce_model_view_row(const struct nuce_model_view *view, const struct nuce_model_row *row)
{
    json_t *json = json_object();

    for (const struct nuce_model_column *column = view->columns; column->key != NULL; column++) {
        json_t *value = value_json(column, row), *object = json_object_get(json, column->key);

        if (is_left_out(column, row, value)) {
            json_decref(value);
            continue;
        }
        if (column->within == NULL) {
            json_object_set_new(json, column->key, value);
            continue;
        }
        if (object == NULL) {
            object = json_object();
            json_object_set_new(json, column->key, object);
        }
        json_object_set_new(object, column->within, value);
    }
    if (view->finish != NULL)
        view->finish(json, row);
    return json;
}

/* More columns than any view has; the longest head is KEY_WITHIN. */
#define COLUMNS_MOST 48
#define HEAD_BYTES 48

nuce_status nuce_model_view_print(const struct nuce_model_view *view, const json_t *rows,
                                  enum nuce_grid_format format, FILE *file,
                                  struct nuce_error *error)
{
    struct nuce_row_column columns[COLUMNS_MOST];
    char heads[COLUMNS_MOST][HEAD_BYTES];
    struct nuce_row_layout layout = {.columns = columns, .digits = view->digits};

    for (const struct nuce_model_column *column = view->columns; column->key != NULL; column++) {
        char *head = heads[layout.count];

        if (column->flags & NUCE_COLUMN_JSON)
            continue;
        NUCE_ASSERT(layout.count < COLUMNS_MOST);
        snprintf(head, HEAD_BYTES, "%s%s%s", column->key, column->within == NULL ? "" : "_",
                 column->within == NULL ? "" : column->within);
        columns[layout.count++] =
            (struct nuce_row_column){.key = column->key,
                                     .within = column->within,
                                     .head = head,
                                     .look = column->look,
                                     .is_wide = (column->flags & NUCE_COLUMN_WIDE) != 0};
    }
    return nuce_rows_print(rows, &layout, format, file, error);
}
