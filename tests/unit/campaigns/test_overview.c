/* States of points: plan, records, submissions and queue joined; and the forecast. Submissions:
 * read back as written; damage, files of others, points taken back. */

#include "base/seal.h"
#include "base/text.h"
#include "campaigns/overview.h"
#include "make_campaign.h"

#include <fcntl.h>
#include <sys/file.h>

static void add_part(struct nuce_submission *submission, int64_t first, int64_t count)
{
    struct nuce_submission_part *part = &submission->parts[submission->count++];

    part->points = nuce_allocate(count, sizeof *part->points);
    part->wanted = nuce_allocate(count, sizeof *part->wanted);
    assert_non_null(part->points);
    assert_non_null(part->wanted);
    for (; part->count < count; part->count++) {
        part->points[part->count] = first + part->count;
        part->wanted[part->count] = 1;
    }
}

static struct nuce_submission *add_submission(struct nuce_submissions *all, int64_t job,
                                              int64_t parts)
{
    struct nuce_submission submission = {.number = (int)all->count + 1, .job = job};

    snprintf(submission.name, sizeof submission.name, "nuce-a.1-%04d-x", submission.number);
    submission.parts = nuce_allocate(parts, sizeof *submission.parts);
    nuce_allocate_more((void **)&all->list, &all->capacity, all->count + 1, sizeof submission);
    all->list[all->count] = submission;
    return &all->list[all->count++];
}

/* Eight points. Submission 1 has the points 0-3 and 4-5 in its two parts and the job 100,
 * submission 2 the points 6-7 and no id. */
static int enter(void **state)
{
    struct scene *scene = scene_enter(state);
    struct nuce_submission *submission;

    assert_int_equal(mkdir("records", 0777), 0);
    for (int i = 0; i < 8; i++)
        add_point(&scene->campaign, &(struct point_of){2, i, "ac", 1, 10});
    submission = add_submission(&scene->submissions, 100, 2);
    add_part(submission, 0, 4);
    add_part(submission, 4, 2);
    submission = add_submission(&scene->submissions, 0, 1);
    add_part(submission, 6, 2);
    return 0;
}

static void add_job(struct scene *scene, int64_t id, int64_t array, int64_t task, const char *name,
                    const char *state)
{
    scene->jobs[scene->queue.count++] = (struct nuce_queue_job){.id = id,
                                                                .array = array,
                                                                .task = task,
                                                                .name = (char *)name,
                                                                .user = (char *)"ann",
                                                                .state = (char *)state};
}

static void stand(struct scene *scene, const struct nuce_queue *queue)
{
    assert_ok(nuce_overview_join(&scene->campaign, &scene->submissions, queue, ANY_ERROR));
}

/* Beside the queue it is a letter per point: d(one), r(unning), q(ueued), f(ailed), m(issing). */
static void expect(struct scene *scene, const struct nuce_queue *queue, const char *letters)
{
    char found[16] = "";

    stand(scene, queue);
    for (int64_t i = 0; i < scene->campaign.count; i++)
        found[i] = *nuce_stand_name(scene->campaign.points[i].stand);
    assert_string_equal(found, letters);
}

static void begin(const struct scene *scene, const char *file, int64_t point)
{
    FILE *stream = fopen(file, "a");

    fprintf(stream,
            "{\"job\":\"j\",\"point\":\"%s\",\"record\":\"begin\",\"started\":\"2026-11-21T10:00:"
            "00.000Z\",\"version\":3}\n",
            scene->campaign.points[point].id);
    assert_int_equal(fclose(stream), 0);
}

static void end(struct scene *scene, const char *file, int64_t point, const char *status)
{
    FILE *stream = fopen(file, "a");
    char line[1024];

    snprintf(line, sizeof line,
             "{\"campaign\":\"a.1\",\"job\":\"j\",\"kind\":\"measured\",\"params\":{},\"point\":\"%"
             "s\",\"ranks\":2,\"record\":\"run\",\"samples\":{\"step\":[]},\"started\":\"2026-11-"
             "21T10:00:00.000Z\",\"status\":\"%s\",\"version\":3,\"workload\":\"exchange\"}",
             scene->campaign.points[point].id, status);
    nuce_seal_add(line, strlen(line));
    fprintf(stream, "%s\n", line);
    assert_int_equal(fclose(stream), 0);
    if (strcmp(status, "ok") == 0)
        scene->campaign.points[point].launches = json_pack("{s:b}", "j", 1);
    scene->campaign.points[point].status = status;
}

