/* The loop over the starts of a campaign: what each is given, what became of it, what is left.
 *
 * A start (struct launch) is given whole heats (start.c), gets names for its files, is started
 * (words.c, process.c), watched by reading its record file as it grows (follow.c), cleaned up
 * after, and judged by how it ended. A session is all starts of one nuce_launcher_run.
 *
 * What must hold: no process of a start outlives it, or it would measure beside the next one; a
 * point whose run went wrong gets no other in this session, so one that crashes is not run for
 * ever; what a program could not record because it died is recorded here, in a file of its own
 * (lost.c). */
#include "campaigns/launcher.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/data.h"
#include "base/jsonl.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/follow.h"
#include "campaigns/inputs.h"
#include "campaigns/lost.h"
#include "campaigns/machine.h"
#include "campaigns/mpi_kinds.h"
#include "campaigns/patience.h"
#include "campaigns/points_file.h"
#include "campaigns/process.h"
#include "campaigns/progress.h"
#include "campaigns/sampling_time.h"
#include "campaigns/start.h"
#include "campaigns/words.h"
#include "schedules/words.h"

/* How often the record file is looked at and progress is shown; an end or a signal is noticed at
 * once. */
#define POLL_MS 200

/* How long a kernel may take to finish its sample when it is asked to stop, and how long processes
 * may take to follow a launcher that has ended. */
#define STOP_SECONDS 30
#define GRACE_MS 3000

/* How long processes may take to end after the last of their points is recorded: all that is left
 * is MPI_Finalize, in which some libraries wait for ever for a connection that is closed already
 * (MPICH 4.0.2 over UCX's tcp). */
#define FINISH_SECONDS 30

/* Before a launch that never began is tried again. */
#define RETRY_SECONDS 5

/* Exit statuses of our programs (base/error.h). */
#define EXIT_BAD_INPUT 2
#define EXIT_INTERRUPTED 75

/* All starts of one nuce_launcher_run. Launcher and campaign are borrowed; signals is what
 * nuce_process_restore takes in the end. */
struct launch_session {
    const struct nuce_launcher *launcher;
    struct nuce_campaign *campaign;
    int launches;  /* names that were given so far */
    int fruitless; /* of the last ones in a row: brought nothing */
    int64_t good;  /* runs that ended well so far */
    struct nuce_progress progress;
    struct nuce_signals signals;
    int interrupted;    /* the user asked to stop */
    int network_missed; /* it was said that a network cannot be kept */
};

/* Why a launch was ended that did not end by itself. */
enum launch_fault {
    FAULT_NONE,
    FAULT_FINISHED, /* all of its points were recorded */
    FAULT_NO_START, /* no rank recorded anything */
    FAULT_SILENT,   /* a rank did, and then nothing more for too long */
};

/* One start of the launcher. */
struct launch {
    char *label;
    int ranks;
    const struct nuce_workload_ops *workload;
    struct nuce_start start;
    int64_t left;                       /* of the campaign, before it */
    int64_t good;                       /* runs of the session that ended well, before it */
    char *points, *records, *out, *err; /* files */
    char *
        networks; /* folder beside that of the campaigns: measurements of the machine outlive one */
    struct nuce_follow follow;
    pid_t pid;
    char *command;           /* what was started, up to the program */
    int status;              /* as waitpid says */
    int stopping;            /* times that the user asked this launch to stop */
    enum launch_fault fault; /* it did not end: it was made to */
    double waited_s;         /* without a new record, until then */
};

/* The lines of the plan that this start is given. */
static nuce_status write_points(const struct launch_session *s, const struct launch *launch,
                                struct nuce_error *error)
{
    char *folder = nuce_text_format("%s/launches", s->campaign->path);

    error->status = nuce_points_file_write(s->campaign, launch->start.points, launch->start.count,
                                           folder, strrchr(launch->points, '/') + 1, error);
    free(folder);
    return error->status;
}

