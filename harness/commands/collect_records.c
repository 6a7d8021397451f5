/* Collects, with messages for the user. They report the records read, the new runs, and the
 * commands that show them. Then they give the results of the campaign, in the sentences of the
 * table quick, and whether it is complete. */
#include "commands/collect_records.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/printable.h"
#include "base/text.h"
#include "campaigns/campaign.h"
#include "campaigns/ending.h"
#include "campaigns/script.h"
#include "commands/next_commands.h"
#include "db/collect.h"
#include "results/grid_read.h"
#include "results/plot.h"

/* Maximum at the end of a run; the table has all. */
#define SENTENCES 12

/* Width of the caveats, which scripts and people read alike. */
#define LINE_COLUMNS 100

/* Prints the plot's sentences about the campaign; returns their total number. command: prints the
 * others. */
static int64_t say_plot(const struct nuce_plot *plot, const char *database, const char *campaign,
                        const char *command)
{
    const struct nuce_plot_choice choice = {.campaign = campaign};
    struct nuce_store store = {.lock = -1};
    struct nuce_error ignored;
    int64_t count = 0;

    if (nuce_store_open_reading(database, &store, &ignored) == NUCE_OK &&
        nuce_plot_say(plot, &store, &choice, SENTENCES, &count, &ignored) == NUCE_OK &&
        count > SENTENCES)
        printf("and %lld more sentence%s: nuce %s\n", (long long)(count - SENTENCES),
               nuce_text_plural(count - SENTENCES), command);
    nuce_store_close(&store);
    return count;
}

/* Prints the caveats of plots/collect/caveats.sql. */
static void say_caveats(const char *database, const char *campaign)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_grid caveats = {0};
    struct nuce_error ignored;
    char *sql = nuce_store_shipped("plots/collect/caveats.sql", &ignored);

    if (sql != NULL && nuce_store_open_reading(database, &store, &ignored) == NUCE_OK &&
        nuce_store_run(&store, &ignored, "CREATE TEMP TABLE asked AS SELECT %Q AS campaign",
                       campaign) == NUCE_OK)
        nuce_grid_query(&store, &caveats, &ignored, "%s", sql);
    for (int64_t row = 0; row < caveats.rows; row++) {
        nuce_printable_fold(nuce_grid_text(&caveats, row, "said"), LINE_COLUMNS, 0, 2, stdout);
        putchar('\n');
    }
    nuce_grid_fini(&caveats);
    nuce_store_close(&store);
    free(sql);
}

/* A subcommand of nuce adds the missing runs. For jobs, `nuce status` shows if they still run. For
 * an imported campaign there is none. */
static void print_missing(const struct nuce_campaign *campaign)
{
    struct nuce_campaign_runs runs = nuce_campaign_runs(campaign);
    char *left_out = nuce_ending_left_out(campaign->points, campaign->count);

    if (runs.had < runs.wanted) {
        printf("INCOMPLETE: %lld of %s%lld runs", (long long)runs.had, runs.is_open ? "up to " : "",
               (long long)runs.wanted);
        if (left_out != NULL)
            printf("; %s", left_out);
        if (runs.refused > 0)
            printf("; %lld %s refused, and would be again: nuce status says why",
                   (long long)runs.refused, runs.refused == 1 ? "was" : "were");
        if (runs.had + runs.refused < runs.wanted && !campaign->imported) {
            int is_slurm = nuce_campaign_is_slurm(campaign);
            char *line = nuce_script_advice(campaign, is_slurm ? "status" : "resume");

            printf("; %s%s", line, is_slurm ? " says where the rest is" : " runs the rest");
            free(line);
        }
        putchar('\n');
    }
    free(left_out);
}

nuce_status nuce_collect_records_check(const char *database, struct nuce_error *error)
{
    return nuce_store_check_writing(database, error) == NUCE_OK
               ? NUCE_OK
               : nuce_error_prefix(error, "--database");
}

