/* A run of links in a few numbers, for the table. */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/statistics.h"
#include "programs/calibrate.h"
#include "schedules/network.h"

/* Columns of record.h's links, ports and contention. */
enum { STARTUP = 2, BANDWIDTH = 4, BANDWIDTH_ERROR = 5 };
enum { PORT_OUT = 1, PORT_IN = 2 };
enum { PARTNERS, RELATIVE, GAIN_OUT, GAIN_IN };

/* A step's time is of another thing in each step: the median over them is taken out of the row. */
static void drop_times(json_t *row)
{
    static const char *const keys[] = {
        "step_s",          "step_low_s",          "step_high_s",
        "communication_s", "communication_low_s", "communication_high_s"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_del(row, keys[i]);
}

/* NaN where it is not known. */
static double links_rows_value(const json_t *rows, size_t row, size_t column)
{
    const json_t *found = json_array_get(json_array_get(rows, row), column);

    return json_is_number(found) ? json_number_value(found) : NAN;
}

/* Sorts what is known of a column into values, as a fraction of the bandwidth if is_relative;
 * returns how many there are. */
static int64_t links_rows_collect(const json_t *rows, size_t column, int is_relative,
                                  double *values)
{
    int64_t count = 0;

    for (size_t i = 0; i < json_array_size(rows); i++) {
        double found = links_rows_value(rows, i, column);

        if (is_relative)
            found /= links_rows_value(rows, i, BANDWIDTH);
        if (!isnan(found))
            values[count++] = found;
    }
    nuce_statistics_sort(values, count);
    return count;
}

static void links_rows_set_real(json_t *row, const char *key, double number)
{
    json_object_set_new(row, key, json_real(number));
}

/* values: room for as many as there are pairs. */
static void add_pairs(const json_t *links, json_t *row, double *values)
{
    int64_t pairs = links_rows_collect(links, STARTUP, 0, values), fitted;

    json_object_set_new(row, "pairs", json_integer(pairs));
    links_rows_set_real(row, "startup_s", nuce_statistics_median(values, pairs));
    links_rows_collect(links, BANDWIDTH, 0, values);
    links_rows_set_real(row, "bandwidth_least", values[0]);
    links_rows_set_real(row, "bandwidth_median", nuce_statistics_median(values, pairs));
    links_rows_set_real(row, "bandwidth_most", values[pairs - 1]);
    fitted = links_rows_collect(links, BANDWIDTH_ERROR, 1, values);
    if (fitted > 0)
        links_rows_set_real(row, "bandwidth_error", nuce_statistics_median(values, fitted));
    json_object_set_new(row, "unfitted", json_integer(pairs - fitted));
}

/* "2 of 8": the limit of so many ports is known. */
static void add_port(const json_t *ports, size_t column, const char *key, json_t *row)
{
    int known = 0;

    for (size_t i = 0; i < json_array_size(ports); i++)
        known += !isnan(links_rows_value(ports, i, column));
    json_object_set_new(row, key, json_sprintf("%d of %d", known, (int)json_array_size(ports)));
}

/* The depth that `depth: auto` takes from the curve: nuce_network_depth. */
static void add_depth(const json_t *curve, json_t *row)
{
    int count = (int)json_array_size(curve);
    struct nuce_contention *points = nuce_allocate(count, sizeof *points);
    struct nuce_network network = {.contention = points, .contentions = count};

    for (int i = 0; i < count; i++)
        points[i] = (struct nuce_contention){(int)links_rows_value(curve, (size_t)i, PARTNERS),
                                             links_rows_value(curve, (size_t)i, RELATIVE)};
    json_object_set_new(row, "depth_auto", json_integer(nuce_network_depth(&network)));
    free(points);
}

/* What the gains with all others say, medians over the centres, which have no interval. */
static void add_regime(const json_t *curve, json_t *row)
{
    size_t last = json_array_size(curve) - 1;
    double partners = links_rows_value(curve, last, PARTNERS);
    double out = links_rows_value(curve, last, GAIN_OUT),
           in = links_rows_value(curve, last, GAIN_IN);

    if (partners < 2)
        return;
    json_object_set_new(
        row, "regime",
        json_string(nuce_contention_regime(nuce_contention_growth(out, out, partners),
                                           nuce_contention_growth(in, in, partners))));
}

nuce_status nuce_links_summarise(const json_t *record, json_t *row, struct nuce_error *error)
{
    json_t *links = json_object_get(record, "links"), *ports = json_object_get(record, "ports");
    json_t *curve = json_object_get(record, "contention");
    double *values;

    (void)error;
    drop_times(row);
    if (json_array_size(links) == 0 || json_array_size(curve) == 0)
        return NUCE_OK;
    values = nuce_allocate((int64_t)json_array_size(links), sizeof *values);
    add_pairs(links, row, values);
    free(values);
    add_port(ports, PORT_OUT, "ports_out", row);
    add_port(ports, PORT_IN, "ports_in", row);
    add_regime(curve, row);
    json_object_set(row, "links", links);
    json_object_set(row, "ports", ports);
    json_object_set(row, "contention", curve);
    add_depth(curve, row);
    return NUCE_OK;
}