static void launch_fini(struct launch *launch)
{
    free(launch->label);
    free(launch->points);
    free(launch->records);
    free(launch->out);
    free(launch->err);
    free(launch->networks);
    free(launch->command);
    nuce_start_fini(&launch->start);
    nuce_follow_fini(&launch->follow);
}

/* Whether a launch of that name has left records, which are never written to again. */
static int was_used(const struct nuce_campaign *campaign, const char *label)
{
    char *path = nuce_campaign_file(campaign, "records", label, ".jsonl");
    int used = access(path, F_OK) == 0;

    free(path);
    return used;
}

/* The name of a start, after which its files are called; a new string, NULL with *error. Slurm
 * numbers jobs anew after its state was lost, and in an allocation the same job may run a part
 * several times by hand: names that were used are passed over. */
static char *make_label(struct launch_session *s, struct nuce_error *error)
{
    char *label = NULL;
    int number;

    if (s->launcher->label == NULL)
        return nuce_campaign_next_launch(s->campaign, &number, error) == NUCE_OK
                   ? nuce_text_format("%04d", number)
                   : NULL;
    do {
        free(label);
        label = nuce_text_format("%s-%d", s->launcher->label, s->launches++);
    } while (was_used(s->campaign, label));
    return label;
}

/* Where measured networks are. A new string. */
static char *networks_of(const struct nuce_campaign *campaign)
{
    return nuce_text_format("%s/../../networks", campaign->path);
}

/* *out is freed with launch_fini; after a failure it is already. */
static nuce_status launch_init(struct launch_session *s, int64_t first, struct launch *out,
                               struct nuce_error *error)
{
    const struct nuce_campaign *campaign = s->campaign;
    const struct nuce_launcher_ops *ops = s->launcher->ops;
    int ranks = campaign->points[first].ranks;
    int most = ops->most_points == NULL ? 0 : ops->most_points(ranks);

    *out = (struct launch){.ranks = ranks,
                           .workload = campaign->points[first].workload,
                           .left = s->progress.total - s->progress.done,
                           .good = s->good,
                           .label = make_label(s, error)};
    if (out->label == NULL)
        return error->status;
    out->points = nuce_campaign_file(campaign, "launches", out->label, ".jsonl");
    out->records = nuce_campaign_file(campaign, "records", out->label, ".jsonl");
    out->out = nuce_campaign_file(campaign, "logs", out->label, ".out");
    out->err = nuce_campaign_file(campaign, "logs", out->label, ".err");
    out->networks = networks_of(campaign);
    nuce_start_choose(campaign, first, most, &out->start);
    nuce_follow_init(&out->follow, out->records);
    if (write_points(s, out, error) != NUCE_OK) {
        launch_fini(out);
        return error->status;
    }
    return NUCE_OK;
}

/* All points of a start have that in common. */
static const json_t *factors_of(const struct launch_session *s, const struct launch *launch)
{
    return json_object_get(s->campaign->points[launch->start.points[0]].line, "launch");
}

/* The argv of a start: the launcher's words, the program, and where it finds its points and leaves
 * its records. Options come in pairs of a word and its value; pairs of NULL are passed over
 * (nuce_words_make). */
static nuce_status make_words(const struct launch_session *s, const struct launch *launch,
                              json_t **out, struct nuce_error *error)
{
    int measures = (s->launcher->ops->caps & NUCE_LAUNCHER_MEASURES) != 0;
    const char *rest[] = {"--points",
                          launch->points,
                          "--records",
                          launch->records,
                          "--campaign",
                          s->campaign->name,
                          measures ? "--networks" : NULL,
                          measures ? launch->networks : NULL,
                          s->launcher->facts != NULL ? "--facts" : NULL,
                          s->launcher->facts,
                          s->launcher->hosts != NULL ? "--hosts" : NULL,
                          s->launcher->hosts};
    const struct nuce_words words = {.ops = s->launcher->ops,
                                     .command = s->launcher->command,
                                     .programs = s->launcher->programs,
                                     .kind = s->launcher->kind,
                                     .has_mpiexec = s->launcher->has_mpiexec,
                                     .workload = launch->workload,
                                     .factors = factors_of(s, launch),
                                     .ranks = launch->ranks,
                                     .rest = rest,
                                     .rest_count = sizeof rest / sizeof *rest};

    return nuce_words_make(&words, out, error);
}

