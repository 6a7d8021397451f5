/* Submissions: what is written is read back; damage, strangers' files, points taken back. */
#include <fcntl.h>
#include <sys/file.h>

#include "base/text.h"
#include "make_campaign.h"

static int64_t first_points[] = {0, 2, 4}, second_points[] = {1, 3};

static int64_t once[] = {1, 1, 1};
static struct nuce_packing_part parts[] = {{first_points, once, 3, 12.5},
                                           {second_points, once, 2, 6}};

/* Five points, and a submission of the points 0, 2 and 4 in one part and 1, 3 in another. */
static int enter(void **state)
{
    struct scene *scene = scene_enter(state);

    for (int i = 0; i < 5; i++)
        add_point(&scene->campaign, &(struct point_of){4, 0, "ac", 1, 60});
    scene->campaign.by_id = all_points(&scene->campaign); /* ids ascend */
    return 0;
}

static nuce_status write_one(struct scene *scene, struct nuce_error *error)
{
    const struct nuce_pack pack = {.workload = nuce_workload_find("exchange"),
                                   .ranks = 4,
                                   .nodes = 2,
                                   .time_s = 600,
                                   .parts = parts,
                                   .count = 2};

    json_decref(scene->argv);
    scene->argv = NULL;
    return nuce_submission_write(&scene->campaign, &pack, &scene->profile, &scene->submissions,
                                 &scene->argv, error);
}

static void write_well(struct scene *scene)
{
    struct nuce_error error;

    assert_ok(write_one(scene, &error));
}

/* Reads what is in jobs/ in place of what was written. */
static void read_well(struct scene *scene)
{
    struct nuce_error error;

    nuce_submissions_fini(&scene->submissions);
    assert_ok(nuce_submissions_read(&scene->campaign, &scene->submissions, &error));
}

static void check_one(const struct nuce_submission *submission, int64_t job)
{
    assert_int_equal(submission->number, 1);
    assert_int_equal(strncmp(submission->name, "nuce-a.1-0001-", 14), 0);
    assert_int_equal(submission->ranks, 4);
    assert_int_equal(submission->nodes, 2);
    assert_int_equal(submission->job, job);
    assert_int_equal(submission->count, 2);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(submission->parts[k].count, parts[k].count);
        assert_memory_equal(submission->parts[k].points, parts[k].points,
                            (size_t)parts[k].count * sizeof *parts[k].points);
        assert_true(submission->parts[k].estimate_s == parts[k].estimate_s);
        assert_false(submission->parts[k].is_locked);
    }
}

static void test_round_trip(void **state)
{
    struct scene *scene = *state;
    struct nuce_error error;
    char name[NUCE_JOB_NAME_BYTES];

    write_well(scene);
    check_one(&scene->submissions.list[0], 0);
    strcpy(name, scene->submissions.list[0].name);
    read_well(scene);
    assert_int_equal(scene->submissions.count, 1);
    assert_int_equal(scene->submissions.next, 2);
    check_one(&scene->submissions.list[0], 0);
    assert_string_equal(scene->submissions.list[0].name, name);
    assert_ok(
        nuce_submission_note_job(&scene->campaign, &scene->submissions.list[0], 4711, &error));
    write_well(scene);
    assert_int_equal(scene->submissions.list[1].number, 2);
    assert_string_not_equal(scene->submissions.list[1].name + 14, name + 14);
    read_well(scene);
    assert_int_equal(scene->submissions.count, 2);
    check_one(&scene->submissions.list[0], 4711);
}

/* Killed before the script was written, sbatch was never called; the number is not used again. */
static void test_unfinished(void **state)
{
    struct scene *scene = *state;

    write_well(scene);
    assert_int_equal(unlink("jobs/0001.sh"), 0);
    read_well(scene);
    assert_int_equal(scene->submissions.count, 0);
    assert_int_equal(scene->submissions.next, 2);
    assert_int_equal(unlink("jobs/0001.json"), 0);
    read_well(scene);
    assert_int_equal(scene->submissions.next, 2);
}

/* Files that others put there neither are submissions nor use up numbers. */
static void test_strangers(void **state)
{
    static const char *const names[] = {"jobs/99999999999999999999-notes.txt",
                                        "jobs/20261121-notes.txt",
                                        "jobs/2147483647.json",
                                        "jobs/1.json",
                                        "jobs/0000.json",
                                        "jobs/-5.json",
                                        "jobs/.0009.json.new",
                                        "jobs/12monkeys",
                                        "jobs/0001.json~"};
    struct scene *scene = *state;

    write_well(scene);
    for (size_t i = 0; i < COUNT(names); i++)
        file_write(names[i], "none of yours");
    file_write("jobs/0000.sh", "#!/bin/sh\n");
    read_well(scene);
    assert_int_equal(scene->submissions.count, 1);
    assert_int_equal(scene->submissions.next, 2);
}

