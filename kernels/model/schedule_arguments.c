#include "model/schedule_arguments.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "networks/words.h"
#include "schedules/pattern.h"
#include "support/memory.h"
#include "support/text.h"
#include "support/units.h"

enum {
    KEY_RANKS = 0x200,
    KEY_SAMPLES,
    KEY_EXECUTION,
    KEY_EMIT,
    KEY_FORMAT,
    KEY_ROWS = 0x300,
};

#define ROWS_MOST 64

struct parser {
    struct nuce_schedule_arguments *arguments;
    struct nuce_error error;
};

static const struct argp_option own[] = {
    {"ranks", KEY_RANKS, "N", 0, "ranks; a COM or NETWORK FILE tells itself", 2},
    {"samples", KEY_SAMPLES, "N", 0, "instances to take the mean over (1)", 2},
    {"execution", KEY_EXECUTION, "loose|ports|barrier|fifo|fluid", 0,
     "instead of the one that fits the schedule's discipline", 3},
    {"emit-schedule", KEY_EMIT, NULL, 0, "with --format json: who sends what when", 4},
    {"format", KEY_FORMAT, "text|json|csv", 0, "of the results (text)", 4},
};

static int is_modelled(const struct nuce_option *row)
{
    return !(row->flags & NUCE_OPTION_RUN);
}

static nuce_status set_count(const char *name, const char *text, int64_t most, int64_t *out,
                             struct nuce_error *error)
{
    if (nuce_parse_count(text, out, error) != NUCE_OK)
        return nuce_error_prefix(error, "--%s", name);
    if (*out < 1 || *out > most)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--%s: '%s': expected 1 to %lld", name, text,
                              (long long)most);
    return NUCE_OK;
}

static nuce_status set_execution(struct nuce_schedule_arguments *arguments, const char *text,
                                 struct nuce_error *error)
{
    if (!nuce_execution_find(text, &arguments->execution))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--execution: '%s': expected loose, ports, barrier, fifo or fluid",
                              text);
    arguments->has_execution = 1;
    return NUCE_OK;
}

static nuce_status set_row(struct nuce_schedule_arguments *arguments, const struct nuce_option *row,
                           const char *text, struct nuce_error *error)
{
    if (row != nuce_option_compared(arguments->workload->options))
        return nuce_option_set(row, arguments->params, text == NULL ? "true" : text, error);
    if (!nuce_text_copy(arguments->schedules, sizeof arguments->schedules, text))
        return nuce_error_set(error, NUCE_BAD_INPUT, "--%s: the list is too long", row->name);
    return NUCE_OK;
}

static nuce_status set_own(struct nuce_schedule_arguments *arguments, int key, const char *text,
                           struct nuce_error *error)
{
    int64_t ranks = 0;

    switch (key) {
    case KEY_RANKS:
        if (set_count("ranks", text, NUCE_PATTERN_MAX_RANKS, &ranks, error) != NUCE_OK)
            return error->status;
        arguments->ranks = (int)ranks;
        return NUCE_OK;
    case KEY_SAMPLES:
        return set_count("samples", text, 1000000, &arguments->samples, error);
    case KEY_EXECUTION:
        return set_execution(arguments, text, error);
    case KEY_EMIT:
        arguments->emit = 1;
        return NUCE_OK;
    default:
        return nuce_grid_format_parse(text, NUCE_GRID_PLAIN_FORMATS, &arguments->format, error);
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct parser *parser = state->input;
    nuce_status status;
    char said[NUCE_ERROR_TEXT_BYTES];

    if (key == ARGP_KEY_ARG)
        argp_error(state, "'%s': expected only options", text);
    if (key < KEY_RANKS || key > KEY_ROWS + ROWS_MOST)
        return ARGP_ERR_UNKNOWN;
    status = key >= KEY_ROWS
                 ? set_row(parser->arguments, &parser->arguments->workload->options[key - KEY_ROWS],
                           text, &parser->error)
                 : set_own(parser->arguments, key, text, &parser->error);
    if (status != NUCE_OK)
        argp_error(state, "%s", nuce_error_text(&parser->error, NUCE_ERROR_OPTIONS, said));
    return 0;
}

/* The path that the option called name holds; "" where the workload has no such option. */
static const char *path_of(const struct nuce_schedule_arguments *arguments, const char *name)
{
    const struct nuce_option *option = nuce_option_find(arguments->workload->options, name);

    return option == NULL ? "" : (const char *)arguments->params + option->offset;
}

/* Files tell for how many ranks they are. */
static nuce_status find_ranks(struct nuce_schedule_arguments *arguments, struct nuce_facts *facts,
                              struct nuce_error *error)
{
    const char *com = path_of(arguments, "com");
    const char *network = arguments->workload->scheduling(arguments->params)->network;

