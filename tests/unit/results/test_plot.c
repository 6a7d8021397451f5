#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot_fixture.h"

/* The plot's data from the database of the fixture. */
static nuce_status query(const struct fixture *f, const struct nuce_plot *plot,
                         struct nuce_plot_data *data, struct nuce_error *error)
{
    struct nuce_store store;
    nuce_status status = nuce_store_open_reading(f->database, &store, error);

    if (status == NUCE_OK) {
        status = nuce_plot_query(plot, &store, NULL, data, error);
        nuce_store_close(&store);
    }
    return status;
}

static void write_runs(const struct fixture *f)
{
    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "lp", 16, 0));
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 16, 1));
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 32, 2));
    collect(f);
}

#define PANEL "\"exchange wing-2800 rcb, 32 ranks\""

/* A row for each contender at each size, for people as they read times, for programs as numbers. */
static void test_quick(void **state)
{
    struct fixture *f = *state;
    char *text;

    write_runs(f);
    text = table_text(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    assert_string_equal(
        text, "| panel | at | contender | time |\n"
              "| --- | ---: | --- | ---: |\n"
              "| exchange wing-2800 rcb, 32 ranks | 16 B | ac | 1.25 s [1.12 s 1.50 s] |\n"
              "| exchange wing-2800 rcb, 32 ranks | 32 B | ac | 2.25 s [2.12 s 2.50 s] |\n"
              "| exchange wing-2800 rcb, 32 ranks | 16 B | lp | 250 ms [125 ms 500 ms] |\n");
    free(text);
    text = table_text(f, "quick", NULL, NUCE_GRID_CSV);
    assert_string_equal(
        text,
        "panel,size,at,instances,environment,contender,phases,kind,x,ms,predicted_ms,low_ms,"
        "high_ms,messages,bytes,longest_bytes,bound_ms,schedule_ms,n,launches,ratio,ratio_low,"
        "ratio_high,is_reference,is_best,control,control_low,control_high\n" PANEL
        ",16,16 B,1,fddc9c58,ac,15,measured,16,1250,,1125,1500,,,,,0.05,6,,,,,,,,,\n" PANEL
        ",32,32 B,1,fddc9c58,ac,15,measured,32,2250,,2125,2500,,,,,0.05,6,,,,,,,,,\n" PANEL
        ",16,16 B,1,fddc9c58,lp,15,measured,16,250,,125,500,,,,,0.05,6,,,,,,,,,\n");
    free(text);
}

/* Draws NAME.svg. */
static void draw(const struct fixture *f, const char *name)
{
    struct nuce_plot plot;
    struct nuce_plot_data data;
    struct nuce_error error = {0};

    assert_ok(nuce_plot_read(name, &plot, &error));
    assert_ok(query(f, &plot, &data, &error));
    if (nuce_plot_draw(&plot, &data, ".", "svg", &error) != NUCE_OK)
        fail_msg("%s", error.message);
    nuce_plot_data_fini(&data);
    nuce_plot_fini(&plot);
}

/* A run of algorithm on the instance with that seed. */
static void append_instance(const struct fixture *f, const char *algorithm, int seed, int number)
{
    json_t *record = run_record("a", "j1", algorithm, 16, number);

    set_param(record, "seed", json_integer(seed));
    append_record(f->folder, "a", "1.jsonl", record);
}

/* A row's means are over the same instances, and have no interval. */
static void test_instances(void **state)
{
    struct fixture *f = *state;
    char *text;

    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    append_instance(f, "ac", 1, 1);
    append_instance(f, "ac", 2, 2);
    append_instance(f, "lp", 1, 4);
    append_instance(f, "lp", 2, 5);
    collect(f);
    text = table_text(f, "quick", NULL, NUCE_GRID_JSON);
    assert_non_null(strstr(
        text, "\"instances\":2,\"environment\":\"fddc9c58\",\"contender\":\"ac\",\"phases\":15,"
              "\"kind\":\"measured\",\"x\":16,\"ms\":1750,\"predicted_ms\":null,\"low_ms\":null,"
              "\"high_ms\":null,"));
    assert_non_null(strstr(text, ",\"schedule_ms\":0.05,\"n\":6,"));
    free(text);
    draw(f, "quick"); /* without a single interval */
    text = table_text(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    assert_non_null(strstr(text, " | ac | 1.75 s |\n"));
    assert_non_null(strstr(text, " | lp | 4.75 s |\n"));
    free(text);

    /* A third algorithm that has only one of them, and a third instance that only one has. */
    append_instance(f, "ac", 3, 9);
    append_instance(f, "rs-n", 2, 7);
    collect(f);
    text = table_text(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    assert_non_null(strstr(text, " | ac | 2.25 s [2.12 s 2.50 s] |\n"));
    assert_non_null(strstr(text, " | lp | 5.25 s [5.12 s 5.50 s] |\n"));
    assert_non_null(strstr(text, " | rs-n | 7.25 s [7.12 s 7.50 s] |\n"));
    free(text);

    /* Nothing in common: the instance that most have stands. */
    append_instance(f, "neighbor", 3, 8);
    collect(f);
    text = table_text(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    assert_non_null(strstr(text, " | ac | 2.25 s [2.12 s 2.50 s] |\n"));
    assert_non_null(strstr(text, " | lp | 5.25 s [5.12 s 5.50 s] |\n"));
    assert_non_null(strstr(text, " | rs-n | 7.25 s [7.12 s 7.50 s] |\n"));
    assert_null(strstr(text, "neighbor"));
    free(text);
}

/* What a reader must know stands below: a busy machine, launches, points cut short. */
static void test_footer(void **state)
{
    struct fixture *f = *state;
    json_t *record = job_record("a", "j1", "cpu");
    struct nuce_plot plot;
    struct nuce_plot_data data;
    struct nuce_error error;
    char *text;

    set_described(record, "processors", json_integer(2));
    append_record(f->folder, "a", "1.jsonl", record);
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "ac", 16, 1));
    collect(f);
    assert_ok(nuce_plot_read("quick", &plot, &error));
    assert_ok(query(f, &plot, &data, &error));
    assert_null(strstr(data.what, "BUSY"));
    assert_non_null(strstr(data.what, "n = 6 samples in one launch, medians with 95 % intervals of "
                                      "that launch alone"));
    assert_string_equal(data.doubts, "");
    nuce_plot_data_fini(&data);

    record = job_record("a", "j2", "cpu");
    set_described(record, "processors", json_integer(2));
    json_object_set_new(json_object_get(record, "facts"), "load", json_real(7.5));
    append_record(f->folder, "a", "2.jsonl", record);
    append_record(f->folder, "a", "2.jsonl", run_record("a", "j2", "ac", 16, 3));
    record = run_record("a", "j2", "lp", 16, 3);
    json_object_set_new(record, "oversubscribed", json_integer(1));
    json_object_set_new(record, "stopped", json_string("limit"));
    json_object_set_new(record, "min_samples", json_integer(10));
    append_record(f->folder, "a", "2.jsonl", record);
    collect(f);
    assert_ok(query(f, &plot, &data, &error));
    assert_non_null(strstr(data.what, "ranks 32 OVERSUBSCRIBED, n = 6 to 12 samples in 1 to 2 "
                                      "launches (ended by limit at 1 point), medians"));
    assert_non_null(strstr(data.what, ", medians with 95 % intervals over launches, campaign a"));
    assert_string_equal(data.doubts, "1 point has fewer samples than were asked for: the limit "
                                     "ended it");
    nuce_plot_data_fini(&data);

    /* It is what others took while the heat ran, not a load of before, such as that of a build. */
    record = job_record("a", "j3", "cpu");
    set_described(record, "processors", json_integer(2));
    append_record(f->folder, "a", "3.jsonl", record);
    record = run_record("a", "j3", "rs-n", 16, 3);
    json_object_set_new(record, "others_cpus", json_real(1.5));
    append_record(f->folder, "a", "3.jsonl", record);
    collect(f);
    assert_ok(query(f, &plot, &data, &error));
    assert_non_null(strstr(data.what, "BUSY (others took up to 1.5 of 2 processors in 1 of 3 "
                                      "launches)"));
    nuce_plot_data_fini(&data);
    nuce_plot_fini(&plot);
    text = table_text(f, "quick", NULL, NUCE_GRID_MARKDOWN);
    assert_non_null(strstr(text, " | lp | 3.25 s [3.12 s 3.50 s] (n = 6) |\n"));
    free(text);
}

/* An algorithm looks the same whatever else was measured. */
static void test_style(void **state)
{
    static const char blue[] = "  0, 114, 178", vermilion[] = "213,  94,   0"; /* of ac, of lp */
    struct fixture *f = *state;

    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    append_record(f->folder, "a", "1.jsonl", run_record("a", "j1", "lp", 16, 1));
    for (int i = 0; i < 2; i++) {
        static const char *const names[] = {"quick", "exchange-figure16"};
        char file[64], *svg;

        collect(f);
        draw(f, names[i]);
        snprintf(file, sizeof file, "%s.svg", names[i]);
        svg = read_bytes(file, NULL);
        assert_non_null(strstr(svg, vermilion));
        assert_int_equal(strstr(svg, blue) != NULL, i == 1); /* the paper has ac */
        free(svg);
    }
}

/* Ours beside the paper's: the same points and units meet, nothing of the paper is lost. */
static void test_paper(void **state)
{
    struct fixture *f = *state;
    char *text;

    write_runs(f);
    text = table_text(f, "exchange-table7", NULL, NUCE_GRID_CSV);
    assert_non_null(strstr(text, "2800 mesh points,comm ms,16,measured,ac,1250,1125,1500,1\n"));
    assert_non_null(strstr(text, "2800 mesh points,comm ms,16,paper,lp,8.959,,,\n"));
    assert_non_null(strstr(text, "2800 mesh points,comm ms,16,paper,rs-nh,7.272,,,\n"));
    assert_non_null(strstr(text, "2800 mesh points,comp ms,16,measured,ac,0.05,,,1\n"));
    assert_non_null(strstr(text, "2800 mesh points,phases,16,measured,lp,15,,,1\n"));
    assert_non_null(strstr(text, "53961 mesh points,comm ms,512,paper,rs-nh-fixed,219.322,,,\n"));
    free(text);
}

/* A run of each of some algorithms on a random pattern. */
static void write_pattern(const struct fixture *f, const char *pattern, int density, int number)
{
    static const char *const algorithms[] = {"ac", "rs-n", "rs-n-sort", "rs-nh", "alltoallv"};

    for (size_t i = 0; i < COUNT(algorithms); i++) {
        json_t *record = run_record("a", "j1", algorithms[i], 256, number + (int)i);

        set_param(record, "pattern", json_string(pattern));
        set_param(record, "instance", json_integer(0));
        if (density > 0)
            set_param(record, "density", json_integer(density));
        json_object_set_new(record, "heap_s", json_real(1e-6));
        json_object_set_new(record, "sort_s", json_real(2e-6));
        json_object_set_new(record, "compress_s", json_real(1e-6));
        json_object_set_new(record, "heap_operations", json_integer(1000));
        json_object_set_new(record, "messages", json_integer(248 + density));
        append_record(f->folder, "a", "1.jsonl", record);
    }
}

/* Three partners of the last rank, and some permutations. */
static void write_calibration(const struct fixture *f)
{
    static const char *const permutations[] = {"random", "xor-1", "xor-2"};

    for (int i = 0; i < 12; i++)
        append_record(
            f->folder, "a", "1.jsonl",
            workload_record(
                "contention", 4,
                json_pack("{s:s, s:i, s:i}", "direction", i < 6 ? "to-one" : "from-one", "partners",
                          i % 3 + 1, "size", i % 2 == 0 ? 256 : 4096),
                json_pack("{s:[f,f], s:[f,f]}", "step", 4.0, 5.0, "communication", 4.0, 5.0),
                json_pack("[[f,f,f,f],[f,f,f,f]]", 1.0, 2.0, 3.0, 4.0, 2.0, 3.0, 4.0, 5.0)));
    for (int i = 0; i < 6; i++)
        append_record(f->folder, "a", "1.jsonl",
                      workload_record("permutations", 4,
                                      json_pack("{s:s, s:i}", "permutation", permutations[i % 3],
                                                "size", i < 3 ? 1024 : 262144),
                                      json_pack("{s:[f,f,f], s:[f,f,f]}", "step", 1.0, 1.5, 4.0,
                                                "communication", 1.0, 1.5, 4.0),
                                      NULL));
}

/* Two ranks: one direction was fitted, and one port is known. */
static void write_links(const struct fixture *f)
{
    json_t *record = workload_record("links", 2, json_pack("{s:i}", "largest", 65536),
                                     json_pack("{s:[f,f]}", "step", 4.0, 5.0), NULL);

    json_object_update_new(record, json_pack("{s:[[i,i,f,n,f,n],[i,i,f,f,f,f]], s:[[i,f,n]]}",
                                             "links", 0, 1, 25e-6, 8e6, 1, 0, 5e-6, 125e-9, 4e6,
                                             2e3, "ports", 1, 16e6));
    append_record(f->folder, "a", "1.jsonl", record);
}

/* A run of which one step was traced. */
static void write_traced(const struct fixture *f, int number)
{
    static const char traced[] = "[[0,\"send\",1,0,8,0,1e-6],[1,\"receive\",0,0,8,0,2e-6]]";
    static const char planned[] = "[[0,\"send\",1,0,8,0,3e-3],[1,\"receive\",0,0,8,0,3e-3]]";
    json_t *record = run_record("a", "j1", "rs-n", 64, number);

    json_object_set_new(record, "events", json_loads(traced, 0, NULL));
    json_object_set_new(record, "events_lost", json_integer(0));
    json_object_set_new(record, "clock_error_s", json_real(1e-6));
    json_object_set_new(record, "planned", json_loads(planned, 0, NULL));
    json_object_set_new(record, "planned_network", json_string("cm5"));
    append_record(f->folder, "a", "1.jsonl", record);
}

/* The same of ac, which sends to two others at once, then to a third. */
static void write_posted(const struct fixture *f, int number)
{
    static const char traced[] = "[[0,\"send\",1,0,8,0,1e-6],[0,\"send\",2,0,8,0,2e-6],"
                                 "[0,\"send\",3,0,8,2e-6,3e-6]]";
    json_t *record = run_record("a", "j1", "ac", 64, number);

    json_object_set_new(record, "events", json_loads(traced, 0, NULL));
    json_object_set_new(record, "events_lost", json_integer(0));
    json_object_set_new(record, "clock_error_s", json_real(1e-6));
    append_record(f->folder, "a", "1.jsonl", record);
}

/* What a rank has in flight at once is drawn side by side. */
static void test_lanes(void **state)
{
    struct fixture *f = *state;
    char *text;

    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    write_posted(f, 40);
    collect(f);
    text = table_text(f, "timeline", NULL, NUCE_GRID_CSV);
    assert_non_null(strstr(text, "send,0,0,1,0,8,,0,0.001,-0.305,0.19\n"));
    assert_non_null(strstr(text, "send,0,1,2,0,8,,0,0.002,-0.115,0.19\n"));
    assert_non_null(strstr(text, "send,0,2,3,0,8,,0.002,0.003,-0.305,0.19\n"));
    free(text);
    draw(f, "timeline");
}

/* The plan and the trace of one run, and no other; a run that is not there is said. */
static void test_timeline(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot plot;
    struct nuce_plot_data data;
    struct nuce_error error;
    struct nuce_store store;
    char *text;

    write_runs(f);
    write_traced(f, 40);
    collect(f);
    text = table_text(f, "timeline", NULL, NUCE_GRID_CSV);
    assert_non_null(strstr(text, "\"rs-n: planned, no network named (costs of cm5)\","
                                 "send,0,0,1,0,8,,0,3,-0.21,0.38\n"));
    assert_non_null(strstr(text, "receive,1,0,0,0,8,,0,0.002,1.21,0.38\n"));
    free(text);
    assert_ok(nuce_plot_read("timeline", &plot, &error));
    assert_ok(nuce_store_open_reading(f->database, &store, &error));
    assert_int_equal(
        nuce_plot_query(&plot, &store, &(struct nuce_plot_choice){.run = "zz"}, &data, &error),
        NUCE_BAD_INPUT);
    assert_says(&error, "--run: 'zz': expected the beginning of a run's hash");
    nuce_store_close(&store);
    nuce_plot_fini(&plot);
}

/* Half of what rank 1 sends on it has got: of the plan and of what was traced. */
static void test_forwarded(void **state)
{
    static const char traced[] = "[[0,\"send\",1,0,8,0,1e-6],[1,\"receive\",0,0,8,0,2e-6],"
                                 "[1,\"send\",2,1,16,2e-6,4e-6]]";
    static const char planned[] = "[[0,\"send\",1,0,8,0,1e-3],[1,\"receive\",0,0,8,0,1e-3],"
                                  "[1,\"send\",2,1,16,1e-3,3e-3],[1,\"forward\",2,1,8,1e-3,3e-3]]";
    struct fixture *f = *state;
    json_t *record = run_record("a", "j1", "tuna", 64, 40);
    char *text;

    append_record(f->folder, "a", "1.jsonl", job_record("a", "j1", "cpu"));
    json_object_update_new(record, json_pack("{s:o, s:o, s:i, s:f, s:s}", "events",
                                             json_loads(traced, 0, NULL), "planned",
                                             json_loads(planned, 0, NULL), "events_lost", 0,
                                             "clock_error_s", 1e-6, "planned_network", "cm5"));
    append_record(f->folder, "a", "1.jsonl", record);
    collect(f);
    text = table_text(f, "timeline", NULL, NUCE_GRID_CSV);
    has(text, "send,1,1,2,1,16,8,1,3,0.79,0.38\n");
    has(text, "send,1,1,2,1,16,8,0.002,0.004,0.79,0.38\n");
    has(text, "send,0,0,1,0,8,,0,1,-0.21,0.38\n");
    has_not(text, ",forward,");
    free(text);
    draw(f, "timeline");
}

static void test_links(void **state)
{
    struct fixture *f = *state;
    char *text;

    write_runs(f);
    write_links(f);
    collect(f);
    text = table_text(f, "links", NULL, NUCE_GRID_CSV);
    assert_non_null(strstr(text, ",2,65536,0,1,cpu,cpu,25,,8,,,\n"));
    assert_non_null(strstr(text, ",2,65536,1,0,cpu,cpu,5,0.13,4,0.002,16,\n"));
    free(text);
}

/* Random patterns on a machine that is none: some messages each, and all to all. */
static void write_simulated(const struct fixture *f)
{
    static const struct {
        const char *schedule;
        int density;
    } points[] = {{"ac", 16}, {"rs-n", 16}, {"ac", 63}, {"tuna", 63}};

    for (size_t i = 0; i < COUNT(points); i++) {
        json_t *params =
            json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:b}", "schedule", points[i].schedule,
                      "pattern", "uniform", "density", points[i].density, "unit", 64, "instance", 0,
                      "seed", 1, "overlap", 0);
        json_t *samples =
            json_pack("{s:[f], s:[f]}", "step", 0.5 + (double)i, "communication", 0.5 + (double)i);
        json_t *record = workload_record("exchange", 64, params, samples, NULL);

        json_object_set_new(record, "kind", json_string("simulated"));
        append_record(f->folder, "a", "1.jsonl", record);
    }
}

