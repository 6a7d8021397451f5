/* nuce list: what there is to choose from. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "config.h"
#include "schedule.h"
#include "subcommand.h"
#include "text.h"
#include "workload.h"

struct arguments {
    const char *what;
    enum nuce_format format;
};

/* Lists one kind of thing into table, whose columns it sets. */
struct listing {
    const char *name;
    nuce_status (*fill)(struct nuce_table *table, struct nuce_error *error);
};

static nuce_status list_workloads(struct nuce_table *table, struct nuce_error *error)
{
    static const struct nuce_column columns[] = {
        {"name",    "NAME",    0},
        {"program", "PROGRAM", 0},
        {"summary", "SUMMARY", 0},
        {"source",  "SOURCE",  0},
    };

    *table = (struct nuce_table){.columns = columns, .width = 4};
    for (int i = 0; nuce_workloads[i] != NULL; i++) {
        const char *cells[] = {nuce_workloads[i]->name, nuce_workloads[i]->program,
                               nuce_workloads[i]->summary, nuce_workloads[i]->source};

        if (nuce_table_add(table, cells, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

static nuce_status list_algorithms(struct nuce_table *table, struct nuce_error *error)
{
    static const struct nuce_column columns[] = {
        {"name",       "NAME",       0},
        {"discipline", "DISCIPLINE", 0},
        {"summary",    "SUMMARY",    0},
        {"source",     "SOURCE",     0},
    };

    *table = (struct nuce_table){.columns = columns, .width = 4};
    for (int i = 0; nuce_schedules[i] != NULL; i++) {
        const char *cells[] = {nuce_schedules[i]->name,
                               nuce_discipline_name(nuce_schedules[i]->discipline),
                               nuce_schedules[i]->summary, nuce_schedules[i]->source};

        if (nuce_table_add(table, cells, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

static nuce_status list_configs(struct nuce_table *table, struct nuce_error *error)
{
    static const struct nuce_column columns[] = {
        {"name", "NAME", 0},
    };
    nuce_status status;
    char **names = NULL;
    int64_t count = 0;

    *table = (struct nuce_table){.columns = columns, .width = 1};
    status = nuce_config_names(&names, &count, error);
    for (int64_t i = 0; status == NUCE_OK && i < count; i++)
        status = nuce_table_add(table, (const char *const *)&names[i], error);
    nuce_config_names_free(names, count);
    return status;
}

static const struct listing listings[] = {
    {"workloads",  list_workloads },
    {"algorithms", list_algorithms},
    {"configs",    list_configs   },
};

#define LISTINGS (sizeof listings / sizeof *listings)

static const struct argp_option options[] = {
    {"format",  'f', "FORMAT", 0, "text (the default), json or csv", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'f':
        arguments->format = nuce_cli_format(value, state);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->what != NULL)
            argp_error(state, "'%s': expected one kind of thing to list", value);
        arguments->what = value;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected workloads, algorithms or configs");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct listing *find_listing(const char *what, struct nuce_error *error)
{
    const char *names[LISTINGS], *nearest;

    for (size_t i = 0; i < LISTINGS; i++) {
        if (strcmp(listings[i].name, what) == 0)
            return &listings[i];
        names[i] = listings[i].name;
    }
    nearest = nuce_text_nearest(what, names, LISTINGS);
    (void)nuce_error_set(error, NUCE_BAD_INPUT,
                         "list: unknown '%s'%s%s%s: expected workloads, algorithms or configs",
                         what, nearest != NULL ? " (did you mean '" : "",
                         nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "");
    return NULL;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "workloads|algorithms|configs", "Lists what there is to choose from.", NULL,
        NULL,    NULL};
    struct arguments arguments = {NULL, NUCE_FORMAT_TEXT};
    struct nuce_table table = {0};
    const struct listing *listing;
    struct nuce_error error;
    nuce_status status;

    (void)argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    listing = find_listing(arguments.what, &error);
    if (listing == NULL)
        return nuce_cli_fail(&error);
    status = listing->fill(&table, &error);
    if (status == NUCE_OK)
        status = nuce_table_print(&table, arguments.format, stdout, &error);
    nuce_table_fini(&table);
    return nuce_cli_finish(status == NUCE_OK ? 0 : nuce_cli_fail(&error));
}

const struct nuce_subcommand nuce_subcommand_list = {
    .name = "list", .summary = "list workloads, algorithms or configs", .run = run};
