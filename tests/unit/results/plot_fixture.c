#include "../test.h"

#include "plot_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "records.h"

int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    make_folder(f->folder);
    snprintf(f->database, sizeof f->database, "%s/nuce.db", f->folder);
    assert_non_null(getcwd(f->before, sizeof f->before));
    assert_int_equal(chdir(f->folder), 0);
    *state = f;
    return 0;
}

int set_up_job(void **state)
{
    const struct fixture *f;

    set_up(state);
    f = *state;
    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    return 0;
}

int tear_down(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(chdir(f->before), 0);
    remove_folder(f->folder);
    free(f);
    return 0;
}

void collect(const struct fixture *f)
{
    char campaigns[PATH_BYTES + 16];
    struct nuce_error error;

    snprintf(campaigns, sizeof campaigns, "%s/", f->folder);
    assert_ok(collect_all(f->database, campaigns, NULL, NULL, &error));
}

nuce_status find_rows(const struct fixture *f, const char *name,
                      const struct nuce_plot_choice *choice, struct nuce_plot_data *data,
                      struct nuce_error *error)
{
    struct nuce_plot plot;
    struct nuce_store store;
    nuce_status status;

    assert_ok(nuce_plot_read(name, &plot, error));
    assert_ok(nuce_store_open_reading(f->database, &store, error));
    status = nuce_plot_query(&plot, &store, choice, data, error);
    nuce_store_close(&store);
    nuce_plot_fini(&plot);
    return status;
}

static char *print_table(const struct fixture *f, const char *name,
                         const struct nuce_plot_choice *choice, enum nuce_grid_format format,
                         int with_footer)
{
    struct nuce_plot plot;
    struct nuce_plot_data data;
    struct nuce_grid table;
    struct nuce_error error = {0};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    collect(f);
    if (find_rows(f, name, choice, &data, &error) != NUCE_OK)
        fail_msg("%s", error.message);
    assert_ok(nuce_plot_read(name, &plot, &error));
    assert_ok(nuce_plot_table(&plot, &data, format, &table, &error));
    assert_ok(nuce_grid_print(&table, format, stream, &error));
    if (with_footer)
        fprintf(stream, "%s\n%s\n%s\n%s\n", data.where, data.what, data.doubts, data.left_out);
    fclose(stream);
    nuce_grid_fini(&table);
    nuce_plot_data_fini(&data);
    nuce_plot_fini(&plot);
    return text;
}

char *table_text(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
                 enum nuce_grid_format format)
{
    return print_table(f, name, choice, format, 0);
}

char *table_of(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
               enum nuce_grid_format format)
{
    return print_table(f, name, choice, format, 1);
}

void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no '%s' in:\n%s", part, text);
}

void has_not(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("'%s' in:\n%s", part, text);
}

static json_t *decomposition_params(const struct decomposition *what)
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
    json_t *record = workload_record("stencil", what->ranks, decomposition_params(what),
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

    for (size_t i = 0; i < COUNT(parts); i++)
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
        for (size_t i = 0; i < COUNT(ways); i++) {
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

static json_t *record_of(const char *placement, int side, int instance, int nodes,
                         double cardinality, double latency_us)
{
    char mesh[32];
    json_t *record;

    snprintf(mesh, sizeof mesh, "%dx%d", side, side);
    record = workload_record("mapping", side * side,
                             json_pack("{s:s, s:s, s:i, s:i, s:f, s:s, s:i, s:s, s:i, s:i, s:i}",
                                       "placement", placement, "mesh", mesh, "switches", 75,
                                       "ports", 8, "connectivity", 0.75, "connectivity-of", "free",
                                       "nodes", nodes, "routing", "updown", "per-node", 1,
                                       "instance", instance, "seed", 1),
                             json_pack("{s:[]}", "step"), NULL);
    json_object_update_new(
        record, json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:i}", "kind", "modelled", "cardinality",
                          cardinality, "latency_0_s", 1e-6 * latency_us, "latency_10_s",
                          1e-6 * (latency_us + 0.1), "latency_20_s", 1e-6 * (latency_us + 0.2),
                          "place_s", 1e-5, "network_links", 129));
    return record;
}

json_t *modelled_mapping(const char *placement, int side, int instance, double cardinality,
                         double latency_us)
{
    return record_of(placement, side, instance, 256, cardinality, latency_us);
}

json_t *timed_mapping(const char *placement, int side, double place_s)
{
    json_t *record = record_of(placement, side, 0, side * side, 100, 4);

    json_object_set_new(record, "place_s", json_real(place_s));
    return record;
}