/* A simulated exchange of experts of imbalance 3. */
struct expert_run {
    const char *schedule;
    int unit;
    double seconds;
};

static void write_expert(const struct fixture *f, const struct expert_run *run)
{
    json_t *params =
        json_pack("{s:s, s:s, s:i, s:i, s:f, s:i, s:i, s:i, s:b}", "schedule", run->schedule,
                  "pattern", "moe", "tokens", 2048, "top-k", 2, "imbalance", 3.0, "unit", run->unit,
                  "instance", 0, "seed", 1, "overlap", 0);
    json_t *samples =
        json_pack("{s:[f], s:[f]}", "step", run->seconds, "communication", run->seconds);
    json_t *record = workload_record("exchange", 64, params, samples, NULL);

    json_object_set_new(record, "kind", json_string("simulated"));
    append_record(f->folder, "a", "1.jsonl", record);
}

/* Experts of imbalance 3 on the same: units of 16 B, of which fast takes a third of what posting
 * all at once does and half of what the library does, and of 256 B, of which none is faster by 2 %.
 */
static void write_experts(const struct fixture *f)
{
    static const struct expert_run runs[] = {
        {"ac", 16, 1.5},      {"fast", 16, 0.5},      {"alltoallv", 16, 1},
        {"ac", 256, 1.5},     {"fast", 256, 1.48},    {"alltoallv", 256, 1.6},
        {"twill", 256, 1.49}, {"ac-blocking", 16, 2}, {"rs-n", 16, 1.8}};

    for (size_t i = 0; i < COUNT(runs); i++)
        write_expert(f, &runs[i]);
}

