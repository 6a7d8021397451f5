/* The advice of made-up races: the simplest of the fastest, and each reason to leave a call as it
 * is. */
#include "plot_fixture.h"

#define PATTERN "'messages':64,'bytes':4096,'pattern_fingerprint':'00000000000000%02x'"
#define CAPTURED                                                                                   \
    ",'captured_kind':'alltoallv','captured_calls':100,'captured_call_s':1.5,"                     \
    "'captured_elapsed_s':1800.0"

/* One contender in launches of the race of that seed: its ratio to alltoallv, the reference, in the
 * odd ones; the others have a little more. */
static void enter_from(const struct fixture *f, int seed, const char *schedule, double ratio,
                       int first, int last, const char *metrics)
{
    for (int launch = first; launch <= last; launch++) {
        int is_reference = strcmp(schedule, "alltoallv") == 0;
        double noise = launch % 2 == 0 ? 1.02 : 1;
        json_t *record = with_params(run_record("a", "", schedule, 16, launch), "'seed':%d", seed);

        json_object_set_new(record, "samples", times_json(is_reference ? 1 : ratio * noise));
        enter_race(record, seed, launch, 1, is_reference);
        if (is_reference)
            json_object_update_new(json_object_get(record, "duplicate"), times_json(noise));
        with(record, "'criterion':'communication'," PATTERN "%s", seed, metrics);
        put(f, record);
    }
}

static void enter(const struct fixture *f, int seed, const char *schedule, double ratio,
                  int launches, const char *metrics)
{
    enter_from(f, seed, schedule, ratio, 1, launches, metrics);
}

/* A race of alltoallv, ac and tuna in four launches. */
static void race(const struct fixture *f, int seed, double ac, double tuna, const char *metrics)
{
    enter(f, seed, "alltoallv", 1, 4, metrics);
    enter(f, seed, "ac", ac, 4, metrics);
    enter(f, seed, "tuna", tuna, 4, metrics);
}

#define ADVICE(f, choice, ...) TABLE(f, "advice", choice, NUCE_GRID_JSON, __VA_ARGS__)

/* tuna is a little faster, though not significantly: ac is simpler. */
static void test_simplest(void **state)
{
    struct fixture *f = *state;

    append_jobs(f, 4);
    race(f, 1, 0.661, 0.66, "");
    ADVICE(f, NULL, "\"now\":\"alltoallv\",\"advice\":\"ac\"", "\"ratio\":0.66", "\"launches\":4",
           "\"call\":\"alltoallv\",\"fingerprint\":\"0000000000000001\",\"bytes\":64,\"degree\":2",
           "\"mpi\":\"MPICH 4.0.2\"", "\"saved_s\":null", "\"pays_after\":1");
}

static void test_fastest(void **state)
{
    struct fixture *f = *state;

    append_jobs(f, 4);
    race(f, 1, 0.9, 0.66, "");
    ADVICE(f, NULL, "\"advice\":\"tuna\"");
}

/* The duplicate differs by 2 %: less is not a difference. */
static void test_noise(void **state)
{
    struct fixture *f = *state;

    append_jobs(f, 4);
    race(f, 1, 0.97, 1.5, "");
    ADVICE(f, NULL, "\"advice\":\"leave it\"", "\"rule\":\"library\"", "\"candidate\":null",
           "\"reason\":\"no contender is significantly faster\"");
}

/* A hundred calls of 1.5 s in half an hour, of which about a third is saved. */
static void test_saving(void **state)
{
    struct fixture *f = *state;

    append_jobs(f, 4);
    race(f, 1, 0.9, 0.66, CAPTURED);
    ADVICE(f, NULL, "\"advice\":\"tuna\"", "\"call_s\":1.5,\"calls\":100", "\"saved_s\":100.0",
           "\"saved_low_s\":9", "\"saved_high_s\":10");
}

static void test_unpaid(void **state)
{
    struct fixture *f = *state;

    append_jobs(f, 4);
    race(f, 1, 0.9, 0.66, CAPTURED ",'gather_s':1000.0");
    ADVICE(f, NULL, "\"advice\":\"leave it\"", "\"candidate\":\"tuna\"",
           "tuna pays after 2076 calls, the application makes 100");
}

