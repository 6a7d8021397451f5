/* The command line of a measuring program: the workload's options, those of every measurement,
 * and those of the harness. Each option is declared once, in a table. Options of workload and
 * measure are kept as text (struct nuce_arguments.given), because they may be comma lists. */
#include "run/arguments.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/command_line.h"
#include "base/jsonl.h"
#include "base/text.h"
#include "build.h"
#include "points/point.h"

#define AT(member) offsetof(struct nuce_arguments, member)

/* The harness starts programs with these options. All but --facts and --hosts are useful by
 * hand, too. */
static const struct nuce_option harness_options[] = {
    NUCE_OPTION(TEXT, "points", AT(points), NULL, "FILE", "plan lines to run",
                .flags = NUCE_OPTION_HIDDEN),
    NUCE_OPTION(TEXT, "records", AT(records), NULL, "FILE",
                "record each run in FILE, which must not exist", .flags = NUCE_OPTION_HIDDEN),
    NUCE_OPTION(TEXT, "campaign", AT(campaign), NULL, "NAME", "stored in the records",
                .flags = NUCE_OPTION_HIDDEN),
    NUCE_OPTION(TEXT, "facts", AT(launch.facts), NULL, "FILE",
                "to record: {\"cluster\": {...}, \"launch\": {...}}", .flags = NUCE_OPTION_HIDDEN),
    NUCE_OPTION(TEXT, "hosts", AT(launch.hosts), NULL, "FILE",
                "fail unless rank K runs on the host of line K + 1", .flags = NUCE_OPTION_HIDDEN),
    {.name = NULL},
};

static const struct nuce_option output_options[] = {
    NUCE_OPTION(WORD, "format", AT(format), "text", "FORMAT",
                "format of the results on standard output: text, json or csv",
                .choices = nuce_grid_format_name),
    NUCE_OPTION(TEXT, "networks", AT(networks), "networks", "FOLDER",
                "folder of measured networks"),
    {.name = NULL},
};

/* argp's hook: prints the program's name with the workload, as argp has it, and nuce's version. */
static void print_version(FILE *stream, struct argp_state *state)
{
    fprintf(stream, "%s %s\n", state->name, NUCE_VERSION);
}

nuce_status nuce_arguments_parse(const struct nuce_workload_ops *workload, int argc, char **argv,
                                 struct nuce_arguments *out, struct nuce_error *error)
{
    struct nuce_arguments arguments = {.workload = workload, .campaign = ""};
    char *about =
        nuce_text_format("Measures the workload '%s': %s.", workload->name, workload->summary);
    char *source = nuce_text_format("Source: %s.", workload->source);
    json_t *given = json_object();
    struct nuce_command_line line = {
        .about = about,
        .after = source,
        .examples = workload->examples,
        .groups = {{.heading = "Problem and contenders (a value may be a comma list):",
                    .rows = workload->options,
                    .hidden = NUCE_OPTION_MODEL,
                    .given = given},
                   {.heading = "Measurement:",
                    .rows = nuce_measure_options,
                    .hidden = NUCE_OPTION_CAMPAIGN,
                    .given = given},
                   {.rows = harness_options, .params = &arguments},
                   {.heading = "Input and output:", .rows = output_options, .params = &arguments}}};
    nuce_status status;

    /* From here on freed with arguments. */
    arguments.given = given;
    argp_program_version_hook = print_version;
    status = nuce_command_line_read(&line, argc, argv, error);
    if (status == NUCE_OK && (arguments.records == NULL) != (arguments.points == NULL))
        status = nuce_error_set(error, NUCE_BAD_INPUT, "--points and --records go together");
    free(about);
    free(source);
    if (status != NUCE_OK) {
        nuce_arguments_fini(&arguments);
        return status;
    }
    *out = arguments;
    return NUCE_OK;
}

void nuce_arguments_fini(struct nuce_arguments *arguments)
{
    json_decref(arguments->given);
    memset(arguments, 0, sizeof *arguments);
}

