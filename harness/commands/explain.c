/* nuce explain: one point of a campaign in short: how it stands, its runs with their
 * messages, hosts and logs, and the command that reruns it. It is found by the first digits of its
 * id, or of a run's hash, which the database knows. Or one contender of a campaign beside its
 * reference: by what they differ. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/grid_fit.h"
#include "base/jsonl.h"
#include "base/printable.h"
#include "base/text.h"
#include "campaigns/campaign.h"
#include "campaigns/cli.h"
#include "campaigns/inputs.h"
#include "campaigns/lost.h"
#include "campaigns/progress.h"
#include "campaigns/rerun.h"
#include "campaigns/submission.h"
#include "commands/subcommand.h"
#include "db/store.h"
#include "results/grid_read.h"
#include "schedules/schedule.h"

enum { LEAST_DIGITS = 4, TAIL_LINES = 8 }; /* of an id; of the log of a bad run */

/* point: digits as typed; campaign: NULL: any that has it; database: may be missing. */
struct explain_arguments {
    const char *point, *campaign, *campaigns, *database;
};

static const struct nuce_option options[] = {
    NUCE_OPTION(
        TEXT, "campaign", offsetof(struct explain_arguments, campaign), NULL, "NAME",
        "campaign of the point, or a sweep (its newest campaign); default: the newest that has it",
        .letter = 'c'),
    NUCE_CLI_CAMPAIGNS(struct explain_arguments),
    NUCE_CLI_DATABASE(struct explain_arguments),
    {.name = NULL},
};

/* Adds the points of the folder's plans whose ids begin with digits to found: id -> [campaign, time
 * of its plan], of the youngest campaign. Plans are searched as text, because there may be many
 * campaigns with many points each. */
static nuce_status search_plans(const char *folder, const char *digits, json_t *found,
                                struct nuce_error *error)
{
    static const char key[] = "\"point\":\"";
    struct nuce_folder campaigns;
    size_t capacity = 0;
    char *line = NULL;

    error->status = nuce_folder_read(&campaigns, error, "%s", folder);
    for (int i = 0; i < campaigns.count && error->status == NUCE_OK; i++) {
        const char *name = campaigns.entries[i]->d_name;
        char *path = nuce_text_format("%s/%s/plan.jsonl", folder, name);
        FILE *file = nuce_text_is_name(name) ? fopen(path, "re") : NULL;
        struct stat facts = {0};

        if (file != NULL)
            fstat(fileno(file), &facts);
        while (file != NULL && getline(&line, &capacity, file) > 0) {
            double made_s = (double)facts.st_mtim.tv_sec + 1e-9 * (double)facts.st_mtim.tv_nsec;
            char *id = strstr(line, key);
            const json_t *before;

            if (id == NULL || strncmp(id + strlen(key), digits, strlen(digits)) != 0)
                continue;
            id += strlen(key);
            id[strcspn(id, "\"")] = '\0';
            before = json_object_get(found, id);
            if (made_s >= json_number_value(json_array_get(before, 1)))
                json_object_set_new(found, id, json_pack("[s, f]", name, made_s));
        }
        if (file != NULL)
            fclose(file);
        free(path);
    }
    free(line);
    nuce_folder_fini(&campaigns);
    return error->status;
}

/* Adds the points of the database whose id, or the hash of one of whose runs, begins with digits:
 * id -> [campaign, -1]. Ids are lower case hexadecimal, so appending 'g' gives an upper bound of
 * the range. */
static nuce_status search_database(const char *database, const char *digits, json_t *found,
                                   struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_grid runs = {0};

    if (access(database, F_OK) != 0)
        return NUCE_OK;
    if (nuce_store_open_reading(database, &store, error) == NUCE_OK)
        nuce_grid_query(&store, &runs, error,
                        "SELECT point, max(campaign) AS campaign FROM run"
                        " WHERE point >= %Q AND point < %Q || 'g'"
                        " OR hash >= %Q AND hash < %Q || 'g' GROUP BY point",
                        digits, digits, digits, digits);
    for (int64_t row = 0; row < runs.rows; row++)
        json_object_set_new(found, nuce_grid_text(&runs, row, "point"),
                            json_pack("[s, f]", nuce_grid_text(&runs, row, "campaign"), -1.0));
    nuce_grid_fini(&runs);
    nuce_store_close(&store);
    return error->status;
}

/* The state of reading one record file. */
struct run_reader {
    const struct nuce_campaign *campaign;
    const char *entry;
    int64_t point; /* its index in the campaign */
    json_t *job;   /* the file's job record, NULL until it is there */
};

