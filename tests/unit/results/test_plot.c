/* Plots as tables and figures: each shipped one, and refused input. */
#include "plot_fixture.h"

#include "base/text.h"

static void write_runs(const struct fixture *f)
{
    put(f, job_record("a", "j1", "cpu"));
    put(f, run_record("a", "j1", "lp", 16, 0));
    put(f, run_record("a", "j1", "ac", 16, 1));
    put(f, run_record("a", "j1", "ac", 32, 2));
    collect(f);
}

#define PANEL "\"exchange wing-2800 rcb, 32 ranks\""

/* A row for each contender at each size, the fastest first, for people as they read times, for
 * programs as numbers. */
static void test_quick(void **state)
{
    struct fixture *f = *state;

    write_runs(f);
    MARKDOWN(f, "quick",
             "| panel | at | contender | time |\n"
             "| --- | ---: | --- | ---: |\n"
             "| exchange wing-2800 rcb, 32 ranks | 16 B | lp (pairwise phases) | 250 ms [125 ms, "
             "500 ms] |\n"
             "| exchange wing-2800 rcb, 32 ranks | 16 B | ac (post all) | 1.25 s [1.12 s, 1.50 s] "
             "|\n"
             "| exchange wing-2800 rcb, 32 ranks | 32 B | ac (post all) | 2.25 s [2.12 s, 2.50 s] "
             "|\n"
             "cpu, cpu, MPICH");
    CSV(f, "quick",
        "panel,size,at,instances,environment,contender,phases,kind,x,ms,predicted_ms,low_ms,high_"
        "ms,messages,bytes,longest_bytes,item_bytes,lower_bound_ms,schedule_ms,n,launches,ratio,"
        "ratio_low,"
        "ratio_"
        "high,is_reference,is_best,noise,noise_low,noise_high\n" PANEL
        ",16,16 B,1,fddc9c58,lp,15,measured,16,250,,125,500,,,,16,,0.05,6,,,,,,,,,\n" PANEL
        ",16,16 B,1,fddc9c58,ac,15,measured,16,1250,,1125,1500,,,,16,,0.05,6,,,,,,,,,\n" PANEL
        ",32,32 B,1,fddc9c58,ac,15,measured,32,2250,,2125,2500,,,,32,,0.05,6,,,,,,,,,\ncpu, cpu, "
        "MPICH");
}

/* Draws NAME.svg. */
static void draw(const struct fixture *f, const char *name)
{
    OWNED(plot) plot;
    OWNED(plot_data) data;
    struct nuce_error error = {0};

    assert_ok(nuce_plot_read(name, &plot, &error));
    assert_ok(query(f, &plot, NULL, &data, &error));
    if (nuce_plot_draw(&plot, &data, ".", "svg", &error) != NUCE_OK)
        fail_msg("%s", error.message);
}

/* A run of algorithm on the instance with that seed. */
static void append_instance(const struct fixture *f, const char *algorithm, int seed, int number)
{
    put(f, with_params(run_record("a", "j1", algorithm, 16, number), "'seed':%d", seed));
}

/* A row's means are over the same instances, and have no interval. */
static void test_instances(void **state)
{
    struct fixture *f = *state;

    put(f, job_record("a", "j1", "cpu"));
    append_instance(f, "ac", 1, 1);
    append_instance(f, "ac", 2, 2);
    append_instance(f, "lp", 1, 4);
    append_instance(f, "lp", 2, 5);
    TABLE(
        f, "quick", NULL, NUCE_GRID_JSON,
        "\"instances\":2,\"environment\":\"fddc9c58\",\"contender\":\"ac\",\"phases\":15,\"kind\":"
        "\"measured\",\"x\":16,\"ms\":1750,\"predicted_ms\":null,\"low_ms\":null,\"high_ms\":null,",
        ",\"schedule_ms\":0.05,\"n\":6,");
    draw(f, "quick"); /* without a single interval */
    MARKDOWN(f, "quick", " | ac (post all) | 1.75 s |\n", " | lp (pairwise phases) | 4.75 s |\n");

    /* A third algorithm that has only one of them, and a third instance that only one has; then
     * nothing in common: the instance that most have stands. */
    append_instance(f, "ac", 3, 9);
    append_instance(f, "rs-n", 2, 7);
    for (int i = 0; i < 2; i++) {
        MARKDOWN(f, "quick", " | ac (post all) | 2.25 s [2.12 s, 2.50 s] |\n",
                 " | lp (pairwise phases) | 5.25 s [5.12 s, 5.50 s] |\n",
                 " | rs-n (random phases) | 7.25 s [7.12 s, 7.50 s] |\n", "!neighbor");
        append_instance(f, "neighbor", 3, 8);
    }

    /* An instance without a message is left out, and counted below. */
    for (int i = 0; i < 2; i++)
        put(f, with(with_params(run_record("a", "j1", i == 0 ? "ac" : "lp", 16, i), "'seed':4"),
                    "'messages':0"));
    MARKDOWN(f, "quick", " | ac (post all) | 2.25 s [2.12 s, 2.50 s] |\n",
             "\n2 points without a message between ranks are not shown\n");
}

