/* nuce status: the state of a campaign's points, its jobs, the time left, and the next commands. It
 * reads and asks, and changes nothing.
 *
 * campaigns/overview.h gathers the information (campaign, submissions, one answer of squeue),
 * commands/status_rows.h makes the tables, and commands/failures.h prints failures. As text every
 * line begins with a word of at most 12 characters, so that readers find it again on the next
 * screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/grid_fit.h"
#include "base/record.h"
#include "base/text.h"
#include "base/units.h"
#include "campaigns/cli.h"
#include "campaigns/script.h"
#include "commands/failures.h"
#include "commands/next_commands.h"
#include "commands/status_rows.h"
#include "commands/subcommand.h"
#include "db/store.h"

/* The next commands omit --database if it has this value. */
#define PRESET_DATABASE "nuce.db"

struct status_arguments {
    const char *campaign, *campaigns, *database;
    enum nuce_grid_format format;
    int watch;         /* repeat until all is over */
    double interval_s; /* seconds between two updates */
};

static const struct nuce_option options[] = {
    NUCE_CLI_CAMPAIGNS(struct status_arguments),
    NUCE_CLI_DATABASE(struct status_arguments),
    NUCE_CLI_FORMAT(struct status_arguments),
    NUCE_OPTION(FLAG, "watch", offsetof(struct status_arguments, watch), NULL, NULL,
                "repeated status until all is over; without a terminal a line for each change"),
    NUCE_OPTION(DURATION, "interval", offsetof(struct status_arguments, interval_s), "5s", "TIME",
                "time between two queries of --watch; each asks Slurm once",
                .flags = NUCE_OPTION_POSITIVE),
    {.name = NULL},
};

/* Bytes for the counts of all states and of runs. */
#define COUNTS_BYTES 256

/* "12: 3 done, 9 queued; runs 20 of 60". Runs are counted because races run their contenders
 * together: if all points are under way, a campaign that is half through has no point done. */
static void say_counts(const struct nuce_overview *overview, char text[COUNTS_BYTES])
{
    struct nuce_campaign_runs runs = nuce_campaign_runs(&overview->campaign);
    int length = snprintf(text, COUNTS_BYTES, "%lld", (long long)overview->campaign.count);
    const char *separator = ": ";

    for (int i = 0; i < NUCE_STANDS; i++) {
        if (overview->campaign.stands[i] == 0)
            continue;
        length +=
            snprintf(text + length, (size_t)(COUNTS_BYTES - length), "%s%lld %s", separator,
                     (long long)overview->campaign.stands[i], nuce_stand_name((enum nuce_stand)i));
        separator = ", ";
    }
    snprintf(text + length, (size_t)(COUNTS_BYTES - length), "; runs %lld of %lld",
             (long long)runs.had, (long long)runs.wanted);
}

/* database: NULL: the subcommand uses its default. Words are quoted for a shell, so that the line
 * can be pasted; when: "", or a shell comment after it. */
static void print_next(const struct nuce_overview *overview, const char *subcommand,
                       const char *database, const char *when)
{
    char *line = nuce_script_advice(&overview->campaign, subcommand);
    char *quoted = database != NULL ? nuce_script_quote(database) : NULL;

    printf("next         %s%s%s%s\n", line, quoted != NULL ? " --database " : "",
           quoted != NULL ? quoted : "", when);
    free(quoted);
    free(line);
}

/* Points that ending jobs will leave unfinished. Such jobs still hold their points: a resume before
 * their end would skip these. */
static int64_t count_ending(const struct nuce_overview *overview)
{
    const struct nuce_campaign *campaign = &overview->campaign;
    const struct nuce_submissions *submissions = &overview->submissions;
    unsigned char *seen = nuce_allocate(campaign->count, sizeof *seen);
    int64_t ending = 0;

    for (int64_t i = 0; i < submissions->count; i++) {
        for (int64_t k = 0; k < submissions->list[i].count; k++) {
            const struct nuce_submission_part *part = &submissions->list[i].parts[k];

            if (part->is_void || part->fate != NUCE_FATE_ENDING)
                continue;
            for (int64_t p = 0; p < part->count; p++) {
                if (seen[part->points[p]] || nuce_submission_part_lacks(campaign, part, p) == 0)
                    continue;
                seen[part->points[p]] = 1;
                ending++;
            }
        }
    }
    free(seen);
    return ending;
}