/* The map: the fastest, its gain over both, and nothing where nobody gains by more than 2 %. */
static void test_regimes(void **state)
{
    struct fixture *f = *state;
    char *text;

    write_runs(f);
    write_experts(f);
    collect(f);
    text = table_text(f, "regimes", NULL, NUCE_GRID_CSV);
    assert_non_null(strstr(text, "a machine: simulated,fast,64 x3,1 KiB,3,2,,1,1,3 / 2,3\n"));
    assert_non_null(strstr(
        text, "a machine: simulated,none by more than 2 %,64 x3,16 KiB,1.01,1.08,,2,1,,1.01"));
    free(text);
}

/* What is left of the papers' gain: of units of 16 B over sends that block alone, of 256 B over
 * posting all at once too. */
static void test_papers_regimes(void **state)
{
    static const struct expert_run runs[] = {
        {"ac", 16, 1.5}, {"ac-blocking", 16, 3}, {"rs-n", 16, 2},         {"lp", 16, 4},
        {"tuna", 16, 1}, {"ac", 256, 3.2},       {"ac-blocking", 256, 3}, {"rs-n", 256, 2},
        {"ac", 4096, 1}, {"rs-n", 4096, 2}};
    struct fixture *f = *state;
    char *text;

    write_runs(f);
    for (size_t i = 0; i < COUNT(runs); i++)
        write_expert(f, &runs[i]);
    collect(f);
    text = table_text(f, "regimes-papers", NULL, NUCE_GRID_CSV);
    has(text, "a machine: simulated,over sends that block,64 x3,1 KiB,rs-n,1.5,0.75,1,1,"
              "1.5/.75,1.5,0.75\n");
    has(text, "a machine: simulated,over both,64 x3,16 KiB,rs-n,1.5,1.6,2,1,1.5/1.6,1.5,1.6\n");
    has_not(text, "256 KiB");
    free(text);
}