/* Prints a run of the point. Texts of records are printed without control characters: they come
 * from programs, and from bundles of strangers. Bundles have no logs. */
static nuce_status print_run(void *context, int64_t line, const char *text, size_t length,
                             json_t *run, struct nuce_error *error)
{
    struct run_reader *reader = context;
    const char *kind = json_string_value(json_object_get(run, "record")), *before = "";
    const char *status = json_string_value(json_object_get(run, "status"));
    const json_t *message = json_object_get(run, "message"), *host;
    size_t i;
    char *log;

    (void)error;
    (void)line;
    (void)text;
    (void)length;
    if (kind != NULL && strcmp(kind, "job") == 0 && reader->job == NULL)
        reader->job = json_incref(run);
    if (nuce_campaign_find_run(reader->campaign, run) != reader->point)
        return NUCE_OK;
    printf("run          %s, begun at ", status);
    nuce_printable_put(json_string_value(json_object_get(run, "started")), stdout);
    json_array_foreach(json_object_get(json_object_get(reader->job, "facts"), "hosts"), i, host)
    {
        if (!json_is_string(host) || strcmp(json_string_value(host), before) == 0)
            continue;
        fputs(*before == '\0' ? " on " : ", ", stdout);
        before = json_string_value(host);
        nuce_printable_put(before, stdout);
    }
    if (json_is_string(message)) {
        fputs("\n   message   ", stdout);
        nuce_printable_put(json_string_value(message), stdout);
    }
    printf("\n   records   %s/records/%s\n", reader->campaign->path, reader->entry);
    log = nuce_text_format("%s/logs/%.*serr", reader->campaign->path,
                           (int)(strlen(reader->entry) - strlen("jsonl")), reader->entry);
    if (access(log, R_OK) == 0) {
        printf("   log       %s\n", log);
        nuce_lost_print_tail(log, strcmp(status, "ok") == 0 ? 0 : TAIL_LINES);
    }
    free(log);
    return NUCE_OK;
}

/* Prints the one point of that campaign whose id begins with digits, its runs, and the command that
 * reruns it. The command follows the current settings for the campaign's jobs; for a campaign
 * without jobs it runs on this machine. The campaign is opened to read, so this also works while it
 * runs. Text printed before a failure stays. */
static nuce_status explain_in(const struct explain_arguments *arguments, const char *name,
                              const char *digits, struct nuce_error *error)
{
    struct nuce_campaign campaign = {.lock = -1};
    int64_t index = -1, matches = 0;
    struct nuce_submissions submissions = {0};
    struct nuce_profile profile = {0};
    struct nuce_campaign_point point;
    struct nuce_folder records;
    char *what, *command = NULL;
    int is_slurm;

    if (nuce_campaign_open(arguments->campaigns, name, NUCE_CAMPAIGN_READ, &campaign, error) !=
        NUCE_OK)
        return error->status;
    for (int64_t i = 0; i < campaign.count; i++) {
        if (strncmp(campaign.points[i].id, digits, strlen(digits)) == 0) {
            index = i;
            matches++;
        }
    }
    if (matches != 1) {
        nuce_error_set(
            error, NUCE_BAD_INPUT,
            "'%s': %lld point%s of %s begin%s with it: expected more digits of one id ('nuce "
            "plan --format json' lists them)",
            digits, (long long)matches, nuce_text_plural(matches), campaign.name,
            matches == 1 ? "s" : "");
        nuce_campaign_fini(&campaign);
        return error->status;
    }
    point = campaign.points[index];
    what = nuce_progress_describe(&point);
    printf("point        %s\n             %s\ncampaign     %s, point %lld of %lld\n"
           "state        %s, %lld good of %lld run%s recorded, %lld wanted\n",
           point.id, what != NULL ? what : "", campaign.path, (long long)index + 1,
           (long long)campaign.count, nuce_campaign_stands(&point),
           (long long)nuce_campaign_good(&point), (long long)point.runs,
           nuce_text_plural(point.runs), (long long)point.wanted);
    free(what);
    error->status = nuce_folder_read(&records, error, "%s/records", campaign.path);
    for (int i = 0; i < records.count && error->status == NUCE_OK; i++) {
        struct run_reader reader = {&campaign, records.entries[i]->d_name, index, NULL};
        char *path = nuce_campaign_file(&campaign, "records", reader.entry, "");
        struct nuce_jsonl_counts counts;

        if (nuce_campaign_is_record_file(reader.entry))
            error->status = nuce_jsonl_read_sealed(path, NULL, print_run, &reader, &counts, error);
        json_decref(reader.job);
        free(path);
    }
    nuce_folder_fini(&records);
    point.line = error->status == NUCE_OK ? nuce_inputs_resolve(campaign.path, point.line) : NULL;
    if (error->status == NUCE_OK && point.line == NULL)
        nuce_error_set(error, NUCE_FAILED, "out of memory for a point");
    is_slurm = nuce_campaign_is_slurm(&campaign);
    if (point.line != NULL &&
        (!is_slurm ||
         (nuce_submissions_read(&campaign, &submissions, error) == NUCE_OK &&
          nuce_submissions_profile(&campaign, &submissions, &profile, error) == NUCE_OK)))
        command = nuce_rerun_line(is_slurm ? &profile : NULL, &point, error);
    if (command != NULL) {
        printf("%s %s\n", nuce_campaign_is_measured(&campaign) ? "again       " : "to measure  ",
               command);
        error->status = NUCE_OK;
    }
    json_decref(point.line);
    nuce_profile_fini(&profile);
    nuce_submissions_fini(&submissions);
    free(command);
    nuce_campaign_fini(&campaign);
    return error->status;
}

