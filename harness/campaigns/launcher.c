/* The loop over the starts of a campaign: the points of each, its result, and the points left.
 *
 * A start (struct launch) gets whole races (start.c) and names for its files. It is started
 * (words.c, process.c), watched by reading its record file as it grows (lost.c), cleaned up, and
 * judged by how it ended. A session is all starts of one nuce_launcher_run.
 *
 * Invariants: no process of a start outlives it, because it would disturb the next measurement. A
 * point whose run went wrong gets no other run in this session, so that a crashing point does not
 * run for ever. If a program died, this code records the result that it could not record, in a file
 * of its own (lost.c). */
#include "campaigns/launcher.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/jsonl.h"
#include "base/text.h"
#include "campaigns/builds.h"
#include "campaigns/config.h"
#include "campaigns/earlier.h"
#include "campaigns/ending.h"
#include "campaigns/inputs.h"
#include "campaigns/lost.h"
#include "campaigns/process.h"
#include "campaigns/progress.h"
#include "campaigns/start.h"
#include "campaigns/turns.h"
#include "campaigns/words.h"
#include "schedules/words.h"

/* Interval for reading the record file and showing progress; an end or a signal is noticed at
 * once. */
#define POLL_MS 200

/* Time for a kernel to finish its sample after a request to stop, and time for processes to end
 * after their launcher. */
#define STOP_SECONDS 30
#define GRACE_MS 3000

/* Time for processes to end after the record of their last point. Only MPI_Finalize is left, in
 * which some libraries wait for ever for a closed connection (MPICH 4.0.2 over UCX's tcp). */
#define FINISH_SECONDS 30

/* Pause before nuce repeats a launch that never began. */
#define RETRY_SECONDS 5

/* Exit statuses of our programs (base/error.h). */
#define EXIT_BAD_INPUT 2
#define EXIT_INTERRUPTED 75

/* All starts of one nuce_launcher_run. Launcher and campaign are borrowed; signals is for
 * nuce_process_restore at the end. */
struct launch_session {
    const struct nuce_launcher *launcher;
    struct nuce_campaign *campaign;
    int launches;  /* number of labels given so far */
    int fruitless; /* consecutive launches without a result */
    int64_t good;  /* runs that ended well so far */
    struct nuce_progress progress;
    struct nuce_signals signals;
    struct nuce_turns turns; /* launches of programs; its label is owned here */
    char *label;             /* NULL: there was none */
    int interrupted;         /* the user asked to stop */
    char *networks;     /* folder of measured networks, next to that of the campaigns, because such
                           measurements outlive a campaign */
    int network_missed; /* the message that a network cannot be kept was printed */
};

/* The reason why nuce ended a launch. */
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
    int64_t left;                       /* missing runs of the campaign before it */
    int64_t good;                       /* good runs of the session before it */
    char *points, *records, *out, *err; /* files */
    struct nuce_follow follow;
    pid_t pid;
    char *command;           /* its words up to the program */
    int status;              /* as from waitpid */
    int stopping;            /* user's requests to stop this launch */
    enum launch_fault fault; /* nuce ended it, for this reason */
    double waited_s;         /* that time passed without a new record */
};

static void launch_fini(struct launch *launch)
{
    free(launch->label);
    free(launch->points);
    free(launch->records);
    free(launch->out);
    free(launch->err);
    free(launch->command);
    nuce_start_fini(&launch->start);
    nuce_follow_fini(&launch->follow);
}

/* The label of a start, used in the names of its files; a new string, NULL with *error. Skips
 * labels that were used, because their record files are never extended. Slurm may reuse job numbers
 * after it lost its state, and one job may run a part several times by hand. */
static char *make_label(struct launch_session *s, struct nuce_error *error)
{
    int number, is_used = 1;
    char *label = NULL;

    if (s->launcher->label == NULL)
        return nuce_campaign_next_launch(s->campaign, &number, error) == NUCE_OK
                   ? nuce_text_format("%04d", number)
                   : NULL;
    while (is_used) {
        char *path;

        free(label);
        label = nuce_text_format("%s-%d", s->launcher->label, s->launches++);
        path = nuce_campaign_file(s->campaign, "records", label, ".jsonl");
        is_used = access(path, F_OK) == 0;
        free(path);
    }
    return label;
}

