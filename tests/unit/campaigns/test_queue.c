/* Reading of squeue's and scontrol's output, hostile rows among it; and which jobs are cancelled,
 * with which words, and which are left alone. */
#include <pwd.h>

#include "base/text.h"
#include "campaigns/cancel.h"
#include "campaigns/queue.h"
#include "make_campaign.h"

#define S "|0badcafe|"

#define TITLES                                                                                     \
    "JOBID" S "ARRAY_JOB_ID" S "ARRAY_TASK_ID" S "STATE" S "USER" S "START_TIME" S "NODELIST" S    \
    "REASON" S "NAME" S "\n"

static struct nuce_queue parse(const char *text)
{
    struct nuce_queue queue;
    char *table = nuce_text_format(TITLES "%s", text);

    assert_ok(nuce_queue_parse(table, S, &queue, ANY_ERROR));
    free(table);
    return queue;
}

static void test_format(void **state)
{
    char one[NUCE_QUEUE_SEPARATOR_BYTES], two[NUCE_QUEUE_SEPARATOR_BYTES];
    char *format = nuce_queue_format(S);

    assert_string_equal(format, "%A" S "%F" S "%K" S "%T" S "%u" S "%S" S "%N" S "%r" S "%j" S);
    free(format);
    nuce_queue_separator(one);
    nuce_queue_separator(two);
    assert_string_not_equal(one, two);
    assert_int_equal(strlen(one), strlen(S));
}

/* The rows of a queue, a line each: id, array, task, state, user, start, nodes, reason, name. */
static void check_rows(const char *text, const char *expected)
{
    OWNED(queue) queue = parse(text);
    char *found = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&found, &size);

    for (int64_t i = 0; i < queue.count; i++) {
        const struct nuce_queue_job *job = &queue.jobs[i];

        fprintf(stream, "%lld %lld %lld %s %s '%s' '%s' '%s' %s\n", (long long)job->id,
                (long long)job->array, (long long)job->task, job->state, job->user, job->start,
                job->nodes, job->reason, job->name);
    }
    fclose(stream);
    assert_string_equal(found, expected);
    free(found);
}

/* A name with a line end can only cut its own row short: the separator was drawn after the name was
 * given, so the text after it is not a row. */
static void test_rows(void **state)
{
    check_rows("", "");
    check_rows("12" S "12" S "N/A" S "PENDING" S "ann" S "N/A" S S "Priority" S "nuce-a.1-0001-x" S
               "\n"
               "31" S "30" S "7" S "RUNNING" S "bob" S "2026-11-21T10:00:00" S "n[0-3]" S "None" S
               "job" S "\n"
               "40" S "40" S "3-9%2" S "PENDING" S "bob" S "N/A" S S "Resources" S "many" S "\n",
               "12 12 -1 PENDING ann '' '' 'Priority' nuce-a.1-0001-x\n"
               "31 30 7 RUNNING bob '2026-11-21T10:00:00' 'n[0-3]' '' job\n"
               "40 40 -2 PENDING bob '' '' 'Resources' many\n");
    check_rows(
        "slurm_load_jobs: a message\n\n"
        "5" S "5" S "N/A" S "RUNNING" S "eve" S "N/A" S "n0" S "None" S "evil\n"
        "6|6|N/A|RUNNING|ann|N/A|n0|None|nuce-a.1-0001-x|\n"
        "6 6 N/A RUNNING ann N/A n0 None nuce-a.1-0001-x" S "\n"
        "-1" S "5" S "N/A" S "RUNNING" S "eve" S "N/A" S "n0" S "None" S "minus" S "\n"
        "99999999999999999999" S "5" S "N/A" S "RUNNING" S "eve" S "N/A" S "n0" S "None" S "x" S
        "\n"
        "7x" S "5" S "N/A" S "RUNNING" S "eve" S "N/A" S "n0" S "None" S "x" S "\n"
        "8" S "zero" S S S S S S "a\033[31m\tb" S "$(touch canary)|%j" S "\n" S S S S S S S S S "\n"
        "9" S "9" S "N/A" S "RUNNING" S "cut off" S,
        "5 5 -1 RUNNING eve '' 'n0' '' evil\n8 8 -1   '' '' 'a?[31m?b' $(touch canary)|%j\n");
}

