/* Collecting, with its words for the user: what was read, what is new, and which commands show
 * it. */
#include "commands/collect_records.h"

#include <stdio.h>

#include "base/message.h"
#include "base/text.h"
#include "commands/campaign_summary.h"
#include "commands/next_commands.h"
#include "db/collect.h"

/* One line that could not be collected; called by db/collect.c. */
static void gather_print_report(void *context, const char *message)
{
    (void)context;
    nuce_message_print(message);
}

/* On stderr, as all that is said of how it went; stdout has the sentences. */
static void gather_print_counts(const struct nuce_collect_counts *counts, const char *database)
{
    fprintf(stderr,
            "nuce: %lld campaign%s, %lld record file%s (%lld unchanged), %lld run%s new, %lld "
            "known, %lld file%s torn, %lld bad line%s -> %s\n",
            (long long)counts->campaigns, nuce_text_plural(counts->campaigns),
            (long long)counts->files, nuce_text_plural(counts->files), (long long)counts->skipped,
            (long long)counts->added, nuce_text_plural(counts->added), (long long)counts->known,
            (long long)counts->torn, nuce_text_plural(counts->torn), (long long)counts->bad,
            nuce_text_plural(counts->bad), database);
}

/* Collects and commits. A database of another schema is made anew from all campaigns, whichever one
 * was named. On failure the caller closes the store, which undoes everything. */
static nuce_status gather_fill(struct nuce_store *store, struct nuce_collect *collect,
                               const char *campaign, struct nuce_error *error)
{
    int rebuilt = store->draft != NULL;
    char message[NUCE_MESSAGE_BYTES];

    if (rebuilt) {
        snprintf(message, sizeof message,
                 "%s: made by another version of nuce: makes it anew from the records of all "
                 "campaigns in %s",
                 store->path, collect->campaigns);
        nuce_message_print(message);
    }
    if (nuce_collect(collect, rebuilt ? NULL : campaign, error) != NUCE_OK ||
        nuce_store_commit(store, error) != NUCE_OK)
        return error->status;
    if (store->kept != NULL) {
        snprintf(message, sizeof message,
                 "%s: kept, the database as it was: it has runs whose records are not in %s, "
                 "or cannot be read any more",
                 store->kept, collect->campaigns);
        nuce_message_print(message);
    }
    return NUCE_OK;
}

/* The store is closed before anything is said of the results: the sentences read the database as
 * anybody does. */
int nuce_collect_records(const char *database, const char *campaigns, const char *campaign,
                         enum nuce_collect_records_use use)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_collect collect = {
        .store = &store, .campaigns = campaigns, .report = gather_print_report};
    struct nuce_error error;
    nuce_status status = nuce_store_open_writing(database, &store, &error);

    if (status == NUCE_OK)
        status = gather_fill(&store, &collect, campaign, &error);
    nuce_store_close(&store);
    if (status != NUCE_OK)
        return nuce_message_error(&error);
    gather_print_counts(&collect.counts, database);
    /* Of all campaigns one alone is new: it is what the user has come for. */
    if (campaign == NULL && collect.renewed == 1)
        campaign = collect.newest;
    /* On stderr, so before the sentences: behind them it could come between two halves of one,
     * where both are of one file. */
    if (collect.counts.added + collect.counts.known > 0)
        nuce_next_commands_print(database, campaign);
    if (campaign != NULL) {
        nuce_campaign_summary_print_missing(campaigns, campaign);
        nuce_campaign_summary_print(database, campaign);
    }
    if (use == NUCE_COLLECT_RECORDS_AFTER_RUN)
        collect.counts.bad -= collect.counts.damaged;
    return collect.counts.bad > 0 ? 1 : 0;
}