/* Panels are in the order of their numbers, also of those with a point. */
static void test_panels_in_order(void **state)
{
    static const char *const degrees[] = {"10", "0.5", "4", "0.25"};
    struct fixture *f = *state;

    put(f, job_record("a", "j1", "cpu"));
    for (size_t i = 0; i < COUNT(degrees); i++)
        put(f, with_params(run_record("a", "j1", "ac", 16, 1),
                           "'mesh':null,'partition':null,'pattern':'uniform','degree':%s",
                           degrees[i]));
#define ROW(degree)                                                                                \
    "| exchange uniform d = " degree                                                               \
    ", 32 ranks | 16 B | ac (post all) | 1.25 s [1.12 s, 1.50 s] |\n"
    MARKDOWN(f, "quick", ROW("0.25") ROW("0.5") ROW("4") ROW("10"));
#undef ROW
}

/* Warnings for the reader stand below: a busy machine, launches, points cut short. A
 * machine is busy by the work of others while the race ran, not by a load of before, such as that
 * of a build. */
static void test_footer(void **state)
{
    static const char processors[] = "'processors':2";
    struct fixture *f = *state;

    put(f, describing(job_record("a", "j1", "cpu"), processors));
    put(f, run_record("a", "j1", "ac", 16, 1));
    CSV(f, "quick", "!BUSY",
        "n = 6 samples in one launch, medians with 95 % intervals of that launch alone",
        "!fewer samples");
    put(f, with(describing(job_record("a", "j2", "cpu"), processors),
                "'facts':{'hosts':['n'],'load':7.5}"));
    put(f, run_record("a", "j2", "ac", 16, 3));
    put(f, with(run_record("a", "j2", "lp", 16, 3),
                "'oversubscribed':1,'stopped':'time-limit','min_samples':10"));
    CSV(f, "quick", "!BUSY",
        "ranks 32 OVERSUBSCRIBED, n = 6 to 12 samples in 1 to 2 launches (ended by time-limit at 1 "
        "point), medians",
        ", medians with 95 % intervals over launches, campaign a",
        "\n1 point has fewer samples than were asked for: the time limit ended it\n");
    put(f, describing(job_record("a", "j3", "cpu"), processors));
    put(f, with(run_record("a", "j3", "rs-n", 16, 3), "'others_cpus':1.5"));
    MARKDOWN(f, "quick", "BUSY (other load took up to 1.5 of 2 processors in 1 of 3 launches)",
             " | lp (pairwise phases) | 3.25 s [3.12 s, 3.50 s] (n = 6) |\n");
    /* The number asked for is that of a launch. */
    put(f, with(run_record("a", "j3", "lp", 16, 3), "'stopped':'time-limit','min_samples':10"));
    MARKDOWN(f, "quick", "\n1 point has fewer samples than were asked for", "(n = 12) |\n");
}

/* An algorithm looks the same whatever else was measured. */
static void test_style(void **state)
{
    static const char blue[] = "  0, 114, 178", vermilion[] = "213,  94,   0"; /* of ac, of lp */
    struct fixture *f = *state;

    put(f, job_record("a", "j1", "cpu"));
    put(f, run_record("a", "j1", "lp", 16, 1));
    put(f, run_record("a", "j1", "lp", 32, 1)); /* a curve of quick; rows have other colours */
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

    write_runs(f);
    CSV(f, "exchange-table7", "2800 mesh points,comm ms,16,measured,ac,1250,1125,1500,1\n",
        "2800 mesh points,comm ms,16,paper,lp,8.959,,,\n",
        "2800 mesh points,comm ms,16,paper,rs-nh,7.272,,,\n",
        "2800 mesh points,comp ms,16,measured,ac,0.05,,,1\n",
        "2800 mesh points,phases,16,measured,lp,15,,,1\n",
        "53961 mesh points,comm ms,512,paper,rs-nh-fixed,219.322,,,\n");
}

