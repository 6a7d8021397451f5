/* Asks Slurm.
 *
 * This code calls Slurm's programs, as a user would. Its library would have to exist when nuce is
 * built, and differs between releases.
 *
 * Order: squeue, our own user, scontrol for limits and topology. One call of squeue reads all jobs,
 * of all states and users. A call for each job would load the controller, and a job missing in a
 * partial answer would look as if it had ended. This code changes nothing in Slurm. */
#include "campaigns/queue.h"

#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/printable.h"
#include "base/text.h"
#include "campaigns/process.h"

/* Seconds. A busy controller answers late: Slurm's own MessageTimeout is 10 s, and Slurm
 * retries. */
#define LIMIT_S 60

nuce_status nuce_slurm_find(const char *via, const char *program, struct nuce_error *error)
{
    if (nuce_process_exists(via != NULL ? via : program))
        return NUCE_OK;
    if (via == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: not in PATH: expected Slurm's programs there, or a profile with "
                              "'via'",
                              program);
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "via: '%s': expected a program that calls Slurm's, got %s", via,
                          strchr(via, '/') == NULL ? "none of that name in PATH" : strerror(errno));
}

/* MaxArraySize and MaxJobCount if they are not configured: slurm.conf(5). MaxJobCount limits the
 * jobs of all users on the cluster. */
#define DEFAULT_ARRAY_SIZE 1001
#define DEFAULT_JOBS 10000

/* Calls squeue without the user's variables that hide jobs or change the format of times: a hidden
 * job would look as if it had ended. */
static json_t *squeue_argv(const char *via, const char *format)
{
    return nuce_process_without("SQUEUE_ACCOUNT SQUEUE_LICENSES SQUEUE_NAMES SQUEUE_PARTITION "
                                "SQUEUE_QOS SQUEUE_USERS SQUEUE_FORMAT2 SLURM_TIME_FORMAT",
                                nuce_process_argv(via, "squeue", "--all", "--array", "--states=all",
                                                  "--format", format, NULL));
}

/* Some statuses are NUCE_BAD_INPUT, because another try will not help. They are env's for a missing
 * program or one that cannot run, and that of bad usage, by which the profile's `via` reports that
 * there is no cluster. */
nuce_status nuce_queue_read(const char *via, struct nuce_queue *out, struct nuce_error *error)
{
    char separator[NUCE_QUEUE_SEPARATOR_BYTES], *format, *complaint;
    struct nuce_process_reply reply;
    json_t *argv;
    int code;

    if (nuce_slurm_find(via, "squeue", error) != NUCE_OK)
        return error->status;
    nuce_queue_separator(separator);
    format = nuce_queue_format(separator);
    argv = squeue_argv(via, format);
    free(format);
    error->status = nuce_process_run(argv, LIMIT_S, &reply, error);
    json_decref(argv);
    if (error->status != NUCE_OK)
        return error->status;
    if (nuce_process_succeeded(&reply)) {
        error->status = nuce_queue_parse(reply.out, separator, out, error);
    } else {
        code = reply.status >= 0 && WIFEXITED(reply.status) ? WEXITSTATUS(reply.status) : 0;
        complaint = nuce_process_complaint("squeue", &reply);
        nuce_error_set(error,
                       code == 2 || code == 126 || code == 127 ? NUCE_BAD_INPUT : NUCE_FAILED, "%s",
                       complaint);
        free(complaint);
    }
    nuce_process_reply_fini(&reply);
    return error->status;
}

char *nuce_queue_own_user(void)
{
    const struct passwd *user = getpwuid(geteuid());

    return user != NULL ? nuce_text_duplicate(user->pw_name)
                        : nuce_text_format("%lu", (unsigned long)geteuid());
}

/* The output of `scontrol show WHAT`: a new string. "" when it cannot be asked; NULL with *error
 * when interrupted. */