/* One contender of one launch of a heat of experts, where fast takes so many times as long as ac,
 * and the twin of ac as many as that launch says. */
static void append_expert(const struct fixture *f, const char *schedule, int launch, double factor,
                          double twin)
{
    int is_ac = strcmp(schedule, "ac") == 0;
    json_t *params = json_pack("{s:s, s:s, s:i, s:i, s:f, s:i, s:i, s:i, s:b}", "schedule",
                               schedule, "pattern", "moe", "tokens", 2048, "top-k", 2, "imbalance",
                               3.0, "unit", 16, "instance", 0, "seed", 1, "overlap", 0);
    double s = is_ac ? 1 : factor + 0.001 * launch;
    json_t *samples = json_pack("{s:[fff], s:[fff]}", "step", s, s, s, "communication", s, s, s);
    json_t *record = workload_record("exchange", 64, params, samples, NULL), *value;
    size_t i;

    enter_heat(record, 1, launch, 1, is_ac);
    json_array_foreach(json_object_get(json_object_get(record, "twin"), "step"), i, value)
        json_real_set(value, twin * json_real_value(value));
    append_record(f->folder, "a", "1.jsonl", record);
}

/* What a heat shows is on the map by its ratio, unless the control came as far off. */
static void test_raced_regimes(void **state)
{
    static const struct {
        double fast, twin;
        const char *row;
    } heats[] = {{0.9, 1.01, "measured,fast,64 x3,1 KiB,1.11,,,1,1,1.1,1.1"},
                 {0.9, 1.2, "measured,none by more than 2 %,64 x3,1 KiB,1.11,,,1,1,,1.1"},
                 {1.2, 1.01, "measured,none by more than 2 %,64 x3,1 KiB,1,,,1,1,,1"}};
    struct fixture *f = *state;

    for (int i = 0; i < 3; i++) {
        char path[PATH_BYTES + 32], *text;

        for (int launch = 1; launch <= 3; launch++) {
            char job[16];

            snprintf(job, sizeof job, "j%d", launch);
            append_record(f->folder, "a", "1.jsonl", job_record("a", job, "cpu"));
            append_expert(f, "ac", launch, 1, launch == 2 ? heats[i].twin : 1);
            append_expert(f, "fast", launch, heats[i].fast, 1);
        }
        collect(f);
        text = table_text(f, "regimes", NULL, NUCE_GRID_CSV);
        has(text, heats[i].row);
        free(text);
        snprintf(path, sizeof path, "%s/a/records/1.jsonl", f->folder);
        assert_int_equal(remove(path), 0);
        assert_int_equal(remove(f->database), 0);
    }
}

