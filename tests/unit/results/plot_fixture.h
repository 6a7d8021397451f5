/* Plots of a folder's records, and records of each workload. Every function fails the running test
 * if it cannot do its work. */
#ifndef NUCE_TEST_PLOT_FIXTURE_H
#define NUCE_TEST_PLOT_FIXTURE_H

#include "../db/records.h"
#include "results/plot.h"

#define TABLE(f, name, choice, format, ...)                                                        \
    table_has(f, name, choice, format, (const char *const[]){__VA_ARGS__, NULL})
#define CSV(f, name, ...) TABLE(f, name, NULL, NUCE_GRID_CSV, __VA_ARGS__)
#define MARKDOWN(f, name, ...) TABLE(f, name, NULL, NUCE_GRID_MARKDOWN, __VA_ARGS__)
#define CHECK(f, name, ...) check(f, name, (const char *const[]){__VA_ARGS__, NULL})

/* Five parts of 1000 x 1000 around one another, as no cut goes through them, and side by side; a
 * member of a record. */
#define PINWHEEL                                                                                   \
    "'rectangles':[[0,0.0,0.0,400.0,600.0],[1,0.0,600.0,600.0,400.0],[2,600.0,400.0,400.0,600.0]," \
    "[3,400.0,0.0,600.0,400.0],[4,400.0,400.0,200.0,200.0]]"
#define SLABS                                                                                      \
    "'rectangles':[[0,0.0,0.0,1000.0,200.0],[1,0.0,200.0,1000.0,200.0],[2,0.0,400.0,1000.0,"       \
    "200.0],[3,0.0,600.0,1000.0,200.0],[4,0.0,800.0,1000.0,200.0]]"

/* A halo exchange under a placement. */
struct placed {
    const char *kind, *placement;
    int seed;
    double s; /* median of six samples, s - spread to s + spread, the interval */
    double spread;
    double cardinality; /* of 1000 bytes in 10 messages */
    double latency_s;
};

/* A redistribution of campaign a; NULL and 0: the point does not say. */
struct redistribution {
    const char *job, *schedule;
    int ranks, factor;
    const char *network;
    const char *in_flight; /* a number, or auto */
    const char *bandwidth;
    int number; /* of the millisecond at which it started; others run in the order of their numbers
                 */
};

/* The plot's rows of the fixture's database; choice NULL: the newest. *data is released with
 * nuce_plot_data_fini. */
static inline nuce_status query(const struct fixture *f, const struct nuce_plot *plot,
                                const struct nuce_plot_choice *choice, struct nuce_plot_data *data,
                                struct nuce_error *error)
{
    struct nuce_store store;
    nuce_status status;

    assert_ok(nuce_store_open_reading(f->database, &store, error));
    status = nuce_plot_query(plot, &store, choice, data, error);
    nuce_store_close(&store);
    return status;
}

/* The same of the plot of that name. */
static inline nuce_status find_rows(const struct fixture *f, const char *name,
                                    const struct nuce_plot_choice *choice,
                                    struct nuce_plot_data *data, struct nuce_error *error)
{
    struct nuce_plot plot;
    nuce_status status;

    assert_ok(nuce_plot_read(name, &plot, error));
    status = query(f, &plot, choice, data, error);
    nuce_plot_fini(&plot);
    return status;
}

/* Its table after collecting, with the footer's lines at the end; freed by the caller. */
static inline char *table_of(const struct fixture *f, const char *name,
                             const struct nuce_plot_choice *choice, enum nuce_grid_format format)
{
    struct nuce_plot plot;
    struct nuce_plot_data data;
    struct nuce_grid table;
    struct nuce_error error = {0};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    collect(f);
    assert_ok(nuce_plot_read(name, &plot, &error));
    if (query(f, &plot, choice, &data, &error) != NUCE_OK)
        fail_msg("%s", error.message);
    assert_ok(nuce_plot_table(&plot, &data, format, &table, &error));
    assert_ok(nuce_grid_print(&table, format, stream, &error));
    fprintf(stream, "%s\n%s\n%s\n%s\n", data.where, data.what, data.doubts, data.left_out);
    fclose(stream);
    nuce_grid_fini(&table);
    nuce_plot_data_fini(&data);
    nuce_plot_fini(&plot);
    return text;
}

/* That the text has the part; after a '!', that it has not. */
static inline void has(const char *text, const char *part)
{
    int wanted = *part != '!';

    if ((strstr(text, part + !wanted) != NULL) != wanted)
        fail_msg("%s '%s' in:\n%s", wanted ? "no" : "there is", part + !wanted, text);
}