/* True if the database has every good run in the records, one per launch for each point; errors
 * count as false. */
static int is_collected(const struct nuce_overview *overview, const char *database)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_error ignored;
    int64_t runs = -1, recorded = 0;

    for (int64_t i = 0; i < overview->campaign.count; i++)
        recorded += (int64_t)json_object_size(overview->campaign.points[i].launches);
    if (nuce_store_open_reading(database, &store, &ignored) == NUCE_OK)
        nuce_store_count(&store, &runs, &ignored,
                         "SELECT count(DISTINCT point || job) FROM run"
                         " JOIN campaign AS c ON c.id = campaign"
                         " WHERE c.id = %Q AND c.created IS %Q AND status = 'ok'",
                         overview->campaign.id, nuce_campaign_created(&overview->campaign));
    nuce_store_close(&store);
    return runs >= recorded;
}

/* Points that a resume runs again. */
struct again {
    int64_t points;  /* failed or missing, except refused ones, which would fail again; and lost */
    int64_t lost;    /* that will be measured, but have lost some of their jobs */
    int64_t runs;    /* the runs of these that are in no job */
    int64_t waiting; /* that a resume leaves to their jobs until these have ended */
};

static struct again count_again(const struct nuce_overview *overview)
{
    struct again again = {.points = 0};

    for (int64_t i = 0; i < overview->campaign.count; i++) {
        const struct nuce_campaign_point *point = &overview->campaign.points[i];
        int is_under_way = point->stand == NUCE_STAND_RUNNING || point->stand == NUCE_STAND_QUEUED;

        if (point->stand == NUCE_STAND_DONE ||
            (point->stand == NUCE_STAND_FAILED && point->is_refused) ||
            (is_under_way && (point->unheld == 0 || !nuce_campaign_is_slurm(&overview->campaign))))
            continue;
        again.points++;
        again.lost += is_under_way;
        again.runs += is_under_way ? point->unheld : 0;
        again.waiting += point->unheld == 0;
    }
    return again;
}

/* Points that were stopped, by a signal, with their job or by hand, have not failed. An imported
 * campaign is not run here, so it gets no advice to resume. */
static void status_print_advice(const struct nuce_overview *overview, const char *database)
{
    const struct nuce_campaign *campaign = &overview->campaign;
    int64_t missing = campaign->stands[NUCE_STAND_MISSING], stopped = 0;
    int64_t ending = count_ending(overview);
    struct again again = count_again(overview);

    nuce_failures_print_points(overview);
    for (int64_t i = 0; i < campaign->count; i++)
        stopped += campaign->points[i].stand == NUCE_STAND_MISSING &&
                   nuce_campaign_is_stopped(&campaign->points[i]);
    if (missing > 0)
        printf("missing      %lld point%s %s%s", (long long)missing,
               missing == 1 ? " has" : "s have",
               nuce_campaign_runs(campaign).most > 1 ? "fewer good runs than launches are wanted"
               : stopped > 0                         ? "no good run"
                                                     : "no run",
               nuce_campaign_is_slurm(campaign) ? " and no job" : "");
    if (missing > 0 && stopped > 0)
        printf("; %lld had a run that was stopped before its end, which is no failure",
               (long long)stopped);
    if (missing > 0)
        putchar('\n');
    if (again.lost > 0)
        printf("missing      %lld run%s of %lld point%s under way %s no job\n",
               (long long)again.runs, nuce_text_plural(again.runs), (long long)again.lost,
               nuce_text_plural(again.lost), again.runs == 1 ? "has" : "have");
    if (ending > 0)
        printf("ending       %lld of these points are in jobs that are ending: they can be "
               "submitted again when these have ended\n",
               (long long)ending);
    nuce_failures_print_starts(overview);
    if (again.points > 0 && !campaign->imported) {
        print_next(overview, "resume", NULL,
                   again.waiting < again.points ? ""
                   : ending > 0                 ? " # once these have ended, in a minute or two"
                                                : " # once the jobs of these points have ended");
    } else if (campaign->stands[NUCE_STAND_DONE] == campaign->count) {
        if (is_collected(overview, database)) {
            char *line = nuce_next_commands(database, campaign->id);

            printf("done         all, and collected in %s\nlook         %s\n", database, line);
            free(line);
        } else {
            printf("done         all, but not all is in %s\n", database);
            print_next(overview, "collect",
                       strcmp(database, PRESET_DATABASE) == 0 ? NULL : database, "");
        }
    }
}