static char *queue_show(const char *via, const char *what, struct nuce_error *error)
{
    json_t *argv = nuce_process_argv(via, "scontrol", "show", what, NULL);
    struct nuce_process_reply reply;
    nuce_status status;
    char *text;

    status = nuce_process_run(argv, LIMIT_S, &reply, error);
    json_decref(argv);
    if (status == NUCE_INTERRUPTED)
        return NULL;
    if (status != NUCE_OK)
        return nuce_text_duplicate("");
    text = nuce_text_duplicate(nuce_process_succeeded(&reply) ? reply.out : "");
    nuce_process_reply_fini(&reply);
    return text;
}

nuce_status nuce_limits_read(const char *via, struct nuce_limits *out, struct nuce_error *error)
{
    char *text = queue_show(via, "config", error);
    int64_t array_size, jobs;

    if (text == NULL)
        return error->status;
    array_size = nuce_queue_setting(text, "MaxArraySize");
    jobs = nuce_queue_setting(text, "MaxJobCount");
    free(text);
    *out = (struct nuce_limits){.array_size = array_size >= 0 ? array_size : DEFAULT_ARRAY_SIZE,
                                .jobs = jobs >= 0 ? jobs : DEFAULT_JOBS,
                                .known = array_size >= 0 && jobs >= 0};
    return NUCE_OK;
}

char *nuce_queue_topology(const char *via)
{
    struct nuce_error ignored;
    char *text = queue_show(via, "topology", &ignored);

    /* Without a topology some versions print a message and exit with status 0. */
    if (text != NULL && strstr(text, "Name=") == NULL) {
        free(text);
        return NULL;
    }
    if (text != NULL)
        nuce_printable_make(text);
    return text;
}

/* Parses the table that squeue prints.
 *
 * It uses --format, which every version has; --json needs a plugin that a cluster may lack. A name
 * may hold any bytes, so the separator of fields is unpredictable (nuce_queue_separator).
 *
 * Order: the separator and the format; a line into fields; fields into a job; all lines. Lines that
 * are no row are skipped; the titles prove that the table was printed. At the end come the settings
 * that scontrol prints. */

/* The fields by their letters in squeue(1), free text last. The name is the last: one with a
 * newline then spoils only itself. */
enum queue_field { ID, ARRAY, TASK, STATE, USER, START, NODES, REASON, NAME, FIELDS };

static const char letters[FIELDS] = {'A', 'F', 'K', 'T', 'u', 'S', 'N', 'r', 'j'};

/* 32 random bits. A name given before the call matches it with a probability of 2^-32. If the
 * kernel gives no random number, the clock and the process id replace it: no other user knows those
 * to the nanosecond. */
void nuce_queue_separator(char separator[NUCE_QUEUE_SEPARATOR_BYTES])
{
    unsigned int drawn = 0;
    struct timespec now;

    if (getrandom(&drawn, sizeof drawn, 0) != (ssize_t)sizeof drawn) {
        clock_gettime(CLOCK_REALTIME, &now);
        drawn = (unsigned int)now.tv_nsec * 2654435761u ^ (unsigned int)getpid();
    }
    snprintf(separator, NUCE_QUEUE_SEPARATOR_BYTES, "|%08x|", drawn);
}

char *nuce_queue_format(const char *separator)
{
    char *format = NULL;

    for (int i = 0; i < FIELDS; i++)
        nuce_text_append(&format, "%%%c%s", letters[i], separator);
    return format;
}

/* Returns nonzero if text is a whole number of at least 0 and nothing else; sets *out to it. */
static int queue_parse_number(const char *text, int64_t *out)
{
    char *end;
    long long number;

    if (!isdigit((unsigned char)*text))
        return 0;
    errno = 0;
    number = strtoll(text, &end, 10);
    *out = number;
    return errno == 0 && *end == '\0';
}

/* Splits line into its fields; 0 if it is not a row. If a name has a newline, its rest is lost
 * together with the last separator. */
