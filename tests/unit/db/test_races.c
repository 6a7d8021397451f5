/* Views of races, on synthetic records whose ratios are known. */

#include "db/times.h"
#include "records.h"

/* So many rows of the view meet the condition. */
static void races(const struct fixture *f, int64_t expected, const char *view,
                  const char *condition)
{
    char sql[512];

    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s WHERE %s", view, condition);
    gives(f, expected, sql);
}

/* One launch has ratios, but no contender is faster than another, and none is best. */
static void test_one_launch(void **state)
{
    struct fixture *f = *state;

    append_launch(f, 1, 1.01, 1.5, 0.5);
    assert_int_equal(collect(f).added, 3);
    races(f, 4, "ratio", "launches = 1 AND ratio_low IS NULL");
    races(f, 3, "ratio", "verdict = 'inconclusive' AND is_best IS NULL");
    races(f, 1, "ratio",
          "contender = 'reference' AND name = 'ac' AND ratio = 1 AND verdict IS NULL");
    races(f, 1, "ratio", "name = 'lp' AND abs(ratio - 1.5) < 1e-9");
    races(f, 1, "ratio", "contender = 'duplicate' AND abs(ratio - 1.01) < 1e-9 AND rounds = 7");
    races(f, 0, "best", "1");
    races(f, 3 * RACE_ROUNDS, "round_ratio", "1");
}

/* Three launches, by hand: the mean of logarithms, and 4.302653 standard errors to either side. */
static void test_interval(void **state)
{
    static const double lp[] = {1.4, 1.5, 1.6};
    struct fixture *f = *state;
    double middle = 0, squares = 0, reach;
    char condition[256];

    for (int i = 0; i < 3; i++) {
        append_launch(f, i, 1 + 0.01 * (i - 1), lp[i], 1 / lp[i]);
        middle += log(lp[i]) / 3;
    }
    for (int i = 0; i < 3; i++)
        squares += (log(lp[i]) - middle) * (log(lp[i]) - middle);
    reach = 4.30265273 * sqrt(squares / 2 / 3);
    collect(f);
    snprintf(condition, sizeof condition,
             "name = 'lp' AND launches = 3 AND rounds = 21 AND abs(ratio - %.17g) < 1e-9 AND "
             "abs(ratio_low - %.17g) < 1e-7 AND abs(ratio_high - %.17g) < 1e-7",
             exp(middle), exp(middle - reach), exp(middle + reach));
    races(f, 1, "ratio", condition);
    races(f, 1, "ratio", "name = 'lp' AND verdict = 'slower' AND is_best = 0");
    races(f, 1, "ratio", "name = 'rs-n' AND verdict = 'faster' AND is_best = 1");
    races(f, 1, "ratio", "contender = 'duplicate' AND is_best IS NULL");
    races(f, 1, "best", "contender = 'rs-n' AND contenders = 3");
    races(f, 1, "best", "1");
    /* Its time is the one that tables show. */
    races(f, 3, "ratio AS o JOIN result AS w ON w.point = o.point",
          "o.contender <> 'duplicate' AND abs(o.median_s / w.communication_s - 1) < 1e-9");
    /* Pairs without the reference: 1.4 to 1.6 over its own inverse. */
    races(f, 1,
          "against AS a JOIN point AS p ON p.id = a.point JOIN point AS q ON q.id = a.baseline",
          "p.contender = 'lp' AND q.contender = 'rs-n' AND launches = 3 AND rivals = 2 AND "
          "abs(ln(ratio) - 2 * ln(1.4 * 1.5 * 1.6) / 3) < 1e-9");
}

/* Equal contenders have no difference, and all of them are best; a difference within the noise is
 * not significant.
 */
static void test_ties(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 4; i++)
        append_launch(f, i, 1.02 + 0.001 * i, 1 + 0.002 * (i % 2 ? 1 : -1), 1.01 + 0.0001 * i);
    collect(f);
    races(f, 1, "ratio", "name = 'lp' AND verdict = 'same' AND is_best = 1");
    /* Slower by 1 %, which its interval shows; but so was the reference's duplicate, by 2 %. */
    races(f, 1, "ratio", "name = 'rs-n' AND ratio_low > 1 AND verdict = 'same'");
    races(f, 2, "best", "contender IN ('ac', 'lp')");
}