/* Prints a sentence about a race, if there is one. */
static void print_fact(const char *text)
{
    if (text == NULL)
        return;
    nuce_printable_fold(text, nuce_printable_columns(stdout), 0, 2, stdout);
    putchar('\n');
}

/* A race is a table of two rows and up to four sentences, by plots/explain/raced.sql. Races follow
 * each other as in `nuce show`: by ranks, then what is sent, then sizes. Sentences that are equal
 * for several races follow all of them, once. */
static nuce_status explain_contender(const char *database, const char *campaign,
                                     const char *contender, struct nuce_error *error)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_grid says = {0}, shared = {0};
    char *names;

    if (nuce_store_open_reading(database, &store, error) != NUCE_OK ||
        nuce_store_narrow(&store, campaign, error) != NUCE_OK ||
        nuce_store_run(&store, error,
                       "CREATE TEMP TABLE disciplines (name TEXT, discipline TEXT);"
                       "CREATE TEMP TABLE asked AS SELECT %Q AS name",
                       contender) != NUCE_OK)
        goto done;
    for (int i = 0; nuce_schedules[i] != NULL; i++) {
        if (nuce_store_run(&store, error, "INSERT INTO disciplines VALUES (%Q, %Q)",
                           nuce_schedules[i]->name,
                           nuce_discipline_name(nuce_schedules[i]->discipline)) != NUCE_OK)
            goto done;
    }
    if (nuce_store_run_shipped(&store, "plots/explain/raced.sql", error) != NUCE_OK)
        goto done;
    nuce_grid_query(
        &store, &says, error,
        "SELECT race, problem, sentence, e.place, nullif(differs, d.fact) AS differs,"
        " nullif(next, n.fact) AS next FROM explained AS e"
        " LEFT JOIN shared AS d ON d.fact = differs LEFT JOIN shared AS n ON n.fact = next"
        " WHERE NOT is_reference ORDER BY ranks, panel, size, race");
    for (int64_t row = 0; error->status == NUCE_OK && row < says.rows; row++) {
        struct nuce_grid grid = {0};

        /* Names in them come from records, and those of bundles from strangers. */
        for (int i = 0; i < says.columns; i++) {
            if (nuce_grid_cell(&says, row, i)->text != NULL)
                nuce_printable_make(nuce_grid_cell(&says, row, i)->text);
        }
        printf("%s%s\n", row > 0 ? "\n" : "", nuce_grid_text(&says, row, "problem"));
        nuce_grid_query(&store, &grid, error,
                        "SELECT contender, ratio, phases, transfers, sent, last_rank, late,"
                        " communication, step, predicted, scheduling"
                        " FROM explained WHERE race = %Q ORDER BY NOT is_reference",
                        nuce_grid_text(&says, row, "race"));
        if (error->status == NUCE_OK) {
            nuce_grid_drop_empty(&grid, 1);
            nuce_grid_print_fitted(&grid, NUCE_GRID_TEXT, 1, stdout, error);
        }
        nuce_grid_fini(&grid);
        for (int i = 2; i < says.columns; i++)
            print_fact(nuce_grid_cell(&says, row, i)->text);
    }
    if (error->status == NUCE_OK)
        nuce_grid_query(
            &store, &shared, error,
            "SELECT fact || iif(races < of, printf(' (%%d of %%d races)', races, of), '')"
            " FROM shared ORDER BY place");
    for (int64_t row = 0; error->status == NUCE_OK && row < shared.rows; row++) {
        fputs(row == 0 ? "\n" : "", stdout);
        nuce_printable_make(nuce_grid_cell(&shared, row, 0)->text);
        print_fact(nuce_grid_cell(&shared, row, 0)->text);
    }
    if (error->status == NUCE_OK && says.rows == 0) {
        names = nuce_store_text(&store, error,
                                "SELECT group_concat(name) FROM (SELECT DISTINCT name FROM ratio"
                                " WHERE contender = 'contender' ORDER BY name)");
        if (names != NULL)
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "'%s': expected a contender that raced with a reference in %s: %s",
                           contender, campaign, *names != '\0' ? names : "none did");
        free(names);
    }