/* A run of each of some algorithms on a random pattern. */
static void write_pattern(const struct fixture *f, const char *params, int number)
{
    static const char *const algorithms[] = {"ac", "rs-n", "rs-n-sort", "rs-nh", "alltoallv"};

    for (int i = 0; i < 5; i++)
        put(f,
            with(with_params(run_record("a", "j1", algorithms[i], 256, number + i), "%s", params),
                 "'heap_s':1e-6,'sort_s':2e-6,'compress_s':1e-6,'heap_operations':1000,'messages':%"
                 "d",
                 248 + number));
}

/* Three partners of the last rank, and some permutations. */
static void write_calibration(const struct fixture *f)
{
    static const char *const permutations[] = {"random", "xor-1", "xor-2"};

    for (int i = 0; i < 12; i++)
        put(f, workload_record("contention", 4,
                               json_of("{'direction':'%s','partners':%d,'size':%d}",
                                       i < 6 ? "to-one" : "from-one", i % 3 + 1,
                                       i % 2 == 0 ? 256 : 4096),
                               json_of("{'step':[4.0,5.0],'communication':[4.0,5.0]}"),
                               json_of("[[1.0,2.0,3.0,4.0],[2.0,3.0,4.0,5.0]]")));
    for (int i = 0; i < 6; i++)
        put(f,
            workload_record("permutations", 4,
                            json_of("{'permutation':'%s','size':%d}", permutations[i % 3],
                                    i < 3 ? 1024 : 262144),
                            json_of("{'step':[1.0,1.5,4.0],'communication':[1.0,1.5,4.0]}"), NULL));
}

/* Two ranks: one direction was fitted, and one port is known. */
static void write_links(const struct fixture *f)
{
    put(f, with(workload_record("links", 2, json_of("{'largest':65536}"),
                                json_of("{'step':[4.0,5.0]}"), NULL),
                "'links':[[0,1,25e-6,null,8e6,null],[1,0,5e-6,125e-9,4e6,2e3]],'ports':[[1,16e6,"
                "null]]"));
}

/* A run of which one step was traced, and planned where there is a plan. */
static void write_traced(const struct fixture *f, const char *schedule, const char *traced,
                         const char *planned)
{
    json_t *record = run_record("a", "j1", schedule, 64, 40);

    with(record, "'events':%s,'events_lost':0,'clock_error_s':1e-6", traced);
    put(f,
        planned == NULL ? record : with(record, "'planned':%s,'planned_network':'cm5'", planned));
}

#define TRACED "[[0,'send',1,0,8,0,1e-6],[1,'receive',0,0,8,0,2e-6]]"
#define PLANNED "[[0,'send',1,0,8,0,3e-3],[1,'receive',0,0,8,0,3e-3]]"

/* Messages that a rank has in flight at once are drawn side by side. */
static void test_lanes(void **state)
{
    struct fixture *f = *state;

    put(f, job_record("a", "j1", "cpu"));
    write_traced(f, "ac",
                 "[[0,'send',1,0,8,0,1e-6],[0,'send',2,0,8,0,2e-6],[0,'send',3,0,8,2e-6,3e-6]]",
                 NULL);
    CSV(f, "timeline", "send,0,0,1,0,8,,0,0.001,-0.305,0.19\n",
        "send,0,1,2,0,8,,0,0.002,-0.115,0.19\n", "send,0,2,3,0,8,,0.002,0.003,-0.305,0.19\n");
    draw(f, "timeline");
}

/* The beginning of the hash of job j1's newest run that meets the condition; freed by the caller.
 */
static char *hash_of(const struct fixture *f, const char *condition)
{
    struct nuce_store store;
    struct nuce_error error;
    char *hash;

    assert_ok(nuce_store_open_reading(f->database, &store, &error));
    hash = nuce_store_text(&store, &error,
                           "SELECT substr(hash, 1, 8) FROM run WHERE job = 'j1' AND %s"
                           " ORDER BY started DESC",
                           condition);
    nuce_store_close(&store);
    assert_non_null(hash);
    return hash;
}

/* The plan and the trace of one run, and no other, also under an older environment; a missing run
 * or one without a trace is reported. */