/* A contender whose interval has 1 in it is not left out of the fastest: 2.57 standard errors are
 * less than the 2.78 of five launches, though more than the 2.13 that a one-sided test would ask
 * for. */
static void test_two_sided(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 5; i++) {
        append_job_of(f, i);
        append_entrant(f, i, 1, "ac", 1, 1);
        append_entrant(f, i, 1, "lp", exp(0.2 + 0.11 * (i - 2)), 0);
    }
    collect(f);
    races(f, 1, "ratio", "name = 'lp' AND ratio_low < 1 AND is_best = 1");
    races(f, 2, "best", "1");
}

/* Appends three launches of a race of two, in the first so many of which steps were too short, of
 * so many messages. */
static void append_moot(const struct fixture *f, int race, int shorts, int messages)
{
    for (int launch = 1; launch <= 3; launch++) {
        char job[] = {'j', (char)('0' + launch), '\0'};

        put(f, job_record("a", job, "cpu"));
        for (int k = 0; k < 2; k++) {
            json_t *record = run_record("a", job, k == 0 ? "ac" : "lp", 10 + race, 2 * k);

            with(record, "'messages':%d,'too_short':%d", messages, launch <= shorts);
            put(f, enter_race(record, race, launch, 1, k == 0));
        }
    }
}

/* A contender that is too short in most launches, or has nothing to send, has ratios, but neither
 * verdict nor winner. One disturbed launch of three does not hide the result of the others. */
static void test_moot(void **state)
{
    struct fixture *f = *state;

    append_moot(f, 7, 2, 8);
    append_moot(f, 8, 0, 0);
    collect(f);
    races(f, 2, "ratio", "name = 'lp' AND launches = 3 AND ratio > 2");
    races(f, 0, "ratio", "verdict <> 'inconclusive' OR is_best IS NOT NULL");
    races(f, 0, "best", "1");
    races(f, 2, "result", "too_short");
    append_moot(f, 9, 1, 8);
    collect(f);
    races(f, 1, "ratio", "name = 'lp' AND verdict = 'slower'");
    races(f, 1, "best", "contender = 'ac'");
    races(f, 4, "result", "too_short = 0");
}

/* A contender that did not race with all others is not called as fast as they are; that it is
 * slower than one of them is still known. */
static void test_apart(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 3; i++)
        append_launch(f, i, 1, 1 + 0.001 * i, 2 + 0.01 * i);
    for (int i = 3; i < 6; i++) {
        append_job_of(f, i);
        append_entrant(f, i, 1, "ac", 1, 1);
        append_entrant(f, i, 1, "rs-nh", 0.996 + 0.001 * i, 0);
    }
    collect(f);
    races(f, 1, "ratio", "name = 'rs-n' AND is_best = 0");
    races(f, 2, "ratio", "name IN ('lp', 'rs-nh') AND contender = 'contender' AND is_best IS NULL");
    races(f, 1, "ratio", "name = 'ac' AND is_best = 1");
}

/* One that came later and raced with the fastest is in the set without having met the slower. */
static void test_later(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 3; i++)
        append_launch(f, i, 1, 0.5 + 0.001 * i, 2 + 0.01 * i);
    for (int i = 3; i < 6; i++) {
        append_job_of(f, i);
        append_entrant(f, i, 1, "ac", 1, 1);
        append_entrant(f, i, 1, "lp", 0.5, 0);
        append_entrant(f, i, 1, "rs-nh", 0.496 + 0.001 * i, 0);
    }
    collect(f);
    races(f, 2, "ratio", "name IN ('lp', 'rs-nh') AND contender = 'contender' AND is_best = 1");
    races(f, 2, "ratio", "name IN ('ac', 'rs-n') AND is_best = 0");
    races(f, 1, "ratio", "name = 'lp' AND launches = 6");
    races(f, 1, "best", "contender = 'rs-nh' AND contenders = 3");
}

/* A contender that failed in a launch is compared over the launches that both have. */
static void test_missing(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 3; i++)
        append_launch(f, i, 1, 1.5 + 0.01 * i, 2 + 0.01 * i);
    append_job_of(f, 3);
    append_entrant(f, 3, 1, "ac", 1, 1);
    append_entrant(f, 3, 1, "lp", 1.5, 0);
    collect(f);
    races(f, 1, "ratio", "name = 'lp' AND launches = 4");
    races(f, 1, "ratio", "name = 'rs-n' AND launches = 3 AND is_best = 0");
    races(f, 4, "against", "launches = 3");
    races(f, 2, "against", "launches = 4");
}