/* The same of a table and each of the parts, NULL-ended. */
static inline void table_has(const struct fixture *f, const char *name,
                             const struct nuce_plot_choice *choice, enum nuce_grid_format format,
                             const char *const parts[])
{
    char *text = table_of(f, name, choice, format);

    for (; *parts != NULL; parts++)
        has(text, *parts);
    free(text);
}

/* A line "KIND HOLDS SENTENCE" for each sentence of the plot called name, with "printed=PRINTED"
 * before it where numbers are judged; freed by the caller. */
static inline char *said(const struct fixture *f, const char *name)
{
    static const char *const columns[] = {"kind", "holds", "printed", "sentence"};
    static const char *const before[] = {"", " ", " printed=", " "};
    struct nuce_plot_data data;
    struct nuce_error error = {0};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    collect(f);
    if (find_rows(f, name, NULL, &data, &error) != NUCE_OK)
        fail_msg("%s", error.message);
    for (int64_t row = 0; row < data.says.rows; row++) {
        for (size_t i = 0; i < COUNT(columns); i++) {
            const char *cell = nuce_grid_column(&data.says, columns[i]) < 0
                                   ? ""
                                   : nuce_grid_text(&data.says, row, columns[i]);

            if (i != 2 || *cell != '\0')
                fprintf(stream, "%s%s", before[i], *cell == '\0' ? "-" : cell);
        }
        fputc('\n', stream);
    }
    fclose(stream);
    nuce_plot_data_fini(&data);
    return text;
}

/* Checks that the plot prints each of the given texts, NULL-ended. */
static inline void check(const struct fixture *f, const char *name, const char *const sentences[])
{
    char *text = said(f, name);

    for (; *sentences != NULL; sentences++)
        has(text, *sentences);
    free(text);
}

/* A job on a platform. */
static inline void append_platform(const struct fixture *f, const char *job, const char *platform)
{
    put(f, describing(job_record("a", job, "cpu"), "'cluster':{'platform':'%s'}", platform));
}

/* The jobs j1 to j<launches> of campaign a. */
static inline void append_jobs(const struct fixture *f, int launches)
{
    for (int launch = 1; launch <= launches; launch++)
        append_job_of(f, launch);
}

/* The model's record of a decomposition of 1000 rows: a cost, which is its acost as well. params
 * are more members of its params. */
static inline json_t *modelled_decomposition(const char *decomposition, int ranks, int columns,
                                             const char *params, double cost)
{
    json_t *record = workload_record(
        "stencil", ranks,
        json_of("{'decomposition':'%s','rows':1000,'columns':%d,'schedule':'ac','seed':1%s%s}",
                decomposition, columns, *params == '\0' ? "" : ",", params),
        json_of("{'step':[]}"), NULL);

    return with(record,
                "'kind':'modelled','acost':%1$.16e,'bcost':%2$.16e,'cost':%1$.16e,"
                "'internal_edges':4.0,'decompose_s':1e-6,'settled':1",
                cost, 2 * cost);
}

/* Six, the least that have an interval, as far from the middle as parts of reach. */
static inline json_t *six(double middle, double reach, const double parts[6])
{
    json_t *all = json_array();

    for (int i = 0; i < 6; i++)
        json_array_append_new(all, json_real(middle + parts[i] * reach));
    return all;
}

/* A quarter above and below s seconds. */
static inline json_t *widely_around(double s)
{
    return six(s, s / 4, (const double[]){0, -1, 0, 0, 1, 0});
}

/* A stencil whose speeds change after 20 sweeps, measured: of so many iterations on an array of
 * side x side, with rebalance (NULL: never), of which a sample takes 0.01 s for each iteration up
 * to 20, then 0.04; cut anew at 30, which takes 0.3 s, 0.02. The model had 0.025 s saved for each
 * and 0.25 s for the cut. Six samples, their median that, from 0.75 to 1.25 times it. */
