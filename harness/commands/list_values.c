/* Every value that every option may have, for 'nuce list values', from the tables of options alone:
 * an option that gets a new value shows it here without a word. */
#include "commands/list_values.h"

#include <stdio.h>

#include "campaigns/cli.h"
#include "instances/mesh.h"
#include "points/workload.h"

/* Where a value is found: what the mesh lister hands through. */
struct place {
    struct nuce_grid *grid;
    const struct nuce_workload_ops *workload;
    const struct nuce_option *option;
};

/* The programs' names are in the row so that a script can try every value with
 * every program that has it. */
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

/* All values of all rows of a table: of choices their names, of meshes those that nuce ships. */
static nuce_status add_table(struct nuce_grid *grid, const struct nuce_workload_ops *workload,
                             const struct nuce_option *table, struct nuce_error *error)
{
    for (; table->name != NULL; table++) {
        struct place place = {grid, workload, table};

        if (table->flags & NUCE_OPTION_MESH &&
            nuce_mesh_each_shipped(list_values_add, &place, error) != NUCE_OK)
            return error->status;
        for (size_t i = 0; nuce_option_choice(table, i) != NULL; i++)
            list_values_add(&place, nuce_option_choice(table, i), error);
    }
    return NUCE_OK;
}

nuce_status nuce_list_values(struct nuce_grid *grid, struct nuce_error *error)
{
    static const char *const names[] = {"workload", "option", "value", "program", "model"};

    nuce_grid_init(5, names, grid);
    for (int i = 0; nuce_workloads[i] != NULL; i++) {
        if (add_table(grid, nuce_workloads[i], nuce_workloads[i]->options, error) != NUCE_OK)
            return error->status;
        if (nuce_workloads[i]->program != NULL &&
            add_table(grid, nuce_workloads[i], nuce_measure_options, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}