/* The reference's record may come after the others': derived values are then computed again. */
static void test_late_reference(void **state)
{
    struct fixture *f = *state;

    append_job_of(f, 1);
    append_entrant(f, 1, 1, "lp", 1.5, 0);
    collect(f);
    races(f, 0, "ratio", "1");
    append_entrant(f, 1, 1, "ac", 1, 1);
    collect(f);
    races(f, 1, "ratio", "name = 'lp' AND abs(ratio - 1.5) < 1e-9");
}

/* Simulated and modelled times have no noise: within 6 % and half a percent it is a tie. */
static void test_exact(void **state)
{
    static const struct {
        const char *schedule;
        int number;
    } runs[] = {{"ac", 1000}, {"lp", 1004}, {"rs-n", 1040}, {"alltoallv", 1080}};
    static const char *const kinds[] = {"simulated", "modelled"};
    struct fixture *f = *state;

    put(f, job_record("a", "j1", "cpu"));
    for (int i = 0; i < 8; i++) {
        put(f, with(run_record("a", "j1", runs[i / 2].schedule, 16, runs[i / 2].number),
                    "'kind':'%s'", kinds[i % 2]));
    }
    collect(f);
    races(f, 3, "best", "kind = 'simulated' AND contenders = 4");
    races(f, 0, "best", "kind = 'simulated' AND contender = 'alltoallv'");
    races(f, 2, "best", "kind = 'modelled' AND contenders = 4");
    races(f, 2, "best", "kind = 'modelled' AND contender IN ('ac', 'lp')");
    races(f, 8, "against", "kind = 'simulated' AND side = 0 AND launches IS NULL");
    races(f, 2, "against", "kind = 'modelled' AND side = 0");
}

/* A sweep with `compare` has contenders named by the compared keys. */
static void test_names(void **state)
{
    static const char query[] =
        "SELECT contender_name('ac', "
        "'{\"schedule\":\"ac\",\"in-flight\":4,\"overlap\":true,\"partition\":"
        "\"rcb\",\"lambda\":0.5}', %s) = '%s'";
    static const char *const names[][2] = {
        {"NULL", "ac"},
        {"'[\"partition\"]'", "rcb"},
        {"'[\"schedule\",\"in-flight\"]'", "ac in-flight 4"},
        {"'[\"overlap\",\"lambda\",\"nosuch\"]'", "overlap lambda 0.5"},
        {"'[\"rebalance\",\"look-every\"]'", "no rebalance"},
    };
    struct fixture *f = *state;

    append_launch(f, 1, 1, 1, 1);
    collect(f);
    for (size_t i = 0; i < COUNT(names); i++) {
        char sql[512];

        snprintf(sql, sizeof sql, query, names[i][0], names[i][1]);
        gives(f, 1, sql);
    }
}

/* A record file made by hand: the line is named that has the launch's second reference. */
static void test_two_references(void **state)
{
    struct fixture *f = *state;
    struct nuce_collect_counts counts;
    char *messages = NULL;

    put(f, job_record("a", "j1", "cpu"));
    for (int i = 0; i < 3; i++) {
        put(f, enter_race(run_record("a", "j1", i < 2 ? "ac" : "lp", 16, i), 1, 1, 1, i < 2));
    }
    for (int i = 0; i < 2; i++) { /* reported every time */
        assert_ok(collect_all(f->database, f->campaigns, &counts, &messages, ANY_ERROR));
        assert_int_equal(counts.bad, 1);
        assert_int_equal(counts.added, i == 0 ? 2 : 0);
        assert_non_null(strstr(messages,
                               "/a/records/1.jsonl:3:1: run record: a second 'duplicate' in a "
                               "launch of its race: job 'j1' with 'order_seed' 1"));
        free(messages);
        gives(f, 2, "SELECT count(*) FROM raced");
    }
}

/* The reader of times (db/times.h). Parts side by side, their digits as they stand; the medians of
 * both middle ones of an even count.
 */
