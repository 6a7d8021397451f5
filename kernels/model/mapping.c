/* nuce-model mapping: placements of processes on networks of switches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mapping/cardinality_bound.h"
#include "mapping/placement.h"
#include "model/mapping_arguments.h"
#include "model/mapping_row.h"
#include "model/model.h"
#include "support/allocate.h"
#include "support/printable.h"
#include "support/text.h"

struct run {
    struct nuce_mapping_arguments arguments;
    const struct nuce_placement_ops **ops; /* count */
    struct nuce_mapping_row *rows;
    struct nuce_mapping_sample *samples; /* of the current network */
    int **placements;                    /* of the last: the processor of each rank */
    int count;
    /* The current network. */
    struct nuce_topology drawn;
    struct nuce_routing routing;
    struct nuce_processors processors;
};

static void network_fini(struct run *run)
{
    nuce_processors_fini(&run->processors);
    nuce_routing_fini(&run->routing);
    nuce_topology_fini(&run->drawn);
}

static void finish(struct run *run)
{
    for (int i = 0; i < run->count && run->placements != NULL; i++)
        free(run->placements[i]);
    free(run->placements);
    free(run->samples);
    free(run->rows);
    free(run->ops);
    network_fini(run);
    nuce_mapping_arguments_fini(&run->arguments);
}

static nuce_status find_placement(const char *name, const struct nuce_placement_ops **out,
                                  struct nuce_error *error)
{
    const char *names[32], *nearest;
    char list[512] = "";
    size_t count = 0;

    *out = nuce_placement_find(name);
    if (*out != NULL)
        return NUCE_OK;
    for (; nuce_placements[count] != NULL && count < sizeof names / sizeof *names; count++) {
        size_t length = strlen(list);

        names[count] = nuce_placements[count]->name;
        (void)snprintf(list + length, sizeof list - length, "%s%s", count == 0 ? "" : ", ",
                       names[count]);
    }
    nearest = nuce_text_nearest(name, names, count);
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "--placement: '%s': unknown placement%s%s%s: expected some of %s", name,
                          nearest == NULL ? "" : " (did you mean '", nearest == NULL ? "" : nearest,
                          nearest == NULL ? "" : "'?)", list);
}

static nuce_status make_rows(struct run *run, struct nuce_error *error)
{
    char *rest = run->arguments.placements, *name;
    int count = 1;

    for (const char *at = rest; *at != '\0'; at++)
        count += *at == ',';
    run->ops = nuce_allocate(count, sizeof *run->ops, error);
    run->rows = nuce_allocate(count, sizeof *run->rows, error);
    run->samples = nuce_allocate(count, sizeof *run->samples, error);
    run->placements = nuce_allocate(count, sizeof *run->placements, error);
    if (run->ops == NULL || run->rows == NULL || run->samples == NULL || run->placements == NULL)
        return error->status;
    while ((name = strsep(&rest, ",")) != NULL) {
        if (find_placement(name, &run->ops[run->count], error) != NUCE_OK)
            return error->status;
        run->rows[run->count].name = run->ops[run->count]->name;
        run->count++;
    }
    return NUCE_OK;
}

static nuce_status make_network(struct run *run, int64_t sample, struct nuce_error *error)
{
    const struct nuce_mapping_arguments *arguments = &run->arguments;
    const struct nuce_topology *topology = &arguments->topology;
    struct nuce_rng network = nuce_mapping_rng(arguments->seed, sample, NUCE_MAPPING_NETWORK);
    struct nuce_rng nodes = nuce_mapping_rng(arguments->seed, sample, NUCE_MAPPING_NODES);

    nuce_processors_fini(&run->processors);
    if (topology->switches == 0 || sample == 0) {
        network_fini(run);
        if (topology->switches == 0) {
            if (nuce_topology_draw(&arguments->recipe, &network, &run->drawn, error) != NUCE_OK)
                return error->status;
            topology = &run->drawn;
        }
        if (nuce_routing_create(arguments->routing, topology, &run->routing, error) != NUCE_OK)
            return error->status;
    }
    return nuce_processors_choose(&run->routing, arguments->processes.ranks, arguments->per_node,
                                  &nodes, &run->processors, error);
}