/* The words on one line, up to the one that says `until`, NULL: all; a new string. NULL with
 * *error. */
static char *launch_words(const char *const *argv, const char *until, struct nuce_error *error)
{
    struct nuce_text_print words;

    if (nuce_text_print_begin(&words, error) != NUCE_OK)
        return NULL;
    for (int i = 0; argv[i] != NULL && (until == NULL || strcmp(argv[i], until) != 0); i++)
        fprintf(words.file, "%s%s", i > 0 ? " " : "", argv[i]);
    nuce_text_print_end(&words, NUCE_OK, error);
    return words.text;
}

/* The texts of words for exec, NULL-ended; borrowed from it. NUCE_BAD_INPUT if they are too many.
 */
static nuce_status fill_argv(const json_t *words, const char *argv[NUCE_LAUNCHER_WORDS],
                             struct nuce_error *error)
{
    size_t count = json_array_size(words);

    if (count >= NUCE_LAUNCHER_WORDS)
        return nuce_error_set(error, NUCE_BAD_INPUT, "more than %d words to start ranks with",
                              NUCE_LAUNCHER_WORDS - 1);
    for (size_t i = 0; i < count; i++)
        argv[i] = json_string_value(json_array_get(words, i));
    argv[count] = NULL;
    return NUCE_OK;
}

/* A dry launcher says the words in place of starting them; launch->pid is not set then. */
static nuce_status launcher_start(struct launch_session *s, struct launch *launch,
                                  struct nuce_error *error)
{
    int is_dry = (s->launcher->ops->caps & NUCE_LAUNCHER_DRY) != 0;
    const char *argv[NUCE_LAUNCHER_WORDS];
    json_t *words = NULL;
    nuce_status status = make_words(s, launch, &words, error);

    if (status == NUCE_OK)
        status = fill_argv(words, argv, error);
    if (status == NUCE_OK) {
        launch->command = launch_words(argv, is_dry ? NULL : "--points", error);
        status = launch->command != NULL ? NUCE_OK : error->status;
    }
    if (status == NUCE_OK && is_dry)
        nuce_progress_say(&s->progress, "not started: %s", launch->command);
    else if (status == NUCE_OK)
        status =
            nuce_process_start(argv, launch->out, launch->err, &s->signals, &launch->pid, error);
    json_decref(words);
    return status;
}

/* The runs that points lack and may still get: what is left to do. */
static int64_t runs_left(const struct nuce_campaign *campaign)
{
    int64_t left = 0;

    for (int64_t i = 0; i < campaign->count; i++)
        left += campaign->points[i].attempted ? 0 : nuce_campaign_lacks(&campaign->points[i]);
    return left;
}

/* Takes the point out of what may be run: the runs that it lacks count as done in the progress. */
static void give_up(struct launch_session *s, struct nuce_campaign_point *point)
{
    s->progress.done += point->attempted ? 0 : nuce_campaign_lacks(point);
    point->attempted = 1;
}

/* Of a dry run: the points of the start have had their turn. */
static void pass_over(struct launch_session *s, const struct launch *launch)
{
    for (int64_t i = 0; i < launch->start.count; i++)
        give_up(s, &s->campaign->points[launch->start.points[i]]);
}

/* A network that was found at the launch is kept with what ran on it; that it is not does no harm
 * to the run. */
static void keep_network(struct launch_session *s, const json_t *record)
{
    const char *network =
        json_string_value(json_object_get(json_object_get(record, "params"), "network"));
    const char *taken =
        json_string_value(json_object_get(json_object_get(record, "found"), "network_taken"));
    struct nuce_error error = {0};
    char *networks;

    if (network == NULL || taken == NULL || strcmp(network, NUCE_NETWORK_MEASURED) != 0)
        return;
    networks = networks_of(s->campaign);
    if ((nuce_inputs_keep_taken(s->campaign->path, networks, taken, &error) != NUCE_OK) &&
        !s->network_missed++)
        nuce_progress_say(&s->progress, "a bundle will not have the network: %s",
                          nuce_error_flatten(&error));
    free(networks);
}