/* The points of a measuring program: every combination of the given comma lists, or plan lines.
 * Rank 0 completes and checks every point before any rank goes on, so other ranks get only valid
 * plan lines. Either way the result is plan lines as the harness writes them, so the loop over
 * points has one input format. Combinations are numbered by the lists (points/point.h). The
 * first invalid point ends it: the program runs all or none. */

/* The reader of --points: puts the lines for `ranks` ranks into `lines`. */
struct given_reader {
    const struct nuce_arguments *arguments;
    struct nuce_facts *facts;
    int ranks;
    json_t *lines;
};

/* Callback of nuce_jsonl_read. Refuses a line that this program cannot run, even one for another
 * number of ranks: such a plan is wrong. */
static nuce_status given_take_line(void *context, int64_t number, const char *text, size_t length,
                                   json_t *value, struct nuce_error *error)
{
    struct given_reader *reader = context;
    struct nuce_point point;
    nuce_status status = NUCE_OK;

    (void)text;
    (void)length;
    if (nuce_point_from_json(value, reader->facts, &point, error) != NUCE_OK)
        return nuce_error_at(error, reader->arguments->points, number, 1);
    if (point.workload != reader->arguments->workload) {
        nuce_error_set(error, NUCE_BAD_INPUT, "workload '%s': this program runs '%s'",
                       point.workload->name, reader->arguments->workload->name);
        status = nuce_error_at(error, reader->arguments->points, number, 1);
    } else if (nuce_workload_is_mean(point.workload, point.params)) {
        nuce_error_refuse(error, "samples",
                          "a run has one instance: expected 1, or 'nuce "
                          "run --modelled'");
        status = nuce_error_at(error, reader->arguments->points, number, 1);
    } else if (point.ranks == reader->ranks) {
        json_array_append(reader->lines, value);
    }
    nuce_point_fini(&point);
    return status;
}

json_t *nuce_arguments_points(const struct nuce_arguments *arguments, int ranks,
                              struct nuce_facts *facts, struct nuce_error *error)
{
    struct given_reader reader = {
        .arguments = arguments, .facts = facts, .ranks = ranks, .lines = json_array()};
    struct nuce_given_lists lists = {0};
    struct nuce_jsonl_counts counts = {0};
    nuce_status status;

    if (arguments->points != NULL) {
        status = nuce_jsonl_read(arguments->points, given_take_line, &reader, &counts, error);
        if (status == NUCE_OK && counts.torn)
            status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: cut off in its last line",
                                    arguments->points);
        if (status == NUCE_OK && json_array_size(reader.lines) == 0)
            status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: has no point for %d ranks",
                                    arguments->points, ranks);
    } else {
        status = nuce_given_lists_init(arguments->workload, arguments->given, ranks, &lists, error);
    }
    /* Makes every combination a plan line. Options of the measurement are equal for all points
     * and take no lists. The number of ranks belongs to a point but is not an option of these
     * programs, so an error about it is a plain sentence. */
    for (size_t i = 0; status == NUCE_OK && i < lists.count; i++) {
        struct nuce_point point = {0};
        json_t *line = NULL;

        nuce_point_init(arguments->workload, ranks, &point);
        status = nuce_given_lists_set(&lists, i, &point, error);
        for (const struct nuce_option *row = nuce_measure_options;
             status == NUCE_OK && row->name != NULL; row++) {
            const json_t *text = json_object_get(arguments->given, row->name);

            if (text != NULL && nuce_option_set_json(row, &point.measure, text, error) != NUCE_OK)
                status = nuce_error_about(error, row->name);
        }
        if (status == NUCE_OK) {
            status = nuce_point_complete(&point, facts, error);
            if (status != NUCE_OK && strcmp(error->subject, "ranks") == 0)
                nuce_error_flatten(error);
        }
        if (status == NUCE_OK && (line = nuce_point_to_json(&point, error)) == NULL)
            status = error->status;
        if (line != NULL)
            json_array_append_new(reader.lines, line);
        nuce_point_fini(&point);
    }
    nuce_given_lists_fini(&lists);
    if (status == NUCE_OK)
        return reader.lines;
    json_decref(reader.lines);
    return NULL;
}