/* Two switches of two processes each. */
static json_t *drawn_mapping(void)
{
    json_t *record = record_of("bm", 2, 0, 4, 2, 3);

    json_object_update_new(
        record, json_pack("{s:[[i,i,n,i],[i,i,i,i]], s:[[i,i]], s:[[i,i,i,i],[i,i,i,i],[i,i,i,i],"
                          "[i,i,i,i]]}",
                          "switches", 0, 0, 0, 1, 1, 0, 1, "switch_links", 0, 1, "placed", 0, 0, 0,
                          0, 1, 0, 0, 1, 2, 1, 1, 0, 3, 1, 1, 1));
    set_param(record, "layout", json_true());
    return record;
}

void write_mappings(const char *folder)
{
    static const int sides[] = {4, 16};

    for (int k = 0; k < 2; k++) {
        for (int instance = 0; instance < 5; instance++) {
            append_record(folder, "a", "1.jsonl",
                          modelled_mapping("rm", sides[k], instance, 100 * sides[k], 4));
            append_record(folder, "a", "1.jsonl",
                          modelled_mapping("sm", sides[k], instance, 60, 3.5 - 0.01 * instance));
            append_record(folder, "a", "1.jsonl",
                          modelled_mapping("bm", sides[k], instance, 40, 3.2 - 0.01 * instance));
        }
    }
    append_record(folder, "a", "1.jsonl", record_of("curve", 4, 0, 16, 20, 3));
    append_record(folder, "a", "1.jsonl", drawn_mapping());
}

json_t *placed_record(const struct placed *what)
{
    static const double parts[] = {-1, -0.5, 0, 0, 0.5, 1};
    json_t *params =
        json_pack("{s:s, s:i, s:i, s:s, s:i, s:s}", "decomposition", "grid", "rows", 100, "columns",
                  400, "schedule", "ac", "seed", what->seed, "placement", what->placement);
    json_t *step = json_array(), *communication = json_array(), *record;

    for (size_t i = 0; i < COUNT(parts); i++) {
        json_array_append_new(step, json_real(what->s + parts[i] * what->spread));
        json_array_append_new(communication, json_real(what->s + parts[i] * what->spread));
    }
    record = workload_record("stencil", 8, params,
                             json_pack("{s:o, s:o}", "step", step, "communication", communication),
                             NULL);
    json_object_update_new(record, json_pack("{s:s, s:i, s:i, s:i, s:f, s:f, s:s}", "kind",
                                             what->kind, "bytes", 1000, "messages", 10,
                                             "placement_moved", 3, "placement_cardinality",
                                             what->cardinality, "placement_latency_s",
                                             what->latency_s, "topology_taken", "t@1"));
    return record;
}

void append_placements(const char *folder, int heat, const struct placed *all, int count)
{
    static const double percent[] = {-2, 1, 2, -1};

    for (int launch = 1; launch <= 4; launch++) {
        char file[16], job[16];

        snprintf(file, sizeof file, "p%d-%d.jsonl", heat, launch);
        snprintf(job, sizeof job, "j%d", launch);
        append_record(folder, "a", file, job_record("a", job, "cpu"));
        for (int i = 0; i < count; i++) {
            json_t *record = placed_record(&all[i]);

            enter_heat(record, heat, launch, exp(percent[(launch + i) % 4] / 100), i == 0);
            append_record(folder, "a", file, record);
        }
    }
}

void write_placements(const char *folder)
{
    static const struct placed measured[] = {
        {"measured", "rm", 1, 3e-3, 1e-4, 4000, 4e-6},
        {"measured", "sm", 1, 2e-3, 1e-4, 2000, 3.5e-6},
    };
    static const struct placed simulated[] = {
        {"simulated", "rm", 1, 3e-3, 0, 4000, 4e-6},
        {"simulated", "sm", 1, 2e-3, 0, 2000, 3.5e-6},
    };

    append_placements(folder, 1, measured, 2);
    for (size_t i = 0; i < COUNT(simulated); i++)
        append_record(folder, "a", "1.jsonl", placed_record(&simulated[i]));
}

enum { RANKS = 4, STEPS = 3 };

static json_t *redistribution_params(const struct redistribution *what)
{
    json_t *params = json_pack("{s:s, s:i, s:i, s:i, s:i}", "schedule", what->schedule, "block", 2,
                               "elements", 10000000, "factor", what->factor, "element-bytes", 8);

    if (what->network != NULL)
        json_object_set_new(params, "network", json_string(what->network));
    if (what->bandwidth != NULL)
        json_object_update_new(params, json_pack("{s:s, s:i, s:i}", "bandwidth", what->bandwidth,
                                                 "instance", 0, "seed", 1));
    if (what->depth != NULL)
        json_object_set_new(params, "depth",
                            strcmp(what->depth, "auto") == 0 ? json_string(what->depth)
                                                             : json_integer(atoi(what->depth)));
    return params;
}