/* What is simulated is compared with what is simulated. */
static void test_scale(void **state)
{
    struct fixture *f = *state;
    char *text;

    write_runs(f);
    write_simulated(f);
    collect(f);
    text = table_text(f, "scale", NULL, NUCE_GRID_CSV);
    assert_non_null(strstr(text, "units of 64 B\",64,rs-n,1500,3.000,1,3,1500,"));
    free(text);
}

/* Whether contenders that are the same come out so is asked of heats of these two alone. */
static void test_aa(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot plot;
    struct nuce_plot_data data;
    struct nuce_error error;

    for (int launch = 1; launch <= 2; launch++) {
        append_entrant(f->folder, launch, 2, "ac", 1, 1 + 0.01 * launch);
        append_entrant(f->folder, launch, 2, "lp", 1.3 + 0.01 * launch, 0);
        append_entrant(f->folder, launch, 2, "lp-xor", 1.5 - 0.01 * launch, 0);
    }
    collect(f);
    assert_ok(nuce_plot_read("aa", &plot, &error));
    assert_int_equal(query(f, &plot, &data, &error), NUCE_FAILED);
    assert_says(&error, "nuce run aa");
    nuce_plot_fini(&plot);
}

/* Every plot that is shipped works on the same records, as a table and as a figure. The formats
 * take turns: the terminal is set by nuce_plot_draw alone, and each picture takes 50 to 100 ms. */