static int queue_split_line(char *line, const char *separator, char *fields[FIELDS])
{
    for (int i = 0; i < FIELDS; i++) {
        char *end = strstr(line, separator);

        fields[i] = line;
        if (end == NULL)
            return i == FIELDS - 1;
        *end = '\0';
        line = end + strlen(separator);
    }
    return 1;
}

/* A copy that is safe on a terminal; "" for Slurm's notation of an empty value. */
static char *queue_copy_field(const char *text)
{
    static const char *const nothing[] = {"N/A", "(null)", "None", "n/a"};
    char *copied;

    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        text = strcmp(text, nothing[i]) == 0 ? "" : text;
    copied = nuce_text_duplicate(text);
    for (char *c = copied; *c != '\0'; c++)
        *c = (char)(*c == '\r' || *c == '\n' ? ' ' : *c);
    nuce_printable_make(copied);
    return copied;
}

void nuce_queue_fini(struct nuce_queue *queue)
{
    for (int64_t i = 0; i < queue->count; i++) {
        free(queue->jobs[i].name);
        free(queue->jobs[i].user);
        free(queue->jobs[i].state);
        free(queue->jobs[i].reason);
        free(queue->jobs[i].start);
        free(queue->jobs[i].nodes);
    }
    free(queue->jobs);
    *queue = (struct nuce_queue){.count = 0};
}

/* Adds the job of a line. Skips the row of titles, whose id is not a number. The task is "3", or
 * "N/A", or "[5-9]" or "[5-9%2]" for an array that squeue did not split despite --array. A job
 * without an array's id is its own array. */
static void add_row(struct nuce_queue *queue, char *const fields[FIELDS])
{
    struct nuce_queue_job job = {.task = -1};

    if (!queue_parse_number(fields[ID], &job.id))
        return;
    if (!queue_parse_number(fields[ARRAY], &job.array))
        job.array = job.id;
    if (!queue_parse_number(fields[TASK], &job.task))
        job.task =
            isdigit((unsigned char)*fields[TASK]) || *fields[TASK] == '[' ? NUCE_QUEUE_TASKS : -1;
    nuce_allocate_more((void **)&queue->jobs, &queue->capacity, queue->count + 1, sizeof job);
    job.name = nuce_text_duplicate(fields[NAME]);
    job.user = nuce_text_duplicate(fields[USER]);
    job.state = queue_copy_field(fields[STATE]);
    job.reason = queue_copy_field(fields[REASON]);
    job.start = queue_copy_field(fields[START]);
    job.nodes = queue_copy_field(fields[NODES]);
    queue->jobs[queue->count++] = job;
}

/* Without its titles the output cannot be trusted. A wrong program named squeue, or lost output,
 * would look as if all jobs had ended. */
nuce_status nuce_queue_parse(const char *text, const char *separator, struct nuce_queue *out,
                             struct nuce_error *error)
{
    struct nuce_queue queue = {.count = 0};
    char *lines = nuce_text_duplicate(text), *rest = lines, *line, *fields[FIELDS];
    char first[64];
    int titles = 0;

    while ((line = strsep(&rest, "\n")) != NULL) {
        if (!queue_split_line(line, separator, fields))
            continue;
        titles |= isalpha((unsigned char)*fields[ID]);
        add_row(&queue, fields);
    }
    free(lines);
    if (titles) {
        *out = queue;
        return NUCE_OK;
    }
    nuce_queue_fini(&queue);
    snprintf(first, sizeof first, "%.*s", (int)strcspn(text, "\n"), text);
    for (char *c = first; *c != '\0'; c++)
        *c = (char)(*c < ' ' || *c > '~' ? '?' : *c);
    return nuce_error_set(error, NUCE_FAILED,
                          "squeue printed '%s': expected a table of jobs with titles, as --format "
                          "asks for",
                          first);
}

