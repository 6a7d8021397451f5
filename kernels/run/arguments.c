/* The command line of a measuring program: the workload's options, those of every measurement, and
 * those of the harness. One declaration of an option each, in tables: workload's and measure's
 * options are kept as text (struct nuce_arguments.given), for they may be comma lists. */
#include "run/arguments.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/command_line.h"
#include "base/text.h"
#include "build.h"

#define AT(member) offsetof(struct nuce_arguments, member)

/* What the harness starts programs with. By hand they are of use, too, but for --facts and
 * --hosts. */
static const struct nuce_option harness_options[] = {
    NUCE_OPTION(TEXT, "points", AT(points), NULL, "FILE", "plan lines to run"),
    NUCE_OPTION(TEXT, "records", AT(records), NULL, "FILE",
                "record each run in FILE, which must not exist"),
    NUCE_OPTION(TEXT, "campaign", AT(campaign), NULL, "NAME", "stored in the records"),
    NUCE_OPTION(TEXT, "networks", AT(networks), "networks", "FOLDER", "of measured networks"),
    NUCE_OPTION(TEXT, "facts", AT(launch.facts), NULL, "FILE",
                "to record: {\"cluster\": {...}, \"launch\": {...}}"),
    NUCE_OPTION(TEXT, "hosts", AT(launch.hosts), NULL, "FILE",
                "fail unless rank K runs on the host of line K + 1"),
    {.name = NULL},
};

static const struct nuce_option output_options[] = {
    NUCE_OPTION(WORD, "format", AT(format), "text", "text|json|csv",
                "of the results on standard output", .choices = nuce_grid_format_name),
    {.name = NULL},
};

/* argp's hook: the program's name with the workload, as argp has it, and nuce's version. */
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
    json_t *given = json_object();
    struct nuce_command_line line = {
        .about = about,
        .after = workload->source,
        .groups = {{.heading = "The point (values may be comma lists):",
                    .rows = workload->options,
                    .hidden = NUCE_OPTION_MODEL,
                    .given = given},
                   {.heading = "The measurement:",
                    .rows = nuce_measure_options,
                    .hidden = NUCE_OPTION_CAMPAIGN,
                    .given = given},
                   {.heading = "For the harness:", .rows = harness_options, .params = &arguments},
                   {.heading = "Output:", .rows = output_options, .params = &arguments}}};
    nuce_status status =
        given == NULL ? nuce_error_set(error, NUCE_FAILED, "out of memory") : NUCE_OK;

    /* From here on freed with arguments. */
    arguments.given = given;
    argp_program_version_hook = print_version;
    if (status == NUCE_OK)
        status = nuce_command_line_read(&line, argc, argv, error);
    if (status == NUCE_OK && (arguments.records == NULL) != (arguments.points == NULL))
        status = nuce_error_set(error, NUCE_BAD_INPUT, "--points and --records go together");
    free(about);
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
