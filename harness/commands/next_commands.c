/* What to type next. Of the tables and figures that come with nuce the nearest to a campaign's
 * sweep is named if it would show something: the database is asked, so that no command is suggested
 * that says "no rows". */
#include "commands/next_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/script.h"
#include "results/plot.h"

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

/* Nearness is nuce_plot_nearness' measure of how well a plot fits a sweep. The nearest are asked
 * first, each with a store of its own, since one serves one plot (plot.h). */
const struct nuce_plot *nuce_next_commands_plot(const struct nuce_plot_list *list,
                                                const char *database, const char *campaign)
{
    char sweep[NUCE_SWEEP_BYTES];

    nuce_plot_sweep_of_campaign(campaign, sweep);
    for (int nearness = NUCE_PLOT_NEAREST; nearness > 0; nearness--) {
        for (int i = 0; i < list->count; i++) {
            if (nuce_plot_nearness(&list->plots[i], sweep) == nearness &&
                has_rows(&list->plots[i], database, campaign))
                return &list->plots[i];
        }
    }
    return NULL;
}

/* The line for a campaign: its own table or that of its sweep, and the figure, if there is one.
 * option: " --database FILE", or "". A plot of a sweep's own name needs no campaign: it is drawn
 * from the newest. */
static char *look_line(const struct nuce_plot *plot, const char *campaign, const char *option)
{
    int is_own = plot != NULL && strcmp(plot->name, "quick") != 0;
    char *figure =
        plot == NULL || plot->script == NULL
            ? nuce_text_duplicate("")
            : nuce_text_format(", nuce figure %s%s", is_own ? plot->name : campaign, option);
    char *line = nuce_text_format("nuce %s %s%s%s, nuce report %s%s", is_own ? "table" : "show",
                                  is_own ? plot->name : campaign, option, figure, campaign, option);

    free(figure);
    return line;
}

/* --database is left out where it is the preset, so that the line is as short as it can be and can
 * be pasted as it is. */
char *nuce_next_commands(const char *database, const char *campaign)
{
    char *quoted = nuce_script_quote(database);
    char *option = nuce_text_format(" --database %s", quoted);
    struct nuce_plot_list list = {0};
    const struct nuce_plot *plot = NULL;
    struct nuce_error ignored;
    char *line;

    if (strcmp(database, "nuce.db") == 0)
        *option = '\0';
    if (campaign != NULL && nuce_plot_list_read(&list, &ignored) == NUCE_OK)
        plot = nuce_next_commands_plot(&list, database, campaign);
    line = campaign != NULL
               ? look_line(plot, campaign, option)
               : nuce_text_format("nuce show campaigns%s, nuce report%s", option, option);
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
