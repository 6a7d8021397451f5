#include "gather.h"

#include <stdio.h>

#include "collect.h"
#include "report.h"

static void print_report(void *context, const char *message)
{
    (void)context;
    nuce_report_line(message);
}

static void print_counts(const struct nuce_collect_counts *counts, const char *database)
{
    (void)fprintf(stderr,
                  "nuce: %lld campaigns, %lld record files (%lld unchanged), %lld runs new, %lld "
                  "known, %lld files torn, %lld bad lines -> %s\n",
                  (long long)counts->campaigns, (long long)counts->files,
                  (long long)counts->skipped, (long long)counts->added, (long long)counts->known,
                  (long long)counts->torn, (long long)counts->bad, database);
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
        return nuce_report_error(&error);
    print_counts(&collect.counts, database);
    return collect.counts.bad > 0 ? 1 : 0;
}