static void test_timeline(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_data data;
    struct nuce_error error;
    char *run;

    write_runs(f);
    write_traced(f, "rs-n", TRACED, PLANNED);
    CSV(f, "timeline",
        "\"rs-n: planned, no network named (costs of cm5)\",send,0,0,1,0,8,,0,3,-0.21,0.38\n",
        "receive,1,0,0,0,8,,0,0.002,1.21,0.38\n");
    assert_int_equal(
        find_rows(f, "timeline", &(struct nuce_plot_choice){.run = "zz"}, &data, &error),
        NUCE_BAD_INPUT);
    assert_says(&error, "--run: 'zz': expected the beginning of a run's hash");

    put(f, job_record("a", "j2", "other"));
    put(f, with(run_record("a", "j2", "ac", 64, 50), "'events':%s,'events_lost':0", TRACED));
    collect(f);
    run = hash_of(f, "events_lost IS NOT NULL");
    TABLE(f, "timeline", &(struct nuce_plot_choice){.run = run}, NUCE_GRID_CSV, "\"rs-n: planned, ",
          "cpu, cpu, MPICH", "!ac: ");
    free(run);
    run = hash_of(f, "events_lost IS NULL");
    assert_int_equal(
        find_rows(f, "timeline", &(struct nuce_plot_choice){.run = run}, &data, &error),
        NUCE_FAILED);
    has(error.message, "none of its steps was traced; 'nuce run SWEEP' with 'trace: true' below");
    free(run);
}

/* Rank 1 has received half of its forwarded bytes, in the plan and in the trace. */
static void test_forwarded(void **state)
{
    struct fixture *f = *state;

    put(f, job_record("a", "j1", "cpu"));
    write_traced(f, "tuna",
                 "[[0,'send',1,0,8,0,1e-6],[1,'receive',0,0,8,0,2e-6],[1,'send',2,1,16,2e-6,4e-6]]",
                 "[[0,'send',1,0,8,0,1e-3],[1,'receive',0,0,8,0,1e-3],[1,'send',2,1,16,1e-3,3e-3],["
                 "1,'forward',2,1,8,1e-3,3e-3]]");
    CSV(f, "timeline", "send,1,1,2,1,16,8,1,3,0.79,0.38\n",
        "send,1,1,2,1,16,8,0.002,0.004,0.79,0.38\n", "send,0,0,1,0,8,,0,1,-0.21,0.38\n",
        "!,forward,");
    draw(f, "timeline");
}

static void test_links(void **state)
{
    struct fixture *f = *state;

    write_runs(f);
    write_links(f);
    collect(f);
    CSV(f, "links", ",2,65536,0,1,cpu,cpu,25,,8,,,\n", ",2,65536,1,0,cpu,cpu,5,0.13,4,0.002,16,\n");
}

/* Random patterns on a machine that is none: some messages each, and all to all. */
static void simulate(const struct fixture *f, const char *schedule, int unit, const char *params,
                     double seconds)
{
    put(f,
        with(workload_record(
                 "exchange", 64,
                 json_of(
                     "{'schedule':'%s','item-bytes':%d,'instance':0,'seed':1,'overlap':false,%s}",
                     schedule, unit, params),
                 json_pack("{s:[f], s:[f]}", "step", seconds, "communication", seconds), NULL),
             "'kind':'simulated'"));
}

static void write_simulated(const struct fixture *f)
{
    simulate(f, "ac", 64, "'pattern':'uniform','degree':16", 0.5);
    simulate(f, "rs-n", 64, "'pattern':'uniform','degree':16", 1.5);
    simulate(f, "ac", 64, "'pattern':'uniform','degree':63", 2.5);
    simulate(f, "tuna", 64, "'pattern':'uniform','degree':63", 3.5);
}

#define EXPERTS "'pattern':'moe','tokens':2048,'top-k':2,'imbalance':3.0"

/* A simulated exchange of experts of imbalance 3. */
struct expert_run {
    const char *schedule;
    int unit;
    double seconds;
};

/* Experts of imbalance 3 on the same: with items of 16 B, fast takes a third of the time of posting
 * all at once and half of the library's; with items of 256 B, none is faster by 2 %.
 */
static void write_experts(const struct fixture *f)
{
    static const struct expert_run runs[] = {
        {"ac", 16, 1.5},      {"fast", 16, 0.5},      {"alltoallv", 16, 1},
        {"ac", 256, 1.5},     {"fast", 256, 1.48},    {"alltoallv", 256, 1.6},
        {"twill", 256, 1.49}, {"ac-blocking", 16, 2}, {"rs-n", 16, 1.8}};

    for (size_t i = 0; i < COUNT(runs); i++)
        simulate(f, runs[i].schedule, runs[i].unit, EXPERTS, runs[i].seconds);
}