int64_t nuce_queue_setting(const char *text, const char *name)
{
    int64_t value = -1;

    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        long long found;
        char word[64];

        line += *line == '\n';
        if (sscanf(line, " %63[A-Za-z0-9_] = %lld", word, &found) == 2 && strcmp(word, name) == 0 &&
            found >= 0)
            value = found;
    }
    return value;
}

/* Slurm's states and reasons in words. squeue(1), "JOB REASON CODES" and "JOB STATE CODES".
 *
 * It is a table, because each version of Slurm adds some; others are shown as Slurm writes them.
 * Decisions by a state (live, ending, rejected) come at the end, and use only the names of states,
 * never reasons. */

/* A state or reason of Slurm and the words shown instead. */
struct queue_words {
    const char *text; /* a star matches any text */
    const char *words;
};

/* The first match counts, so a pattern with a star comes after the names that it would match. */
static const struct queue_words table[] = {
    {"PENDING", "waits"},
    {"CONFIGURING", "its nodes are being made ready"},
    {"RUNNING", "runs"},
    {"COMPLETING", "is ending"},
    {"STAGE_OUT", "copies its files out"},
    {"SUSPENDED", "is suspended"},
    {"STOPPED", "is stopped"},
    {"SIGNALING", "is being signalled"},
    {"RESIZING", "changes its size"},
    {"REQUEUED", "waits to start again"},
    {"REQUEUE_HOLD", "held after it was requeued (scontrol release)"},
    {"REQUEUE_FED", "waits to start again"},
    {"SPECIAL_EXIT", "held after it was requeued (scontrol release)"},
    {"RESV_DEL_HOLD", "held: its reservation was deleted"},
    {"REVOKED", "another cluster runs it"},
    {"COMPLETED", "ended well"},
    {"FAILED", "ended with an error"},
    {"TIMEOUT", "reached its time limit"},
    {"DEADLINE", "reached its deadline"},
    {"CANCELLED", "was cancelled"},
    {"PREEMPTED", "was stopped in favour of another job"},
    {"NODE_FAIL", "a node failed"},
    {"BOOT_FAIL", "a node could not be booted"},
    {"LAUNCH_FAILED", "could not be started on its nodes"},
    {"RECONFIG_FAIL", "a node could not be configured"},
    {"OUT_OF_MEMORY", "ran out of memory"},

    {"Priority", "jobs with a higher priority come first"},
    {"Resources", "waits for nodes that are free"},
    {"Dependency", "waits for another job to end"},
    {"DependencyNeverSatisfied", "never starts: its dependency can never be satisfied"},
    {"BeginTime", "its earliest start time is not reached"},
    {"JobArrayTaskLimit", "as many tasks of its array run as may at one time"},
    {"JobHeldUser", "held by its user (scontrol release)"},
    {"JobHeldAdmin", "held by an administrator"},
    {"JobHoldMaxRequeue", "held: was requeued too often"},
    {"PartitionTimeLimit", "asks for more time than the partition gives"},
    {"PartitionNodeLimit", "asks for more or fewer nodes than the partition gives"},
    {"PartitionDown", "the partition is down"},
    {"PartitionInactive", "the partition starts no jobs now"},
    {"PartitionConfig", "asks for resources that the partition does not have"},
    {"AccountNotAllowed", "its account may not use the partition"},
    {"QOSNotAllowed", "its QOS may not be used there"},
    {"InvalidAccount", "its account does not exist"},
    {"InvalidQOS", "its QOS does not exist"},
    {"BadConstraints", "never starts: no nodes satisfy its constraints"},
    {"ReqNodeNotAvail*", "nodes that it needs are down, drained or reserved"},
    {"NodeDown", "a node that it needs is down"},
    {"Reservation*", "waits for its reservation"},
    {"Licenses", "waits for a licence"},
    {"Cleaning", "its last start is still being cleaned up"},
    {"Prolog", "the cluster prepares its nodes"},
    {"WaitingForScheduling", "the scheduler has not considered it yet"},
    {"launch failed requeued held", "held: could not be started on its nodes (scontrol release)"},
    {"QOSMaxJobsPerUserLimit", "as many jobs run as its QOS allows a user"},
    {"QOSMaxSubmitJobPerUserLimit", "as many jobs are submitted as its QOS allows a user"},
    {"QOSMaxWallDurationPerJobLimit", "asks for more time than its QOS gives"},
    {"QOSUsageThreshold", "its QOS wants a higher fair share"},
    {"QOSMaxWall*", "asks for more time than its QOS gives"},
    {"QOSMax*", "asks for, or its user has, more than its QOS allows"},
    {"QOSMin*", "asks for less than its QOS wants"},
    {"QOS*", "everything that its QOS allows is in use"},
    {"MaxCpuPerAccount", "its account uses as many processors as its QOS allows"},
    {"Max*PerAccount*", "its account uses as much as its QOS allows"},
    {"AssocMaxJobsLimit", "as many jobs run as its account allows"},
    {"AssocMaxWall*", "asks for more time than its account gives"},
    {"AssocMax*", "asks for more than its account allows"},
    {"AssocGrp*Minutes*", "its account has used up its time"},
    {"AssocGrpCpuLimit", "its account uses as many processors as it may"},
    {"AssocGrp*", "everything that its account allows is in use"},
    {"Association*", "its account is at a limit"},
    {"JobLaunchFailure", "could not be started on its nodes"},
    {"NonZeroExitCode", "ended with an error"},
    {"RaisedSignal:53*", "could not open its log, or go to its folder"},
    {"RaisedSignal*", "was ended by a signal"},
    {"TimeLimit", "reached its time limit"},
    {"SystemFailure", "the cluster failed"},
    {"InactiveLimit", "was inactive for too long"},
    {"OutOfMemory", "ran out of memory"},
};