static inline json_t *measured_rebalance(int side, int iterations, const char *rebalance)
{
    double never_s = 0.2 + 0.04 * (iterations - 20);
    double cut_s = 0.2 + 0.04 * 10 + 0.3 + 0.02 * (iterations - 30);
    json_t *samples =
        json_pack("{s:o}", "step", widely_around(rebalance == NULL ? never_s : cut_s));
    json_t *record =
        workload_record("stencil", 2,
                        json_of("{'decomposition':'xy2','rows':%d,'columns':%d,'iterations':%d,"
                                "'speeds-after':'20:4,1','schedule':'ac','emulate-speeds':'1,4'}",
                                side, side, iterations),
                        samples, NULL);

    with(record, "'iteration_before_s':0.01,'iteration_changed_s':0.04");
    if (rebalance == NULL)
        return record;
    json_object_set_new(samples, "rebalance", widely_around(0.2));
    json_object_set_new(samples, "move", widely_around(0.1));
    with_params(record, "'rebalance':'%s','look-every':10", rebalance);
    return with(record, "'rebalances':1.0,'moved_bytes':4e6,'iteration_after_s':0.02,"
                        "'saving_predicted_s':0.025,'cut_predicted_s':0.25");
}

/* The same, never, after-change and when-it-pays, as a race of that number of iterations in three
 * launches j1 to j3, all alike, with their jobs. */
static inline void append_rebalances(const struct fixture *f, int side, int iterations)
{
    static const char *const ways[] = {NULL, "after-change", "when-it-pays"};

    append_jobs(f, 3);
    for (int launch = 1; launch <= 3; launch++) {
        for (int i = 0; i < 3; i++)
            put(f, enter_race(measured_rebalance(side, iterations, ways[i]), iterations, launch, 1,
                              i == 0));
    }
}

/* A run of four ranks with speeds 1, 1, 1 and 2 on side x side cells, of two iterations that took
 * so long each, in the mean, three quarters of it computing; the interval is 10 % to both sides. */
static inline json_t *swept_decomposition(const char *decomposition, int side, double acost,
                                          double iteration_s)
{
    static const char *const parts[] = {"step", "computation", "communication", "pack", "unpack"};
    static const double factors[] = {2, 1.5, 0.4, 0.05, 0.05};
    json_t *samples = json_object();
    json_t *record;

    for (int i = 0; i < 5; i++) {
        double mean = factors[i] * iteration_s;

        json_object_set_new(samples, parts[i],
                            six(mean, mean / 10, (const double[]){1, -0.5, 0, -1, 0.5, 0}));
    }
    record = workload_record(
        "stencil", 4,
        json_of("{'decomposition':'%s','rows':%d,'columns':%d,'weights':'1,1,1,2','emulate-speeds':"
                "'1,1,1,2','schedule':'ac','seed':1,'iterations':2,'stencil':5,'element':'double',"
                "'border':'fixed','overlap':false,'halo-depth':1}",
                decomposition, side, side),
        samples, NULL);
    with(record,
         "'rectangles':[[0,0.0,0.0,%1$.1f,%1$.1f],[1,0.0,%1$.1f,%1$.1f,%1$.1f],"
         "[2,%1$.1f,0.0,%1$.1f,%1$.1f],[3,%1$.1f,%1$.1f,%1$.1f,%1$.1f]]",
         side / 2.0);
    return with(record,
                "'acost':%1$.16e,'bcost':%2$.16e,'cost':%1$.16e,'internal_edges':4.0,"
                "'load_balance':1.25,'messages':8,'bytes':%3$d,'max_degree':3,'port_bytes':500",
                acost, 2 * acost, (int)(16 * acost));
}

/* The model's record of a square mesh of side x side processes placed on network number instance of
 * the mapping paper's, of so many nodes: its cardinality, microseconds without distant messages,
 * and with 10 and 20 % of them 0.1 and 0.2 more. It belongs to campaign a, job j1. */
static inline json_t *modelled_mapping(const char *placement, int side, int instance, int nodes,
                                       double cardinality, double latency_us)
{
    json_t *record = workload_record(
        "mapping", side * side,
        json_of("{'placement':'%s','mesh':'%dx%d','switches':75,'ports':8,'connectivity':0.75,"
                "'connectivity-of':'free','nodes':%d,'routing':'updown','per-node':1,"
                "'instance':%d,'seed':1}",
                placement, side, side, nodes, instance),
        json_of("{'step':[]}"), NULL);

    return with(record,
                "'kind':'modelled','cardinality':%.16e,'latency_0_s':%.16e,'latency_10_s':%.16e,"
                "'latency_20_s':%.16e,'place_s':1e-5,'network_links':129",
                cardinality, 1e-6 * latency_us, 1e-6 * (latency_us + 0.1),
                1e-6 * (latency_us + 0.2));
}