static void test_no_number_left(void **state)
{
    struct scene *scene = *state;
    struct nuce_error error;

    scene->submissions.next = NUCE_SUBMISSIONS_MOST + 1;
    assert_int_equal(write_one(scene, &error), NUCE_FAILED);
    assert_non_null(strstr(nuce_error_flatten(&error), "more than 999999 submissions"));
    assert_int_equal(access("jobs", F_OK), -1);
}

static void check_damaged(struct scene *scene, const char *wanted)
{
    struct nuce_error error;

    nuce_submissions_fini(&scene->submissions);
    assert_int_equal(nuce_submissions_read(&scene->campaign, &scene->submissions, &error),
                     NUCE_BAD_INPUT);
    if (strstr(nuce_error_flatten(&error), wanted) == NULL)
        fail_msg("'%s' does not say '%s'", nuce_error_flatten(&error), wanted);
}

static void test_damaged(void **state)
{
    struct scene *scene = *state;
    char *second = json_dumps(scene->campaign.points[1].line, JSON_COMPACT);
    char *one = nuce_text_format("%s\n", second),
         *torn = nuce_text_format("%s\n{\"point\":", second);
    const char *const cases[][3] = {
        {"jobs/0001-1.jsonl", one,
         "jobs/0001-1.jsonl: 1 whole lines: expected the 2 points of jobs/0001.json"},
        {"jobs/0001-1.jsonl", torn, "jobs/0001-1.jsonl: 1 whole lines"},
        {"jobs/0001-1.jsonl", "{\"point\":\"of another campaign\"}\n",
         "jobs/0001-1.jsonl:1:1: not a point of this campaign"},
        {"jobs/0001-1.jsonl", "{\"point\"\n", "jobs/0001-1.jsonl:1:"},
        {"jobs/0001.json", "{\"name\":\n", "jobs/0001.json:"},
        {"jobs/0001.json", "[]", "jobs/0001.json:1:1: not the intent of a submission"},
        {"jobs/0001.json", "{\"name\":\"x\",\"parts\":[]}",
         "jobs/0001.json:1:1: not the intent of a submission"},
    };

    write_well(scene);
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (i == 4) {
            assert_int_equal(unlink("jobs/0001-1.jsonl"), 0);
            check_damaged(scene, "jobs/0001-1.jsonl: No such file");
        }
        file_write(cases[i][0], cases[i][1]);
        check_damaged(scene, cases[i][2]);
    }
    free(torn);
    free(one);
    free(second);
}

/* An id that cannot be read is one that was never noted: the job is looked for by its name. */
static void test_damaged_id(void **state)
{
    static const char *const ids[] = {"", "garbage\n", "-7\n", "0\n"};
    struct scene *scene = *state;

    write_well(scene);
    for (size_t i = 0; i < COUNT(ids); i++) {
        file_write("jobs/0001.id", ids[i]);
        read_well(scene);
        check_one(&scene->submissions.list[0], 0);
    }
}

static void test_void(void **state)
{
    struct scene *scene = *state;
    struct nuce_error error;
    int lock;

    write_well(scene);
    lock = open("jobs/0001-1.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    for (int64_t k = 0; k < 2; k++)
        assert_ok(nuce_submission_void(&scene->campaign, &scene->submissions.list[0], k, &error));
    assert_true(scene->submissions.list[0].parts[0].is_void);
    assert_false(scene->submissions.list[0].parts[1].is_void);
    assert_true(scene->submissions.list[0].parts[1].is_locked);
    assert_int_equal(access("jobs/0001-0.void", F_OK), 0);
    assert_int_equal(access("jobs/0001-1.void", F_OK), -1);
    read_well(scene);
    assert_true(scene->submissions.list[0].parts[0].is_void);
    assert_true(scene->submissions.list[0].parts[1].is_locked);
    close(lock);
    read_well(scene);
    assert_false(scene->submissions.list[0].parts[1].is_locked);
}

static void test_hosts(void **state)
{
    struct scene *scene = *state;
    struct nuce_error error;
    char text[64] = "";
    FILE *file;

    scene->profile.hosts = strdup("hosts");
    file_write("hosts", "n2\nn0\r\nn2\nn1\nn9\n");
    write_well(scene);
    file = fopen("jobs/0001.hosts", "r");
    assert_non_null(file);
    (void)!fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_string_equal(text, "n2\nn0\nn2\nn1\n");
    file_write("hosts", "n2\n$(touch canary)\nn2\nn1\n");
    assert_int_equal(write_one(scene, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "hosts:2:1: '$(touch canary)': expected"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, scene_leave)
RUN_TESTS(NULL, NULL, TEST(test_round_trip), TEST(test_unfinished), TEST(test_strangers),
          TEST(test_no_number_left), TEST(test_damaged), TEST(test_damaged_id), TEST(test_void),
          TEST(test_hosts))