/* The same by the model, on one of the networks of the front page's map. */
static void write_modelled_experts(const struct fixture *f)
{
    static const char *const schedules[] = {"ac", "fast"};

    for (int i = 0; i < 2; i++)
        put(f, with(workload_record(
                        "exchange", 64,
                        json_of("{'schedule':'%s','item-bytes':16,'instance':0,'seed':1,'overlap':"
                                "false,'network':'nics.network@12'," EXPERTS "}",
                                schedules[i]),
                        json_of("{'step':[]}"), NULL),
                    "'kind':'modelled','predicted_s':%d.5", 1 - i));
}

/* The map: the fastest, its gain over posting all, and none where none gains by more than 2 %. */
static void test_regimes(void **state)
{
    struct fixture *f = *state;

    write_runs(f);
    write_experts(f);
    collect(f);
    CSV(f, "regimes", "a machine (simulated),fast,\"64, 3x\",1 KiB,3,2,,1,1,3.0,3\n",
        "a machine (simulated),none,\"64, 3x\",16 KiB,1.01,1.08,,2,1,,1.01");
}

/* The rest of the papers' gain: of units of 16 B over sends that block alone, of 256 B over posting
 * all at once too. */
static void test_papers_regimes(void **state)
{
    static const struct expert_run runs[] = {
        {"ac", 16, 1.5}, {"ac-blocking", 16, 3}, {"rs-n", 16, 2},         {"lp", 16, 4},
        {"tuna", 16, 1}, {"ac", 256, 3.2},       {"ac-blocking", 256, 3}, {"rs-n", 256, 2},
        {"ac", 4096, 1}, {"rs-n", 4096, 2}};
    struct fixture *f = *state;

    write_runs(f);
    for (size_t i = 0; i < COUNT(runs); i++)
        simulate(f, runs[i].schedule, runs[i].unit, EXPERTS, runs[i].seconds);
    collect(f);
    CSV(f, "regimes-papers",
        "a machine (simulated),faster than blocking sends alone,\"64, 3x\",1 "
        "KiB,rs-n,1.5,0.75,1,1,1.5,1.5,0.75\n",
        "a machine (simulated),faster than both,\"64, 3x\",16 KiB,rs-n,1.5,1.6,2,1,1.5,1.5,1.6\n",
        "!256 KiB");
}

/* One contender of one launch of a race of experts, where fast takes so many times as long as ac,
 * and the duplicate of ac as many as that launch says. */
static void append_expert(const struct fixture *f, const char *schedule, int launch, double factor,
                          double duplicate)
{
    int is_ac = strcmp(schedule, "ac") == 0;
    double s = is_ac ? 1 : factor + 0.001 * launch;
    json_t *record = workload_record(
               "exchange", 64,
               json_of(
                   "{'schedule':'%s','item-bytes':16,'instance':0,'seed':1,'overlap':false," EXPERTS
                   "}",
                   schedule),
               json_pack("{s:[fff], s:[fff]}", "step", s, s, s, "communication", s, s, s), NULL),
           *value;
    size_t i;

    enter_race(record, 1, launch, 1, is_ac);
    json_array_foreach(json_object_get(json_object_get(record, "duplicate"), "step"), i, value)
        json_real_set(value, duplicate * json_real_value(value));
    put(f, record);
}

/* The verdict of a race is on the map by its ratio, unless the noise came as far off. */
static void test_raced_regimes(void **state)
{
    static const struct {
        double fast, duplicate;
        const char *row;
    } races[] = {{0.9, 1.01, " (measured),fast,\"64, 3x\",1 KiB,1.11,,,1,1,1.1,1.1"},
                 {0.9, 1.2, " (measured),none,\"64, 3x\",1 KiB,1.11,,,1,1,,1.1"},
                 {1.2, 1.01, " (measured),none,\"64, 3x\",1 KiB,1,,,1,1,,1"}};

    for (int i = 0; i < 3; i++) {
        struct fixture *f = set_up_again(state);

        append_jobs(f, 3);
        for (int launch = 1; launch <= 3; launch++) {
            append_expert(f, "ac", launch, 1, launch == 2 ? races[i].duplicate : 1);
            append_expert(f, "fast", launch, races[i].fast, 1);
        }
        CSV(f, "regimes", races[i].row);
    }
}

