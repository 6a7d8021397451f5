#include "plot_fixture.h"

#include <math.h>

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

char *table_of(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
               enum nuce_grid_format format)
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
    fprintf(stream, "%s\n%s\n%s\n%s\n", data.where, data.what, data.doubts, data.left_out);
    fclose(stream);
    nuce_grid_fini(&table);
    nuce_plot_data_fini(&data);
    nuce_plot_fini(&plot);
    return text;
}

void has(const char *text, const char *part)
{
    int wanted = *part != '!';

    if ((strstr(text, part + !wanted) != NULL) != wanted)
        fail_msg("%s '%s' in:\n%s", wanted ? "no" : "there is", part + !wanted, text);
}

void table_has(const struct fixture *f, const char *name, const struct nuce_plot_choice *choice,
               enum nuce_grid_format format, const char *const parts[])
{
    char *text = table_of(f, name, choice, format);

    for (; *parts != NULL; parts++)
        has(text, *parts);
    free(text);
}

void append_platform(const struct fixture *f, const char *job, const char *platform)
{
    put(f, describing(job_record("a", job, "cpu"), "'cluster':{'platform':'%s'}", platform));
}

void append_jobs(const struct fixture *f, int launches)
{
    for (int launch = 1; launch <= launches; launch++)
        put(f, job_record("a", (const char[]){'j', (char)('0' + launch), '\0'}, "cpu"));
}

json_t *modelled_decomposition(const char *decomposition, int ranks, int columns,
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
static json_t *six(double middle, double reach, const double parts[6])
{
    json_t *all = json_array();

    for (int i = 0; i < 6; i++)
        json_array_append_new(all, json_real(middle + parts[i] * reach));
    return all;
}

/* A quarter above and below s seconds. */
static json_t *widely_around(double s)
{
    return six(s, s / 4, (const double[]){0, -1, 0, 0, 1, 0});
}

json_t *measured_rebalance(int side, int iterations, const char *rebalance)
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

void append_rebalances(const struct fixture *f, int side, int iterations)
{
    static const char *const ways[] = {NULL, "after-change", "when-it-pays"};

    append_jobs(f, 3);
    for (int launch = 1; launch <= 3; launch++) {
        for (int i = 0; i < 3; i++)
            put(f, enter_heat(measured_rebalance(side, iterations, ways[i]), iterations, launch, 1,
                              i == 0));
    }
}

json_t *swept_decomposition(const char *decomposition, int side, double acost, double iteration_s)
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
                "'load_balance':1.25,'messages':8,'bytes':%3$d,'degree':3,'port_bytes':500",
                acost, 2 * acost, (int)(16 * acost));
}

json_t *modelled_mapping(const char *placement, int side, int instance, int nodes,
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

json_t *placed_record(const struct placed *what)
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

double launch_noise(int launch, int i)
{
    static const double percent[] = {-2, 1, 2, -1};

    return exp(percent[(launch + i) % 4] / 100);
}

void append_placements(const struct fixture *f, int heat, const struct placed *all, int count)
{
    append_jobs(f, 4);
    for (int launch = 1; launch <= 4; launch++) {
        for (int i = 0; i < count; i++)
            put(f,
                enter_heat(placed_record(&all[i]), heat, launch, launch_noise(launch, i), i == 0));
    }
}

static json_t *run_of(const struct redistribution *what, json_t *samples)
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
    if (what->depth != NULL)
        with_params(record, *what->depth == 'a' ? "'depth':'%s'" : "'depth':%s", what->depth);
    return with(record,
                "'job':'%s','started':'2026-11-21T10:00:00.%03dZ','phases':%d,'messages':%d,"
                "'bytes':80000000",
                what->job, what->number, what->factor, what->ranks * what->factor);
}

json_t *measured_redistribution(const struct redistribution *what, double s)
{
    return run_of(
        what, json_pack("{s:o, s:o}", "step", widely_around(s), "communication", widely_around(s)));
}

json_t *modelled_redistribution(const struct redistribution *what, double s, double bound_s)
{
    return with(run_of(what, json_of("{'step':[]}")),
                "'kind':'modelled','predicted_s':%.16e,'single_port_bound_s':%.16e,"
                "'bound_s':%.16e",
                s, bound_s, bound_s / 2);
}

/* The transfers of direct, each duration seconds long. */
static json_t *direct_events(double duration)
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

json_t *traced_redistribution(const struct redistribution *what)
{
    json_t *record = measured_redistribution(what, 0.5);

    json_object_set_new(record, "events", direct_events(0.0005));
    json_object_set_new(record, "planned", direct_events(0.001));
    return with(record, "'events_lost':0,'clock_error_s':1e-6,'planned_network':'emulated',"
                        "'single_port_bound_s':0.002");
}