static void test_read(void **state)
{
    static const char *const bad[] = {"[1,2]",     "[1,2,3,4]",   "[1,-2,3]", "[1,null,3]",
                                      "[1,[2],3]", "[1,1e999,3]", "7",        "{\"a\":[1,2,3]}"};
    const char *parts[NUCE_SAMPLE_PARTS] = {"[0.5,1e-3,2]", NULL, "[4,0,1.50]"};
    const char *none[NUCE_SAMPLE_PARTS] = {"[]"};
    struct nuce_times times;

    assert_int_equal(nuce_times_part("communication"), NUCE_PART_COMMUNICATION);
    assert_int_equal(nuce_times_part("nosuch"), -1);
    assert_int_equal(nuce_times_part(NULL), -1);
    assert_true(nuce_times_read(parts, &times));
    assert_int_equal(times.count, 3);
    assert_string_equal(times.times, "[[0.5,null,4],[1e-3,null,0],[2,null,1.50]]");
    assert_true(times.medians[NUCE_PART_STEP] == 0.5 && isnan(times.medians[NUCE_PART_PACK]) &&
                times.medians[NUCE_PART_COMMUNICATION] == 1.5);
    nuce_times_fini(&times);
    assert_true(nuce_times_read(none, &times));
    assert_string_equal(times.times, "[]");
    assert_true(times.count == 0 && isnan(times.medians[NUCE_PART_STEP]));
    nuce_times_fini(&times);
    for (size_t i = 0; i < COUNT(bad); i++) {
        parts[NUCE_PART_COMMUNICATION] = bad[i];
        assert_false(nuce_times_read(parts, &times));
        assert_null(times.times);
    }
    parts[NUCE_PART_COMMUNICATION] = NULL;
    parts[NUCE_PART_STEP] = NULL;
    assert_false(nuce_times_read(parts, &times));
}

/* Rounds that one of the two has no time in do not count, nor do those that only one has. */
static void test_race(void **state)
{
    struct nuce_race_ratio found;

    nuce_times_race("[[2],[4],[9],[null],[1]]", "[[1],[2],[3],[5]]", 0, &found);
    assert_int_equal(found.rounds, 3);
    assert_true(found.ratio == 2 && isnan(found.low) && isnan(found.high));
    nuce_times_race("[[1],[2],[3],[4],[5],[6]]", "[[1],[1],[1],[1],[1],[1]]", 0, &found);
    assert_true(found.rounds == 6 && found.ratio == 3.5 && found.low == 1 && found.high == 6);
    nuce_times_race("[[1]]", "[[1]]", -1, &found);
    assert_true(found.rounds == 0 && isnan(found.ratio));
}

/* A contender beside ac, whose last rank is late by 1 ms, and whose exchange takes 10: late, pack
 * and exchange are added to that, and vary by jitter from launch to launch. */
struct explained {
    const char *schedule, *discipline, *metrics;
    double factor, duplicate, late, pack, exchange, jitter;
    const char *says[4]; /* parts of sentence, place, differs, next; NULL: there is none */
};

/* Appends a run with these times to the race of a launch of a campaign. A call of the library packs
 * by itself. */
static void append_parts(const struct fixture *f, const char *campaign, int launch,
                         const struct explained *one)
{
    int is_reference = one->duplicate > 0;
    double late_s = 1e-3 * (1 + one->late), pack_s = 1e-3 * one->pack;
    double exchange_s = 1e-3 * (10 + one->exchange + one->jitter * (launch - 2));
    json_t *record = with(run_record(campaign, "", one->schedule, 16, launch),
                          "'last_step_s':%.9f,'last_late_s':%.9f,'last_communication_s':%.9f,"
                          "'bytes':2048,%s",
                          late_s + pack_s + exchange_s, late_s, exchange_s, one->metrics);

    if (strcmp(one->discipline, "dynamic") != 0)
        with(record, "'last_pack_s':%.9f", pack_s);

    json_object_set_new(record, "samples", times_json(one->factor * (1 + 0.001 * launch)));
    enter_race(record, 1, launch, 1, is_reference);
    if (is_reference)
        json_object_update_new(json_object_get(record, "duplicate"),
                               times_json(one->duplicate * (1 + 0.001 * launch)));
    append_record(f->folder, campaign, "1.jsonl", record);
}

/* The sentences of nuce explain on that contender of a campaign: the table explained of the store,
 * which the caller closes. */