static void test_all_plots(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_list list;
    struct nuce_error error = {0};
    int formats = 0;

    while (nuce_plot_formats[formats] != NULL)
        formats++;
    write_runs(f);
    write_pattern(f, "uniform", 8, 10);
    write_pattern(f, "uniform", 16, 20);
    write_pattern(f, "skewed", 0, 30);
    write_traced(f, 40);
    write_calibration(f);
    write_links(f);
    write_redistributions(f->folder, "j1");
    write_simulated(f);
    write_experts(f);
    write_decompositions(f->folder);
    write_placements(f->folder);
    write_mappings(f->folder);
    for (int launch = 1; launch <= 2; launch++) {
        append_entrant(f->folder, launch, 2, "lp", 1, 1 + 0.01 * launch);
        append_entrant(f->folder, launch, 2, "lp-xor", 1.02 - 0.01 * launch, 0);
    }
    collect(f);
    assert_ok(nuce_plot_list_read(&list, &error));
    assert_true(list.count >= 3);
    for (int i = 0; i < list.count; i++) {
        const char *format = nuce_plot_formats[i % formats];
        struct nuce_plot_data data;
        char file[2 * PATH_BYTES];

        free(table_text(f, list.plots[i].name, NULL, NUCE_GRID_TEXT));
        if (list.plots[i].script == NULL)
            continue;
        assert_ok(query(f, &list.plots[i], &data, &error));
        if (nuce_plot_draw(&list.plots[i], &data, ".", format, &error) != NUCE_OK)
            fail_msg("%s", error.message);
        snprintf(file, sizeof file, "%s.%s", list.plots[i].name, format);
        assert_int_equal(access(file, R_OK), 0);
        nuce_plot_data_fini(&data);
    }
    nuce_plot_list_fini(&list);
}