static void test_live(void **state)
{
    const char *file = "records/0001-0-slurm-101-0-0.jsonl";
    struct scene *scene = *state;

    add_job(scene, 101, 100, 0, "nuce-a.1-0001-x", "RUNNING");
    add_job(scene, 100, 100, 1, "nuce-a.1-0001-x", "PENDING");
    add_job(scene, 222, 222, -1, "nuce-a.1-0002-x", "NODE_FAIL");
    begin(scene, file, 0);
    end(scene, file, 0, "ok");
    begin(scene, file, 1);
    end(scene, file, 1, "failed");
    begin(scene, file, 2);
    expect(scene, &scene->queue, "dfrqqqmm"); /* 1 has had its run in this part */
    assert_int_equal(scene->submissions.list[1].parts[0].fate, NUCE_FATE_ENDED);
    assert_string_equal(scene->submissions.list[1].parts[0].job->state, "NODE_FAIL");

    /* The launch died and its point was recorded in its place; the next one has begun. */
    end(scene, "records/0001-0-slurm-101-0-0-lost.jsonl", 2, "failed");
    expect(scene, &scene->queue, "dffqqqmm");
    begin(scene, "records/0001-0-slurm-101-0-1.jsonl", 3);
    expect(scene, &scene->queue, "dffrqqmm");

    /* Requeued: it waits, nothing is in flight. */
    scene->jobs[0].state = (char *)"PENDING";
    expect(scene, &scene->queue, "dffqqqmm");
}

/* A point that failed in an earlier part gets its second chance in a live one. */
static void test_second_chance(void **state)
{
    struct scene *scene = *state;
    struct nuce_submission *third;

    end(scene, "records/0002-0-slurm-222-0-0.jsonl", 6, "failed");
    scene->submissions.list[1].parts[0].is_void = 1;
    third = add_submission(&scene->submissions, 300, 1);
    add_part(third, 6, 2);
    expect(scene, &scene->queue, "mmmmmmfm");
    add_job(scene, 300, 300, -1, "nuce-a.1-0003-x", "PENDING");
    expect(scene, &scene->queue, "mmmmmmqq");
}

/* Name and id must both match where the id is known; without one the name is enough, and of
 * several jobs the live one counts. */
static void test_matching(void **state)
{
    struct scene *scene = *state;

    add_job(scene, 900, 900, 0, "nuce-a.1-0001-x", "RUNNING");
    add_job(scene, 500, 500, -1, "nuce-a.1-0002-x", "PENDING");
    add_job(scene, 501, 501, -1, "nuce-a.1-0002-x", "FAILED");
    add_job(scene, 7, 100, 17, "nuce-a.1-0001-x", "RUNNING");
    expect(scene, &scene->queue, "mmmmmmqq");
    assert_int_equal(scene->submissions.list[1].parts[0].job->id, 500);
    assert_null(scene->submissions.list[0].parts[0].job);
    add_job(scene, 100, 100, NUCE_QUEUE_TASKS, "nuce-a.1-0001-x", "PENDING");
    expect(scene, &scene->queue, "qqqqqqqq");
}

/* A script that was submitted by hand has a job of the same name and user, and another id. */
static void test_by_hand(void **state)
{
    struct scene *scene = *state;
    char *user = nuce_queue_own_user();

    add_job(scene, 200, 200, 0, "nuce-a.1-0001-x", "PENDING");
    expect(scene, &scene->queue, "mmmmmmmm"); /* ann's */
    scene->jobs[0].user = user;
    expect(scene, &scene->queue, "qqqqmmmm");
    assert_true(scene->submissions.list[0].parts[0].by_hand);
    add_job(scene, 100, 100, 0, "nuce-a.1-0001-x", "RUNNING");
    stand(scene, &scene->queue);
    assert_int_equal(scene->submissions.list[0].parts[0].job->id, 100);
    assert_false(scene->submissions.list[0].parts[0].by_hand);
    scene->jobs[1].state = (char *)"CANCELLED";
    stand(scene, &scene->queue);
    assert_int_equal(scene->submissions.list[0].parts[0].job->id, 200);
    scene->jobs[0].state = (char *)"COMPLETED";
    stand(scene, &scene->queue);
    assert_int_equal(scene->submissions.list[0].parts[0].job->id, 100);
    free(user);
}