/* An exchange on 32 or 64 ranks. */
static json_t *airfoil(int ranks, int seed, int number)
{
    json_t *record = with(run_record("a", "j1", "lp", 16, number), "'ranks':%d", ranks);

    return with_params(record, "'mesh':'airfoil','seed':%d", seed);
}

static void write_ranks(const struct fixture *f)
{
    put(f, airfoil(32, 1, 1));
    put(f, airfoil(64, 1, 2));
}

/* A line over ranks for an exchange on several numbers of them, and nothing of any other. */
static void test_scaling(void **state)
{
    struct fixture *f = *state;

    write_runs(f);
    write_ranks(f);
    CSV(f, "scaling", "\"exchange airfoil rcb, item-bytes 16 B\",lp,32,1.25 s,1250\n",
        "\"exchange airfoil rcb, item-bytes 16 B\",lp,64,2.25 s,2250\n", "!wing-2800");
    draw(f, "scaling");

    /* The geometric mean over two instances, without a third that has no message on 32 ranks. */
    put(f, airfoil(32, 2, 3));
    put(f, airfoil(64, 2, 4));
    put(f, with(airfoil(32, 3, 8), "'messages':0"));
    put(f, airfoil(64, 3, 9));
    CSV(f, "scaling", ",lp,32,2.02 s,2015.56", ",lp,64,3.09 s,3092.32");
}

/* Races of two contenders alone tell if those that are the same come out so. */
static void test_aa(void **state)
{
    struct fixture *f = *state;
    struct nuce_plot_data data;
    struct nuce_error error;

    for (int launch = 1; launch <= 2; launch++) {
        append_entrant(f, launch, 2, "ac", 1, 1 + 0.01 * launch);
        append_entrant(f, launch, 2, "lp", 1.3 + 0.01 * launch, 0);
        append_entrant(f, launch, 2, "lp-xor", 1.5 - 0.01 * launch, 0);
    }
    collect(f);
    assert_int_equal(find_rows(f, "aa", NULL, &data, &error), NUCE_FAILED);
    assert_says(&error, "nuce run aa");
}

/* At least one run for every plot of decompositions. */
static void write_decompositions(const struct fixture *f)
{
    static const char *const names[] = {"rb2", "xy2", "tile", "grid"};
    static const struct {
        const char *decomposition, *params, *rectangles;
        int ranks, columns;
        double cost;
    } rows[] = {
        {"xy2", "'weights':'0.6,0.4'", "'phases':0", 2, 1500, 1000},
        {"xy2", "'weights':'0.5,0.3,0.2'", "'phases':0", 3, 1500, 1750},
        {"xy2", "'weights':'0.4,0.3,0.2,0.1'", "'phases':0", 4, 1500, 2450},
        {"rb2", "'weights':'0.5,0.1,0.1,0.1,0.1,0.05,0.05'", SLABS, 7, 3000, 4666.67},
        {"optimal", "'weights':'6,6,6,6,1'", PINWHEEL, 5, 1000, 2400},
        {"optimal", "'ratio':8.0,'instance':0", PINWHEEL, 5, 1000, 2400},
        {"xy2", "'ratio':8.0,'instance':0", SLABS, 5, 1000, 2520},
    };

    for (int i = 0; i < 9; i++) {
        json_t *record = modelled_decomposition(names[i / 3], 4, 2000, "'ratio':4.0,'samples':20",
                                                3000 - 100 * i);

        put(f,
            i % 3 == 0 ? record : with_params(record, "'latency':%d.0", i % 3 == 1 ? 100 : 1000));
    }
    for (size_t i = 0; i < COUNT(rows); i++)
        put(f, with(modelled_decomposition(rows[i].decomposition, rows[i].ranks, rows[i].columns,
                                           rows[i].params, rows[i].cost),
                    "%s", rows[i].rectangles));
    for (int i = 1; i <= 3; i++)
        put(f, swept_decomposition(names[i], 100, 200 - i, 4 - i));
    append_rebalances(f, 700, 60);
}

