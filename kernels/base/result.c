/* The results of a run, checked against the tables that declare them.
 *
 * A run may set any result that one of its tables declares, in any order and more than once. A name
 * that is in no table, or of another type, stops the program at that line. If memory runs out, that
 * is stored and reported once at the end, so that the many calls that set a value need no
 * status. */
#include "base/result.h"

#include <math.h>
#include <string.h>

/* Linear over all rows of all tables: some hundred, once for each value that is set or shown. */
const struct nuce_result *nuce_result_find(const struct nuce_result *const *tables,
                                           const char *name)
{
    for (; *tables != NULL; tables++) {
        for (const struct nuce_result *row = *tables; row->name != NULL; row++) {
            if (strcmp(row->name, name) == 0)
                return row;
        }
    }
    return NULL;
}

void nuce_metrics_init(const struct nuce_result *const *tables, struct nuce_metrics *out)
{
    *out = (struct nuce_metrics){.tables = tables, .values = json_object()};
}

void nuce_metrics_fini(struct nuce_metrics *found)
{
    json_decref(found->values);
    *found = (struct nuce_metrics){0};
}

/* Takes value; NULL: there was no memory for it. */
static void set_value(struct nuce_metrics *found, const char *name, enum nuce_result_type type,
                      json_t *value)
{
    const struct nuce_result *row = nuce_result_find(found->tables, name);

    NUCE_ASSERT(row != NULL && row->type == type && !(row->flags & NUCE_RESULT_DERIVED));
    if (value == NULL || json_object_set_new(found->values, name, value) != 0)
        found->is_incomplete = 1;
}

void nuce_metrics_integer(struct nuce_metrics *found, const char *name, int64_t value)
{
    set_value(found, name, NUCE_INTEGER, json_integer(value));
}

void nuce_metrics_real(struct nuce_metrics *found, const char *name, double value)
{
    if (isfinite(value))
        set_value(found, name, NUCE_REAL, json_real(value));
}

void nuce_metrics_text(struct nuce_metrics *found, const char *name, const char *value)
{
    if (value != NULL && *value != '\0')
        set_value(found, name, NUCE_TEXT, json_string(value));
}

void nuce_metrics_forget(struct nuce_metrics *found, unsigned flags)
{
    for (const struct nuce_result *const *table = found->tables; *table != NULL; table++) {
        for (const struct nuce_result *row = *table; row->name != NULL; row++) {
            if (row->flags & flags)
                json_object_del(found->values, row->name);
        }
    }
}

void nuce_metrics_merge(struct nuce_metrics *found, json_t *values)
{
    json_object_update(found->values, values);
}

json_t *nuce_metrics_values(const struct nuce_metrics *found, struct nuce_error *error)
{
    if (found->is_incomplete) {
        nuce_error_set(error, NUCE_FAILED, "out of memory for the metrics of a run");
        return NULL;
    }
    return json_incref(found->values);
}
