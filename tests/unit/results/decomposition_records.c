#include "decomposition_records.h"

#include <stdio.h>

#include "heat_records.h"
#include "records.h"

static json_t *params_json(const struct decomposition *what)
{
    json_t *params = json_pack("{s:s, s:i, s:i, s:s, s:i}", "decomposition", what->decomposition,
                               "rows", 1000, "columns", what->columns, "schedule", "ac", "seed", 1);

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

/* Six samples, a quarter above and below s seconds. */
static json_t *widely_around(double s)
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
    json_t *params = json_pack("{s:s, s:i, s:i, s:i, s:s, s:s, s:s}", "decomposition", "xy2",
                               "rows", side, "columns", side, "iterations", iterations,
                               "speeds-after", "20:4,1", "schedule", "ac", "emulate-speeds", "1,4");
    json_t *samples =
        json_pack("{s:o}", "step", widely_around(rebalance == NULL ? never_s : cut_s));
    json_t *record;

    if (rebalance != NULL) {
        json_object_update_new(params,
                               json_pack("{s:s, s:i}", "rebalance", rebalance, "look-every", 10));
        json_object_update_new(samples, json_pack("{s:o, s:o}", "rebalance", widely_around(0.2),
                                                  "move", widely_around(0.1)));
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

void append_rebalances(const char *folder, int side, int iterations)
{
    static const char *const ways[] = {NULL, "after-change", "when-it-pays"};

    for (int launch = 1; launch <= 3; launch++) {
        char file[16], job[16];

        snprintf(file, sizeof file, "r%d-%d.jsonl", iterations, launch);
        snprintf(job, sizeof job, "j%d", launch);
        append_record(folder, "a", file, job_record("a", job, "cpu"));
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            json_t *record = measured_rebalance(side, iterations, ways[i]);

            enter_heat(record, iterations, launch, 1, i == 0);
            append_record(folder, "a", file, record);
        }
    }
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

/* Six, the least that have an interval, of so many seconds in the mean. */
static json_t *around(double mean)
{
    return json_pack("[f,f,f,f,f,f]", 1.1 * mean, 0.95 * mean, mean, 0.9 * mean, 1.05 * mean, mean);
}

static json_t *quarters(double side)
{
    double half = side / 2;

    return json_pack("[[i,f,f,f,f],[i,f,f,f,f],[i,f,f,f,f],[i,f,f,f,f]]", 0, 0.0, 0.0, half, half,
                     1, 0.0, half, half, half, 2, half, 0.0, half, half, 3, half, half, half, half);
}

json_t *swept_decomposition(const char *decomposition, int side, double acost, double iteration_s)
{
    json_t *params = json_pack("{s:s, s:i, s:i, s:s, s:s, s:s, s:i, s:i, s:i, s:s, s:s, s:b, s:i}",
                               "decomposition", decomposition, "rows", side, "columns", side,
                               "weights", "1,1,1,2", "emulate-speeds", "1,1,1,2", "schedule", "ac",
                               "seed", 1, "iterations", 2, "stencil", 5, "element", "double",
                               "border", "fixed", "overlap", 0, "halo-depth", 1);
    json_t *samples =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "step", around(2 * iteration_s), "computation",
                  around(1.5 * iteration_s), "communication", around(0.4 * iteration_s), "pack",
                  around(0.05 * iteration_s), "unpack", around(0.05 * iteration_s));
    json_t *record = workload_record("stencil", 4, params, samples, NULL);

    json_object_update_new(record, json_pack("{s:f, s:f, s:f, s:f, s:f, s:i, s:i, s:i, s:i, s:o}",
                                             "acost", acost, "bcost", 2 * acost, "cost", acost,
                                             "internal_edges", 4.0, "load_balance", 1.25,
                                             "messages", 8, "bytes", (int)(16 * acost), "degree", 3,
                                             "port_bytes", 500, "rectangles", quarters(side)));
    return record;
}

json_t *calibrated_speeds(int side)
{
    json_t *record = workload_record(
        "speeds", 4, json_pack("{s:s, s:i, s:i}", "element", "double", "side", side, "stencil", 5),
        json_pack("{s:[f], s:[f]}", "step", 1.0, "computation", 1.0), NULL);
    json_t *speeds = json_array();

    for (int i = 0; i < 4; i++)
        json_array_append_new(speeds, json_pack("[i,f,f,f]", i, 1000.0, 900.0, 1100.0));
    json_object_set_new(record, "speeds", speeds);
    return record;
}

json_t *calibrated_links(void)
{
    json_t *record = workload_record("links", 4, json_pack("{s:i}", "largest", 65536),
                                     json_pack("{s:[f]}", "step", 1.0), NULL);

    json_object_set_new(
        record, "links",
        json_pack("[[i,i,f,n,f,n],[i,i,f,n,f,n]]", 0, 1, 0.5e-3, 1e6, 1, 0, 1.5e-3, 1e6));
    return record;
}

static void append(const char *folder, struct decomposition what, double cost, json_t *rectangles)
{
    json_t *record = rectangles == NULL ? modelled_decomposition(&what, cost)
                                        : drawn_decomposition(&what, cost, rectangles);

    append_record(folder, "a", "1.jsonl", record);
}

void write_decompositions(const char *folder)
{
    static const char *const names[] = {"rb2", "xy2", "tile"};
    static const char figure16[] = "0.5,0.1,0.1,0.1,0.1,0.05,0.05";
    static const double latencies[] = {0, 100, 1000};

    for (int i = 0; i < 9; i++)
        append(folder,
               (struct decomposition){.decomposition = names[i / 3],
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
    for (int i = 0; i < 3; i++)
        append_record(folder, "a", "1.jsonl",
                      swept_decomposition(i == 0 ? "grid" : names[i], 100, 200 - i, 4 - i));
    append_rebalances(folder, 700, 60);
}
