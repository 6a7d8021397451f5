/* nuce explain: all about one point of a campaign: what it is, where it stands, which jobs had it,
 * its runs with the ends of their logs, and how to run it again by hand. It is found by the first
 * digits of its id or of a run's hash, in all campaigns and in the database
 * (explanation/explain_find.h); one that is in the database alone has no logs, and less is told of
 * it. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "commands/subcommand.h"
#include "explanation/explain_find.h"
#include "explanation/explain_run.h"
#include "launch/campaign.h"
#include "launch/inputs.h"
#include "launch/progress.h"
#include "slurm/rerun.h"
#include "slurm/submission.h"
#include "support/folder.h"
#include "support/text.h"

/* Fewer digits of an id say nothing. */
#define LEAST_DIGITS 4

/* Of points that begin alike so many are listed: enough to see which digit tells them apart. */
#define MOST_LISTED 20

/* point: digits as they were typed; campaign: NULL: whichever has it; database: need not be
 * there. */
struct explain_arguments {
    const char *point, *campaign, *campaigns, *database;
};

static const struct nuce_option options[] = {
    {.name = "campaign",
     .letter = 'n',
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct explain_arguments, campaign),
     .argument = "NAME",
     .help = "of the point, or a sweep for its newest; left out: the youngest that has it"},
    NUCE_CLI_CAMPAIGNS(struct explain_arguments),
    NUCE_CLI_DATABASE(struct explain_arguments),
    {.name = NULL},
};

/* Before anything is read: 'nuce explain ac' would match points by chance. */
static nuce_status check_digits(const char *digits, struct nuce_error *error)
{
    size_t length = strlen(digits);

    if (length < LEAST_DIGITS || strspn(digits, "0123456789abcdef") != length)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': expected at least the first %d digits of the id of a point or "
                              "run ('nuce show points', 'nuce show runs')",
                              digits, LEAST_DIGITS);
    return NUCE_OK;
}

/* The one point whose id begins with digits. */
static nuce_status find_point(const struct nuce_campaign *campaign, const char *digits,
                              int64_t *out, struct nuce_error *error)
{
    size_t length = strlen(digits);
    int64_t found = -1, matches = 0;

    for (int64_t i = 0; i < campaign->count; i++) {
        if (strncmp(campaign->points[i].id, digits, length) == 0) {
            found = i;
            matches++;
        }
    }
    if (matches != 1)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "'%s': %lld point%s of %s begin%s so: expected digits of one id ('nuce "
            "plan --format json' lists them)",
            digits, (long long)matches, nuce_text_plural(matches), campaign->name,
            matches == 1 ? "s" : "");
    *out = found;
    return NUCE_OK;
}

/* What it is and where it stands: the first lines. */
static void explain_print_point(const struct nuce_campaign *campaign, int64_t index)
{
    const struct nuce_campaign_point *point = &campaign->points[index];
    char *what = nuce_progress_describe(point);

    (void)printf(
        "point        %s\n             %s\ncampaign     %s, point %lld of %lld\nstands       "
        "%s, %lld good of %lld run%s recorded, %lld wanted\n",
        point->id, what != NULL ? what : "", campaign->path, (long long)index + 1,
        (long long)campaign->count, nuce_campaign_stands(point),
        (long long)nuce_campaign_good(point), (long long)point->runs, nuce_text_plural(point->runs),
        (long long)point->wanted);
    free(what);
}

/* Whether the part was given the point of that index. */
static int has_point(const struct nuce_submission_part *part, int64_t point)
{
    for (int64_t i = 0; i < part->count; i++) {
        if (part->points[i] == point)
            return 1;
    }
    return 0;
}

/* The jobs that were given the point; *newest is the index of the last one. */
static void print_jobs(const struct nuce_submissions *submissions, int64_t point, int64_t *newest)
{
    for (int64_t i = 0; i < submissions->count; i++) {
        const struct nuce_submission *submission = &submissions->list[i];

        for (int64_t k = 0; k < submission->count; k++) {
            if (!has_point(&submission->parts[k], point))
                continue;
            *newest = i;
            (void)printf("job          %s", submission->name);
            if (submission->job > 0)
                (void)printf(", Slurm job %lld", (long long)submission->job);
            if (submission->count > 1)
                (void)printf(", task %lld", (long long)k);
            (void)printf(" (jobs/%04d.sh)%s%s\n", submission->number,
                         submission->parts[k].is_locked ? ", running" : "",
                         submission->parts[k].is_void ? ", taken back" : "");
        }
    }
}

/* Its runs, file by file. */
static nuce_status print_runs(const struct nuce_campaign *campaign,
                              const struct nuce_campaign_point *point, struct nuce_error *error)
{
    struct nuce_folder records;

    error->status = nuce_folder_read(&records, error, "%s/records", campaign->path);
    for (int i = 0; i < records.count && error->status == NUCE_OK; i++) {
        if (nuce_campaign_is_record_file(records.entries[i]->d_name))
            error->status =
                nuce_explain_file(campaign, records.entries[i]->d_name, point->id, error);
    }
    nuce_folder_fini(&records);
    return error->status;
}

