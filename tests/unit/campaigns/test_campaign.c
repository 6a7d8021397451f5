/* Campaign folders: numbers, states of points by their records, damage; and runs that died with
 * their job: recorded once, also beside damaged files. The words of launchers, and the points of a
 * start: whole races with their references, those that lack most first. */

#include "base/jsonl.h"
#include "base/seal.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/launcher.h"
#include "campaigns/lost.h"
#include "campaigns/start.h"
#include "make_campaign.h"
#include "points/point.h"

#define SWEEP                                                                                      \
    "name: s\nworkload: exchange\nranks: [4, 2]\nsweep: {schedule: [ac, lp], pattern: uniform, "   \
    "degree: 2}\nmeasure: {launches: 1}\n"

static void append_to(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The campaign of that name, NULL: the newest, opened to be run. */
static struct nuce_campaign open_well(const char *name)
{
    struct nuce_campaign campaign;

    assert_ok(nuce_campaign_open("c", name, NUCE_CAMPAIGN_RUN, &campaign, ANY_ERROR));
    return campaign;
}

static void test_newest(void **state)
{
    static const char *const made[] = {"c/s.1", "c/s.2", "c/s.8"}, *const opened[] = {NULL, "s"};
    static const char *const none[] = {"s.7", "../c", "..", "s", "s."};
    struct nuce_campaign campaign;
    struct nuce_error error;

    assert_int_equal(nuce_campaign_open("c", NULL, NUCE_CAMPAIGN_RUN, &campaign, &error),
                     NUCE_BAD_INPUT);
    /* A folder whose making was cut off is none, and its number is used. */
    for (size_t i = 0; i < COUNT(made); i++) {
        assert_true(i != 2 || mkdir("c/s.7", 0777) == 0);
        create_campaign(SWEEP, &campaign);
        assert_string_equal(campaign.path, made[i]);
        nuce_campaign_fini(&campaign);
    }
    /* The name of a sweep is its newest campaign, unless a folder is called so. */
    for (size_t i = 0; i < COUNT(opened); i++) {
        campaign = open_well(opened[i]);
        assert_string_equal(campaign.name, "s.8");
        nuce_campaign_fini(&campaign);
    }
    assert_int_equal(mkdir("c/s", 0777), 0);
    for (size_t i = 0; i < COUNT(none); i++)
        assert_int_equal(nuce_campaign_open("c", none[i], NUCE_CAMPAIGN_RUN, &campaign, &error),
                         NUCE_BAD_INPUT);
    assert_string_equal(nuce_error_flatten(&error), "c/s.: no such campaign");
}

/* Seals line (released) and appends it to the file, with its newline. */
static void write_sealed(const char *path, char *line)
{
    size_t length = strlen(line);

    line = realloc(line, length + NUCE_SEAL_BYTES + 2);
    assert_non_null(line);
    nuce_seal_add(line, length);
    strcat(line, "\n");
    append_to(path, line);
    free(line);
}

/* A run whose samples are not as many in every part does not count, though it says that it is ok.
 */
static void test_unsound(void **state)
{
    static const char *const samples[] = {"\"step\":[]", "\"pack\":[0.5],\"step\":[]"};
    struct nuce_campaign campaign, again;

    create_campaign(SWEEP, &campaign);
    for (int point = 0; point < 2; point++)
        write_sealed(
            "c/s.1/records/0001.jsonl",
            nuce_text_format("{\"campaign\":\"s.1\",\"job\":\"j\",\"kind\":\"measured\",\"params\":"
                             "{},\"point\":\"%s\",\"ranks\":4,\"record\":\"run\",\"samples\":{%s},"
                             "\"started\":\"t\",\"status\":\"ok\",\"version\":3,\"workload\":"
                             "\"exchange\"}",
                             campaign.points[point].id, samples[point]));
    nuce_campaign_fini(&campaign);
    again = open_well("s.1");
    assert_string_equal(again.points[0].status, "ok");
    assert_null(again.points[1].status);
    nuce_campaign_fini(&again);
}

/* Numbers of launches are never used twice, whatever of a launch is left. */
static void test_launches(void **state)
{
    OWNED(campaign) campaign;
    int number = 0;

    create_campaign(SWEEP, &campaign);
    assert_ok(nuce_campaign_next_launch(&campaign, &number, ANY_ERROR));
    assert_int_equal(number, 1);
    file_write("c/s.1/logs/0004.err", "");
    assert_ok(nuce_campaign_next_launch(&campaign, &number, ANY_ERROR));
    assert_int_equal(number, 5);
    file_write("c/s.1/records/0010-lost.jsonl", "");
    assert_ok(nuce_campaign_next_launch(&campaign, &number, ANY_ERROR));
    assert_int_equal(number, 11);
}

#define RECORDS "c/s.1/records/0001-0-slurm-7-0-0.jsonl"
#define LOST "c/s.1/records/0001-0-slurm-7-0-0-lost.jsonl"
#define JOB "{\"job\":\"j\",\"record\":\"job\",\"version\":3}\n"

static int enter(void **state)
{
    struct scene *scene = scene_enter(state);

    nuce_campaign_fini(&scene->campaign);
    create_campaign("name: s\nworkload: exchange\nranks: 2\n"
                    "sweep: {schedule: [ac, lp], pattern: uniform, degree: 2}\n",
                    &scene->campaign);
    return 0;
}

/* Writes records: before, the line that says that the first point has begun, after. */
static void write_records(const struct scene *scene, const char *before, const char *after)
{
    char *text = nuce_text_format("%s{\"job\":\"j\",\"point\":\"%s\",\"record\":\"begin\","
                                  "\"started\":\"2026-11-21T10:00:00.000Z\",\"version\":3}\n%s",
                                  before, scene->campaign.points[0].id, after);

    file_write(RECORDS, text);
    free(text);
}

static void check_settled(struct scene *scene, const char *prefix, int64_t wanted)
{
    int64_t settled = 0;

    assert_ok(nuce_lost_settle(&scene->campaign, prefix, "its node failed", &settled, ANY_ERROR));
    assert_int_equal(settled, wanted);
}

/* The campaign's knowledge after it has read all records again. */
static void check_known(struct scene *scene, int runs)
{
    assert_ok(nuce_campaign_refresh(&scene->campaign, ANY_ERROR));
    assert_int_equal(scene->campaign.points[0].runs, runs);
    if (runs > 0)
        assert_string_equal(scene->campaign.points[0].status, "interrupted");
}

static void test_once(void **state)
{
    struct scene *scene = *state;

    write_records(scene, JOB, "");
    assert_true(nuce_lost_is_pending("c/s.1"));
    check_settled(scene, "0001-1", 0);
    check_settled(scene, "0001", 1);
    check_settled(scene, "0001-0", 0);
    assert_false(nuce_lost_is_pending("c/s.1"));
    check_known(scene, 1);
}

/* The record of the run is torn, and longer than the part that is read first. */
static void test_torn(void **state)
{
    static char torn[20000];
    struct scene *scene = *state;

    memset(torn, '1', sizeof torn - 1);
    write_records(scene, JOB, torn);
    assert_true(nuce_lost_is_pending("c/s.1"));
    torn[4000] = '\0';
    write_records(scene, JOB, torn);
    assert_true(nuce_lost_is_pending("c/s.1"));
    check_settled(scene, "0001-0", 1);
    check_known(scene, 1);
    /* A complete line that is longer than the examined part is not a begin line. */
    memset(torn, '1', sizeof torn - 2);
    torn[sizeof torn - 2] = '\n';
    assert_int_equal(unlink(LOST), 0);
    write_records(scene, JOB, torn);
    assert_false(nuce_lost_is_pending("c/s.1"));
}

/* Somebody still writes the file: the run goes on. */
static void test_in_flight(void **state)
{
    struct scene *scene = *state;
    struct nuce_jsonl_writer writer;
    json_t *record = json_pack("{s:s, s:s}", "record", "job", "job", "j");

    assert_ok(nuce_jsonl_create(RECORDS, &writer, ANY_ERROR));
    assert_ok(nuce_jsonl_append(&writer, record, ANY_ERROR));
    json_decref(record);
    record = json_pack("{s:s, s:s}", "record", "begin", "point", scene->campaign.points[0].id);
    assert_ok(nuce_jsonl_append(&writer, record, ANY_ERROR));
    json_decref(record);
    check_settled(scene, "0001-0", 0);
    nuce_jsonl_close(&writer);
    check_settled(scene, "0001-0", 1);
    check_known(scene, 1);
}

/* Remains of the file for the record, after a full disk or a kill, do not stand for it. */
static void test_cut_off(void **state)
{
    static const char *const left[] = {"", JOB, JOB "{\"record\":\"run\""};
    struct scene *scene = *state;

    for (size_t i = 0; i < COUNT(left); i++) {
        write_records(scene, JOB, "");
        file_write(LOST, left[i]);
        check_settled(scene, "0001-0", 1);
        check_settled(scene, "0001-0", 0);
        check_known(scene, 1);
    }
}

/* A run that was simulated or modelled is recorded as one, though it died. */
static void test_kind(void **state)
{
    static const struct {
        const struct nuce_launcher_ops *launcher;
        const char *says;
    } kinds[] = {{&nuce_launcher_local, "\"kind\":\"measured\""},
                 {&nuce_launcher_smpi, "\"kind\":\"simulated\""},
                 {&nuce_launcher_model, "\"kind\":\"modelled\""}};
    struct scene *scene = *state;

    for (size_t i = 0; i < COUNT(kinds); i++) {
        char *text;

        scene->campaign.launcher = kinds[i].launcher;
        write_records(scene, JOB, "");
        check_settled(scene, "0001-0", 1);
        assert_ok(nuce_text_read(LOST, &text, NULL, ANY_ERROR));
        assert_non_null(strstr(text, kinds[i].says));
        free(text);
        assert_int_equal(unlink(LOST), 0);
    }
}

/* No record of the job, or one without its name: nothing can be recorded, and the rest continues.
 */
static void test_damaged(void **state)
{
    static const char *const before[] = {"", "garbage\n", "{\"record\":\"job\"}\n",
                                         "{\"record\":\"job\",\"job\":7}\n"};
    struct scene *scene = *state;

    for (size_t i = 0; i < COUNT(before); i++) {
        write_records(scene, before[i], "");
        check_settled(scene, "0001-0", 0);
        assert_int_equal(access(LOST, F_OK), -1);
    }
}

static void test_unwritable(void **state)
{
    struct scene *scene = *state;
    struct nuce_error error;
    int64_t settled = 0;

    write_records(scene, JOB, "");
    assert_int_equal(mkdir(LOST, 0777), 0);
    assert_int_equal(
        nuce_lost_settle(&scene->campaign, "0001-0", "its node failed", &settled, &error),
        NUCE_FAILED);
    assert_non_null(strstr(error.message, LOST ": "));
    assert_int_equal(settled, 0);
}

/* Only measuring programs are started by mpiexec: srun and simulations have none of its words. */
static void test_words(void **state)
{
    static const char *const mpiexec[] = {"/usr/bin/mpiexec", NULL};
    static const char *const srun[] = {"/usr/bin/srun", "-n", "{ranks}", "--exact", NULL};
    struct nuce_launcher_ops simulator = nuce_launcher_local;
    const struct {
        const struct nuce_launcher_ops *ops;
        const char *const *starter;
        const char *words;
        int has_mpiexec;
    } cases[] = {
        {&nuce_launcher_local, mpiexec, "/usr/bin/mpiexec -n {ranks} ", 1},
        {&simulator, mpiexec, "/usr/bin/mpiexec -n {ranks} ", 0},
        {&nuce_launcher_slurm, srun, "/usr/bin/srun -n {ranks} --exact ", 0},
        {&nuce_launcher_model, mpiexec, "", 0},
    };
    struct nuce_launcher launcher;
    OWNED(campaign) campaign;

    simulator.kind = "simulated";
    create_campaign(SWEEP, &campaign);
    assert_ptr_equal(campaign.launcher, &nuce_launcher_local);
    for (size_t i = 0; i < COUNT(cases); i++) {
        char words[256] = "";

        assert_ok(
            nuce_launcher_init(&launcher, cases[i].ops, &campaign, cases[i].starter, ANY_ERROR));
        for (int k = 0; launcher.command[k] != NULL; k++)
            strcat(strcat(words, launcher.command[k]), " ");
        assert_string_equal(words, cases[i].words);
        assert_int_equal(launcher.has_mpiexec, cases[i].has_mpiexec);
        nuce_launcher_fini(&launcher);
    }
}

/* Races of 2 ranks, of schedules ac, lp and rs-n each; every point wants two runs. */
static struct nuce_campaign races(int count)
{
    static const char *const schedules[] = {"ac", "lp", "rs-n"};
    struct nuce_campaign campaign = {.lock = -1};

    for (int i = 0; i < 3 * count; i++)
        add_point(&campaign, &(struct point_of){2, i / 3, schedules[i % 3], 1, 10});
    nuce_campaign_number(&campaign);
    for (int64_t i = 0; i < campaign.count; i++)
        campaign.points[i].wanted = 2;
    return campaign;
}

static void note(struct nuce_campaign *campaign, int64_t point, const char *job, const char *status)
{
    json_t *record = json_pack("{s:s, s:s, s:f}", "job", job, "status", status, "wall_s", 2.0);

    nuce_campaign_note(campaign, point, record);
    json_decref(record);
}

/* The points of the start, as digits. */
static void expect(const struct nuce_campaign *campaign, int64_t most, const char *digits)
{
    OWNED(start) start;
    char found[64] = "";

    nuce_start_choose(campaign, nuce_start_first(campaign), most, &start);
    for (int64_t i = 0; i < start.count; i++)
        found[i] = (char)('0' + start.points[i]);
    assert_string_equal(found, digits);
}

/* In whatever order its runs are read, a point that failed once it was not interrupted has failed.
 */
static void test_counts(void **state)
{
    OWNED(campaign) campaign = races(1);
    const struct nuce_campaign_point *point = &campaign.points[0];

    note(&campaign, 1, "a", "interrupted");
    note(&campaign, 1, "b", "failed");
    assert_string_equal(campaign.points[1].status, "failed");
    note(&campaign, 0, "a", "ok");
    note(&campaign, 0, "a", "ok");
    assert_int_equal(nuce_campaign_good(point), 1); /* of one launch */
    assert_int_equal(nuce_campaign_lacks(point), 1);
    assert_null(point->status);
    assert_string_equal(nuce_campaign_stands(point), "too few launches");
    note(&campaign, 0, "b", "failed");
    assert_string_equal(point->status, "failed");
    note(&campaign, 0, "c", "interrupted");
    assert_string_equal(point->status, "failed");
    note(&campaign, 0, "d", "ok");
    assert_string_equal(point->status, "ok");
    assert_false(nuce_campaign_is_missing(point));
    note(&campaign, 0, "e", "failed");
    note(&campaign, 0, "f", "ok");
    assert_string_equal(point->status, "ok");
    assert_int_equal(nuce_campaign_good(point), 3);
    assert_int_equal(nuce_campaign_lacks(point), 0);
    assert_int_equal(point->runs, 7);
    assert_true(point->wall_s == 2.0);
}

/* A contender that lacks a run takes its reference with it, and no other that lacks none. */
static void test_references(void **state)
{
    OWNED(campaign) campaign = races(2);

    assert_int_equal(campaign.points[2].race, 0);
    assert_int_equal(campaign.points[3].race, 3);
    expect(&campaign, 0, "012345");
    for (int64_t i = 0; i < 6; i++) {
        note(&campaign, i, "a", "ok");
        if (i != 4)
            note(&campaign, i, "b", "ok");
    }
    expect(&campaign, 0, "34");
    campaign.points[3].attempted = 1; /* a run of it went wrong: the next one is the reference */
    expect(&campaign, 0, "45");
    note(&campaign, 4, "b", "ok");
    assert_int_equal(nuce_start_first(&campaign), -1);
    /* The reference lacks a run, and so does each ratio to it. */
    campaign.points[3].attempted = 0;
    campaign.points[3].wanted = 3;
    expect(&campaign, 0, "345");
    campaign.points[4].attempted = 1; /* a failed point has no second try */
    expect(&campaign, 0, "35");
    campaign.points[3].attempted = campaign.points[5].attempted = 1;
    assert_int_equal(nuce_start_first(&campaign), -1);
}

/* The shape that lacks most has the next start; races are not torn for a start that holds few. */
static void test_turns(void **state)
{
    OWNED(campaign) campaign = races(2);

    for (int64_t i = 3; i < 6; i++)
        campaign.points[i].ranks = 3;
    expect(&campaign, 0, "012");
    for (int64_t i = 0; i < 3; i++)
        note(&campaign, i, "a", "ok");
    expect(&campaign, 0, "345");
    for (int64_t i = 3; i < 6; i++)
        campaign.points[i].ranks = 2;
    expect(&campaign, 4, "012");
}

/* More contenders than a race can have are spread over starts, the reference in each. */
static void test_many(void **state)
{
    OWNED(campaign) campaign = {.lock = -1};
    struct nuce_start start;

    for (int i = 0; i < 100; i++)
        add_point(&campaign, &(struct point_of){2, 0, "ac", 1, 10});
    nuce_campaign_number(&campaign);
    nuce_start_choose(&campaign, 0, 0, &start);
    assert_int_equal(start.count, NUCE_RACE_CONTENDERS_MOST);
    for (int64_t i = 0; i < start.count; i++) {
        assert_int_equal(start.points[i], i);
        note(&campaign, start.points[i], "a", "ok");
    }
    nuce_start_fini(&start);
    nuce_start_choose(&campaign, nuce_start_first(&campaign), 0, &start);
    assert_int_equal(start.count, 1 + 100 - NUCE_RACE_CONTENDERS_MOST);
    assert_int_equal(start.points[0], 0);
    assert_int_equal(start.points[1], NUCE_RACE_CONTENDERS_MOST);
    nuce_start_fini(&start);
}

#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, folder_setup, folder_teardown)
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, scene_leave)
RUN_CASES(IN_FOLDER(test_newest), IN_FOLDER(test_unsound), IN_FOLDER(test_launches),
          TEST(test_once), TEST(test_torn), TEST(test_in_flight), TEST(test_cut_off),
          TEST(test_kind), TEST(test_damaged), TEST(test_unwritable), IN_FOLDER(test_words),
          CASE(test_counts), CASE(test_references), CASE(test_turns), CASE(test_many))