static void test_unknown_plots(void **state)
{
    static const char *const names[] = {"", "../etc/passwd", "a/b", "-rf", ".hidden", "no such"};
    struct nuce_plot plot;
    struct nuce_error error;

    for (size_t i = 0; i < COUNT(names); i++)
        assert_int_equal(nuce_plot_read(names[i], &plot, &error), NUCE_BAD_INPUT);
    assert_int_equal(nuce_plot_read("quikc", &plot, &error), NUCE_BAD_INPUT);
    assert_says(&error, "'quick'");
}

/* Strings that a shell or gnuplot would run, in everything that a figure shows: no canary appears,
 * and the figure is drawn. */
static void test_hostile_strings(void **state)
{
    static const char *const texts[] = {
        "`touch canary`",
        "'; system('touch canary'); '",
        "'\nsystem('touch canary')\n'",
        "'.system('touch canary').'",
        "\"; !touch canary\n!touch canary\n",
        "< touch canary",
        "|touch canary",
        "$(touch canary) @touch {/=99 x}_^ \\ %s %n",
    };
    struct fixture *f = *state;
    struct nuce_plot plot;
    struct nuce_error error = {0};

    assert_ok(nuce_plot_read("quick", &plot, &error));
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct nuce_plot_data data;
        char job[32];

        snprintf(job, sizeof job, "j%zu", i);
        append_record(f->folder, "a", "1.jsonl", job_record(texts[i], job, texts[i]));
        append_record(f->folder, "a", "1.jsonl",
                      run_record(texts[i], job, texts[i], 16, 1 + (int)i));
        collect(f);
        assert_ok(query(f, &plot, &data, &error));
        for (int k = 0; nuce_plot_formats[k] != NULL; k++) {
            if (nuce_plot_draw(&plot, &data, ".", nuce_plot_formats[k], &error) != NUCE_OK)
                fail_msg("'%s': %s", texts[i], error.message);
        }
        nuce_plot_data_fini(&data);
        assert_int_not_equal(access("canary", F_OK), 0);
    }
    nuce_plot_fini(&plot);
}

