/* Which jobs are cancelled, with what words, and which are left alone. */
#include <pwd.h>
#include <unistd.h>

#include "../folder.h"
#include "campaigns/cancel.h"
#include "make_campaign.h"

#define NAME "nuce-a.1-0001-token"

/* One submission of two parts with the job 100, and the queue. A stand-in for scancel writes its
 * words to the file `called`. */
struct scene {
    struct nuce_overview overview;
    struct nuce_submission submission;
    struct nuce_submission_part parts[2];
    struct nuce_queue_job jobs[8];
    struct nuce_cancel cancel;
    char *said;
    size_t said_size;
    FILE *stream;
    struct folder folder;
    char me[64];
};

static void write_scancel(const char *end)
{
    char script[256];

    snprintf(script, sizeof script, "#!/bin/sh\necho \"$*\" >>called\n%s\n", end);
    file_write_program("scancel", script);
}

static void note(void *context, const char *message)
{
    fprintf(context, "%s\n", message);
}

static int enter(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);
    const struct passwd *user = getpwuid(geteuid());

    *state = scene;
    scene->folder = folder_enter();
    if (user == NULL)
        return -1;
    snprintf(scene->me, sizeof scene->me, "%s", user->pw_name);
    folder_has_programs(&scene->folder);
    write_scancel("exit 0");
    scene->submission = (struct nuce_submission){.number = 1, .name = NAME, .job = 100, .count = 2};
    scene->submission.parts = scene->parts;
    scene->overview.submissions.list = &scene->submission;
    scene->overview.submissions.count = 1;
    scene->overview.queue.jobs = scene->jobs;
    scene->stream = open_memstream(&scene->said, &scene->said_size);
    scene->cancel = (struct nuce_cancel){.report = note, .context = scene->stream};
    return 0;
}

static int leave(void **state)
{
    struct scene *scene = *state;

    folder_leave(&scene->folder);
    fclose(scene->stream);
    free(scene->said);
    free(scene);
    return 0;
}

static void add_job(struct scene *scene, int64_t array, int64_t task, const char *name,
                    const char *user, const char *job_state)
{
    struct nuce_queue *queue = &scene->overview.queue;

    scene->jobs[queue->count++] = (struct nuce_queue_job){.id = array,
                                                          .array = array,
                                                          .task = task,
                                                          .name = (char *)name,
                                                          .user = (char *)user,
                                                          .state = (char *)job_state};
}

static void cancel(struct scene *scene, int64_t cancelled, int64_t left)
{
    struct nuce_error error;

    assert_int_equal(nuce_cancel_jobs(&scene->cancel, &scene->overview, &error), NUCE_OK);
    assert_int_equal(scene->cancel.cancelled, cancelled);
    assert_int_equal(scene->cancel.left, left);
    assert_int_equal(fflush(scene->stream), 0);
}

/* What scancel was called with, a line a call; "" if it never was. */
static void expect_called(const char *format, const char *user)
{
    char wanted[256] = "", found[256] = "";
    FILE *file = fopen("called", "r");

    if (format != NULL)
        snprintf(wanted, sizeof wanted, "--user=%s %s\n", user, format);
    if (file != NULL) {
        (void)!fread(found, 1, sizeof found - 1, file);
        fclose(file);
    }
    assert_string_equal(found, wanted);
}

static void test_array(void **state)
{
    struct scene *scene = *state;

    add_job(scene, 100, 0, NAME, scene->me, "RUNNING");
    add_job(scene, 100, 1, NAME, scene->me, "PENDING");
    cancel(scene, 1, 0);
    expect_called("--name=" NAME " 100", scene->me);
    assert_string_equal(scene->said, "cancelled job 100 (" NAME ")\n");
}

static void test_others(void **state)
{
    struct scene *scene = *state;

    add_job(scene, 100, 0, "another-name", scene->me, "RUNNING");
    add_job(scene, 100, 0, NAME, "mallory", "RUNNING");
    add_job(scene, 100, 1, NAME, "mallory", "RUNNING");
    add_job(scene, 200, -1, NAME, scene->me, "PENDING");
    add_job(scene, 100, 0, NAME, scene->me, "COMPLETED");
    cancel(scene, 0, 2);
    expect_called(NULL, scene->me);
    assert_non_null(strstr(scene->said, "mallory's: left alone"));
    assert_non_null(strstr(scene->said, "scancel 200"));
}

/* The id was never noted: the name is unique, and enough. */
static void test_unnoted(void **state)
{
    struct scene *scene = *state;

    scene->submission.job = 0;
    add_job(scene, 321, -1, NAME, scene->me, "PENDING");
    cancel(scene, 1, 0);
    expect_called("--name=" NAME " 321", scene->me);
}

static void test_nothing(void **state)
{
    struct scene *scene = *state;

    cancel(scene, 0, 0);
    scene->parts[1].is_locked = 1;
    cancel(scene, 0, 1);
    expect_called(NULL, scene->me);
    assert_non_null(strstr(scene->said, "part 0001-1 is being run"));
}

/* Jobs that are ending are over, and so are those that Slurm no longer knows when it is told. */
static void test_ending(void **state)
{
    struct scene *scene = *state;

    add_job(scene, 100, 0, NAME, scene->me, "COMPLETING");
    add_job(scene, 100, 1, NAME, scene->me, "COMPLETING");
    cancel(scene, 0, 0);
    expect_called(NULL, scene->me);
    assert_string_equal(scene->said, "job 100 (" NAME ") is ending already\n");
    scene->jobs[1].state = (char *)"RUNNING";
    cancel(scene, 1, 0);
    expect_called("--name=" NAME " 100", scene->me);
    write_scancel(
        "echo 'scancel: error: Kill job error on job id 100: Invalid job id specified' >&2"
        "; exit 1");
    cancel(scene, 1, 0);
    assert_non_null(strstr(scene->said, "is over already"));
}

static void test_refused(void **state)
{
    struct scene *scene = *state;
    struct nuce_error error;

    write_scancel("echo 'scancel: error: Kill job error on job id 100: Access denied' >&2; exit 1");
    add_job(scene, 100, -1, NAME, scene->me, "PENDING");
    cancel(scene, 0, 1);
    assert_non_null(strstr(scene->said, "Access denied"));
    assert_int_equal(unlink("scancel"), 0);
    assert_int_equal(nuce_cancel_jobs(&scene->cancel, &scene->overview, &error), NUCE_FAILED);
    assert_non_null(strstr(error.message, "cannot start scancel"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_array, enter, leave),
        cmocka_unit_test_setup_teardown(test_others, enter, leave),
        cmocka_unit_test_setup_teardown(test_unnoted, enter, leave),
        cmocka_unit_test_setup_teardown(test_nothing, enter, leave),
        cmocka_unit_test_setup_teardown(test_ending, enter, leave),
        cmocka_unit_test_setup_teardown(test_refused, enter, leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