/* Prints the overview. For programs: all columns; the first row is that of the campaign. As text:
 * counts, forecast and advice first, and the jobs last, because a long table would scroll the
 * advice out of sight. A failure of Slurm to answer is printed among them, because running and
 * queued are then guesses. The start of waiting jobs is unknown, so their time is printed
 * separately and not added to a date. Finished and local campaigns get no such lines. */
static nuce_status print_overview(const struct status_arguments *arguments,
                                  const struct nuce_overview *overview, struct nuce_error *error)
{
    const struct nuce_campaign *campaign = &overview->campaign;
    const char *created = nuce_campaign_created(campaign);
    /* An unknown launcher has no words: such a campaign is shown as a local one. */
    const struct nuce_launcher_ops *launcher =
        campaign->launcher != NULL ? campaign->launcher : &nuce_launcher_local;
    char counts[COUNTS_BYTES], buffer[NUCE_UNITS_BYTES];
    struct nuce_forecast forecast;
    const char *basis;
    struct nuce_grid table;
    nuce_status status = NUCE_OK;

    nuce_forecast_make(campaign, &overview->submissions, &forecast);
    if (arguments->format != NUCE_GRID_TEXT) {
        nuce_status_grid(overview, &forecast, &table);
        return nuce_cli_print(&table, arguments->format, NUCE_OK, error);
    }
    basis = forecast.estimated == 0 ? "by the points measured so far"
            : forecast.measured == 0
                ? "by the limits of the points"
                : "by the points measured so far, and the limits of points of other kinds";
    printf("campaign     %s, %s%s%s\n", campaign->path,
           campaign->imported ? "imported" : launcher->summary, created != NULL ? ", made " : "",
           created != NULL ? created : "");
    say_counts(overview, counts);
    printf("points       %s\n", counts);
    if (*overview->trouble != '\0')
        printf("jobs         not known: %s\n", overview->trouble);
    if (forecast.running > 0 && forecast.waiting == 0)
        printf("left         about %s, %s\n", nuce_units_format_seconds(forecast.left_s, buffer),
               basis);
    else if (forecast.running > 0)
        printf("left         about %s, %s, if as many jobs run side by side as now (%lld); "
               "%lld more depend on the queue\n",
               nuce_units_format_seconds(forecast.left_s, buffer), basis,
               (long long)forecast.running, (long long)forecast.waiting);
    else if (forecast.waiting > 0)
        printf("left         about %s of jobs, %s; when depends on the queue: none of %lld "
               "has started\n",
               nuce_units_format_seconds(forecast.busy_s, buffer), basis,
               (long long)forecast.waiting);
    status_print_advice(overview, arguments->database);
    nuce_status_table(overview, &table);
    if (table.rows > 0) {
        putchar('\n');
        status = nuce_grid_print_fitted(&table, NUCE_GRID_TEXT, 0, stdout, error);
    }
    nuce_grid_fini(&table);
    return status;
}

/* Repeats until all is over, when no state will change without action; then it prints as without
 * --watch. While Slurm does not answer, that is unknown. A campaign that runs here is under way as
 * long as a process holds its lock. The campaign is the one that was the newest at first. *overview
 * is made again for each update, by the path of the first one; when this returns, it is the last
 * one.
 *
 * On a terminal each update replaces the whole screen. In other output, such as a log, it is one
 * line, if the counts have changed. "\033[H\033[2J" goes to the first line and erases the screen
 * (ECMA-48, CUP and ED). */
static nuce_status status_watch(const struct status_arguments *arguments,
                                struct nuce_overview *overview, struct nuce_error *error)
{
    char last[COUNTS_BYTES] = "", counts[COUNTS_BYTES], now[NUCE_TIME_BYTES], *path;
    nuce_status status = NUCE_OK;
    int looks = 0;