/* A script that fails leaves no picture, and its message is passed on. */
static void test_bad_script(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot plot;
    struct nuce_plot_data data;
    struct nuce_error error;

    write_runs(f);
    assert_ok(nuce_plot_read("quick", &plot, &error));
    assert_ok(query(f, &plot, &data, &error));
    write_bytes("bad.gp", "plot nonsense(1)\n", 17);
    free(plot.script);
    plot.script = malloc(2 * PATH_BYTES);
    snprintf(plot.script, 2 * PATH_BYTES, "%s/bad.gp", f->folder);
    assert_int_equal(nuce_plot_draw(&plot, &data, ".", "png", &error), NUCE_FAILED);
    assert_says(&error, "bad.gp");
    assert_int_not_equal(access("quick.png", F_OK), 0);
    nuce_plot_data_fini(&data);
    nuce_plot_fini(&plot);
}

/* Plots that share a query have heads of their own, and the text is both: one statement. */
static void test_shared_query(void **state)
{
    static const char *const names[] = {"exchange-figure13", "exchange-figure15",
                                        "mapping-figure7"};
    struct nuce_plot plots[3];
    struct nuce_error error;

    for (int i = 0; i < 3; i++) {
        assert_ok(nuce_plot_read(names[i], &plots[i], &error));
        assert_int_equal(strncmp(plots[i].sql, "-- title: ", 10), 0);
        assert_non_null(strstr(plots[i].sql, "-- rows: "));
    }
    assert_string_equal(plots[0].query, plots[1].query);
    assert_string_equal(strstr(plots[0].sql, "\nSELECT"), strstr(plots[1].sql, "\nSELECT"));
    assert_null(plots[0].words);
    assert_string_equal(plots[2].words, "0");
    for (int i = 0; i < 3; i++)
        nuce_plot_fini(&plots[i]);
}

/* What is no query of `chosen` is refused: a column that is not there, and anything but reading. */
static void test_bad_query(void **state)
{
    static const char *const queries[] = {"SELECT nonsense FROM chosen", "DELETE FROM chosen",
                                          "SELECT FROM chosen"};
    struct fixture *f = *state;
    struct nuce_plot plot;
    struct nuce_plot_data data;
    struct nuce_error error;

    write_runs(f);
    assert_ok(nuce_plot_read("quick", &plot, &error));
    for (int i = 0; i < 3; i++) {
        free(plot.sql);
        plot.sql = strdup(queries[i]);
        assert_int_equal(query(f, &plot, &data, &error), NUCE_BAD_INPUT);
    }
    assert_true(query_integer(f->database, "SELECT count(*) FROM result") > 0);
    nuce_plot_fini(&plot);
}

static void test_bad_paper(void **state)
{
    struct fixture *f = *state;
    struct nuce_store store;
    struct nuce_error error;

    write_runs(f);
    assert_ok(nuce_store_open_reading(f->database, &store, &error));
    write_bytes("paper.tsv", "# x\na\tb\n1\t2\n3\n", 15);
    assert_int_equal(nuce_paper_load(&store, "paper.tsv", &error), NUCE_BAD_INPUT);
    assert_says(&error, "paper.tsv:4: 1 fields, expected 2");
    write_bytes("paper.tsv", "a\"b\n1\n", 6);
    assert_int_equal(nuce_paper_load(&store, "paper.tsv", &error), NUCE_BAD_INPUT);
    nuce_store_close(&store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_quick),
        TEST(test_paper),
        TEST(test_all_plots),
        TEST(test_scale),
        TEST(test_aa),
        TEST(test_regimes),
        TEST(test_raced_regimes),
        TEST(test_papers_regimes),
        TEST(test_links),
        TEST(test_timeline),
        TEST(test_forwarded),
        TEST(test_unknown_plots),
        TEST(test_hostile_strings),
        TEST(test_bad_script),
        TEST(test_shared_query),
        TEST(test_bad_query),
        TEST(test_bad_paper),
        TEST(test_instances),
        TEST(test_footer),
        TEST(test_style),
        TEST(test_lanes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