/* A run that has just been recorded. What went well is only counted; the rest is said at once,
 * since a campaign may go on for hours. */
static void note_run(void *context, int64_t index, const json_t *record)
{
    struct launch_session *s = context;
    struct nuce_campaign_point *point = &s->campaign->points[index];
    int64_t lacked = point->attempted ? 0 : nuce_campaign_lacks(point);
    const char *status = json_string_value(json_object_get(record, "status"));
    const char *message = json_string_value(json_object_get(record, "message"));
    char *what;

    nuce_campaign_note(s->campaign, index, record);
    if (strcmp(status, "ok") == 0) {
        keep_network(s, record);
        s->good++;
        s->progress.done += lacked > 0 ? lacked - nuce_campaign_lacks(point) : 0;
        return;
    }
    give_up(s, point);
    what = nuce_progress_describe(point);
    nuce_progress_say(&s->progress, "%s: %s%s%s", status, what != NULL ? what : point->id,
                      message != NULL ? ": " : "", message != NULL ? message : "");
    free(what);
}

/* The heat of the point that begun last. */
static struct nuce_progress_now launcher_now(const struct launch_session *s,
                                             const struct launch *launch)
{
    int64_t point = launch->follow.in_flight;
    struct nuce_progress_now now = {.contenders = 0};

    if (point < 0)
        return now;
    now.point = &s->campaign->points[point];
    now.launches = now.point->wanted;
    now.launch = nuce_campaign_good(now.point) + 1;
    for (int64_t i = 0; i < launch->start.count; i++)
        now.contenders += s->campaign->points[launch->start.points[i]].heat == now.point->heat;
    return now;
}

/* Takes what has been recorded since the last look (note_run), and shows how far the campaign
 * is. */
static void launcher_look(struct launch_session *s, struct launch *launch)
{
    struct nuce_progress_now now;

    nuce_follow_poll(&launch->follow, s->campaign, note_run, s);
    now = launcher_now(s, launch);
    nuce_progress_show(&s->progress, &now);
}

/* The first signal asks the kernel to finish its sample: mpiexec and srun hand USR1 on to the
 * ranks, while INT and TERM would make them end these. The second kills. */
static void launcher_stop(struct launch_session *s, struct launch *launch)
{
    s->interrupted = 1;
    if (s->launcher->stopped != NULL)
        *s->launcher->stopped = 1;
    launch->stopping++;
    if (launch->stopping == 1) {
        nuce_progress_say(
            &s->progress,
            "stopping: waiting up to %d s for the current sample (once more: at once)",
            STOP_SECONDS);
        kill(launch->pid, SIGUSR1);
    } else {
        kill(-launch->pid, SIGKILL);
    }
}

/* Ends processes that have nothing left to do and do not end, or that nothing more comes of: first
 * as the user would, so that their launcher takes those on other nodes with it (srun ends its
 * step), the second time at once. */
static void launcher_end(struct launch_session *s, struct launch *launch, enum launch_fault fault)
{
    int again = launch->fault != FAULT_NONE;

    if (fault == FAULT_FINISHED && !again)
        nuce_progress_say(
            &s->progress,
            "launch %s: its points are recorded, but its processes have not ended for "
            "%d s (MPI_Finalize): they are killed",
            launch->label, FINISH_SECONDS);
    kill(again ? -launch->pid : launch->pid, again ? SIGKILL : SIGTERM);
    launch->fault = again ? launch->fault : fault;
}

/* Whether nothing is left for the start to do: all of its points have ended, in whatever way. */
static int has_all_records(const struct launch *launch)
{
    return launch->follow.in_flight < 0 &&
           (int64_t)json_object_size(launch->follow.ended) >= launch->start.count;
}