    for (; status == NUCE_OK; looks++) {
        const int64_t *stands = overview->campaign.stands;
        struct timespec pause = {.tv_sec = (time_t)arguments->interval_s};

        if (*overview->trouble == '\0' && stands[NUCE_STAND_RUNNING] == 0 &&
            stands[NUCE_STAND_QUEUED] == 0 && count_ending(overview) == 0 &&
            !nuce_campaign_is_held(&overview->campaign))
            break;
        pause.tv_nsec = (long)((arguments->interval_s - (double)pause.tv_sec) * 1e9);
        if (isatty(STDOUT_FILENO)) {
            fputs("\033[H\033[2J", stdout);
            if (print_overview(arguments, overview, error) != NUCE_OK)
                nuce_message_error(error);
        } else {
            say_counts(overview, counts);
            if (*overview->trouble != '\0')
                snprintf(counts, sizeof counts, "jobs not known: %.200s", overview->trouble);
            if (strcmp(counts, last) != 0)
                printf("%s %s: %s\n", nuce_record_time_now(now), overview->campaign.name, counts);
            nuce_text_copy(last, COUNTS_BYTES, counts);
        }
        fflush(stdout);
        nanosleep(&pause, NULL);
        path = nuce_text_format("%s%s", strchr(overview->campaign.path, '/') ? "" : "./",
                                overview->campaign.path);
        nuce_overview_fini(overview);
        if (nuce_overview_make(arguments->campaigns, path, overview, error) != NUCE_OK)
            status = error->status;
        free(path);
    }
    if (status == NUCE_OK && looks > 0 && isatty(STDOUT_FILENO))
        fputs("\033[H\033[2J", stdout);
    return status;
}

/* --watch has no format for programs: they repeat the call themselves, with the exit status and
 * JSON of one update. */
static nuce_status status_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    const struct status_arguments *arguments = call->arguments;
    struct nuce_overview overview;
    char *others = NULL;
    nuce_status status = NUCE_OK;

    if (arguments->watch && arguments->format != NUCE_GRID_TEXT)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--watch: expected --format text");
    if (nuce_overview_make_any(arguments->campaigns, arguments->campaign, &overview, &others,
                               error) != NUCE_OK)
        return error->status;
    if (others != NULL && arguments->format == NUCE_GRID_TEXT)
        printf("others       %s: have jobs too\n", others);
    free(others);
    if (arguments->watch)
        status = status_watch(arguments, &overview, error);
    if (status == NUCE_OK)
        status = print_overview(arguments, &overview, error);
    if (status == NUCE_OK)
        call->ended =
            *overview.trouble != '\0' || (arguments->watch && count_again(&overview).points > 0);
    nuce_overview_fini(&overview);
    return status;
}

const struct nuce_subcommand nuce_subcommand_status = {
    .name = "status",
    .summary = "show the state of the points and jobs of a campaign",
    .about = "Shows the state of the points and jobs of CAMPAIGN (default: the newest, or the one "
             "that has jobs; for a sweep, its newest). Asks Slurm once.",
    .after = "Exit status 1 if Slurm could not be asked; all else is still printed. With --watch "
             "also if all is over and some points are not done: nuce "
             "status --watch && nuce collect.\n\nA point is done (has a good run of each launch), "
             "running, queued (its job waits, or has not come to it), failed (has runs that went "
             "wrong, and too few good ones) or missing (has too few runs, and no job).\n\njson "
             "and csv have a row for the campaign and one for each job: kind (campaign, job), "
             "name (of the campaign; number of the job), part (file below jobs/), state (slurm or "
             "local; of a job as Slurm says it, GONE if it no longer knows it, UNKNOWN if it was "
             "not asked), reason, points, done, running, queued, failed, missing, nodes, start "
             "(local time, expected if it waits), left_s (seconds until the last point if as many "
             "jobs run side by side as now), runs (good ones; of a job, of those that it "
             "was to do), runs_wanted.",
    .examples =
        NUCE_EXAMPLES({"nuce status", "show points and jobs of the newest campaign"},
                      {"nuce status quick.1 --watch", "follow a campaign until all is over"}),
    .operands = {.usage = "[CAMPAIGN]", .least = 0, .most = 1, .expected = "one CAMPAIGN"},
    .options = options,
    .arguments_bytes = sizeof(struct status_arguments),
    .operand = offsetof(struct status_arguments, campaign),
    .run = status_command,
};
