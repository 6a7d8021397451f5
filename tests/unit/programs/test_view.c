/* Means over instances, and their rows in a view. */

#include "../holds.h"
#include "../workloads/points.h"
#include "programs/model_command.h"

/* clang-format off */
static const struct nuce_result results[] = {
    {"length", NUCE_REAL, "cells", "", NULL, 0},
    {"messages", NUCE_INTEGER, "", "", NULL, 0},
    {"settled", NUCE_INTEGER, "", "", NULL, NUCE_RESULT_EVERY},
    {"network", NUCE_TEXT, "", "", NULL, 0},
    {"unknown", NUCE_REAL, "", "", NULL, 0},
    {.name = NULL},
};
/* clang-format on */

static const struct nuce_result *const tables[] = {results, NULL};

/* One instance of a row; how many there are is the row's. */
struct instance {
    double length;
    int64_t messages;
    int settled;
    const char *network;
};

/* A row of the stencil on 6 ranks, of so many instances. Freed with row_fini. */
static void row_init(const struct instance *instances, int count, struct nuce_model_row *row)
{
    *row = (struct nuce_model_row){.samples = count, .kept = json_object()};
    row->point = point_of("stencil 6 rows=12 columns=20 decomposition=strips schedule=ac");
    nuce_model_means_init(tables, &row->means);
    for (int i = 0; i < count; i++) {
        struct nuce_metrics found;

        nuce_metrics_init(tables, &found);
        nuce_metrics_real(&found, "length", instances[i].length);
        nuce_metrics_integer(&found, "messages", instances[i].messages);
        nuce_metrics_integer(&found, "settled", instances[i].settled);
        nuce_metrics_text(&found, "network", instances[i].network);
        assert_ok(nuce_model_means_add(&row->means, &found, ANY_ERROR));
        nuce_metrics_fini(&found);
    }
}

static void row_fini(struct nuce_model_row *row)
{
    nuce_point_fini(&row->point);
    nuce_model_means_fini(&row->means);
    json_decref(row->kept);
}

/* That a view of one column shows the row as that JSON, without the braces; "": not at all. */
static void shows(const struct nuce_model_row *row, struct nuce_model_column column,
                  const char *expected)
{
    const struct nuce_model_column columns[] = {column, {.key = NULL}};
    const struct nuce_model_view view = {.columns = columns};
    json_t *json = nuce_model_view_row(&view, row);
    char *text = json_dumps(json, JSON_COMPACT), wanted[128];

    snprintf(wanted, sizeof wanted, "{%s}", expected);
    assert_string_equal(text, wanted);
    free(text);
    json_decref(json);
}

/* Where values come from: the point, the row, and means over 2, 3 and 7. Numbers are scaled, and
 * whole, counted or true as the flags say. */