/* How long the launch may record nothing, and what is wrong when it is over. What is computed or
 * simulated takes its time. */
static double launcher_patience(const struct launch_session *s, const struct launch *launch,
                                enum launch_fault *fault)
{
    if (has_all_records(launch)) {
        *fault = FAULT_FINISHED;
        return FINISH_SECONDS;
    }
    *fault = launch->follow.offset > 0 ? FAULT_SILENT : FAULT_NO_START;
    return strcmp(s->launcher->ops->kind, "measured") == 0
               ? nuce_patience_s(s->campaign, &launch->start, &launch->follow)
               : INFINITY;
}

/* Until the launch has ended. A stop that has not worked after STOP_SECONDS is made a kill. One
 * that has recorded nothing new for too long, or has nothing left to record, is sent SIGTERM, and
 * GRACE_MS later SIGKILL. So the loop ends at the latest after a SIGKILL to the launcher's group;
 * what has left that group is for clean_up. */
static void launcher_wait_for(struct launch_session *s, struct launch *launch)
{
    double stopped_s = 0, heard_s = nuce_clock();

    for (;;) {
        enum nuce_event event = nuce_process_wait(launch->pid, POLL_MS, &launch->status);
        enum launch_fault fault = FAULT_NONE;
        double patience_s;
        int64_t before;

        if (event == NUCE_EVENT_ENDED)
            return;
        if (event == NUCE_EVENT_SIGNAL) {
            launcher_stop(s, launch);
            stopped_s = nuce_clock();
        }
        if (launch->stopping == 1 && nuce_clock() - stopped_s > STOP_SECONDS)
            launcher_stop(s, launch);
        before = launch->follow.offset;
        launcher_look(s, launch);
        if (launch->follow.offset != before)
            heard_s = nuce_clock();
        patience_s =
            launch->fault != FAULT_NONE ? GRACE_MS / 1000.0 : launcher_patience(s, launch, &fault);
        if (launch->stopping == 0 && nuce_clock() - heard_s > patience_s) {
            if (launch->fault == FAULT_NONE)
                launch->waited_s = patience_s;
            launcher_end(s, launch, fault);
            heard_s = nuce_clock();
        }
    }
}

/* Nothing of a launch goes on behind our back: a rank that still measured would disturb the next
 * one, and its record could make a point run twice. Ranks whose launcher was killed would go on to
 * the last point; others only need a moment to end. The record file is read once more behind that:
 * only now is it complete. */
static nuce_status clean_up(struct launch_session *s, struct launch *launch,
                            struct nuce_error *error)
{
    int killed = nuce_process_reap(WIFSIGNALED(launch->status) ? 0 : GRACE_MS);

    if (killed > 0)
        nuce_progress_say(&s->progress, "launch %s: killed %d process%s that its end left behind",
                          launch->label, killed, killed == 1 ? "" : "es");
    launcher_look(s, launch);
    nuce_follow_end(&launch->follow, s->campaign);
    if (killed < 0 || nuce_jsonl_is_open(launch->records))
        return nuce_error_set(error, NUCE_FAILED,
                              "%s: processes of launch %s cannot be ended; end them, then: %s",
                              launch->records, launch->label, s->launcher->again);
    return NUCE_OK;
}

/* A point was in flight when the launch ended: it failed, and how the launch ended is why; or its
 * time was up, and rank 0 did not live to say so. */
static nuce_status launcher_lose(struct launch_session *s, struct launch *launch, const char *how,
                                 struct nuce_error *error)
{
    int64_t lost = launch->follow.in_flight;
    char *words = nuce_lost_last_words(launch->err), *timeout = nuce_lost_timeout(launch->err);
    const char *status = timeout != NULL ? "timeout" : "failed";
    char *message = timeout != NULL ? nuce_text_format("%s", timeout)
                                    : nuce_text_format("%s%s%s", how,
                                                       words != NULL && *words != '\0' ? ": " : "",
                                                       words != NULL ? words : "");
    char *what = nuce_progress_describe(&s->campaign->points[lost]);