static struct nuce_store explain(const struct fixture *f, const char *campaign,
                                 const char *schedule, const char *discipline)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_error error = {0};

    collect(f);
    assert_ok(nuce_store_open_reading(f->database, &store, &error));
    assert_ok(nuce_store_narrow(&store, campaign, &error));
    assert_ok(nuce_store_run(&store, &error,
                             "CREATE TEMP TABLE asked AS SELECT %Q AS name;"
                             "CREATE TEMP TABLE disciplines AS SELECT %Q AS name, %Q AS"
                             " discipline UNION ALL SELECT 'ac', 'post-all'",
                             schedule, schedule, discipline));
    assert_ok(nuce_store_run_shipped(&store, "plots/explain/raced.sql", &error));
    return store;
}

/* The sentences of nuce explain on a contender: the part of the step that has the difference, the
 * plans, what to do next. Differences that may be chance are not mentioned. */
static void test_explained(void **state)
{
    static const struct explained ac = {
        "ac", "post-all", "'phases':1,'pieces':10", 1, 1.0001, 0, 0, 0, 0, {NULL}};
    static const struct explained cases[] = {
        {"lp",
         "lockstep",
         "'phases':3,'pieces':10",
         1.5,
         0,
         0,
         0,
         5,
         0.1,
         {"lp is slower than ac, 1.50x.",
          "Where: a step of lp takes 5.00 ms [4.75 ms, 5.25 ms] longer; its exchange takes 5.00 ms "
          "[4.75 ms, 5.25 ms] longer.",
          "Differs: both send the same bytes in 10 transfers; lp has 3 phases, and in each a rank "
          "waits for its partners; ac posts all at once.",
          "Next: 'trace: true' below measure: records each transfer of one step; 'nuce figure "
          "timeline --contenders lp' draws those of lp."}},
        {"tuna",
         "forward",
         "'phases':2,'pieces':1,'forwarded_bytes':1024",
         1.5,
         0,
         0,
         0,
         5,
         0.1,
         {"tuna is slower than ac, 1.50x.",
          "Where: a step of tuna takes 5.00 ms [4.75 ms, 5.25 ms] longer; its exchange takes 5.00 "
          "ms [4.75 ms, 5.25 ms] longer.",
          "Differs: tuna sends 3 KiB in 1 transfer, ac 2 KiB in 10 transfers (tuna forwards by way "
          "of other ranks); tuna has 2 phases, and in each a rank waits for its partners; ac posts "
          "all at once.",
          "Next: 'trace: true' below measure: records each transfer of one step; 'nuce figure "
          "timeline --contenders tuna' draws those of tuna."}},
        /* The reference is the slow one; the drawing is that of the asked one. */
        {"lp",
         "lockstep",
         "'phases':3,'pieces':10,'events_lost':0",
         0.5,
         0,
         0,
         0,
         -5,
         0.1,
         {"lp is faster than ac, 0.50x.",
          "Where: a step of ac takes 5.00 ms [4.75 ms, 5.25 ms] longer; its exchange takes 5.00 ms "
          "[4.75 ms, 5.25 ms] longer.",
          "Differs: both send the same bytes in 10 transfers; ac posts all at once; lp has 3 "
          "phases, and in each a rank waits for its partners.",
          "' draws each transfer of one step of lp."}},
        {"alltoallv",
         "dynamic",
         "'phases':1,'pieces':10,'nonblocking':1",
         1.5,
         0,
         0,
         0,
         5,
         0.1,
         {"alltoallv is slower than ac, 1.50x.",
          "Where: a step of alltoallv takes 5.00 ms [4.75 ms, 5.25 ms] longer; its exchange takes "
          "5.00 ms [4.75 ms, 5.25 ms] longer.",
          "Differs: both send the same bytes; alltoallv makes its transfers inside its call, which "
          "are not recorded; ac posts all at once; the packing of alltoallv is inside its "
          "exchange.",
          "Next: 'environment:' below sweep: sets variables of the MPI library, such as the "
          "algorithm of a call; 'nuce compare' compares them. alltoallv (as MPI_Ialltoallv), since "
          "ranks yield while they wait: settings of the blocking form have no effect."}},
        {"lp",
         "lockstep",
         "'phases':3,'pieces':10",
         1.5,
         0,
         5,
         0,
         0,
         0.1,
         {"lp is slower than ac, 1.50x.",
          "Where: a step of lp takes 5.00 ms [4.75 ms, 5.25 ms] longer; its start takes 5.00 ms "
          "[5.00 ms, 5.00 ms] longer.",
          "Differs: ranks begin at different times, before the first message: the barrier or other "
          "load does that.",
          "Next: more launches, on an idle machine."}},
        /* None of three parts has half, and a difference that may be chance has no place. */
        {"lp",
         "lockstep",
         "'phases':3,'pieces':10",
         1.5,
         0,
         3,
         3,
         3,
         0.1,
         {"lp is slower than ac, 1.50x.",
          "Where: a step of lp takes 9.00 ms [8.75 ms, 9.25 ms] longer; no recorded part has half "
          "of that.",
          NULL, "Next: 'trace: true' below measure: "}},
        {"lp",
         "lockstep",
         "'phases':3,'pieces':10",
         1.5,
         0,
         0,
         0,
         5,
         9,
         {"lp is slower than ac, 1.50x.",
          "Where: not known; whole steps, to the last rank's end, differ by 5.00 ms [-17.4 ms, "
          "27.4 ms], which includes 0.",
          NULL, "Next: more launches, on an idle machine."}},
        {"lp",
         "lockstep",
         "'phases':3,'pieces':10",
         1.5,
         0,
         0,
         0,
         -5,
         0.1,
         {"lp is slower than ac, 1.50x.", "ms]: those of lp are shorter.", NULL,
          "Next: more launches, on an idle machine."}},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        static const char *const columns[] = {"sentence", "place", "differs", "next"};
        struct nuce_store store;
        const char campaign[] = {'c', (char)('0' + i), '\0'};

        for (int launch = 1; launch <= 3; launch++) {
            const char job[] = {'j', (char)('0' + launch), '\0'};

            append_record(f->folder, campaign, "1.jsonl", job_record(campaign, job, "cpu"));
            append_parts(f, campaign, launch, &ac);
            append_parts(f, campaign, launch, &cases[i]);
        }
        store = explain(f, campaign, cases[i].schedule, cases[i].discipline);
        for (int k = 0; k < 4; k++) {
            char *text = nuce_store_text(&store, ANY_ERROR,
                                         "SELECT coalesce(%s, '') FROM explained"
                                         " WHERE NOT is_reference",
                                         columns[k]);

            if (cases[i].says[k] == NULL)
                assert_string_equal(text, "");
            else if (strstr(text, cases[i].says[k]) == NULL)
                fail_msg("case %zu: no '%s' in '%s'", i, cases[i].says[k], text);
            free(text);
        }
        nuce_store_close(&store);
    }
}

