/* Lists for `nuce list keys`, `nuce list metrics` and `nuce list values`, from the tables that the
 * parser and the programs use themselves. Rows that several workloads share (same name, meaning,
 * default) are listed once, with the names of all, at the first of these workloads
 * (row_is_listed). */
#include "commands/list_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/cli.h"
#include "campaigns/sweep.h"
#include "instances/mesh.h"
#include "points/launch_factors.h"
#include "points/workload.h"

/* More choices than fit here are listed by 'nuce list values'. */
#define CHOICES_BYTES 120

/* Two NULLs are equal. */
static int same_words(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Returns nonzero if a workload has the row: an option, or a result. */
typedef int has_row(const struct nuce_workload_ops *workload, const void *row);

/* Two workloads may have a key of one name with two meanings (`overlap`): those are two rows. */
static int has_option(const struct nuce_workload_ops *workload, const void *row)
{
    const struct nuce_option *option = row;

    for (const struct nuce_option *own = workload->options; own->name != NULL; own++) {
        if (own->type == option->type && same_words(own->name, option->name) &&
            same_words(own->preset, option->preset) && same_words(own->help, option->help))
            return 1;
    }
    return 0;
}

/* Results of one name may also have different meanings; their unit belongs to the meaning. */
static int has_result(const struct nuce_workload_ops *workload, const void *row)
{
    const struct nuce_result *result = row;
    const struct nuce_result *found = nuce_result_find(workload->results, result->name);

    return found != NULL && same_words(found->meaning, result->meaning);
}

/* The workloads from the k-th on that have the row, a new string; NULL: an earlier one has it and
 * lists it. */
static char *workloads_of(int k, has_row *has, const void *row)
{
    char *names;

    for (int i = 0; i < k; i++) {
        if (has(nuce_workloads[i], row))
            return NULL;
    }
    names = nuce_text_duplicate(nuce_workloads[k]->name);
    for (int i = k + 1; nuce_workloads[i] != NULL; i++) {
        char *longer;

        if (!has(nuce_workloads[i], row))
            continue;
        longer = nuce_text_format("%s, %s", names, nuce_workloads[i]->name);
        free(names);
        names = longer;
    }
    return names;
}

/* A row for the key, with its values: the choices, with commas between them, or the command that
 * lists them. Choices are never cut: an incomplete list would look complete. */
static void add_key(struct nuce_grid *grid, const char *where, const struct nuce_option *option)
{
    static const char *const kinds[] = {
        [NUCE_OPTION_LIST] = "text",
        [NUCE_OPTION_TEXT] = "text",
        [NUCE_OPTION_BYTES] = "bytes, as 64, 16KiB, 1MB",
        [NUCE_OPTION_REAL] = "a number",
        [NUCE_OPTION_DURATION] = "a duration, as 250ms, 30s, 5min",
        [NUCE_OPTION_BANDWIDTHS] = "bytes per second, or a range, as 10e6..200e6",
        [NUCE_OPTION_DURATIONS] = "a duration, or a range, as 10us..50us",
        [NUCE_OPTION_FLAG] = "true or false",
    };
    const char *values, *name;
    char text[CHOICES_BYTES];
    size_t used = 0;

    if (option->type == NUCE_OPTION_CHOICE && nuce_option_choice(option, 0) == NULL) {
        values = "a name";
    } else if (option->type == NUCE_OPTION_CHOICE || option->type == NUCE_OPTION_WORD) {
        values = text;
        for (size_t i = 0; values == text && (name = nuce_option_choice(option, i)) != NULL; i++) {
            if (used + strlen(name) + 3 > CHOICES_BYTES)
                values = "a name (nuce list values)";
            else
                used += (size_t)snprintf(text + used, CHOICES_BYTES - used, "%s%s",
                                         i > 0 ? ", " : "", name);
        }
    } else if (option->type == NUCE_OPTION_FILE) {
        values = option->flags & NUCE_OPTION_MESH ? "a file, or a mesh that nuce ships"
                 : option->flags & NUCE_OPTION_NETWORK
                     ? "a file, or cm5, random, measured, emulated"
                     : "a file";
    } else if (option->type == NUCE_OPTION_COUNT) {
        snprintf(text, sizeof text, "a whole number, from %.0f%s", option->minimum,
                 option->flags & NUCE_OPTION_AUTO ? ", or auto" : "");
        values = text;
    } else {
        values = kinds[option->type];
    }
    nuce_cli_add(grid,
                 (const char *const[]){where, option->name, values, option->preset, option->help});
}

nuce_status nuce_list_keys(struct nuce_grid *grid, struct nuce_error *error)
{
    static const char *const names[] = {"where", "key", "value", "default", "meaning"};
    struct nuce_sweep_key_help key;

    (void)error;
    nuce_grid_init(5, names, grid);

    for (size_t i = 0; nuce_sweep_key_help(i, &key); i++)
        nuce_cli_add(grid, (const char *const[]){"the file itself", key.name, key.values,
                                                 key.preset, key.meaning});
    for (const struct nuce_option *option = nuce_measure_options; option->name != NULL; option++)
        add_key(grid, "measure", option);
    for (const struct nuce_option *option = nuce_launch_options; option->name != NULL; option++)
        add_key(grid, "how processes are started", option);
    nuce_cli_add(grid, (const char *const[]){"how processes are started", "environment",
                                             "a mapping of variables to texts", NULL,
                                             "environment variables of the processes; ~: not set"});
    for (int k = 0; nuce_workloads[k] != NULL; k++) {
        for (const struct nuce_option *option = nuce_workloads[k]->options; option->name != NULL;
             option++) {
            char *workloads = workloads_of(k, has_option, option);

            if (workloads != NULL)
                add_key(grid, workloads, option);
            free(workloads);
        }
    }
    return NUCE_OK;
}

nuce_status nuce_list_metrics(struct nuce_grid *grid, struct nuce_error *error)
{
    static const char *const names[] = {"name", "unit", "workloads", "meaning"};

    (void)error;
    nuce_grid_init(4, names, grid);

    for (int k = 0; nuce_workloads[k] != NULL; k++) {
        const struct nuce_result *const *tables = nuce_workloads[k]->results;

        for (; tables != NULL && *tables != NULL; tables++) {
            for (const struct nuce_result *row = *tables; row->name != NULL; row++) {
                char *workloads =
                    row->flags & NUCE_RESULT_DERIVED ? NULL : workloads_of(k, has_result, row);

                if (workloads != NULL)
                    nuce_cli_add(grid, (const char *const[]){row->name,
                                                             *row->unit != '\0' ? row->unit : NULL,
                                                             workloads, row->meaning});
                free(workloads);
            }
        }
    }
    return NUCE_OK;
}

/* The place of a value, passed through the mesh lister. */
struct place {
    struct nuce_grid *grid;
    const struct nuce_workload_ops *workload;
    const struct nuce_option *option;
};

/* The row has the programs' names, so that a script can try every value with every program that has
 * it. */
static nuce_status list_values_add(void *context, const char *value, struct nuce_error *error)
{
    const struct place *place = context;
    const struct nuce_workload_ops *workload = place->workload;
    char program[64] = "", model[64] = "";

    (void)error;
    if (workload->program != NULL)
        snprintf(program, sizeof program, "%s%s%s", workload->program,
                 workload->subcommand != NULL ? " " : "",
                 workload->subcommand != NULL ? workload->subcommand : "");
    if (workload->model_command != NULL &&
        nuce_option_find(workload->options, place->option->name) &&
        !(place->option->flags & NUCE_OPTION_RUN))
        snprintf(model, sizeof model, "nuce-model %s", workload->model_command);
    nuce_cli_add(place->grid, (const char *const[]){workload->name, place->option->name, value,
                                                    *program != '\0' ? program : NULL,
                                                    *model != '\0' ? model : NULL});
    return NUCE_OK;
}

/* All values of all rows: the names of choices, and the shipped meshes. */
nuce_status nuce_list_values(struct nuce_grid *grid, struct nuce_error *error)
{
    static const char *const names[] = {"workload", "option", "value", "program", "model"};

    nuce_grid_init(5, names, grid);
    for (int i = 0; nuce_workloads[i] != NULL; i++) {
        const struct nuce_option *const tables[] = {
            nuce_workloads[i]->options,
            nuce_workloads[i]->program != NULL ? nuce_measure_options : NULL};

        for (int k = 0; k < 2; k++) {
            for (const struct nuce_option *row = tables[k]; row != NULL && row->name != NULL;
                 row++) {
                struct place place = {grid, nuce_workloads[i], row};

                if (row->flags & NUCE_OPTION_MESH &&
                    nuce_mesh_each_shipped(list_values_add, &place, error) != NUCE_OK)
                    return error->status;
                for (size_t n = 0; nuce_option_choice(row, n) != NULL; n++)
                    list_values_add(&place, nuce_option_choice(row, n), error);
            }
        }
    }
    return NUCE_OK;
}