/* Output without titles is no answer, and above all does not mean that there are no jobs. */
static void test_no_table(void **state)
{
    static const char *const texts[] = {
        "", "\n\n", "<html>\033[31m\nBusy", "JOBID PARTITION NAME USER ST TIME NODES\n",
        "12" S "12" S "N/A" S "PENDING" S "ann" S "N/A" S S "Priority" S "nuce-a.1-0001-x" S "\n"};
    struct nuce_queue queue;
    struct nuce_error error;

    for (size_t i = 0; i < COUNT(texts); i++) {
        assert_int_equal(nuce_queue_parse(texts[i], S, &queue, &error), NUCE_FAILED);
        assert_says(&error, "expected a table of jobs with titles");
    }
    nuce_queue_parse(texts[2], S, &queue, &error);
    assert_says(&error, "squeue printed '<html>?[31m': ");
}

static void test_words(void **state)
{
    static const char *const cases[][2] = {
        {"Resources", "waits for nodes that are free"},
        {"NODE_FAIL", "a node failed"},
        {"ReqNodeNotAvail, UnavailableNodes:n[1-2]",
         "nodes that it needs are down, drained or reserved"},
        {"AssocGrpCPUMinutesLimit", "its account has used up its time"},
        {"AssocGrpCpuLimit", "its account uses as many processors as it may"},
        {"MaxNodePerAccount", "its account uses as much as its QOS allows"},
        {"QOSGrpNodeLimit", "everything that its QOS allows is in use"},
        {"Prior", "Prior"},
        {"", ""},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(nuce_queue_words(cases[i][0]), cases[i][1]);
}

static void test_live(void **state)
{
    static const char *const live[] = {
        "PENDING", "RUNNING",      "SUSPENDED",    "REQUEUED",      "COMPLETING",  "CONFIGURING",
        "STOPPED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD", "NEW_IN_2040", ""};
    static const char *const ended[] = {"COMPLETED",     "FAILED",        "TIMEOUT",
                                        "CANCELLED",     "NODE_FAIL",     "PREEMPTED",
                                        "OUT_OF_MEMORY", "CANCELLED by 7"};

    for (size_t i = 0; i < COUNT(live); i++)
        assert_int_equal(nuce_queue_is_live(live[i]), 1);
    for (size_t i = 0; i < COUNT(ended); i++)
        assert_int_equal(nuce_queue_is_live(ended[i]), 0);
}

static void test_setting(void **state)
{
    const char *text = "Configuration data as of 2026-11-21T10:00:00\n"
                       "MaxArraySize            = 1001\n"
                       "MaxJobCountX            = 3\n"
                       "MaxJobCount             = (null)\n"
                       "  MaxNodeCount = 12";

    assert_int_equal(nuce_queue_setting(text, "MaxArraySize"), 1001);
    assert_int_equal(nuce_queue_setting(text, "MaxJobCount"), -1);
    assert_int_equal(nuce_queue_setting(text, "MaxNodeCount"), 12);
    assert_int_equal(nuce_queue_setting("", "MaxNodeCount"), -1);
    assert_int_equal(nuce_queue_setting("MaxNodeCount", "MaxNodeCount"), -1);
}

/* Programs called squeue and scontrol, in a folder that is all of PATH but the system's. */
/* A stand-in that prints one row with the separator it was given, and those variables that it sees
 * of the ones that would hide jobs. */
static const char squeue[] =
    "#!/bin/sh\n"
    "while [ \"$1\" != --format ]; do shift; done\n"
    "printf '%s\\n' \"$2\" | tr -d %\n"
    "printf '%s\\n' \"$2\" | sed -e 's/%[AF]/17/g' -e 's/%K/2/' -e 's/%T/RUNNING/' "
    "-e 's/%u/ann/' -e 's/%S/N\\/A/' -e 's/%N/n0/' -e \"s/%r/[$SQUEUE_PARTITION]/\" "
    "-e 's/%j/name/'\n";

static int enter_programs(void **state)
{
    folder_setup(state);
    folder_has_programs(*state);
    return 0;
}

static void test_read(void **state)
{
    /* A program is written, or taken away (NULL), and squeue is asked. */
    static const struct {
        const char *program, *script, *via, *said;
        nuce_status status;
    } cases[] = {
        {"squeue",
         "#!/bin/sh\necho 'slurm_load_jobs error: Unable to contact slurm controller (connect "
         "failure)' >&2\nexit 1\n",
         NULL,
         "squeue ended with status 1: slurm_load_jobs error: Unable to contact slurm controller "
         "(connect failure)",
         NUCE_FAILED},
        {"squeue", NULL, NULL,
         "squeue: not in PATH: expected Slurm's programs there, or a profile with 'via'",
         NUCE_BAD_INPUT},
        {"via", "#!/bin/sh\necho \"cluster: 'nuce' is not up\" >&2\nexit 2\n", "./via",
         "squeue ended with status 2: cluster: 'nuce' is not up", NUCE_BAD_INPUT},
        {"via", "#!/bin/sh\nexec env \"$@\"\n", "./via",
         "squeue ended with status 127: env: 'squeue': No such file or directory", NUCE_BAD_INPUT},
        {"via", NULL, "./via",
         "via: './via': expected a program that calls Slurm's, got No such file or directory",
         NUCE_BAD_INPUT},
        {"unused", "", "other",
         "via: 'other': expected a program that calls Slurm's, got none of that name in PATH",
         NUCE_BAD_INPUT},
    };
    struct nuce_queue queue;
    struct nuce_error error;

    setenv("SQUEUE_PARTITION", "hidden", 1);
    file_write_program("squeue", squeue);
    assert_ok(nuce_queue_read(NULL, &queue, &error));
    assert_int_equal(queue.count, 1);
    assert_int_equal(queue.jobs[0].id, 17);
    assert_int_equal(queue.jobs[0].task, 2);
    assert_string_equal(queue.jobs[0].reason, "[]");
    assert_string_equal(queue.jobs[0].name, "name");
    nuce_queue_fini(&queue);

    file_write_program("via", "#!/bin/sh\n[ \"$1\" = squeue ] && exec \"$@\"\n");
    assert_ok(nuce_queue_read("./via", &queue, &error));
    assert_int_equal(queue.count, 1);
    nuce_queue_fini(&queue);

    setenv("LC_ALL", "C.UTF-8", 1);
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (cases[i].script != NULL)
            file_write_program(cases[i].program, cases[i].script);
        else
            assert_int_equal(unlink(cases[i].program), 0);
        assert_int_equal(nuce_queue_read(cases[i].via, &queue, &error), cases[i].status);
        assert_string_equal(error.message, cases[i].said);
    }
}