    error->status =
        nuce_lost_record(s->campaign, launch->label, &launch->follow, status, message, error);
    give_up(s, &s->campaign->points[lost]);
    nuce_progress_say(&s->progress, "%s: %s: %s", status, what != NULL ? what : "", message);
    free(timeout);
    free(what);
    free(message);
    free(words);
    return error->status;
}

/* A launch that recorded nothing for too long and was ended: the point that it had in flight timed
 * out; where there was none, nothing else that it would start can be waited for. Its log gets what
 * is said here, as `nuce status` shows that. */
static nuce_status launcher_time_out(struct launch_session *s, struct launch *launch,
                                     struct nuce_error *error)
{
    int is_start = launch->fault == FAULT_NO_START;
    const char *advice = is_start ? nuce_patience_advice(s->launcher->in_step) : "";
    char *message = nuce_text_format(
        "timeout: %s %.4g s %s '%s'%s, and it was ended%s%s%s", is_start ? "after" : "for",
        launch->waited_s, is_start ? "no rank of" : "nothing came of", launch->command,
        is_start ? " had started" : "",
        is_start ? " ('start' and 'timeout' below 'measure:' say when)" : "",
        *advice != '\0' ? "; " : "", advice);
    FILE *log = fopen(launch->err, "a");

    if (log != NULL) {
        fprintf(log, "nuce: %s\n", message);
        fclose(log);
    }
    if (launch->follow.in_flight >= 0)
        error->status = launcher_lose(s, launch, message, error);
    else
        nuce_error_set(error, NUCE_FAILED, "launch %s: %s (%s)", launch->label, message,
                       launch->err);
    free(message);
    return error->status;
}

/* A launch that ended by itself, but not well, and with no point to blame. */
static nuce_status launcher_refuse(const struct launch *launch, const char *how, nuce_status status,
                                   struct nuce_error *error)
{
    char *words = nuce_lost_last_words(launch->err);

    nuce_error_set(error, status, "launch %s: %s%s%s (%s)", launch->label, how,
                   words != NULL && *words != '\0' ? ": " : "", words != NULL ? words : "",
                   launch->err);
    free(words);
    return status;
}

/* A launch that died before any point had begun, or that brought nothing that was missing: tried
 * again, but not for ever. */
static nuce_status try_again(struct launch_session *s, const struct launch *launch, const char *how,
                             struct nuce_error *error)
{
    struct timespec pause = {RETRY_SECONDS, 0};

    if (s->fruitless++ >= s->launcher->ops->retries)
        return launcher_refuse(launch, how, NUCE_FAILED, error);
    nuce_progress_say(&s->progress, "launch %s: %s before a point had %s (%s): again in %d s",
                      launch->label, how, launch->follow.runs == 0 ? "begun" : "ended", launch->err,
                      RETRY_SECONDS);
    nanosleep(&pause, NULL);
    return NUCE_OK;
}

/* What the end of a launch means. NUCE_OK: go on with what is still missing. Every launch that is
 * gone on from has left less of it, or is one of a few retries, so this comes to an end. */
static nuce_status launcher_judge(struct launch_session *s, struct launch *launch,
                                  struct nuce_error *error)
{
    int code = WIFEXITED(launch->status) ? WEXITSTATUS(launch->status) : -1;
    const char *starter = s->launcher->command[0];
    const char *name =
        starter != NULL ? basename(starter) : s->launcher->ops->program(launch->workload);
    int brought = s->progress.total - s->progress.done < launch->left;
    char how[256];

