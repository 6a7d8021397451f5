#include "decomposition_records.h"

#include "records.h"

static json_t *params_json(const struct decomposition *what)
{
    json_t *params = json_pack("{s:s, s:i, s:i, s:s, s:i}", "algorithm", what->algorithm, "rows",
                               1000, "columns", what->columns, "exchange", "ac", "seed", 1);

    if (what->weights != NULL)
        json_object_set_new(params, "weights", json_string(what->weights));
    if (what->ratio > 0)
        json_object_set_new(params, "ratio", json_real(what->ratio));
    if (what->samples > 0)
        json_object_set_new(params, "samples", json_integer(what->samples));
    if (what->instance >= 0)
        json_object_set_new(params, "instance", json_integer(what->instance));
    if (what->latency > 0)
        json_object_set_new(params, "latency", json_real(what->latency));
    if (what->edges != NULL)
        json_object_set_new(params, "edges", json_string(what->edges));
    return params;
}

json_t *modelled_decomposition(const struct decomposition *what, double cost)
{
    json_t *record = workload_record("stencil", what->ranks, params_json(what),
                                     json_pack("{s:[]}", "step"), NULL);

    json_object_update_new(record,
                           json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:i}", "kind", "modelled",
                                     "acost", cost, "bcost", 2 * cost, "cost", cost,
                                     "internal_edges", 4.0, "decompose_s", 1e-6, "settled", 1));
    return record;
}

json_t *drawn_decomposition(const struct decomposition *what, double cost, json_t *rectangles)
{
    json_t *record = modelled_decomposition(what, cost);

    json_object_set_new(record, "rectangles", rectangles);
    return record;
}

/* Six samples around s seconds. */
static json_t *around(double s)
{
    static const double parts[] = {1, 0.75, 1, 1, 1.25, 1};
    json_t *all = json_array();

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        json_array_append_new(all, json_real(parts[i] * s));
    return all;
}

json_t *measured_rebalance(int side, int iterations, const char *rebalance)
{
    double never_s = 0.2 + 0.04 * (iterations - 20);
    double cut_s = 0.2 + 0.04 * 10 + 0.3 + 0.02 * (iterations - 30);
    json_t *params = json_pack("{s:s, s:i, s:i, s:i, s:s, s:s, s:s}", "algorithm", "xy2", "rows",
                               side, "columns", side, "iterations", iterations, "speeds-after",
                               "20:4,1", "exchange", "ac", "emulate-speeds", "1,4");
    json_t *samples = json_pack("{s:o}", "step", around(rebalance == NULL ? never_s : cut_s));
    json_t *record;

    if (rebalance != NULL) {
        json_object_update_new(params,
                               json_pack("{s:s, s:i}", "rebalance", rebalance, "look-every", 10));
        json_object_update_new(
            samples, json_pack("{s:o, s:o}", "rebalance", around(0.2), "move", around(0.1)));
    }
    record = workload_record("stencil", 2, params, samples, NULL);
    json_object_update_new(
        record, json_pack("{s:f, s:f}", "iteration_before_s", 0.01, "iteration_changed_s", 0.04));
    if (rebalance != NULL)
        json_object_update_new(record,
                               json_pack("{s:f, s:f, s:f, s:f, s:f}", "rebalances", 1.0,
                                         "moved_bytes", 4e6, "iteration_after_s", 0.02,
                                         "saving_predicted_s", 0.025, "cut_predicted_s", 0.25));
    return record;
}

json_t *pinwheel(void)
{
    return json_pack("[[i,f,f,f,f],[i,f,f,f,f],[i,f,f,f,f],[i,f,f,f,f],[i,f,f,f,f]]", 0, 0.0, 0.0,
                     400.0, 600.0, 1, 0.0, 600.0, 600.0, 400.0, 2, 600.0, 400.0, 400.0, 600.0, 3,
                     400.0, 0.0, 600.0, 400.0, 4, 400.0, 400.0, 200.0, 200.0);
}

json_t *slabs(void)
{
    json_t *rectangles = json_array();

    for (int i = 0; i < 5; i++)
        json_array_append_new(rectangles,
                              json_pack("[i,f,f,f,f]", i, 0.0, 200.0 * i, 1000.0, 200.0));
    return rectangles;
}

static void append(const char *folder, struct decomposition what, double cost, json_t *rectangles)
{
    json_t *record = rectangles == NULL ? modelled_decomposition(&what, cost)
                                        : drawn_decomposition(&what, cost, rectangles);

    append_record(folder, "a", "1.jsonl", record);
}

void write_decompositions(const char *folder)
{
    static const char *const algorithms[] = {"rb2", "xy2", "tile"};
    static const char figure16[] = "0.5,0.1,0.1,0.1,0.1,0.05,0.05";
    static const double latencies[] = {0, 100, 1000};

    for (int i = 0; i < 9; i++)
        append(folder,
               (struct decomposition){.algorithm = algorithms[i / 3],
                                      .ranks = 4,
                                      .columns = 2000,
                                      .ratio = 4,
                                      .samples = 20,
                                      .instance = -1,
                                      .latency = latencies[i % 3]},
               3000 - 100 * i, NULL);
    append(folder, (struct decomposition){"xy2", 2, 1500, "0.6,0.4", .instance = -1}, 1000, NULL);
    append(folder, (struct decomposition){"xy2", 3, 1500, "0.5,0.3,0.2", .instance = -1}, 1750,
           NULL);
    append(folder, (struct decomposition){"xy2", 4, 1500, "0.4,0.3,0.2,0.1", .instance = -1}, 2450,
           NULL);
    append(folder, (struct decomposition){"rb2", 7, 3000, figure16, .instance = -1}, 4666.67,
           slabs());
    append(folder, (struct decomposition){"optimal", 5, 1000, "6,6,6,6,1", .instance = -1}, 2400,
           pinwheel());
    append(folder, (struct decomposition){"optimal", 5, 1000, .ratio = 8}, 2400, pinwheel());
    append(folder, (struct decomposition){"xy2", 5, 1000, .ratio = 8}, 2520, slabs());
    append_record(folder, "a", "1.jsonl", measured_rebalance(700, 60, NULL));
    append_record(folder, "a", "1.jsonl", measured_rebalance(700, 60, "after-change"));
}