static void test_scontrol(void **state)
{
    struct nuce_limits limits;
    char *topology;

    assert_ok(nuce_limits_read(NULL, &limits, ANY_ERROR));
    assert_int_equal(limits.known, 0);
    assert_int_equal(limits.array_size, 1001);
    assert_int_equal(limits.jobs, 10000);
    assert_null(nuce_queue_topology(NULL));
    file_write_program("scontrol",
                       "#!/bin/sh\ncase $2 in config) printf 'MaxArraySize = 5\\n"
                       "MaxJobCount = 20\\n';; *) echo SwitchName=s0 Nodes=n0;; esac\n");
    assert_ok(nuce_limits_read(NULL, &limits, ANY_ERROR));
    assert_int_equal(limits.known, 1);
    assert_int_equal(limits.array_size, 5);
    assert_int_equal(limits.jobs, 20);
    topology = nuce_queue_topology(NULL);
    assert_string_equal(topology, "SwitchName=s0 Nodes=n0\n");
    free(topology);
}

#define NAME "nuce-a.1-0001-token"
#define FAILS(text) "#!/bin/sh\necho \"$*\" >>called\necho 'scancel: error: " text "' >&2\nexit 1\n"

static void note(void *context, const char *message)
{
    fprintf(context, "%s\n", message);
}

/* One submission has two parts with the job 100. Checks which jobs of a queue are cancelled, and
 * which are left alone. Jobs of the user are ours; if the id was never noted, the unique name
 * suffices. Ending jobs count as ended, and so do jobs that Slurm no longer knows. A stand-in for
 * scancel writes its words to the file `called`. */