    if (s->interrupted)
        return nuce_error_set(error, NUCE_INTERRUPTED, "stopped by a signal");
    /* How it ended was our doing, and says nothing of its points, which are all recorded. */
    if (launch->fault == FAULT_FINISHED) {
        s->fruitless = 0;
        return NUCE_OK;
    }
    if (launch->fault != FAULT_NONE)
        return launcher_time_out(s, launch, error);
    if (code < 0)
        return nuce_error_set(error, NUCE_INTERRUPTED, "launch %s: %s was killed by signal %d",
                              launch->label, name, WTERMSIG(launch->status));
    if (code == EXIT_INTERRUPTED)
        return nuce_error_set(error, NUCE_INTERRUPTED, "launch %s was interrupted", launch->label);
    snprintf(how, sizeof how, "%.200s ended with status %d", name, code);
    if (launch->follow.in_flight >= 0 || brought)
        s->fruitless = 0;
    /* A rank may die with any status, also with that of bad input. */
    if (launch->follow.in_flight >= 0)
        return launcher_lose(s, launch, how, error);
    /* A contender that cannot be set up is recorded, and the others of its heats go on. */
    if (code == EXIT_BAD_INPUT && s->good == launch->good)
        return launcher_refuse(launch, how, NUCE_BAD_INPUT, error);
    if (!brought)
        return try_again(s, launch, how, error);
    return NUCE_OK;
}

/* One start from its points to its judgement. NUCE_OK: the session may go on. Of a dry start all
 * points have had their turn: else the session would choose the same ones for ever. */
static nuce_status run_launch(struct launch_session *s, int64_t first, struct nuce_error *error)
{
    struct launch launch;
    nuce_status status;

    if (launch_init(s, first, &launch, error) != NUCE_OK)
        return error->status;
    status = launcher_start(s, &launch, error);
    if (s->launcher->ops->caps & NUCE_LAUNCHER_DRY) {
        pass_over(s, &launch);
    } else if (status == NUCE_OK) {
        launcher_wait_for(s, &launch);
        status = clean_up(s, &launch, error);
        if (status == NUCE_OK)
            status = launcher_judge(s, &launch, error);
    }
    launch_fini(&launch);
    return status;
}

/* The points that lack runs, and the most ranks that any of them has. */
static int64_t count_missing(const struct nuce_campaign *campaign, int *most_ranks)
{
    int64_t missing = 0;

    *most_ranks = 0;
    for (int64_t i = 0; i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];

        if (!point->attempted && nuce_campaign_is_missing(point)) {
            missing++;
            *most_ranks = point->ranks > *most_ranks ? point->ranks : *most_ranks;
        }
    }
    return missing;
}

/* The launches that the point lacks that lacks most. */
static int64_t most_lacking(const struct nuce_campaign *campaign)
{
    int64_t first = nuce_start_first(campaign);

    return first < 0 ? 0 : nuce_campaign_lacks(&campaign->points[first]);
}

#define SAYS_SAMPLING_BYTES (NUCE_SAMPLING_BYTES + sizeof ", , beside starting the ranks")

/* ", about 40s of sampling where a step takes 1ms, at most 7m30s, beside starting the ranks", as
 * `nuce plan` reckons it, of the runs that are left; nothing of what is computed or simulated. */
static void say_sampling(const struct nuce_campaign *campaign, char text[SAYS_SAMPLING_BYTES])
{
    struct nuce_sampling_time time = {0};
    char said[NUCE_SAMPLING_BYTES];

    text[0] = '\0';
    if (!nuce_campaign_is_measured(campaign))
        return;
    for (int64_t i = 0; i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];

        if (!point->attempted)
            nuce_sampling_time_add(&time, point->line, (double)nuce_campaign_lacks(point));
    }
    if (time.most_s <= 0)
        return;
    nuce_sampling_time_say(&time, 0, said);
    snprintf(text, SAYS_SAMPLING_BYTES, ", %s, beside starting the ranks", said);
}

/* What is to be run and about how long it takes, before the first start; and what was found wrong
 * with records that were there. */