/* A difference that two contenders would show, but three do not: as in nuce show, where both are of
 * the fastest. */
static void test_explained_rivals(void **state)
{
    static const struct {
        double ratio, rival; /* 0: there is no third contender */
        const char *says;
    } cases[] = {
        {0.0416, 0, "lp is slower than ac, 1.04x [1.00, 1.08]."},
        {0.0416, 2,
         "Inconclusive: lp to ac, 1.04x [1.00, 1.08], whose interval lies above 1, but not if "
         "corrected for all contenders."},
        {0.06, 2, "lp is slower than ac, 1.06x [1.02, 1.10]."},
        {-0.0416, 0, "lp is faster than ac, 0.96x [0.92, 1.00]."},
        {-0.0416, 2,
         "Inconclusive: lp to ac, 0.96x [0.92, 1.00], whose interval lies below 1, but not if "
         "corrected for all contenders."},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fixture *f = set_up_again(state);
        struct nuce_store store;
        char *text;

        for (int launch = 0; launch < 4; launch++) {
            append_job_of(f, launch);
            append_entrant(f, launch, 1, "ac", 1, 1 + 1e-4 * (launch % 2));
            append_entrant(f, launch, 1, "lp",
                           exp(cases[i].ratio + (launch % 2 == 0 ? 0.02 : -0.02)), 0);
            if (cases[i].rival > 0)
                append_entrant(f, launch, 1, "rs-n", cases[i].rival, 0);
        }
        store = explain(f, "a", "lp", "lockstep");
        text = nuce_store_text(&store, ANY_ERROR,
                               "SELECT sentence FROM explained WHERE NOT is_reference");
        assert_string_equal(text, cases[i].says);
        free(text);
        nuce_store_close(&store);
    }
}

RUN_EACH(set_up, tear_down, test_one_launch, test_interval, test_ties, test_two_sided, test_moot,
         test_apart, test_later, test_missing, test_late_reference, test_exact, test_names,
         test_two_references, test_read, test_race, test_explained, test_explained_rivals)
