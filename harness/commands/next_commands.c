/* Suggests the next commands. From the shipped tables and figures it names the one nearest to a
 * campaign's sweep, if it would show rows. The database is asked, so that no suggested command
 * answers "no rows". */
#include "commands/next_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/script.h"
#include "results/plot.h"

/* Nearness is nuce_plot_nearness' measure of how well a plot fits a sweep. The nearest are asked
 * first, each with a store of its own, because a store serves one plot (plot.h). */
const struct nuce_plot *nuce_next_commands_plot(const struct nuce_plot_list *list,
                                                const char *database, const char *campaign)
{
    char sweep[NUCE_SWEEP_BYTES];

    nuce_plot_sweep_of_campaign(campaign, sweep);
    for (int nearness = NUCE_PLOT_NEAREST; nearness > 0; nearness--) {
        for (int i = 0; i < list->count; i++) {
            const struct nuce_plot_choice choice = {.campaign = campaign};
            struct nuce_store store = {.lock = -1};
            struct nuce_plot_data data = {0};
            struct nuce_error ignored;
            int found;

            /* An error counts as "no rows". */
            if (nuce_plot_nearness(&list->plots[i], sweep) != nearness)
                continue;
            found = nuce_store_open_reading(database, &store, &ignored) == NUCE_OK &&
                    nuce_plot_find(&list->plots[i], &store, &choice, &data, &ignored) == NUCE_OK &&
                    data.grid.rows > 0;
            nuce_plot_data_fini(&data);
            nuce_store_close(&store);
            if (found)
                return &list->plots[i];
        }
    }
    return NULL;
}

/* Names the campaign's own table or that of its sweep, and the figure, if there is one. A plot with
 * the sweep's own name needs no campaign: it uses the newest. --database is omitted if it has its
 * default, so that the line is short; it can be pasted unchanged. */
char *nuce_next_commands(const char *database, const char *campaign)
{
    char *quoted = nuce_script_quote(database);
    char *option = nuce_text_format(" --database %s", quoted);
    struct nuce_plot_list list = {0};
    const struct nuce_plot *plot = NULL;
    struct nuce_error ignored;
    const char *of = campaign, *view = "show";
    char *line, *figure;

    if (strcmp(database, "nuce.db") == 0)
        *option = '\0';
    if (campaign != NULL && nuce_plot_list_read(&list, &ignored) == NUCE_OK)
        plot = nuce_next_commands_plot(&list, database, campaign);
    if (plot != NULL && strcmp(plot->name, "quick") != 0) {
        of = plot->name;
        view = "table";
    }
    figure = plot == NULL || plot->script == NULL
                 ? nuce_text_duplicate("")
                 : nuce_text_format(", nuce figure %s%s", of, option);
    line = campaign != NULL
               ? nuce_text_format("nuce %s %s%s%s, nuce report %s%s", view, of, option, figure,
                                  campaign, option)
               : nuce_text_format("nuce show campaigns%s, nuce report%s", option, option);
    free(figure);
    nuce_plot_list_fini(&list);
    free(option);
    free(quoted);
    return line;
}

void nuce_next_commands_print(const char *database, const char *campaign)
{
    char *line = nuce_next_commands(database, campaign);

    fprintf(stderr, "look: %s\n", line);
    free(line);
}
