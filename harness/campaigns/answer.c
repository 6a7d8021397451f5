/* The sentences of the table quick on one campaign alone. */
#include "campaigns/answer.h"

#include <stdio.h>

#include "results/plot.h"

/* More than anybody reads at the end of a run: the table has all. */
#define SENTENCES 12

void nuce_answer_print(const char *database, const char *campaign)
{
    const struct nuce_plot_choice choice = {.campaign = campaign};
    struct nuce_store store = {.lock = -1};
    struct nuce_plot plot = {0};
    struct nuce_error ignored;
    int64_t left = 0;

    if (nuce_plot_read("quick", &plot, &ignored) == NUCE_OK &&
        nuce_store_open_reading(database, &store, &ignored) == NUCE_OK &&
        nuce_plot_say(&plot, &store, &choice, SENTENCES, &left, &ignored) == NUCE_OK && left > 0)
        (void)printf("and %lld more sentences: nuce show %s\n", (long long)left, campaign);
    nuce_store_close(&store);
    nuce_plot_fini(&plot);
}