/* Chooses the points of a start and writes their lines of the plan. *out is freed with launch_fini;
 * after a failure this function has freed it. */
static nuce_status launch_init(struct launch_session *s, int64_t first, struct launch *out,
                               struct nuce_error *error)
{
    const struct nuce_campaign *campaign = s->campaign;
    const struct nuce_launcher_ops *ops = s->launcher->ops;
    int ranks = campaign->points[first].ranks;

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
    nuce_start_choose(campaign, first, ops->most_points == NULL ? 0 : ops->most_points(ranks),
                      &out->start);
    nuce_follow_init(&out->follow, out->records);
    error->status =
        nuce_start_write_points(campaign, out->start.points, out->start.count, out->points, error);
    if (error->status != NUCE_OK)
        launch_fini(out);
    return error->status;
}

/* Starts the launcher's words and the program, with the paths of its points and records. Options
 * are pairs of a word and its value; pairs of NULL are skipped (nuce_words_make). All points of a
 * start share their launch factors. */
static nuce_status launcher_start(struct launch_session *s, struct launch *launch,
                                  struct nuce_error *error)
{
    const struct nuce_launcher *launcher = s->launcher;
    const struct nuce_campaign_point *first = &s->campaign->points[launch->start.points[0]];
    int measures = (launcher->ops->caps & NUCE_LAUNCHER_MEASURES) != 0;
    const char *rest[] = {"--points",
                          launch->points,
                          "--records",
                          launch->records,
                          "--campaign",
                          s->campaign->id,
                          measures ? "--networks" : NULL,
                          measures ? s->networks : NULL,
                          launcher->facts != NULL ? "--facts" : NULL,
                          launcher->facts,
                          launcher->hosts != NULL ? "--hosts" : NULL,
                          launcher->hosts};
    const struct nuce_words words = {.ops = launcher->ops,
                                     .command = launcher->command,
                                     .programs = launcher->programs,
                                     .kind = launcher->kind,
                                     .has_mpiexec = launcher->has_mpiexec,
                                     .workload = launch->workload,
                                     .factors = json_object_get(first->line, "launch"),
                                     .ranks = launch->ranks,
                                     .rest = rest,
                                     .rest_count = sizeof rest / sizeof *rest};
    const char *argv[NUCE_LAUNCHER_WORDS] = {NULL};
    json_t *made = NULL;
    size_t count;

    if (nuce_words_make(&words, &made, error) != NUCE_OK)
        return error->status;
    count = json_array_size(made);
    if (count >= NUCE_LAUNCHER_WORDS) {
        json_decref(made);
        return nuce_error_set(error, NUCE_BAD_INPUT, "more than %d words to start ranks with",
                              NUCE_LAUNCHER_WORDS - 1);
    }
    for (size_t i = 0; i < count; i++)
        argv[i] = json_string_value(json_array_get(made, i));
    for (size_t i = 0; i < count && strcmp(argv[i], "--points") != 0; i++)
        nuce_text_append(&launch->command, "%s%s", i > 0 ? " " : "", argv[i]);
    error->status =
        nuce_process_start(argv, launch->out, launch->err, &s->signals, &launch->pid, error);
    json_decref(made);
    return error->status;
}

/* Excludes the point from further runs: progress counts its missing runs as done. */
static void give_up(struct launch_session *s, struct nuce_campaign_point *point)
{
    s->progress.done += point->attempted ? 0 : nuce_campaign_lacks(point);
    point->attempted = 1;
}

/* Keeps a network found at the launch with the results measured on it. A failure to keep it does
 * not harm the run. */