static void test_values(void **state)
{
    static const struct instance three[] = {{2, 4, 1, "cm5"}, {3, 4, 0, "cm5"}, {7, 4, 1, "other"}};
    static const struct instance two[] = {{2.5, 4, 1, ""}, {3.5, 5, 0, ""}};
    static const struct instance one[] = {{2.5, (INT64_C(1) << 53) + 1, 1, ""}};
    static const struct instance large[] = {{1e16, 4, 1, ""}};
    static const struct {
        const struct instance *instances;
        int count;
        enum nuce_model_source from;
        const char *of;
        double scale;
        unsigned flags;
        const char *expected;
    } cases[] = {
        {three, 3, NUCE_FROM_OPTION, "columns", 0, 0, "\"n\":20"},
        {three, 3, NUCE_FROM_RANKS, NULL, 0, 0, "\"n\":6"},
        {three, 3, NUCE_FROM_SAMPLES, NULL, 0, 0, "\"n\":3"},
        {three, 3, NUCE_FROM_TEXT, "network", 0, 0, "\"n\":\"other\""},
        {three, 3, NUCE_FROM_LIST, "parts", 0, 0, "\"n\":[5,6]"},
        {three, 3, NUCE_FROM_LIST, "none", 0, 0, "\"n\":null"},
        {three, 3, NUCE_FROM_MEAN, "length", 0, 0, "\"n\":4.0"},
        {three, 3, NUCE_FROM_LEAST, "length", 0, 0, "\"n\":2.0"},
        {three, 3, NUCE_FROM_LARGEST, "length", 0, 0, "\"n\":7.0"},
        /* Squares of deviations from 4: 4 + 1 + 9 = 14, over 2. */
        {three, 3, NUCE_FROM_DEVIATION, "length", 0, 0, "\"n\":2.6457513110645907"},
        {three, 3, NUCE_FROM_MEAN, "unknown", 0, 0, "\"n\":null"},
        {one, 1, NUCE_FROM_MEAN, "length", 1e3, 0, "\"n\":2500.0"},
        {one, 1, NUCE_FROM_MEAN, "length", 4, NUCE_COLUMN_WHOLE, "\"n\":10"},
        {one, 1, NUCE_FROM_MEAN, "length", 0, NUCE_COLUMN_WHOLE, "\"n\":2.5"},
        {one, 1, NUCE_FROM_LEAST, "settled", 0, NUCE_COLUMN_TRUTH, "\"n\":true"},
        /* An integer of one instance stays exact, beyond the precision of a double. */
        {one, 1, NUCE_FROM_MEAN, "messages", 0, NUCE_COLUMN_COUNT, "\"n\":9007199254740993"},
        /* One value has no deviation. */
        {one, 1, NUCE_FROM_DEVIATION, "length", 0, 0, "\"n\":null"},
        {two, 2, NUCE_FROM_LEAST, "settled", 0, NUCE_COLUMN_TRUTH, "\"n\":false"},
        {two, 2, NUCE_FROM_MEAN, "length", 0, NUCE_COLUMN_COUNT, "\"n\":3.0"},
        {two, 2, NUCE_FROM_MEAN, "length", 0, NUCE_COLUMN_WHOLE, "\"n\":3"},
        /* Whole, but not sure to be the number that was meant. */
        {large, 1, NUCE_FROM_MEAN, "length", 0, NUCE_COLUMN_WHOLE, "\"n\":10000000000000000.0"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_model_row row;

        row_init(cases[i].instances, cases[i].count, &row);
        json_object_set_new(row.kept, "parts", json_pack("[i,i]", 5, 6));
        shows(&row,
              (struct nuce_model_column){"n", NULL, cases[i].from, cases[i].of, cases[i].scale,
                                         cases[i].flags, 0},
              cases[i].expected);
        row_fini(&row);
    }
}

/* A record of a mean has no count that differs between instances. */
static void test_describes(void **state)
{
    static const struct instance two[] = {{2, 7, 1, "cm5"}, {4, 9, 0, "cm5"}};
    struct nuce_model_row row;
    struct nuce_metrics found;
    struct nuce_error error;
    json_t *values;

    row_init(two, 2, &row);
    nuce_metrics_init(tables, &found);
    nuce_model_means_describe(&row.means, &found);
    values = nuce_metrics_values(&found, &error);
    holds(values, "{\"length\":3.0,\"messages\":null,\"settled\":0,\"network\":\"cm5\","
                  "\"unknown\":null}");
    json_decref(values);
    nuce_metrics_fini(&found);
    row_fini(&row);
}

static void add_sum(json_t *json, const struct nuce_model_row *row)
{
    json_t *cases = json_object_get(json, "case");

    json_object_set_new(json, "sum",
                        json_real(json_number_value(json_object_get(cases, "low")) +
                                  json_number_value(json_object_get(cases, "high")) +
                                  (double)row->samples));
}

/* Columns of one key are one object, which `finish` may look at; one that is for JSON alone is in
 * neither table, a wide one only in CSV. */
static void test_printed(void **state)
{
    static const struct instance two[] = {{2, 4, 1, "cm5"}, {3, 4, 1, "cm5"}};
    static const struct nuce_model_column columns[] = {
        {"case", "low", NUCE_FROM_LEAST, "length", 0, 0, 0},
        {"messages", NULL, NUCE_FROM_MEAN, "messages", 0, NUCE_COLUMN_WHOLE, 0},
        {"case", "high", NUCE_FROM_LARGEST, "length", 0, NUCE_COLUMN_WIDE, 0},
        {"network", NULL, NUCE_FROM_TEXT, "network", 0, NUCE_COLUMN_JSON, 0},
        {"time", NULL, NUCE_FROM_MEAN, "length", 1e-3, 0, NUCE_LOOK_SECONDS},
        {.key = NULL},
    };
    static const struct nuce_model_view view = {.columns = columns, .finish = add_sum};
    static const struct {
        enum nuce_grid_format format;
        const char *expected;
    } forms[] = {
        {NUCE_GRID_JSON, "{\"case\":{\"low\":2.0,\"high\":3.0},\"messages\":4,\"network\":\"cm5\","
                         "\"time\":0.0025000000000000001,\"sum\":7.0}\n"},
        {NUCE_GRID_CSV, "case_low,messages,case_high,time\n2,4,3,0.0025\n"},
        {NUCE_GRID_TEXT, "case_low messages   time\n       2        4 2.50ms\n"},
    };
    struct nuce_model_row row;
    json_t *rows = json_array();

    row_init(two, 2, &row);
    json_array_append_new(rows, nuce_model_view_row(&view, &row));
    for (size_t i = 0; i < COUNT(forms); i++) {
        char *text = NULL;
        size_t length = 0;
        FILE *stream = open_memstream(&text, &length);

        assert_ok(nuce_model_view_print(&view, rows, forms[i].format, stream, ANY_ERROR));
        fclose(stream);
        assert_string_equal(text, forms[i].expected);
        free(text);
    }
    json_decref(rows);
    row_fini(&row);
}

RUN(test_values, test_describes, test_printed)