/* The tasks of a cancelled array that have not started become one row. */
static void test_cancelled_array(void **state)
{
    struct scene *scene = *state;

    add_job(scene, 100, 100, -1, "nuce-a.1-0001-x", "CANCELLED");
    add_job(scene, 101, 100, 0, "nuce-a.1-0001-x", "COMPLETED");
    stand(scene, &scene->queue);
    assert_string_equal(scene->submissions.list[0].parts[0].job->state, "COMPLETED");
    assert_string_equal(scene->submissions.list[0].parts[1].job->state, "CANCELLED");
}

/* A part whose lock is held runs, whatever the queue says: its script was submitted by hand. */
static void test_locked(void **state)
{
    struct scene *scene = *state;

    scene->submissions.list[1].parts[0].is_locked = 1;
    begin(scene, "records/0002-0-slurm-77-0-0.jsonl", 6);
    expect(scene, &scene->queue, "mmmmmmrq");
    expect(scene, NULL, "qqqqqqrq");
}

/* Files that are none of ours, or damaged, tell nothing and stop nothing. */
static void test_damage(void **state)
{
    struct scene *scene = *state;

    file_write("records/0001-0-slurm-100-0-0.jsonl",
               "[1]\nnull\n{\n{\"record\":\"begin\"}\n{\"record\":\"begin\",\"point\":\"no\"}\n"
               "{\"record\":\"begin\",\"po");
    assert_int_equal(mkfifo("records/0001-0-slurm-100-1-0.jsonl", 0666), 0);
    begin(scene, "records/0001-9-slurm-100-0-0.jsonl", 1);
    begin(scene, "records/0009-0-slurm-100-0-0.jsonl", 2);
    begin(scene, "records/-1-0-slurm-100-0-0.jsonl", 2);
    add_job(scene, 100, 100, 0, "nuce-a.1-0001-x", "RUNNING");
    expect(scene, &scene->queue, "qqqqmmmm");
}

/* Two parts of five points on 2 ranks, a third on 4 ranks; all of 100 s by estimate. */
struct forecast_scene {
    struct nuce_campaign campaign;
    struct nuce_submissions submissions;
    struct nuce_submission_part *parts[3];
};

static const struct nuce_queue_job runs_now = {.state = (char *)"RUNNING"};

static void forecast_init(struct forecast_scene *s)
{
    *s = (struct forecast_scene){.campaign.lock = -1};
    for (int i = 0; i < 15; i++) {
        add_point(&s->campaign, &(struct point_of){i < 10 ? 2 : 4, i, "ac", 18, 300});
        s->campaign.points[i].stand = NUCE_STAND_QUEUED;
    }
    for (int i = 0; i < 3; i++) {
        struct nuce_submission *submission = add_submission(&s->submissions, 0, 1);

        add_part(submission, 5 * i, 5);
        s->parts[i] = submission->parts;
        s->parts[i]->estimate_s = 100;
        s->parts[i]->fate = NUCE_FATE_LIVE;
    }
}

static void forecast_fini(struct forecast_scene *s)
{
    nuce_submissions_fini(&s->submissions);
    nuce_campaign_fini(&s->campaign);
}

static struct nuce_forecast expect_left(const struct forecast_scene *s, int64_t running,
                                        int64_t waiting, double busy_s, double left_s)
{
    struct nuce_forecast forecast;

    nuce_forecast_make(&s->campaign, &s->submissions, &forecast);
    assert_int_equal(forecast.running, running);
    assert_int_equal(forecast.waiting, waiting);
    assert_near(forecast.busy_s, busy_s, 1e-9);
    assert_near(forecast.left_s, left_s, 1e-9);
    return forecast;
}