/* At least one run for every plot of placements on networks; two switches of two processes each. */
static void write_mappings(const struct fixture *f)
{
    for (int side = 4; side <= 16; side += 12) {
        for (int instance = 0; instance < 5; instance++) {
            put(f, modelled_mapping("rm", side, instance, 256, 100 * side, 4));
            put(f, modelled_mapping("sm", side, instance, 256, 60, 3.5 - 0.01 * instance));
            put(f, modelled_mapping("bm", side, instance, 256, 40, 3.2 - 0.01 * instance));
        }
    }
    put(f, modelled_mapping("curve", 4, 0, 16, 20, 3));
    put(f, with(with_params(modelled_mapping("bm", 2, 0, 4, 2, 3), "'layout':true"),
                "'switches':[[0,0,null,0],[1,1,0,1]],'switch_links':[[0,1]],'placed':[[0,0,0,0],[1,"
                "0,0,1],[2,1,1,0],[3,1,1,1]]"));
}

/* At least one run for every plot of halo exchanges under placements. */
static void write_placements(const struct fixture *f)
{
    static const struct placed all[] = {
        {"measured", "rm", 1, 3e-3, 1e-4, 4000, 4e-6},
        {"measured", "sm", 1, 2e-3, 1e-4, 2000, 3.5e-6},
        {"simulated", "rm", 1, 3e-3, 0, 4000, 4e-6},
        {"simulated", "sm", 1, 2e-3, 0, 2000, 3.5e-6},
    };

    append_placements(f, 1, all, 2);
    put(f, placed_record(&all[2]));
    put(f, placed_record(&all[3]));
}

/* At least one run for every plot of redistributions. */
static void write_redistributions(const struct fixture *f)
{
    static const char range[] = "10000000..200000000";
    static const struct {
        struct redistribution what;
        double s;
    } rows[] = {
        {{"j1", "direct", 16, 5, "drawn-16.network@12", NULL, NULL, 107}, 1},
        {{"j1", "direct", 16, 6, "drawn-16.network@12", NULL, NULL, 108}, 1.5},
        {{"j1", "direct", 4, 2, "emulated", NULL, range, 109}, 1.5},
        {{"j1", "alltoallv", 8, 7, "measured", NULL, NULL, 102}, 0.5},
        {{"j1", "greedy", 8, 7, "measured", "1", NULL, 103}, 1},
        {{"j1", "greedy", 8, 7, "measured", "2", NULL, 104}, 0.75},
        {{"j1", "greedy", 8, 7, NULL, "1", NULL, 105}, 2},
        {{"j1", "direct", 8, 7, NULL, NULL, NULL, 106}, 4},
    };
    const struct redistribution direct = {"j1", "direct", 4, 3, "emulated", NULL, range, 100};
    const struct redistribution model = {"j1", "greedy", 64, 40, "random", "1", range, 101};

    put(f, traced_redistribution(&direct));
    put(f, modelled_redistribution(&model, 1.5, 1));
    for (size_t i = 0; i < COUNT(rows); i++)
        put(f, with(measured_redistribution(&rows[i].what, rows[i].s), "'schedule_s':1e-5"));
}

/* Every plot that is shipped works on the same records, as a table and as a figure. The formats
 * take turns: the terminal is set by nuce_plot_draw alone, and each picture takes 50 to 100 ms. */