static json_t *run_of(const struct redistribution *what, json_t *samples)
{
    json_t *record =
        workload_record("redistribute", what->ranks, redistribution_params(what), samples, NULL);
    char started[] = "2026-11-21T10:00:00.000Z";

    started[20] = (char)('0' + what->number / 100);
    started[21] = (char)('0' + what->number / 10 % 10);
    started[22] = (char)('0' + what->number % 10);
    json_object_update_new(record, json_pack("{s:s, s:s, s:i, s:i, s:i}", "job", what->job,
                                             "started", started, "phases", what->factor, "messages",
                                             what->ranks * what->factor, "bytes", 80000000));
    if (what->network != NULL)
        json_object_set_new(record, "network_taken", json_string(what->network));
    return record;
}

json_t *measured_redistribution(const struct redistribution *what, double s)
{
    static const double parts[] = {1, 0.75, 1, 1, 1.25, 1};
    json_t *step = json_array(), *communication = json_array();

    for (size_t i = 0; i < COUNT(parts); i++) {
        json_array_append_new(step, json_real(parts[i] * s));
        json_array_append_new(communication, json_real(parts[i] * s));
    }
    return run_of(what, json_pack("{s:o, s:o}", "step", step, "communication", communication));
}

json_t *modelled_redistribution(const struct redistribution *what, double s, double bound_s)
{
    json_t *record = run_of(what, json_pack("{s:[]}", "step"));

    json_object_update_new(record,
                           json_pack("{s:s, s:f, s:f, s:f}", "kind", "modelled", "predicted_s", s,
                                     "single_port_bound_s", bound_s, "bound_s", bound_s / 2));
    return record;
}

/* The transfers of direct, each duration seconds long. */
static json_t *direct_events(double duration)
{
    static const int receiver[STEPS][RANKS] = {{0, 3, 2, 1}, {1, 0, 3, 2}, {2, 1, 0, 3}};
    json_t *events = json_array();

    for (int rank = 0; rank < RANKS; rank++) {
        for (int step = 0; step < STEPS; step++)
            json_array_append_new(events, json_pack("[i, s, i, i, i, f, f]", rank, "send",
                                                    receiver[step][rank], step, 8, step * duration,
                                                    (step + 1) * duration));
    }
    return events;
}

json_t *traced_redistribution(const struct redistribution *what)
{
    json_t *record = measured_redistribution(what, 0.5);

    json_object_update_new(
        record, json_pack("{s:o, s:i, s:f, s:o, s:s, s:f}", "events", direct_events(0.0005),
                          "events_lost", 0, "clock_error_s", 1e-6, "planned", direct_events(0.001),
                          "planned_network", "emulated", "single_port_bound_s", 0.002));
    return record;
}

void write_redistributions(const char *folder, const char *job)
{
    static const char range[] = "10000000..200000000";
    const struct redistribution direct = {job, "direct", 4, 3, "emulated", NULL, range, 100};
    const struct redistribution model = {job, "greedy", 64, 40, "random", "1", range, 101};
    const struct redistribution library = {job, "alltoallv", 8, 7, "measured", NULL, NULL, 102};
    const struct redistribution shallow = {job, "greedy", 8, 7, "measured", "1", NULL, 103};
    const struct redistribution deep = {job, "greedy", 8, 7, "measured", "2", NULL, 104};
    const struct redistribution blind = {job, "greedy", 8, 7, NULL, "1", NULL, 105};
    const struct redistribution fixed = {job, "direct", 8, 7, NULL, NULL, NULL, 106};
    const struct redistribution uneven = {job,  "greedy", 16, 5, "drawn-16.network@12",
                                          NULL, NULL,     107};
    struct redistribution longer = uneven, more = direct;
    json_t *record;

    longer.factor = 6;
    longer.number = 108;
    more.factor = 2;
    more.number = 109;

    append_record(folder, "a", "1.jsonl", measured_redistribution(&uneven, 1));
    append_record(folder, "a", "1.jsonl", measured_redistribution(&longer, 1.5));
    append_record(folder, "a", "1.jsonl", measured_redistribution(&more, 1.5));
    append_record(folder, "a", "1.jsonl", traced_redistribution(&direct));
    append_record(folder, "a", "1.jsonl", modelled_redistribution(&model, 1.5, 1));
    append_record(folder, "a", "1.jsonl", measured_redistribution(&library, 0.5));
    append_record(folder, "a", "1.jsonl", measured_redistribution(&shallow, 1));
    append_record(folder, "a", "1.jsonl", measured_redistribution(&deep, 0.75));
    record = measured_redistribution(&blind, 2);
    json_object_set_new(record, "schedule_s", json_real(1e-5));
    append_record(folder, "a", "1.jsonl", record);
    append_record(folder, "a", "1.jsonl", measured_redistribution(&fixed, 4));
}