static void launcher_announce(struct launch_session *s, int64_t missing, int most_ranks)
{
    int64_t launches = most_lacking(s->campaign);
    int processors = nuce_machine_processors();
    char each[64] = "", time[SAYS_SAMPLING_BYTES];

    if (launches > 1)
        snprintf(each, sizeof each, ", %s %lld launches",
                 launches * missing == s->progress.total ? "each in" : "in up to",
                 (long long)launches);
    say_sampling(s->campaign, time);
    nuce_progress_say(&s->progress, "%s: %lld of %lld point%s to run%s%s", s->campaign->path,
                      (long long)missing, (long long)s->campaign->count,
                      nuce_text_plural(s->campaign->count), each, time);
    if (s->campaign->torn_records > 0)
        nuce_progress_say(&s->progress,
                          "%lld record file%s in the middle of a line; what was "
                          "lost there is run again",
                          (long long)s->campaign->torn_records,
                          s->campaign->torn_records == 1 ? " ends" : "s end");
    if (s->campaign->damaged_records > 0)
        nuce_progress_say(
            &s->progress,
            "%lld line%s of the records %s damaged; what they held is run again; which "
            "they are: nuce collect %s",
            (long long)s->campaign->damaged_records, nuce_text_plural(s->campaign->damaged_records),
            s->campaign->damaged_records == 1 ? "is" : "are", s->campaign->path);
    if (s->launcher->ops->caps & NUCE_LAUNCHER_IS_HERE && most_ranks > processors)
        nuce_progress_say(&s->progress,
                          "oversubscribed: up to %d ranks on %d processor%s: times say more about "
                          "the scheduler than about the network",
                          most_ranks, processors, nuce_text_plural(processors));
}

nuce_status nuce_launcher_take(struct nuce_launcher *launcher, const char *const *words,
                               struct nuce_error *error)
{
    size_t count = 0;

    for (; words[count] != NULL; count++) {
        if (count + 1 == NUCE_LAUNCHER_WORDS)
            return nuce_error_set(error, NUCE_BAD_INPUT, "more than %d words to start ranks with",
                                  NUCE_LAUNCHER_WORDS);
        launcher->command[count] = words[count];
    }
    launcher->command[count] = NULL;
    return NUCE_OK;
}

/* Whether the first word is an mpiexec, which needs words of its own for more ranks than processors
 * and for variables on other nodes. srun hands on all variables and knows the processors of its
 * job; so does a simulator. */
static int is_mpiexec(const struct nuce_launcher *launcher)
{
    const char *first = launcher->command[0];

    return launcher->ops->caps & NUCE_LAUNCHER_MEASURES && first != NULL &&
           strcmp(launcher->ops->kind, "measured") == 0 &&
           strncmp(basename(first), "srun", strlen("srun")) != 0;
}

nuce_status nuce_launcher_init(struct nuce_launcher *out, const struct nuce_launcher_ops *ops,
                               const struct nuce_campaign *campaign, const char *const *starter,
                               struct nuce_error *error)
{
    *out = (struct nuce_launcher){.ops = ops};
    if (ops->open(out, campaign, starter, error) != NUCE_OK)
        return error->status;
    out->has_mpiexec = is_mpiexec(out);
    if (out->has_mpiexec)
        out->kind = nuce_mpi_kind_of_launcher(out->command[0]);
    return NUCE_OK;
}

void nuce_launcher_fini(struct nuce_launcher *launcher)
{
    for (size_t i = 0; i < sizeof launcher->owned / sizeof *launcher->owned; i++) {
        free(launcher->owned[i]);
        launcher->owned[i] = NULL;
    }
}

/* Signals are blocked for the whole session: one that comes between two starts stays pending, and
 * is taken by the next start's first wait. The loop comes to an end as launcher_judge says. */
nuce_status nuce_launcher_run(const struct nuce_launcher *launcher, struct nuce_campaign *campaign,
                              struct nuce_error *error)
{
    struct launch_session s = {.launcher = launcher, .campaign = campaign};
    int most_ranks;
    int64_t missing = count_missing(campaign, &most_ranks), next;
    nuce_status status = NUCE_OK;

    nuce_progress_init(&s.progress, stderr, runs_left(campaign));
    launcher_announce(&s, missing, most_ranks);
    nuce_process_prepare(&s.signals);
    while (status == NUCE_OK && (next = nuce_start_first(campaign)) >= 0)
        status = run_launch(&s, next, error);
    nuce_process_restore(&s.signals);
    nuce_progress_end(&s.progress);
    return status;
}