static void test_all_plots(void **state)
{
    struct fixture *f = *state;
    OWNED(plot_list) list;
    struct nuce_error error = {0};
    int formats = 0;

    while (nuce_plot_formats[formats] != NULL)
        formats++;
    write_runs(f);
    write_pattern(f, "'pattern':'uniform','instance':0,'degree':8", 10);
    write_pattern(f, "'pattern':'uniform','instance':0,'degree':16", 20);
    write_pattern(f, "'pattern':'skewed','instance':0", 30);
    write_traced(f, "rs-n", TRACED, PLANNED);
    write_calibration(f);
    write_links(f);
    write_redistributions(f);
    write_simulated(f);
    write_experts(f);
    write_modelled_experts(f);
    write_ranks(f);
    write_decompositions(f);
    write_placements(f);
    write_mappings(f);
    for (int launch = 6; launch <= 9; launch++) { /* whose jobs have no description */
        append_entrant(f, launch, 2, "lp", 1, 1 + 0.01 * launch);
        append_entrant(f, launch, 2, "lp-xor", 1.02 - 0.01 * launch, 0);
    }
    collect(f);
    assert_ok(nuce_plot_list_read(&list, &error));
    assert_true(list.count >= 3);
    for (int i = 0; i < list.count; i++) {
        const char *format = nuce_plot_formats[i % formats];
        struct nuce_plot_data data;
        char file[2 * PATH_BYTES];

        free(table_of(f, list.plots[i].name, NULL, NUCE_GRID_TEXT));
        if (list.plots[i].script == NULL)
            continue;
        assert_ok(query(f, &list.plots[i], NULL, &data, &error));
        if (nuce_plot_draw(&list.plots[i], &data, ".", format, &error) != NUCE_OK)
            fail_msg("%s", error.message);
        snprintf(file, sizeof file, "%s.%s", list.plots[i].name, format);
        assert_int_equal(access(file, R_OK), 0);
        nuce_plot_data_fini(&data);
    }
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
 * and the figure is drawn, in one format after the other. */
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
    OWNED(plot) plot;
    struct nuce_error error = {0};
    const char *const *format = nuce_plot_formats;

    assert_ok(nuce_plot_read("quick", &plot, &error));
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct nuce_plot_data data;
        char job[32];

        snprintf(job, sizeof job, "j%zu", i);
        put(f, job_record(texts[i], job, texts[i]));
        put(f, run_record(texts[i], job, texts[i], 16, 1 + (int)i));
        collect(f);
        assert_ok(query(f, &plot, NULL, &data, &error));
        if (nuce_plot_draw(&plot, &data, ".", *format, &error) != NUCE_OK)
            fail_msg("'%s': %s", texts[i], error.message);
        format = format[1] != NULL ? format + 1 : nuce_plot_formats;
        nuce_plot_data_fini(&data);
        assert_int_not_equal(access("canary", F_OK), 0);
    }
}

/* A statement that is not a query of `chosen` is refused: a column that is not there, and anything
 * but reading. */
static void test_bad_query(void **state)
{
    static const char *const queries[] = {"SELECT nonsense FROM chosen", "DELETE FROM chosen",
                                          "SELECT FROM chosen"};
    struct fixture *f = *state;
    OWNED(plot) plot;
    struct nuce_plot_data data;
    struct nuce_error error;

    write_runs(f);
    assert_ok(nuce_plot_read("quick", &plot, &error));
    for (int i = 0; i < 3; i++) {
        free(plot.sql);
        plot.sql = strdup(queries[i]);
        assert_int_equal(query(f, &plot, NULL, &data, &error), NUCE_BAD_INPUT);
    }
    assert_true(query_integer(f->database, "SELECT count(*) FROM result") > 0);
}

/* A plot's own sentences, those of another plot, and those that another plot does not have. */
static void test_sentences(void **state)
{
    static const char head[] = "-- title: x\n-- rows: contender IS NOT NULL\n";
    static const char query_text[] = "SELECT contender, ranks FROM chosen;\n";
    struct fixture *f = *state;
    OWNED(plot) own, other;
    struct nuce_plot bad;
    struct nuce_plot_data data;
    struct nuce_error error;
    char *text;

    write_runs(f);
    text =
        nuce_text_format("%s%s\n-- says\nSELECT max(ranks) || ' ranks' AS sentence FROM plotted;\n",
                         head, query_text);
    write_bytes("own.sql", text, strlen(text));
    free(text);
    assert_ok(nuce_plot_read_in(".", "own", &own, &error));
    assert_ok(query(f, &own, NULL, &data, &error));
    assert_string_equal(nuce_grid_text(&data.says, 0, "sentence"), "32 ranks");
    nuce_plot_data_fini(&data);

    text = nuce_text_format("%s-- says: redistribution-figure5a\n%s", head, query_text);
    write_bytes("other.sql", text, strlen(text));
    free(text);
    assert_ok(nuce_plot_read_in(".", "other", &other, &error));
    assert_non_null(strstr(other.sentences, "times the lower bound"));
    assert_null(strstr(other.sql, "times the lower bound"));

    text = nuce_text_format("%s-- says: links\n%s", head, query_text);
    write_bytes("bad.sql", text, strlen(text));
    free(text);
    assert_int_equal(nuce_plot_read_in(".", "bad", &bad, &error), NUCE_BAD_INPUT);
    assert_says(&error, "bad.sql: says 'links': no line '-- says' in ");
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

RUN_EACH(set_up, tear_down, test_quick, test_instances, test_panels_in_order, test_footer,
         test_style, test_paper, test_lanes, test_timeline, test_forwarded, test_links,
         test_regimes, test_papers_regimes, test_raced_regimes, test_scaling, test_aa,
         test_all_plots, test_unknown_plots, test_hostile_strings, test_bad_query, test_sentences,
         test_bad_paper)
