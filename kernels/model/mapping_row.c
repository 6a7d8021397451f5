#include "model/mapping_row.h"

#include <math.h>

#include "tables/rows.h"

static const char *const cases[NUCE_MAPPING_CASES] = {"0", "10", "20"};

/* Welford, Technometrics 4(3), 1962. */
void nuce_mapping_mean_add(struct nuce_mapping_mean *mean, double value)
{
    double before = value - mean->mean;

    mean->count++;
    mean->mean += before / (double)mean->count;
    mean->squares += before * (value - mean->mean);
}

static double deviation(const struct nuce_mapping_mean *mean)
{
    return sqrt(mean->squares / (double)(mean->count - 1));
}

void nuce_mapping_row_add(struct nuce_mapping_row *row, const struct nuce_mapping_sample *sample,
                          double bound, const struct nuce_mapping_sample *rm)
{
    nuce_mapping_mean_add(&row->cardinality, sample->cardinality);
    nuce_mapping_mean_add(&row->bound, bound);
    nuce_mapping_mean_add(&row->seconds, sample->seconds);
    for (int i = 0; i < NUCE_MAPPING_CASES; i++)
        nuce_mapping_mean_add(&row->latency_us[i], 1e6 * sample->latency_s[i]);
    if (rm == NULL)
        return;
    nuce_mapping_mean_add(&row->percent, 100 * sample->cardinality / rm->cardinality);
    for (int i = 0; i < NUCE_MAPPING_CASES; i++)
        nuce_mapping_mean_add(&row->gain[i], 100 * (1 - sample->latency_s[i] / rm->latency_s[i]));
}

/* Null where it is no number: nobody talks, or nothing to set it beside. */
static json_t *real(double value)
{
    if (!isfinite(value))
        return json_null();
    if (value >= 0 && value < 9e15 && !(floor(value) < value))
        return json_integer((json_int_t)value);
    return json_real(value);
}

static json_t *case_object(const struct nuce_mapping_mean *means, double (*of)(double, double))
{
    json_t *object = json_object();

    for (int i = 0; i < NUCE_MAPPING_CASES; i++)
        (void)json_object_set_new(
            object, cases[i],
            real(of(means[i].mean, means[i].count > 1 ? deviation(&means[i]) : 0)));
    return object;
}

static double mean_of(double mean, double sd)
{
    (void)sd;
    return mean;
}

static double sd_of(double mean, double sd)
{
    (void)mean;
    return sd;
}

nuce_status nuce_mapping_row_json(const struct nuce_mapping_row *row, json_t *json,
                                  struct nuce_error *error)
{
    int several = row->cardinality.count > 1, bad = 0;

    bad |= json_object_set_new(json, "cardinality", real(row->cardinality.mean));
    if (several)
        bad |= json_object_set_new(json, "cardinality_sd", real(deviation(&row->cardinality)));
    bad |= json_object_set_new(json, "latency_us", case_object(row->latency_us, mean_of));
    if (several)
        bad |= json_object_set_new(json, "latency_us_sd", case_object(row->latency_us, sd_of));
    bad |= json_object_set_new(json, "seconds", json_real(row->seconds.mean));
    bad |= json_object_set_new(json, "cardinality_bound", real(row->bound.mean));
    if (row->percent.count > 0) {
        bad |= json_object_set_new(json, "cardinality_percent", real(row->percent.mean));
        bad |= json_object_set_new(json, "gain_percent", case_object(row->gain, mean_of));
    }
    if (row->percent.count > 1) {
        bad |= json_object_set_new(json, "cardinality_percent_sd", real(deviation(&row->percent)));
        bad |= json_object_set_new(json, "gain_percent_sd", case_object(row->gain, sd_of));
    }
    return bad == 0 ? NUCE_OK : nuce_error_set(error, NUCE_FAILED, "out of memory for a result");
}

/* The columns of text and CSV: a key, and within it one of a case. */
static const struct nuce_row_column columns[] = {
    {"placement", NULL, "placement", NUCE_LOOK_PLAIN, 0},
    {"routing", NULL, "routing", NUCE_LOOK_PLAIN, 1},
    {"ranks", NULL, "ranks", NUCE_LOOK_PLAIN, 0},
    {"nodes", NULL, "nodes", NUCE_LOOK_PLAIN, 1},
    {"switches", NULL, "switches", NUCE_LOOK_PLAIN, 1},
    {"links", NULL, "links", NUCE_LOOK_PLAIN, 1},
    {"samples", NULL, "samples", NUCE_LOOK_PLAIN, 0},
    {"cardinality", NULL, "cardinality", NUCE_LOOK_PLAIN, 0},
    {"cardinality_sd", NULL, "cardinality_sd", NUCE_LOOK_PLAIN, 1},
    {"cardinality_bound", NULL, "cardinality_bound", NUCE_LOOK_PLAIN, 0},
    {"cardinality_percent", NULL, "cardinality_percent", NUCE_LOOK_PLAIN, 0},
    {"cardinality_percent_sd", NULL, "cardinality_percent_sd", NUCE_LOOK_PLAIN, 1},
    {"latency_us", "0", "latency_us_0", NUCE_LOOK_PLAIN, 0},
    {"latency_us", "10", "latency_us_10", NUCE_LOOK_PLAIN, 0},
    {"latency_us", "20", "latency_us_20", NUCE_LOOK_PLAIN, 0},
    {"latency_us_sd", "0", "latency_us_sd_0", NUCE_LOOK_PLAIN, 1},
    {"latency_us_sd", "10", "latency_us_sd_10", NUCE_LOOK_PLAIN, 1},
    {"latency_us_sd", "20", "latency_us_sd_20", NUCE_LOOK_PLAIN, 1},
    {"gain_percent", "0", "gain_percent_0", NUCE_LOOK_PLAIN, 0},
    {"gain_percent", "10", "gain_percent_10", NUCE_LOOK_PLAIN, 0},
    {"gain_percent", "20", "gain_percent_20", NUCE_LOOK_PLAIN, 0},
    {"gain_percent_sd", "0", "gain_percent_sd_0", NUCE_LOOK_PLAIN, 0},
    {"gain_percent_sd", "10", "gain_percent_sd_10", NUCE_LOOK_PLAIN, 1},
    {"gain_percent_sd", "20", "gain_percent_sd_20", NUCE_LOOK_PLAIN, 1},
    {"seconds", NULL, "seconds", NUCE_LOOK_SECONDS, 0},
};

nuce_status nuce_mapping_rows_print(const json_t *rows, enum nuce_grid_format format, FILE *file,
                                    struct nuce_error *error)
{
    const struct nuce_row_layout layout = {.columns = columns,
                                           .count = sizeof columns / sizeof *columns};

    return nuce_rows_print(rows, &layout, format, file, error);
}