static void test_cancel(void **state)
{
    static const struct {
        struct {
            int64_t array, task;
            const char *name, *user, *state; /* user NULL: ours */
        } jobs[5];
        int64_t cancelled, left;
        const char *called; /* but --user; NULL: it is not */
        const char *said[2];
        const char *scancel; /* NULL: one that does it */
        int is_unnoted, is_locked, is_requeued;
    } cases[] = {
        {.jobs = {{100, 0, NAME, NULL, "RUNNING"}, {100, 1, NAME, NULL, "PENDING"}},
         .cancelled = 1,
         .called = "--name=" NAME " 100",
         .said = {"cancelled job 100 (" NAME ")\n"}},
        {.jobs = {{100, 0, "another-name", NULL, "RUNNING"},
                  {100, 0, NAME, "mallory", "RUNNING"},
                  {100, 1, NAME, "mallory", "RUNNING"},
                  {200, -1, NAME, NULL, "PENDING"},
                  {100, 0, NAME, NULL, "COMPLETED"}},
         .left = 2,
         .said = {"mallory's: left alone", "scancel 200"}},
        {.jobs = {{321, -1, NAME, NULL, "PENDING"}},
         .cancelled = 1,
         .called = "--name=" NAME " 321",
         .is_unnoted = 1},
        {.left = 0},
        {.left = 1, .said = {"part 0001-1 is being run"}, .is_locked = 1},
        {.jobs = {{100, 0, NAME, NULL, "COMPLETING"}, {100, 1, NAME, NULL, "COMPLETING"}},
         .said = {"job 100 (" NAME ") is ending already\n"}},
        {.jobs = {{100, 0, NAME, NULL, "COMPLETING"}, {100, 1, NAME, NULL, "RUNNING"}},
         .cancelled = 1,
         .called = "--name=" NAME " 100"},
        {.jobs = {{100, -1, NAME, NULL, "COMPLETING"}},
         .cancelled = 1,
         .called = "--name=" NAME " 100",
         .said = {"cancelled job 100 (" NAME ")\n"},
         .is_requeued = 1},
        {.jobs = {{100, -1, NAME, NULL, "COMPLETING"}},
         .called = "--name=" NAME " 100",
         .said = {"is over already"},
         .scancel = FAILS("Kill job error on job id 100: Job/step already completing or completed"),
         .is_requeued = 1},
        {.jobs = {{100, 0, NAME, NULL, "RUNNING"}},
         .called = "--name=" NAME " 100",
         .said = {"is over already"},
         .scancel = FAILS("Kill job error on job id 100: Invalid job id specified")},
        {.jobs = {{100, -1, NAME, NULL, "PENDING"}},
         .left = 1,
         .called = "--name=" NAME " 100",
         .said = {"Access denied"},
         .scancel = FAILS("Kill job error on job id 100: Access denied")},
    };
    const char *me = getpwuid(geteuid())->pw_name;

    /* With it scancel would leave jobs alone that run, and succeed. */
    setenv("SCANCEL_STATE", "PENDING", 1);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nuce_submission_part parts[2] = {0};
        struct nuce_submission submission = {
            .number = 1,
            .name = NAME,
            .job = cases[i].is_unnoted ? 0 : 100,
            .profile = json_pack("{s:b}", "requeue", cases[i].is_requeued),
            .count = 2,
            .parts = parts};
        struct nuce_queue_job jobs[5] = {0};
        struct nuce_overview overview = {.submissions = {.list = &submission, .count = 1},
                                         .queue = {.jobs = jobs}};
        char called[256] = "", *said = NULL,
             *wanted = nuce_text_format("--user=%s %s\n", me, cases[i].called);
        size_t size = 0;
        struct nuce_cancel cancel = {.report = note, .context = open_memstream(&said, &size)};
        struct nuce_error error;
        FILE *file;

        for (int k = 0; k < 5 && cases[i].jobs[k].name != NULL; k++)
            jobs[overview.queue.count++] = (struct nuce_queue_job){
                .id = cases[i].jobs[k].array,
                .array = cases[i].jobs[k].array,
                .task = cases[i].jobs[k].task,
                .name = (char *)cases[i].jobs[k].name,
                .user = (char *)(cases[i].jobs[k].user == NULL ? me : cases[i].jobs[k].user),
                .state = (char *)cases[i].jobs[k].state};
        parts[1].is_locked = cases[i].is_locked;
        file_write_program("scancel", cases[i].scancel == NULL
                                          ? "#!/bin/sh\necho \"$SCANCEL_STATE$*\" >>called\n"
                                          : cases[i].scancel);
        assert_ok(nuce_cancel_jobs(&cancel, &overview, &error));
        assert_int_equal(cancel.cancelled, cases[i].cancelled);
        assert_int_equal(cancel.left, cases[i].left);
        fclose(cancel.context);
        for (int k = 0; k < 2 && cases[i].said[k] != NULL; k++)
            assert_non_null(strstr(said, cases[i].said[k]));
        file = fopen("called", "r");
        assert_int_equal(file != NULL, cases[i].called != NULL);
        if (file != NULL) {
            (void)!fread(called, 1, sizeof called - 1, file);
            fclose(file);
            assert_string_equal(called, wanted);
            assert_int_equal(unlink("called"), 0);
        }
        free(wanted);
        free(said);
        if (i + 1 == COUNT(cases)) {
            assert_int_equal(unlink("scancel"), 0);
            cancel = (struct nuce_cancel){.report = note, .context = stderr};
            assert_int_equal(nuce_cancel_jobs(&cancel, &overview, &error), NUCE_BAD_INPUT);
            assert_says(&error, "scancel: not in PATH");
        }
        json_decref(submission.profile);
    }
}

RUN_EACH(enter_programs, folder_teardown, test_format, test_rows, test_no_table, test_words,
         test_live, test_setting, test_read, test_scontrol, test_cancel)