static inline json_t *placed_record(const struct placed *what)
{
    json_t *step = six(what->s, what->spread, (const double[]){-1, -0.5, 0, 0, 0.5, 1});
    json_t *record = workload_record(
        "stencil", 8,
        json_of("{'decomposition':'grid','rows':100,'columns':400,'schedule':'ac','seed':%d,"
                "'placement':'%s'}",
                what->seed, what->placement),
        json_pack("{s:o, s:o}", "step", step, "communication", json_deep_copy(step)), NULL);

    return with(record,
                "'kind':'%s','bytes':1000,'messages':10,'placement_moved':3,"
                "'placement_cardinality':%.16e,'placement_latency_s':%.16e,'topology_taken':'t@1'",
                what->kind, what->cardinality, what->latency_s);
}

/* A launch's factor in that mean: number i of launch 1 to 4. */
static inline double launch_noise(int launch, int i)
{
    static const double percent[] = {-2, 1, 2, -1};

    return exp(percent[(launch + i) % 4] / 100);
}

/* Appends them as a race of that number, the first its reference, in four launches j1 to j4, with
 * their jobs; a launch is up to two percent off for each, in the geometric mean not. */
static inline void append_placements(const struct fixture *f, int race, const struct placed *all,
                                     int count)
{
    append_jobs(f, 4);
    for (int launch = 1; launch <= 4; launch++) {
        for (int i = 0; i < count; i++)
            put(f,
                enter_race(placed_record(&all[i]), race, launch, launch_noise(launch, i), i == 0));
    }
}

static inline json_t *run_of(const struct redistribution *what, json_t *samples)
{
    json_t *record = workload_record("redistribute", what->ranks,
                                     json_of("{'schedule':'%s','block':2,'elements':10000000,"
                                             "'factor':%d,'element-bytes':8}",
                                             what->schedule, what->factor),
                                     samples, NULL);

    if (what->network != NULL)
        with(with_params(record, "'network':'%s'", what->network), "'network_taken':'%s'",
             what->network);
    if (what->bandwidth != NULL)
        with_params(record, "'bandwidth':'%s','instance':0,'seed':1", what->bandwidth);
    if (what->in_flight != NULL)
        with_params(record, *what->in_flight == 'a' ? "'in-flight':'%s'" : "'in-flight':%s",
                    what->in_flight);
    return with(record,
                "'job':'%s','started':'2026-11-21T10:00:00.%03dZ','phases':%d,'messages':%d,"
                "'bytes':80000000",
                what->job, what->number, what->factor, what->ranks * what->factor);
}

/* A run whose communication took s seconds: six samples, their median s, 0.75 s to 1.25 s. */
static inline json_t *measured_redistribution(const struct redistribution *what, double s)
{
    return run_of(
        what, json_pack("{s:o, s:o}", "step", widely_around(s), "communication", widely_around(s)));
}

/* The model's record: s seconds, on a network whose single-port bound is lower_bound_s. */
static inline json_t *modelled_redistribution(const struct redistribution *what, double s,
                                              double lower_bound_s)
{
    return with(run_of(what, json_of("{'step':[]}")),
                "'kind':'modelled','predicted_s':%.16e,'single_port_lower_bound_s':%.16e,"
                "'lower_bound_s':%.16e",
                s, lower_bound_s, lower_bound_s / 2);
}

/* The transfers of direct, each duration seconds long. */
static inline json_t *direct_events(double duration)
{
    static const int receiver[3][4] = {{0, 3, 2, 1}, {1, 0, 3, 2}, {2, 1, 0, 3}};
    json_t *events = json_array();

    for (int rank = 0; rank < 4; rank++) {
        for (int step = 0; step < 3; step++)
            json_array_append_new(events, json_of("[%d,'send',%d,%d,8,%.16e,%.16e]", rank,
                                                  receiver[step][rank], step, step * duration,
                                                  (step + 1) * duration));
    }
    return events;
}

/* A traced run of direct on R_x(3, 4): each of its messages takes a millisecond in the plan and
 * half of one in the trace. */
static inline json_t *traced_redistribution(const struct redistribution *what)
{
    json_t *record = measured_redistribution(what, 0.5);

    json_object_set_new(record, "events", direct_events(0.0005));
    json_object_set_new(record, "planned", direct_events(0.001));
    return with(record, "'events_lost':0,'clock_error_s':1e-6,'planned_network':'emulated',"
                        "'single_port_lower_bound_s':0.002");
}

#endif