static void test_estimates(void **state)
{
    struct forecast_scene s;

    forecast_init(&s);
    expect_left(&s, 0, 3, 300, 300);
    s.parts[0]->job = s.parts[1]->job = &runs_now;
    expect_left(&s, 2, 1, 300, 150);
    s.parts[2]->fate = NUCE_FATE_ENDED;
    expect_left(&s, 2, 0, 200, 100);
    s.campaign.points[0].stand = NUCE_STAND_DONE;
    s.campaign.points[1].stand = NUCE_STAND_FAILED;
    s.campaign.points[2].stand = NUCE_STAND_RUNNING;
    expect_left(&s, 2, 0, 160, 100); /* the longer one decides */
    s.parts[0]->is_void = s.parts[1]->is_void = 1;
    expect_left(&s, 0, 0, 0, 0);
    forecast_fini(&s);
}

/* By points that were measured; small ones say nothing of how long large ones take. */
static void test_measured(void **state)
{
    struct forecast_scene s;
    struct nuce_forecast forecast;

    forecast_init(&s);
    s.parts[0]->job = &runs_now;
    s.campaign.points[0].wall_s = 1;
    s.campaign.points[1].wall_s = 3;
    s.campaign.points[0].stand = s.campaign.points[1].stand = NUCE_STAND_DONE;
    expect_left(&s, 1, 2, 2.0 * 3 + 2.0 * 5 + 100, 116);
    s.campaign.starts_s = 6; /* 0.5 s a run */
    s.campaign.started_runs = 12;
    expect_left(&s, 1, 2, 2.5 * 3 + 2.5 * 5 + 100, 120);
    s.campaign.starts_s = 0;
    s.campaign.points[1].wall_s = 0;
    s.campaign.points[1].stand = NUCE_STAND_QUEUED;
    for (int i = 3; i < 10; i++) {
        json_t *params = json_object_get(s.campaign.points[i].line, "params");

        assert_int_equal(json_object_set_new(params, "pattern", json_string("complete")), 0);
    }
    forecast = expect_left(&s, 1, 2, 2 * 1 + 2 * 20 + 100 + 100, 242);
    assert_int_equal(forecast.measured, 2);
    assert_int_equal(forecast.estimated, 12);
    forecast_fini(&s);
}

static int64_t first_points[] = {0, 2, 4}, second_points[] = {1, 3};

static int64_t once[] = {1, 1, 1};
static struct nuce_packing_part parts[] = {{first_points, once, 3, 12.5},
                                           {second_points, once, 2, 6}};

/* Five points, and a submission of the points 0, 2 and 4 in one part and 1, 3 in another. */
static int enter_five(void **state)
{
    struct scene *scene = scene_enter(state);

    for (int i = 0; i < 5; i++)
        add_point(&scene->campaign, &(struct point_of){4, 0, "ac", 1, 60});
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
    assert_ok(write_one(scene, ANY_ERROR));
}

/* Reads the submissions of jobs/ instead of the written ones. */
static void read_well(struct scene *scene)
{
    nuce_submissions_fini(&scene->submissions);
    assert_ok(nuce_submissions_read(&scene->campaign, &scene->submissions, ANY_ERROR));
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
        nuce_submission_note_job(&scene->campaign, &scene->submissions.list[0], 4711, ANY_ERROR));
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
    int lock;

    write_well(scene);
    lock = open("jobs/0001-1.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    for (int64_t k = 0; k < 2; k++)
        assert_ok(
            nuce_submission_void(&scene->campaign, &scene->submissions.list[0], k, "", ANY_ERROR));
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
#define FIVE(name) cmocka_unit_test_setup_teardown(name, enter_five, scene_leave)
RUN_CASES(TEST(test_live), TEST(test_second_chance), TEST(test_matching), TEST(test_by_hand),
          TEST(test_cancelled_array), TEST(test_locked), TEST(test_damage), CASE(test_estimates),
          CASE(test_measured), FIVE(test_round_trip), FIVE(test_unfinished), FIVE(test_strangers),
          FIVE(test_no_number_left), FIVE(test_damaged), FIVE(test_damaged_id), FIVE(test_void),
          FIVE(test_hosts))