static void keep_network(struct launch_session *s, const json_t *record)
{
    const char *network =
        json_string_value(json_object_get(json_object_get(record, "params"), "network"));
    const char *taken =
        json_string_value(json_object_get(json_object_get(record, "metrics"), "network_taken"));
    struct nuce_error error = {0};

    if (network == NULL || taken == NULL || strcmp(network, NUCE_NETWORK_MEASURED) != 0)
        return;
    if (nuce_inputs_keep_taken(s->campaign->path, s->networks, taken, &error) != NUCE_OK &&
        !s->network_missed++)
        nuce_progress_say(&s->progress, "bundles will lack the network: %s",
                          nuce_error_flatten(&error));
}

/* Handles a new record of a run. Good runs are only counted; others are reported at once, because a
 * campaign may take hours. */
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
    nuce_progress_say(&s->progress, "%s: %s%s%s", status, what, message != NULL ? ": " : "",
                      message != NULL ? message : "");
    free(what);
}

/* Handles the new records since the last poll (note_run), and shows the progress: the race of the
 * point that began last. */
static void launcher_look(struct launch_session *s, struct launch *launch)
{
    struct nuce_progress_now now = {.contenders = 0};

    nuce_follow_poll(&launch->follow, s->campaign, note_run, s);
    if (launch->follow.in_flight >= 0) {
        now.point = &s->campaign->points[launch->follow.in_flight];
        now.launches = now.point->wanted;
        now.launch = nuce_campaign_good(now.point) + 1;
        for (int64_t i = 0; i < launch->start.count; i++)
            now.contenders += s->campaign->points[launch->start.points[i]].race == now.point->race;
    }
    nuce_progress_show(&s->progress, &now);
}

/* The first signal asks the kernel to finish its sample. mpiexec and srun forward USR1 to the
 * ranks; on INT and TERM they would end the ranks. The second signal kills. */
static void launcher_stop(struct launch_session *s, struct launch *launch)
{
    s->interrupted = 1;
    if (s->launcher->stopped != NULL)
        *s->launcher->stopped = 1;
    launch->stopping++;
    if (launch->stopping == 1) {
        nuce_progress_say(
            &s->progress,
            "stopping: waiting up to %d s for the current sample (interrupt again: at once)",
            STOP_SECONDS);
        kill(launch->pid, SIGUSR1);
    } else {
        kill(-launch->pid, SIGKILL);
    }
}

/* Ends processes that have finished but do not exit, or that make no progress. The first time as
 * the user would, so that the launcher also ends its processes on other nodes (srun ends its step);
 * the second time at once. */
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

/* The time that the launch may record nothing, and the fault if it exceeds it. Once all of its
 * points have ended, in any way, it has nothing left to do. Computed and simulated points have no
 * limit. */
static double launcher_patience(const struct launch_session *s, const struct launch *launch,
                                enum launch_fault *fault)
{
    if (launch->follow.in_flight < 0 &&
        (int64_t)json_object_size(launch->follow.ended) >= launch->start.count) {
        *fault = FAULT_FINISHED;
        return FINISH_SECONDS;
    }
    *fault = launch->follow.offset > 0 ? FAULT_SILENT : FAULT_NO_START;
    return strcmp(s->launcher->ops->kind, "measured") == 0
               ? nuce_start_patience_s(s->campaign, &launch->start, &launch->follow)
               : INFINITY;
}

/* Waits until the launch has ended. A request to stop without effect becomes a kill after
 * STOP_SECONDS. A launch that records nothing new for too long, or has nothing left to record, gets
 * SIGTERM, and SIGKILL after GRACE_MS. So the loop ends at the latest after a SIGKILL to the
 * launcher's group; clean_up ends processes outside that group. */
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

/* Ends all processes of a launch: a rank that still measures would disturb the next launch, and its
 * record could make a point run twice. Ranks whose launcher was killed would continue to the last
 * point; others need only a moment to end. The record file is complete only after that, so it is
 * read once more. */
static nuce_status clean_up(struct launch_session *s, struct launch *launch,
                            struct nuce_error *error)
{
    int killed = nuce_process_reap(WIFSIGNALED(launch->status) ? 0 : GRACE_MS);