/* Returns nonzero if text matches pattern, in which each star matches any text. */
static int queue_words_fits(const char *pattern, const char *text)
{
    const char *star = strchr(pattern, '*');
    size_t length = star != NULL ? (size_t)(star - pattern) : strlen(pattern);

    if (strncmp(pattern, text, length) != 0)
        return 0;
    if (star == NULL)
        return text[length] == '\0';
    for (text += length;; text++) {
        if (star[1] == '\0' || queue_words_fits(star + 1, text))
            return 1;
        if (*text == '\0')
            return 0;
    }
}

const char *nuce_queue_words(const char *text)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (queue_words_fits(table[i].text, text))
            return table[i].words;
    }
    return text;
}

/* Some versions write "CANCELLED by 1000" or "CANCELLED+". The states are from squeue(1). */
static int is_one_of(const char *state, const char *const *states, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(state, states[i], strlen(states[i])) == 0)
            return 1;
    }
    return 0;
}

int nuce_queue_is_live(const char *state)
{
    static const char *const ended[] = {
        "COMPLETED", "FAILED",    "TIMEOUT",       "DEADLINE",      "CANCELLED",    "PREEMPTED",
        "NODE_FAIL", "BOOT_FAIL", "LAUNCH_FAILED", "RECONFIG_FAIL", "OUT_OF_MEMORY"};

    return !is_one_of(state, ended, sizeof ended / sizeof *ended);
}

int nuce_queue_is_from_outside(const char *state)
{
    static const char *const outside[] = {"CANCELLED", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL",
                                          "REVOKED"};

    return is_one_of(state, outside, sizeof outside / sizeof *outside);
}

/* A job that ran has nodes even after its end. */
int nuce_queue_is_rejected(const struct nuce_queue_job *job)
{
    return strcmp(job->state, "FAILED") == 0 && *job->nodes == '\0';
}

int nuce_queue_is_ending(const char *state)
{
    return strcmp(state, "COMPLETING") == 0;
}