static nuce_status run_sample(struct run *run, int64_t number, struct nuce_error *error)
{
    struct nuce_placement_input input = {
        .processes = &run->arguments.processes,
        .processors = &run->processors,
        .rng = nuce_mapping_rng(run->arguments.seed, number, NUCE_MAPPING_PLACEMENT)};
    const struct nuce_mapping_sample *rm = NULL;
    double bound = 0;

    if (make_network(run, number, error) != NUCE_OK ||
        nuce_cardinality_bound(input.processes, input.processors, &bound, error) != NUCE_OK)
        return error->status;
    for (int i = 0; i < run->count; i++) {
        free(run->placements[i]);
        run->placements[i] = NULL;
        if (nuce_mapping_sample(run->ops[i], &input, &run->samples[i], &run->placements[i],
                                error) != NUCE_OK)
            return error->status;
        if (strcmp(run->ops[i]->name, "rm") == 0)
            rm = &run->samples[i];
    }
    for (int i = 0; i < run->count; i++)
        nuce_mapping_row_add(&run->rows[i], &run->samples[i], bound, rm);
    return NUCE_OK;
}

/* The node of each rank, and what the file calls it. */
static int add_placement(const struct run *run, const int *placement, json_t *json)
{
    const struct nuce_topology *topology = run->routing.topology;
    json_t *nodes = json_array(), *names = json_array();
    int bad = 0;

    for (int rank = 0; rank < run->processors.count; rank++) {
        int node = run->processors.node[placement[rank]];

        bad |= json_array_append_new(nodes, json_integer(node));
        if (topology->node_name != NULL) {
            char *name = strdup(topology->node_name[node]);

            if (name != NULL)
                nuce_printable_make(name);
            bad |= json_array_append_new(names, json_string(name));
            free(name);
        }
    }
    bad |= json_object_set_new(json, "processors", nodes);
    if (topology->node_name != NULL)
        bad |= json_object_set(json, "node_names", names);
    json_decref(names);
    return bad;
}

static json_t *row_json(const struct run *run, int i, struct nuce_error *error)
{
    const struct nuce_topology *topology = run->routing.topology;
    json_t *json =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:I}", "placement", run->rows[i].name, "routing",
                  run->arguments.routing->name, "ranks", run->processors.count, "nodes",
                  topology->nodes, "switches", topology->switches, "links", topology->links,
                  "samples", (json_int_t)run->arguments.samples);

    if (json == NULL || nuce_mapping_row_json(&run->rows[i], json, error) != NUCE_OK ||
        (run->arguments.samples == 1 && add_placement(run, run->placements[i], json) != 0)) {
        json_decref(json);
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory for a result");
        return NULL;
    }
    return json;
}

static nuce_status print(const struct run *run, struct nuce_error *error)
{
    json_t *rows = json_array();
    nuce_status status = NUCE_OK;

    for (int i = 0; status == NUCE_OK && i < run->count; i++) {
        json_t *row = row_json(run, i, error);

        if (row == NULL || json_array_append_new(rows, row) != 0)
            status = nuce_error_set(error, NUCE_FAILED, "out of memory for the results");
    }
    if (status == NUCE_OK)
        status = nuce_mapping_rows_print(rows, run->arguments.format, stdout, error);
    json_decref(rows);
    return status;
}

static int run(int argc, char **argv)
{
    struct run run = {0};
    struct nuce_error error = {0};
    nuce_status status = nuce_mapping_arguments_parse(argc, argv, &run.arguments, &error);

    if (status == NUCE_OK)
        status = make_rows(&run, &error);
    for (int64_t k = 0; status == NUCE_OK && k < run.arguments.samples; k++)
        status = run_sample(&run, k, &error);
    if (status == NUCE_OK)
        status = print(&run, &error);
    if (status != NUCE_OK)
        nuce_error_print(&error, "nuce-model");
    finish(&run);
    return nuce_error_exit_status(status);
}

const struct nuce_model_command nuce_model_mapping_command = {
    .name = "mapping",
    .summary = "placements of processes on networks of switches",
    .run = run,
};