    if (killed > 0)
        nuce_progress_say(&s->progress, "launch %s: killed %d process%s that it left behind",
                          launch->label, killed, killed == 1 ? "" : "es");
    launcher_look(s, launch);
    nuce_follow_end(&launch->follow, s->campaign);
    if (killed < 0 || nuce_jsonl_is_open(launch->records))
        return nuce_error_set(error, NUCE_FAILED,
                              "%s: processes of launch %s cannot be ended; end them, then: %s",
                              launch->records, launch->label, s->launcher->again);
    return NUCE_OK;
}

/* A point was in flight when the launch ended. Either it failed, for the reason in how; or it timed
 * out, and rank 0 died before it could record that. */
static nuce_status launcher_lose(struct launch_session *s, struct launch *launch, const char *how,
                                 struct nuce_error *error)
{
    int64_t lost = launch->follow.in_flight;
    char *words = nuce_lost_last_words(launch->err), *timeout = nuce_lost_timeout(launch->err);
    const char *status = timeout != NULL ? "timeout" : "failed";
    char *message = timeout != NULL
                        ? nuce_text_duplicate(timeout)
                        : nuce_text_format("%s%s%s", how, *words != '\0' ? ": " : "", words);
    char *what = nuce_progress_describe(&s->campaign->points[lost]);

    error->status =
        nuce_lost_record(s->campaign, launch->label, &launch->follow, status, message, error);
    give_up(s, &s->campaign->points[lost]);
    nuce_progress_say(&s->progress, "%s: %s: %s", status, what, message);
    free(timeout);
    free(what);
    free(message);
    free(words);
    return error->status;
}

/* A launch that nuce ended because it recorded nothing for too long. The point in flight timed out.
 * Without one, further starts would hang too, so the session ends. The message also goes to its
 * log, because `nuce status` shows the log. */