/* Races of which nothing follows: no rule either. */
static void test_doubts(void **state)
{
    static const struct {
        const char *metrics, *reason;
        int launches;
    } cases[] = {
        {"", "one launch has no interval", 1},
        {",'oversubscribed':1", "32 ranks on ", 4},
        {",'too_short':1", "a step is too short to measure, or has no message", 4},
        {",'others_cpus':1.5", "other load in 4 of 4 launches", 4},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fixture *f;

        tear_down(state);
        set_up(state);
        f = *state;
        for (int launch = 1; launch <= 4; launch++)
            put(f, describing(job_record("a", (const char[]){'j', (char)('0' + launch), '\0'}, "c"),
                              "'processors':2"));
        enter(f, 1, "alltoallv", 1, cases[i].launches, cases[i].metrics);
        enter(f, 1, "tuna", 0.66, cases[i].launches, cases[i].metrics);
        ADVICE(f, NULL, "\"advice\":\"leave it\"", "\"rule\":null", cases[i].reason);
    }
}

/* A contender of a later campaign that never met another one. If that is slower than some, it is as
 * if it had; else nothing is known of the two, and no rule follows. */
static void test_apart(void **state)
{
    for (int is_met = 0; is_met < 2; is_met++) {
        struct fixture *f;

        tear_down(state);
        set_up(state);
        f = *state;
        append_jobs(f, 8);
        enter_from(f, 1, "alltoallv", 1, 1, 8, "");
        enter_from(f, 1, "ac", 0.9, 1, is_met ? 8 : 4, "");
        enter_from(f, 1, "lpt", 1.1, 1, 4, "");
        enter_from(f, 1, "tuna", 0.5, 5, 8, "");
        ADVICE(f, NULL, is_met ? "\"advice\":\"tuna\"" : "\"advice\":\"leave it\"",
               is_met ? "!did not all race"
                      : "the faster ones did not all race in the same launches",
               is_met ? "\"rule\":\"" : "\"rule\":null");
    }
}

/* Three patterns with one rule are a class; a fourth of the same size that contradicts ends it. */
static void test_class(void **state)
{
    struct fixture *f = *state;

    append_jobs(f, 4);
    race(f, 1, 0.9, 0.66, "");
    race(f, 2, 0.9, 0.66, "");
    ADVICE(f, NULL, "\"class\":null", "!\"class\":\"");
    race(f, 3, 0.9, 0.66, "");
    ADVICE(f, NULL, "\"class\":\"bytes=64..64 degree=2..2\"");
    race(f, 4, 1.0, 1.2, "");
    ADVICE(f, NULL, "\"class\":null", "!\"class\":\"");
}

/* Sends raced against sends: rules of these patterns alone, and not for nuce apply. */
static void test_sends(void **state)
{
    static const char *const kinds[][4] = {
        {"exchange", "sends", "\"class\":null", "!\"class\":\""},
        {"alltoall", "MPI_Alltoall", "\"class\":\"bytes=64..64 degree=2..2\"",
         "\"candidate\":\"tuna\""},
    };

    for (size_t i = 0; i < COUNT(kinds); i++) {
        char metrics[128], beyond[64];
        struct fixture *f;

        tear_down(state);
        set_up(state);
        f = *state;
        snprintf(metrics, sizeof metrics, ",'captured_kind':'%s'", kinds[i][0]);
        snprintf(beyond, sizeof beyond, "\"beyond_apply\":\"%s\"", kinds[i][1]);
        append_jobs(f, 4);
        for (int seed = 1; seed <= 3; seed++)
            race(f, seed, 1.5, 0.66, metrics);
        ADVICE(f, NULL, beyond, kinds[i][2], kinds[i][3], "\"rule\":\"tuna\"");
    }
}

/* Ours is the fastest in each fold; a rule by single calls is asked the same. */
static void test_rules(void **state)
{
    struct fixture *f = *state;

    append_jobs(f, 4);
    race(f, 1, 0.9, 0.66, "");
    CSV(f, "advice-rules", "ours,1,4,,0,0,0,1,0,0", "one call,1,4,,0,0,0,3,0,0");
}

RUN_EACH(set_up, tear_down, test_simplest, test_fastest, test_noise, test_saving, test_unpaid,
         test_apart, test_doubts, test_class, test_sends, test_rules)
