/* Which plots show what a sweep gives: before all others the one that is called as it is, then
 * those whose head names it, then those that its name begins with, and last `quick`, which shows
 * whatever there is. */
#include "results/sweep_plots.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "base/text.h"
#include "db/store.h"

/* Whether the plot's directive `sweep`, a list of names, has this one. */
static int names_sweep(const struct nuce_plot *plot, const char *sweep)
{
    const char *rest = plot->sweep;
    char name[NUCE_SWEEP_BYTES];

    while (nuce_text_word(&rest, name, sizeof name)) {
        if (strcmp(name, sweep) == 0)
            return 1;
    }
    return 0;
}

int nuce_plot_nearness(const struct nuce_plot *plot, const char *sweep)
{
    size_t length = strlen(plot->name);

    if (strcmp(plot->name, sweep) == 0)
        return NUCE_PLOT_NEAREST;
    if (names_sweep(plot, sweep))
        return 3;
    if (strncmp(sweep, plot->name, length) == 0 && sweep[length] == '-')
        return 2;
    return strcmp(plot->name, "quick") == 0;
}

/* The number stands behind the last dot: a sweep's name may have dots itself. */
int nuce_sweep_of_campaign(const char *campaign, char sweep[NUCE_SWEEP_BYTES])
{
    const char *dot = strrchr(campaign, '.');
    int numbered = dot != NULL && dot > campaign && dot[1] != '\0' &&
                   strspn(dot + 1, "0123456789") == strlen(dot + 1);

    snprintf(sweep, NUCE_SWEEP_BYTES, "%.*s",
             (int)(numbered ? (size_t)(dot - campaign) : strlen(campaign)), campaign);
    return numbered;
}

/* Whether nuce ships a configuration of that name. */
static int is_shipped(const char *sweep)
{
    struct nuce_error ignored;
    char *file = nuce_text_format("configs/%s.yaml", sweep);
    char *path = nuce_data_path(file, &ignored);
    int there = path != NULL && access(path, F_OK) == 0;

    free(path);
    free(file);
    return there;
}

/* Whether campaigns/NAME+ENDING is a campaign. */
static int has_folder(const char *name, const char *ending)
{
    char *path = nuce_text_format("campaigns/%s%s/plan.jsonl", name, ending);
    int there = access(path, F_OK) == 0;

    free(path);
    return there;
}

/* The nearest plot; *nearness is how near. */
static const char *sweep_find_plot(const struct nuce_plot_list *list, const char *sweep,
                                   int *nearness)
{
    const char *found = "quick";

    *nearness = 0;
    for (int i = 0; i < list->count; i++) {
        int near = nuce_plot_nearness(&list->plots[i], sweep);

        if (near > *nearness) {
            *nearness = near;
            found = list->plots[i].name;
        }
    }
    return found;
}

int nuce_sweep_taken_for_plot(const char *name, struct nuce_error *error)
{
    struct nuce_plot_list list = {0};
    struct nuce_error ignored;
    char sweep[NUCE_SWEEP_BYTES];
    int numbered = nuce_sweep_of_campaign(name, sweep), nearness, taken;
    const char *plot;

    if (nuce_plot_list_read(&list, &ignored) != NUCE_OK)
        return 0;
    plot = sweep_find_plot(&list, sweep, &nearness);
    taken = nearness > 2 || is_shipped(sweep) || has_folder(name, numbered ? "" : ".1");
    if (taken && numbered)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "'%s' is a campaign, not a table: expected 'nuce table %s --campaign "
                       "%s', or another of 'nuce list figures'",
                       name, plot, name);
    else if (taken)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "'%s' is a sweep, not a table: expected 'nuce table %s', or another "
                       "of 'nuce list figures'",
                       name, plot);
    nuce_plot_list_fini(&list);
    return taken;
}

/* Whether the database has a campaign of that name, or one of a sweep of it (nuce_store_narrow).
 * One that cannot be read has none. */
static int database_has(const char *database, const char *campaign)
{
    struct nuce_store store = {.lock = -1};
    struct nuce_error ignored;
    int has = nuce_store_open_reading(database, &store, &ignored) == NUCE_OK &&
              nuce_store_narrow(&store, campaign, &ignored) == NUCE_OK;

    nuce_store_close(&store);
    return has;
}

/* The title begins with the campaign, and so goes on with a small letter. */
nuce_status nuce_plot_read_for_campaign(const char *campaign, struct nuce_plot *out,
                                        struct nuce_error *error)
{
    struct nuce_plot plot = {0};
    char *name, *title;

    if (nuce_plot_read("quick", &plot, error) != NUCE_OK)
        return error->status;
    name = nuce_text_format("%s", campaign);
    title = nuce_text_format("%s: %c%s", campaign, tolower((unsigned char)plot.title[0]),
                             plot.title + 1);
    free(plot.name);
    free(plot.title);
    plot.name = name;
    plot.title = title;
    *out = plot;
    return NUCE_OK;
}

/* A table wins over a campaign of the same name. */
nuce_status nuce_plot_read_or_campaign(const char *name, const char *database,
                                       struct nuce_plot_choice *choice, struct nuce_plot *out,
                                       struct nuce_error *error)
{
    nuce_status status = nuce_plot_read(name, out, error);

    if (status != NUCE_BAD_INPUT || !nuce_text_is_name(name) || !database_has(database, name))
        return status;
    choice->campaign = name;
    return nuce_plot_read_for_campaign(name, out, error);
}