done:
    nuce_grid_fini(&says);
    nuce_grid_fini(&shared);
    nuce_store_close(&store);
    return error->status;
}

/* With --campaign that campaign alone is read. The database is asked only where no plan has such a
 * point; what it finds may be in the folder all the same, by the id of a run. Too few digits are
 * refused before anything is read: 'nuce explain ac' would match points by chance. */
static nuce_status explain_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    const struct explain_arguments *arguments = call->arguments;
    const char *digits = arguments->point, *id, *campaign;
    json_t *found, *place;

    if (call->count > 1)
        return explain_contender(arguments->database, call->texts[0], call->texts[1], error);
    if (strlen(digits) < LEAST_DIGITS || strspn(digits, "0123456789abcdef") != strlen(digits))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': expected at least the first %d digits of the id of a point or "
                              "run ('nuce show points', 'nuce show runs'), or CAMPAIGN CONTENDER",
                              digits, LEAST_DIGITS);
    if (arguments->campaign != NULL)
        return explain_in(arguments, arguments->campaign, digits, error);
    found = json_object();
    if (search_plans(arguments->campaigns, digits, found, error) != NUCE_OK ||
        (json_object_size(found) == 0 &&
         search_database(arguments->database, digits, found, error) != NUCE_OK))
        goto done;
    if (json_object_size(found) == 0) {
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "'%s': no id of a point or run below %s or in %s begins with it: 'nuce show "
                       "points' and 'nuce show runs' list them",
                       digits, arguments->campaigns, arguments->database);
    } else if (json_object_size(found) > 1) {
        json_object_foreach(found, id, place)
        {
            fprintf(stderr, "%.16s  %s\n", id, json_string_value(json_array_get(place, 0)));
        }
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "'%s': %zu points begin with it: expected more digits of one", digits,
                       json_object_size(found));
    } else {
        id = json_object_iter_key(json_object_iter(found));
        if (search_plans(arguments->campaigns, id, found, error) != NUCE_OK)
            goto done;
        place = json_object_get(found, id);
        campaign = json_string_value(json_array_get(place, 0));
        if (json_number_value(json_array_get(place, 1)) < 0)
            nuce_error_set(error, NUCE_BAD_INPUT,
                           "point %s is of campaign %s, which is not below %s: 'nuce show runs "
                           "--campaign %s' shows what the database has of it",
                           id, campaign, arguments->campaigns, campaign);
        else
            error->status = explain_in(arguments, campaign, id, error);
    }
done:
    json_decref(found);
    return error->status;
}

const struct nuce_subcommand nuce_subcommand_explain = {
    .name = "explain",
    .summary = "show the state of a point, or how a contender differs",
    .about = "Prints the state of the point whose id begins with POINT, the status, message, hosts "
             "and log of its runs, and the command that repeats it by hand. Searches all "
             "campaigns. POINT may also be the prefix of the id of a collected run. For a CAMPAIGN "
             "(or a sweep) and a CONTENDER: for each race, the part of a step that takes longer "
             "than the reference's, the differences between their plans, and what to run next.",
    .examples = NUCE_EXAMPLES(
        {"nuce explain 3f2a", "show the state of the point whose id begins with 3f2a"},
        {"nuce explain quick.1 rs-n", "show why rs-n is slower or faster than its reference"}),
    .operands = {.usage = "POINT|CAMPAIGN CONTENDER",
                 .least = 1,
                 .most = 2,
                 .expected = "one POINT: the first digits of its id, or CAMPAIGN CONTENDER"},
    .options = options,
    .arguments_bytes = sizeof(struct explain_arguments),
    .operand = offsetof(struct explain_arguments, point),
    .run = explain_command,
};