/* The sentences are those of `quick`, which shows any race. If it has none, as for placements and
 * contention, they come from a table with sentences of its own. The caveats follow. Each plot has a
 * store of its own, because finding its rows restricts the store (plot.h).
 *
 * A database of another schema is rebuilt from all campaigns, whichever one was named. The store is
 * closed before the results are printed, and a failure until then undoes everything: the sentences
 * read the database like any other reader. Messages about the collecting, including counts, go to
 * stderr, the sentences to stdout. */
int nuce_collect_records(const char *database, const char *campaigns, const char *campaign,
                         enum nuce_collect_records_use use)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_collect collect = {
        .store = &store, .campaigns = campaigns, .report = nuce_message_report};
    const struct nuce_collect_counts *counts = &collect.counts;
    struct nuce_campaign opened = {.lock = -1};
    struct nuce_plot_list list = {0};
    struct nuce_plot quick = {0};
    const struct nuce_plot *plot = NULL;
    int64_t sentences = 0;
    char *command;
    struct nuce_error error;
    char message[NUCE_MESSAGE_BYTES];
    nuce_status status = nuce_store_open_writing(database, &store, &error);

    if (status == NUCE_OK && store.draft != NULL) {
        snprintf(message, sizeof message,
                 "%s: made by another version of nuce: it is made again from the records of all "
                 "campaigns in %s",
                 store.path, campaigns);
        nuce_message_print(message);
    }
    if (status == NUCE_OK)
        status = nuce_collect(&collect, store.draft != NULL ? NULL : campaign, &error);
    if (status == NUCE_OK)
        status = nuce_store_commit(&store, &error);
    if (status == NUCE_OK && store.kept != NULL) {
        snprintf(message, sizeof message,
                 "%s: the database is kept as it was: it has runs whose records are not in %s, or "
                 "can no longer be read",
                 store.kept, campaigns);
        nuce_message_print(message);
    }
    nuce_store_close(&store);
    if (status != NUCE_OK)
        return nuce_message_error(&error);
    fprintf(stderr,
            "nuce: %lld campaign%s, %lld record file%s (%lld unchanged), %lld run%s new, %lld "
            "known, %lld file%s torn, %lld bad line%s -> %s\n",
            (long long)counts->campaigns, nuce_text_plural(counts->campaigns),
            (long long)counts->files, nuce_text_plural(counts->files), (long long)counts->skipped,
            (long long)counts->added, nuce_text_plural(counts->added), (long long)counts->known,
            (long long)counts->torn, nuce_text_plural(counts->torn), (long long)counts->bad,
            nuce_text_plural(counts->bad), database);
    /* The one named may be among these: then the database's is another one. */
    if (counts->refused > 0)
        campaign = NULL;
    /* If only one of all campaigns is new, the user wants that one. */
    if (campaign == NULL && collect.renewed == 1)
        campaign = collect.newest;
    /* The database knows it by the name in its records, whatever its folder is called. */
    if (campaign != NULL &&
        nuce_campaign_open(campaigns, campaign, NUCE_CAMPAIGN_READ, &opened, &error) == NUCE_OK)
        campaign = opened.id;
    /* On stderr, so before the sentences: after them it could break into one, if both streams go to
     * the same file. */
    if (collect.counts.added + collect.counts.known > 0)
        nuce_next_commands_print(database, campaign);
    if (campaign != NULL) {
        print_missing(&opened);
        command = nuce_text_format("show %s", campaign);
        if (nuce_plot_read("quick", &quick, &error) == NUCE_OK)
            sentences = say_plot(&quick, database, campaign, command);
        free(command);
        if (sentences == 0 && nuce_plot_list_read(&list, &error) == NUCE_OK)
            plot = nuce_next_commands_plot(&list, database, campaign);
        if (plot != NULL) {
            command = nuce_text_format("table %s --campaign %s", plot->name, campaign);
            say_plot(plot, database, campaign, command);
            free(command);
        }
        nuce_plot_list_fini(&list);
        nuce_plot_fini(&quick);
        say_caveats(database, campaign);
    }
    nuce_campaign_fini(&opened);
    if (use == NUCE_COLLECT_RECORDS_AFTER_RUN)
        collect.counts.bad -= collect.counts.damaged;
    return counts->refused > 0 ? nuce_error_exit_status(NUCE_BAD_INPUT) : counts->bad > 0;
}
