#include "gather.h"

#include <stdio.h>

#include "collect.h"
#include "look.h"
#include "message.h"
#include "text.h"

static void print_report(void *context, const char *message)
{
    (void)context;
    nuce_message_print(message);
}

static void print_counts(const struct nuce_collect_counts *counts, const char *database)
{
    (void)fprintf(
        stderr,
        "nuce: %lld campaign%s, %lld record file%s (%lld unchanged), %lld run%s new, %lld "
        "known, %lld file%s torn, %lld bad line%s -> %s\n",
        (long long)counts->campaigns, nuce_text_plural(counts->campaigns), (long long)counts->files,
        nuce_text_plural(counts->files), (long long)counts->skipped, (long long)counts->added,
        nuce_text_plural(counts->added), (long long)counts->known, (long long)counts->torn,
        nuce_text_plural(counts->torn), (long long)counts->bad, nuce_text_plural(counts->bad),
        database);
}

int nuce_gather(const char *database, const char *campaigns, const char *campaign)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_collect collect = {.store = &store, .campaigns = campaigns, .report = print_report};
    struct nuce_error error;
    nuce_status status = nuce_store_open_writing(database, &store, &error);

    if (status == NUCE_OK)
        status = nuce_collect(&collect, campaign, &error);
    if (status == NUCE_OK)
        status = nuce_store_commit(&store, &error);
    nuce_store_close(&store);
    if (status != NUCE_OK)
        return nuce_message_error(&error);
    print_counts(&collect.counts, database);
    if (collect.counts.added + collect.counts.known > 0)
        nuce_look_print(database, campaign);
    return collect.counts.bad > 0 ? 1 : 0;
}