/* By hand it is run on this machine or its nodes, whatever said so far what it takes. */
static nuce_status print_rerun(const struct nuce_campaign *campaign,
                               const struct nuce_profile *profile,
                               const struct nuce_campaign_point *point, struct nuce_error *error)
{
    struct nuce_campaign_point there = *point;
    char *line;

    there.line = nuce_inputs_resolve(campaign->path, point->line);
    if (there.line == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for a point");
    line = nuce_rerun_line(profile, &there, error);
    json_decref(there.line);

    if (line == NULL)
        return error->status;
    (void)printf("%s %s\n", !nuce_campaign_is_measured(campaign) ? "to measure  " : "again       ",
                 line);
    free(line);
    return NUCE_OK;
}

/* As the point's newest job ran it, or would have. */
static nuce_status print_again(const struct nuce_campaign *campaign,
                               const struct nuce_submissions *submissions, int64_t newest,
                               int64_t point, struct nuce_error *error)
{
    struct nuce_profile profile;

    if (!nuce_campaign_is_slurm(campaign))
        return print_rerun(campaign, NULL, &campaign->points[point], error);
    if ((newest >= 0
             ? nuce_submission_profile(campaign, &submissions->list[newest], &profile, error)
             : nuce_submissions_profile(campaign, submissions, &profile, error)) != NUCE_OK)
        return error->status;
    error->status = print_rerun(campaign, &profile, &campaign->points[point], error);
    nuce_profile_fini(&profile);
    return error->status;
}

/* All of it, from the plan to the line that runs it again. The submissions of a campaign that was
 * not submitted are none. What was printed before a failure stays. */
static nuce_status explain_point(const struct nuce_campaign *campaign, const char *digits,
                                 struct nuce_error *error)
{
    struct nuce_submissions submissions;
    int64_t point = -1, newest = -1;

    if (find_point(campaign, digits, &point, error) != NUCE_OK)
        return error->status;
    explain_print_point(campaign, point);
    if (nuce_submissions_read(campaign, &submissions, error) != NUCE_OK)
        return error->status;
    print_jobs(&submissions, point, &newest);
    if (print_runs(campaign, &campaign->points[point], error) == NUCE_OK)
        error->status = print_again(campaign, &submissions, newest, point, error);
    nuce_submissions_fini(&submissions);
    return error->status;
}

/* Says on stderr which points begin with digits, and in which campaign each is. */
static nuce_status list_found(const struct nuce_found_list *list, const char *digits,
                              struct nuce_error *error)
{
    int64_t listed = 0;

    for (int64_t i = 0; i < list->count && listed < MOST_LISTED; i++) {
        if (i > 0 && strcmp(list->found[i].id, list->found[i - 1].id) == 0)
            continue;
        (void)fprintf(stderr, "%.16s  %s\n", list->found[i].id, list->found[i].campaign);
        listed++;
    }
    if (list->ids > listed)
        (void)fprintf(stderr, "and %lld more\n", (long long)(list->ids - listed));
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': %lld points begin so: expected more digits of one", digits,
                          (long long)list->ids);
}

/* The other campaigns that have the same point, the first being the one that was told of. */
static void print_others(const struct nuce_found_list *list)
{
    for (int64_t i = 1; i < list->count; i++)
        (void)printf("%s%s%s", i == 1 ? "also in      " : ", ", list->found[i].campaign,
                     i + 1 == list->count ? " (--campaign NAME)\n" : "");
}

/* In the campaign of that name alone. It is opened to read, so a campaign that is under way can be
 * explained. */
static nuce_status explain_in(const struct explain_arguments *arguments, const char *campaign_name,
                              const char *digits, struct nuce_error *error)
{
    struct nuce_campaign campaign;

    if (nuce_campaign_open(arguments->campaigns, campaign_name, NUCE_CAMPAIGN_READ, &campaign,
                           error) != NUCE_OK)
        return error->status;
    error->status = explain_point(&campaign, digits, error);
    nuce_campaign_fini(&campaign);
    return error->status;
}

/* In whatever campaign it is. */
static nuce_status explain_anywhere(const struct explain_arguments *arguments,
                                    struct nuce_error *error)
{
    struct nuce_found_list list;
    nuce_status status = nuce_explain_find(arguments->campaigns, arguments->database,
                                           arguments->point, &list, error);

    if (status == NUCE_OK && list.ids == 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "'%s': no point of a campaign below %s or of %s begins so, and no "
                                "run: 'nuce show points' and 'nuce show runs' list them",
                                arguments->point, arguments->campaigns, arguments->database);
    else if (status == NUCE_OK && list.ids > 1)
        status = list_found(&list, arguments->point, error);
    else if (status == NUCE_OK && list.found[0].in_folder)
        status = explain_in(arguments, list.found[0].campaign, list.found[0].id, error);
    else if (status == NUCE_OK)
        status = nuce_explain_database(arguments->database, list.found[0].id, error);
    if (status == NUCE_OK && list.found[0].in_folder)
        print_others(&list);
    nuce_explain_found_fini(&list);
    return status;
}

/* With --campaign that campaign alone is read; without, all of them and the database. */
static nuce_status explain_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct explain_arguments *arguments = call->arguments;
    nuce_status status = check_digits(arguments->point, error);
    if (status == NUCE_OK && arguments->campaign != NULL)
        status = explain_in(arguments, arguments->campaign, arguments->point, error);
    else if (status == NUCE_OK)
        status = explain_anywhere(arguments, error);
    return status;
}

const struct nuce_subcommand nuce_subcommand_explain = {
    .name = "explain",
    .summary = "say what became of a point, and how to rerun it",
    .about = "Says where the point whose id begins with POINT ran or is to run, what became of it, "
             "the end of its log, and the line that runs it again by hand. It is sought in all "
             "campaigns, and in the database; the beginning of the id of a run does as well.",
    .operands = {.usage = "POINT",
                 .least = 1,
                 .most = 1,
                 .expected = "one POINT: the first digits of its id"},
    .options = options,
    .arguments_bytes = sizeof(struct explain_arguments),
    .operand = offsetof(struct explain_arguments, point),
    .run = explain_command,
};
