/* Runs that died with their job: recorded once, also beside damaged files. */
#include <sys/stat.h>

#include "../slurm/make_campaign.h"
#include "base/jsonl.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/settle.h"

#define RECORDS "c/s.1/records/0001-0-slurm-7-0-0.jsonl"
#define LOST "c/s.1/records/0001-0-slurm-7-0-0-lost.jsonl"
#define JOB "{\"job\":\"j\",\"record\":\"job\",\"version\":2}\n"

struct scene {
    struct nuce_campaign campaign;
    struct folder folder;
};

static int enter(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);

    *state = scene;
    scene->folder = folder_enter();
    create_campaign("name: s\nworkload: exchange\nranks: 2\n"
                    "sweep: {schedule: [ac, lp], pattern: uniform, density: 2}\n",
                    &scene->campaign);
    return 0;
}

static int leave(void **state)
{
    struct scene *scene = *state;

    folder_leave(&scene->folder);
    nuce_campaign_fini(&scene->campaign);
    free(scene);
    return 0;
}

/* Writes records: before, the line that says that the first point has begun, after. */
static void write_records(const struct scene *scene, const char *before, const char *after)
{
    char *text = nuce_text_format("%s{\"job\":\"j\",\"point\":\"%s\",\"record\":\"begin\","
                                  "\"started\":\"2026-11-21T10:00:00.000Z\",\"version\":2}\n%s",
                                  before, scene->campaign.points[0].id, after);

    file_write(RECORDS, text);
    free(text);
}

static void check_settled(struct scene *scene, const char *prefix, int64_t wanted)
{
    struct nuce_error error;
    int64_t settled = 0;

    assert_int_equal(nuce_settle(&scene->campaign, prefix, "its node failed", &settled, &error),
                     NUCE_OK);
    assert_int_equal(settled, wanted);
}

/* What the campaign knows when it reads all records again. */
static void check_known(struct scene *scene, int runs)
{
    struct nuce_error error;

    assert_int_equal(nuce_campaign_refresh(&scene->campaign, &error), NUCE_OK);
    assert_int_equal(scene->campaign.points[0].runs, runs);
    if (runs > 0)
        assert_string_equal(scene->campaign.points[0].status, "interrupted");
}

static void test_once(void **state)
{
    struct scene *scene = *state;

    write_records(scene, JOB, "");
    assert_true(nuce_settle_is_pending("c/s.1"));
    check_settled(scene, "0001-1", 0);
    check_settled(scene, "0001", 1);
    check_settled(scene, "0001-0", 0);
    assert_false(nuce_settle_is_pending("c/s.1"));
    check_known(scene, 1);
}

/* The record of the run is torn, and longer than what is looked at first. */
static void test_torn(void **state)
{
    static char torn[20000];
    struct scene *scene = *state;

    memset(torn, '1', sizeof torn - 1);
    write_records(scene, JOB, torn);
    assert_true(nuce_settle_is_pending("c/s.1"));
    torn[4000] = '\0';
    write_records(scene, JOB, torn);
    assert_true(nuce_settle_is_pending("c/s.1"));
    check_settled(scene, "0001-0", 1);
    check_known(scene, 1);
    /* A whole line longer than what is looked at is no begin. */
    memset(torn, '1', sizeof torn - 2);
    torn[sizeof torn - 2] = '\n';
    assert_int_equal(unlink(LOST), 0);
    write_records(scene, JOB, torn);
    assert_false(nuce_settle_is_pending("c/s.1"));
}

/* Somebody still writes the file: the run goes on. */
static void test_in_flight(void **state)
{
    struct scene *scene = *state;
    struct nuce_jsonl_writer writer;
    struct nuce_error error;
    json_t *record = json_pack("{s:s, s:s}", "record", "job", "job", "j");

    assert_int_equal(nuce_jsonl_create(RECORDS, &writer, &error), NUCE_OK);
    assert_int_equal(nuce_jsonl_append(&writer, record, &error), NUCE_OK);
    json_decref(record);
    record = json_pack("{s:s, s:s}", "record", "begin", "point", scene->campaign.points[0].id);
    assert_int_equal(nuce_jsonl_append(&writer, record, &error), NUCE_OK);
    json_decref(record);
    check_settled(scene, "0001-0", 0);
    nuce_jsonl_close(&writer);
    check_settled(scene, "0001-0", 1);
    check_known(scene, 1);
}

/* What a full disk or a kill left of the file for the record does not stand for it. */
static void test_cut_off(void **state)
{
    static const char *const left[] = {"", JOB, JOB "{\"record\":\"run\""};
    struct scene *scene = *state;

    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
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

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct nuce_error error;
        char *text;

        scene->campaign.launcher = kinds[i].launcher;
        write_records(scene, JOB, "");
        check_settled(scene, "0001-0", 1);
        assert_int_equal(nuce_text_read(LOST, &text, NULL, &error), NUCE_OK);
        assert_non_null(strstr(text, kinds[i].says));
        free(text);
        assert_int_equal(unlink(LOST), 0);
    }
}

/* No record of the job, or one without its name: nothing can be recorded, and nothing is in the
 * way of what goes on. */
static void test_damaged(void **state)
{
    static const char *const before[] = {"", "garbage\n", "{\"record\":\"job\"}\n",
                                         "{\"record\":\"job\",\"job\":7}\n"};
    struct scene *scene = *state;

    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
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
    assert_int_equal(nuce_settle(&scene->campaign, "0001-0", "its node failed", &settled, &error),
                     NUCE_FAILED);
    assert_non_null(strstr(error.message, LOST ": "));
    assert_int_equal(settled, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_once, enter, leave),
        cmocka_unit_test_setup_teardown(test_torn, enter, leave),
        cmocka_unit_test_setup_teardown(test_in_flight, enter, leave),
        cmocka_unit_test_setup_teardown(test_cut_off, enter, leave),
        cmocka_unit_test_setup_teardown(test_kind, enter, leave),
        cmocka_unit_test_setup_teardown(test_damaged, enter, leave),
        cmocka_unit_test_setup_teardown(test_unwritable, enter, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