static nuce_status launcher_time_out(struct launch_session *s, struct launch *launch,
                                     struct nuce_error *error)
{
    int is_start = launch->fault == FAULT_NO_START;
    const char *advice = is_start ? nuce_start_advice(s->launcher->in_step) : "";
    char *message = nuce_text_format(
        "timeout: %s %.4g s %s '%s'%s, and it was ended%s%s%s", is_start ? "after" : "for",
        launch->waited_s, is_start ? "no rank of" : "no record came from", launch->command,
        is_start ? " had started" : "",
        is_start ? " ('start' and 'timeout' below 'measure:' set the limits)" : "",
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

/* A launch that ended by itself with an error, while no point was in flight. */
static nuce_status launcher_refuse(const struct launch *launch, const char *how, nuce_status status,
                                   struct nuce_error *error)
{
    char *words = nuce_lost_last_words(launch->err);

    nuce_error_set(error, status, "launch %s: %s%s%s (%s)", launch->label, how,
                   *words != '\0' ? ": " : "", words, launch->err);
    free(words);
    return status;
}

/* Judges the end of a launch. NUCE_OK: continue with the missing runs. The loop ends, because each
 * launch reduces the number of missing runs or uses up one of a few retries. */
static nuce_status launcher_judge(struct launch_session *s, struct launch *launch,
                                  struct nuce_error *error)
{
    int code = WIFEXITED(launch->status) ? WEXITSTATUS(launch->status) : -1;
    const char *starter = s->launcher->command[0];
    const char *name = starter != NULL                     ? basename(starter)
                       : s->launcher->ops->program != NULL ? s->launcher->ops->program
                                                           : launch->workload->program;
    int brought = s->progress.total - s->progress.done < launch->left;
    struct timespec pause = {RETRY_SECONDS, 0};
    char how[256];

    if (s->interrupted)
        return nuce_error_set(error, NUCE_INTERRUPTED, "stopped by a signal");
    /* nuce ended it, and all of its points are recorded: its status says nothing about them. */
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
    /* A rank may die with any status, including that of bad input. */
    if (launch->follow.in_flight >= 0)
        return launcher_lose(s, launch, how, error);
    /* A contender that cannot be set up is recorded, and the others of its races continue. */
    if (code == EXIT_BAD_INPUT && s->good == launch->good)
        return launcher_refuse(launch, how, NUCE_BAD_INPUT, error);
    if (brought)
        return NUCE_OK;
    /* It died before any point had begun, or added no missing run: retry, but not for ever. */
    if (s->fruitless++ >= s->launcher->ops->retries)
        return launcher_refuse(launch, how, NUCE_FAILED, error);
    nuce_progress_say(&s->progress, "launch %s: %s before a point had %s (%s): again in %d s",
                      launch->label, how, launch->follow.runs == 0 ? "begun" : "ended", launch->err,
                      RETRY_SECONDS);
    nanosleep(&pause, NULL);
    return NUCE_OK;
}

/* One start, from its points to its judgement. NUCE_OK: the session may continue. */
static nuce_status run_launch(struct launch_session *s, int64_t first, struct nuce_error *error)
{
    struct launch launch;
    nuce_status status;

    if (launch_init(s, first, &launch, error) != NUCE_OK)
        return error->status;
    status = launcher_start(s, &launch, error);
    if (status == NUCE_OK) {
        launcher_wait_for(s, &launch);
        status = clean_up(s, &launch, error);
        if (status == NUCE_OK)
            status = launcher_judge(s, &launch, error);
    }
    launch_fini(&launch);
    return status;
}

/* One launch of programs, which nuce starts itself (turns.c). */
static nuce_status run_turns(struct launch_session *s, int64_t first, struct nuce_error *error)
{
    if (s->label == NULL) {
        s->label = make_label(s, error);
        if (s->label == NULL)
            return error->status;
        s->turns = (struct nuce_turns){.campaign = s->campaign,
                                       .progress = &s->progress,
                                       .signals = &s->signals,
                                       .label = s->label,
                                       .facts = s->launcher->facts,
                                       .writer = {.descriptor = -1}};
    }
    error->status = nuce_turns_launch(&s->turns, first, error);
    if (error->status == NUCE_INTERRUPTED && s->launcher->stopped != NULL)
        *s->launcher->stopped = 1;
    return error->status;
}

/* Adds the missing launches of each point, as `nuce plan` does all launches. Earlier campaigns,
 * beside this one, are read for a user who waits, and not for the log of a job. *earlier is freed
 * by the caller. */
static void sum_times(const struct launch_session *s, struct nuce_earlier *earlier,
                      struct nuce_sampling_time *time)
{
    const struct nuce_campaign *campaign = s->campaign;
    char *folder = nuce_text_duplicate(campaign->path);
    json_t *lines = json_array();

    for (int64_t i = 0; i < campaign->count; i++) {
        if (s->launcher->ops->caps & NUCE_LAUNCHER_IS_HERE && nuce_campaign_is_measured(campaign) &&
            !campaign->points[i].workload->is_command)
            json_array_append(lines, campaign->points[i].line);
    }
    *strrchr(folder, '/') = '\0';
    nuce_earlier_read(folder, s->launcher->ops, lines, earlier);
    for (int64_t i = 0; i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];
        int64_t lacks = point->attempted ? 0 : nuce_campaign_lacks(point);

        if (lacks > 0)
            nuce_sampling_time_add(time, point->line, (double)lacks,
                                   nuce_earlier_find(&earlier->runs, point->id));
    }
    json_decref(lines);
    free(folder);
}

/* Announces the runs and their time before the first start, and any damage found in existing
 * records. The time is ", about 40s of sampling where a step takes 1ms, at most 450s, plus starting
 * the ranks", for the missing runs. Computed or simulated runs get no time. */
static void launcher_announce(struct launch_session *s)
{
    const struct nuce_campaign *campaign = s->campaign;
    struct nuce_sampling_time time = {0};
    int64_t missing = 0, launches = 0;
    int processors = nuce_process_processors(), most_ranks = 0;
    char each[64] = "", *as_in, *said = NULL;
    struct nuce_earlier earlier;
    int is_known = 0, is_command = 0;

    for (int64_t i = 0; i < campaign->count; i++) {
        const struct nuce_campaign_point *point = &campaign->points[i];
        int64_t lacks = point->attempted ? 0 : nuce_campaign_lacks(point);

        if (lacks == 0)
            continue;
        missing++;
        launches = lacks > launches ? lacks : launches;
        most_ranks = point->ranks > most_ranks ? point->ranks : most_ranks;
        is_known |= nuce_ending_is_by_result(point);
        is_command |= point->workload->is_command;
    }
    if (launches > 1)
        snprintf(each, sizeof each, ", %s %lld launches",
                 launches * missing == s->progress.total && !is_known ? "each in" : "in up to",
                 (long long)launches);
    s->progress.is_open = is_known;
    sum_times(s, &earlier, &time);
    as_in = nuce_earlier_say(&earlier.runs);
    if (nuce_campaign_is_measured(campaign) && time.points > 0 && !is_command)
        said = nuce_sampling_time_say(&time, as_in);
    free(as_in);
    nuce_earlier_fini(&earlier);
    nuce_progress_say(&s->progress, "%s: %lld of %lld point%s to run%s%s%s%s", campaign->path,
                      (long long)missing, (long long)campaign->count,
                      nuce_text_plural(campaign->count), each, said != NULL ? ", " : "",
                      said != NULL ? said : "", said != NULL ? ", plus starting the ranks" : "");
    free(said);
    if (campaign->torn_records > 0)
        nuce_progress_say(
            &s->progress, "%lld record file%s in the middle of a line; the lost runs are repeated",
            (long long)campaign->torn_records, campaign->torn_records == 1 ? " ends" : "s end");
    if (campaign->damaged_records > 0)
        nuce_progress_say(&s->progress,
                          "%lld line%s of the records %s damaged; their runs are repeated; 'nuce "
                          "collect %s' lists them",
                          (long long)campaign->damaged_records,
                          nuce_text_plural(campaign->damaged_records),
                          campaign->damaged_records == 1 ? "is" : "are", campaign->path);
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

/* An mpiexec needs extra words for more ranks than processors and for variables on other nodes.
 * srun forwards all variables and knows the processors of its job; a simulator does too. */
nuce_status nuce_launcher_init(struct nuce_launcher *out, const struct nuce_launcher_ops *ops,
                               const struct nuce_campaign *campaign, const char *const *starter,
                               struct nuce_error *error)
{
    const char *first;

    *out = (struct nuce_launcher){.ops = ops};
    if (ops->open(out, campaign, starter, error) != NUCE_OK)
        return error->status;
    first = out->command[0];
    out->has_mpiexec = ops->caps & NUCE_LAUNCHER_MEASURES && first != NULL &&
                       strcmp(ops->kind, "measured") == 0 &&
                       strncmp(basename(first), "srun", strlen("srun")) != 0;
    if (out->has_mpiexec)
        out->kind = nuce_mpi_kind_of_launcher(first);
    return NUCE_OK;
}

void nuce_launcher_fini(struct nuce_launcher *launcher)
{
    for (size_t i = 0; i < sizeof launcher->owned / sizeof *launcher->owned; i++) {
        free(launcher->owned[i]);
        launcher->owned[i] = NULL;
    }
}

/* Signals are blocked for the whole session: a signal between two starts stays pending, and the
 * first wait of the next start takes it. The loop ends because of launcher_judge. */
nuce_status nuce_launcher_run(const struct nuce_launcher *launcher, struct nuce_campaign *campaign,
                              struct nuce_error *error)
{
    struct launch_session s = {.launcher = launcher, .campaign = campaign};
    int64_t left = 0, next;
    nuce_status status = NUCE_OK;

    for (int64_t i = 0; i < campaign->count; i++)
        left += campaign->points[i].attempted ? 0 : nuce_campaign_lacks(&campaign->points[i]);
    nuce_progress_init(&s.progress, stderr, left);
    s.networks = nuce_text_format("%s/../../networks", campaign->path);
    launcher_announce(&s);
    nuce_process_prepare(&s.signals);
    while (status == NUCE_OK && (next = nuce_start_first(campaign)) >= 0)
        status =
            (campaign->points[next].workload->is_command ? run_turns : run_launch)(&s, next, error);
    if (s.label != NULL)
        nuce_turns_fini(&s.turns);
    free(s.label);
    nuce_process_restore(&s.signals);
    nuce_progress_end(&s.progress);
    free(s.networks);
    return status;
}