    if (arguments->ranks == 0 && com[0] != '\0' &&
        nuce_facts_com_ranks(facts, com, &arguments->ranks, error) != NUCE_OK)
        return error->status;
    if (arguments->ranks == 0 && network[0] != '\0' && !nuce_network_is_word(network) &&
        nuce_facts_network_ranks(facts, network, &arguments->ranks, error) != NUCE_OK)
        return error->status;
    if (arguments->ranks == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: not given");
    return NUCE_OK;
}

/* What must fit together. */
static nuce_status check(const struct nuce_schedule_arguments *arguments, struct nuce_error *error)
{
    if (arguments->schedules[0] == '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--schedule: not given: expected names of 'nuce list schedules'");
    if (arguments->emit && arguments->format != NUCE_GRID_JSON)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--emit-schedule: expected --format json");
    return NUCE_OK;
}

/* Any name of a schedule will do here: each of the list is looked up later. */
static nuce_status complete_params(struct nuce_schedule_arguments *arguments,
                                   struct nuce_facts *facts, struct nuce_error *error)
{
    const struct nuce_workload_ops *workload = arguments->workload;
    const struct nuce_option *schedule = nuce_option_compared(workload->options);

    if (nuce_option_set(schedule, arguments->params, "ac", error) != NUCE_OK ||
        workload->complete(arguments->params, arguments->ranks, error) != NUCE_OK)
        return error->status;
    if (arguments->samples > 1 && !workload->is_random(arguments->params))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--samples: '%lld': nothing here is random: expected 1",
                              (long long)arguments->samples);
    return workload->inspect(arguments->params, arguments->ranks, facts, error);
}

static nuce_status complete(struct nuce_schedule_arguments *arguments, struct nuce_error *error)
{
    struct nuce_facts *facts = nuce_facts_create(error);
    nuce_status status = facts == NULL ? error->status : check(arguments, error);

    if (status == NUCE_OK)
        status = find_ranks(arguments, facts, error);
    if (status == NUCE_OK)
        status = complete_params(arguments, facts, error);
    nuce_facts_destroy(facts);
    return status;
}

void nuce_schedule_arguments_fini(struct nuce_schedule_arguments *arguments)
{
    free(arguments->params);
    memset(arguments, 0, sizeof *arguments);
}

/* The options of the workload, then those of the model. */
static void list_options(const struct nuce_workload_ops *workload, struct argp_option *next)
{
    for (int i = 0; workload->options[i].name != NULL; i++) {
        const struct nuce_option *row = &workload->options[i];

        if (is_modelled(row))
            *next++ = (struct argp_option){.name = row->name,
                                           .key = KEY_ROWS + i,
                                           .arg = row->argument,
                                           .doc = row->help,
                                           .group = 1};
    }
    memcpy(next, own, sizeof own);
}

nuce_status nuce_schedule_arguments_parse(const struct nuce_workload_ops *workload, int argc,
                                          char **argv, struct nuce_schedule_arguments *out,
                                          struct nuce_error *error)
{
    struct argp_option all[ROWS_MOST + 16] = {{0}};
    struct nuce_schedule_arguments arguments = {.workload = workload, .samples = 1};
    struct parser parser = {.arguments = &arguments};
    struct argp argp = {.options = all,
                        .parser = parse,
                        .doc =
                            "What the papers' cost model says of schedules: phases, makespan and "
                            "lower bounds on a pattern, without MPI."};

    arguments.params = nuce_allocate(1, workload->params_size, error);
    if (arguments.params == NULL)
        return error->status;
    nuce_option_presets(workload->options, arguments.params);
    list_options(workload, all);
    (void)argp_parse(&argp, argc, argv, 0, NULL, &parser);
    if (complete(&arguments, error) != NUCE_OK) {
        nuce_schedule_arguments_fini(&arguments);
        return error->status;
    }
    *out = arguments;
    return NUCE_OK;
}
