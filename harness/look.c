#include "look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "script.h"
#include "sweep_plots.h"

/* Whether the plot has something of the campaign to show. What cannot be told is no. */
static int has_rows(const struct nuce_plot *plot, const char *database, const char *campaign)
{
    const struct nuce_plot_choice choice = {.campaign = campaign};
    struct nuce_store store = {.lock = -1};
    struct nuce_plot_data data = {0};
    struct nuce_error ignored;
    int found;

    found = nuce_store_open_reading(database, &store, &ignored) == NUCE_OK &&
            nuce_plot_find(plot, &store, &choice, &data, &ignored) == NUCE_OK && data.grid.rows > 0;
    nuce_plot_data_fini(&data);
    nuce_store_close(&store);
    return found;
}

/* The nearest to the campaign's sweep of those that have rows of it. */
static const struct nuce_plot *find_plot(const struct nuce_plot_list *list, const char *database,
                                         const char *campaign)
{
    char sweep[NUCE_SWEEP_BYTES];

    (void)nuce_sweep_of_campaign(campaign, sweep);
    for (int nearness = NUCE_PLOT_NEAREST; nearness > 0; nearness--) {
        for (int i = 0; i < list->count; i++) {
            if (nuce_plot_nearness(&list->plots[i], sweep) == nearness &&
                has_rows(&list->plots[i], database, campaign))
                return &list->plots[i];
        }
    }
    return NULL;
}

void nuce_look_print(const char *database, const char *campaign)
{
    struct nuce_plot_list list = {0};
    struct nuce_error ignored;
    const struct nuce_plot *plot = NULL;
    int is_preset = strcmp(database, "nuce.db") == 0;
    char *quoted = is_preset ? NULL : nuce_script_quote(database, &ignored);
    const char *option = quoted != NULL ? " --database " : "", *file = quoted != NULL ? quoted : "";

    if (campaign != NULL && nuce_plot_list_read(&list, &ignored) == NUCE_OK)
        plot = find_plot(&list, database, campaign);
    (void)fputs("look: ", stderr);
    if (plot != NULL)
        (void)fprintf(stderr, "nuce table %s%s%s", plot->name, option, file);
    else if (campaign != NULL)
        (void)fprintf(stderr, "nuce show points --campaign %s%s%s", campaign, option, file);
    else
        (void)fprintf(stderr, "nuce show campaigns%s%s", option, file);
    if (plot != NULL && plot->script != NULL)
        (void)fprintf(stderr, ", nuce figure %s%s%s", plot->name, option, file);
    (void)fprintf(stderr, ", nuce report%s%s\n", option, file);
    nuce_plot_list_fini(&list);
    free(quoted);
}
