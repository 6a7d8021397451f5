#include "model/schedule_arguments.h"

#include <stdlib.h>
#include <string.h>

#include "networks/words.h"
#include "schedules/pattern.h"
#include "support/allocate.h"
#include "support/command_line.h"
#include "support/text.h"
#include "support/units.h"

/* As given, beside the options of the workload. */
struct given {
    int64_t ranks, samples;
    const char *execution; /* NULL: what fits the discipline */
    int emit, format;
    json_t *options; /* of the workload: name -> text */
};

#define AT(member) offsetof(struct given, member)

static const struct nuce_option own[] = {
    {.name = "ranks",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(ranks),
     .argument = "N",
     .help = "ranks; a COM or NETWORK FILE tells itself",
     .minimum = 1},
    {.name = "samples",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(samples),
     .preset = "1",
     .argument = "N",
     .help = "instances to take the mean over",
     .minimum = 1},
    {.name = "execution",
     .type = NUCE_OPTION_TEXT,
     .offset = AT(execution),
     .argument = "loose|ports|barrier|fifo|fluid",
     .help = "instead of the one that fits the schedule's discipline"},
    {.name = "emit-schedule",
     .type = NUCE_OPTION_FLAG,
     .offset = AT(emit),
     .help = "with --format json: who sends what when"},
    {.name = "format",
     .type = NUCE_OPTION_WORD,
     .offset = AT(format),
     .preset = "text",
     .argument = "text|json|csv",
     .help = "of the results",
     .choices = nuce_grid_format_name},
    {.name = NULL},
};

static nuce_status check_most(const char *name, int64_t value, int64_t most,
                              struct nuce_error *error)
{
    if (value <= most)
        return NUCE_OK;
    return nuce_error_refuse(error, name, "'%lld': expected 1 to %lld", (long long)value,
                             (long long)most);
}

/* Sets the parameters from what was given; the list of schedules is kept. */
static nuce_status take(struct nuce_schedule_arguments *arguments, const struct given *given,
                        struct nuce_error *error)
{
    const char *name;
    json_t *text;

    if (check_most("ranks", given->ranks, NUCE_PATTERN_MAX_RANKS, error) != NUCE_OK ||
        check_most("samples", given->samples, 1000000, error) != NUCE_OK)
        return error->status;
    arguments->ranks = (int)given->ranks;
    arguments->samples = given->samples;
    arguments->has_execution = given->execution != NULL;
    if (given->execution != NULL && !nuce_execution_find(given->execution, &arguments->execution))
        return nuce_error_refuse(error, "execution",
                                 "'%s': expected loose, ports, barrier, fifo or fluid",
                                 given->execution);
    arguments->emit = given->emit;
    arguments->format = (enum nuce_grid_format)given->format;
    json_object_foreach(given->options, name, text)
    {
        const struct nuce_option *row = nuce_option_find(arguments->workload->options, name);

        if (row != nuce_option_compared(arguments->workload->options)) {
            if (nuce_option_set(row, arguments->params, json_string_value(text), error) != NUCE_OK)
                return error->status;
        } else if (!nuce_text_copy(arguments->schedules, sizeof arguments->schedules,
                                   json_string_value(text))) {
            return nuce_error_refuse(error, name, "the list is too long");
        }
    }
    return NUCE_OK;
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

nuce_status nuce_schedule_arguments_parse(const struct nuce_workload_ops *workload, int argc,
                                          char **argv, struct nuce_schedule_arguments *out,
                                          struct nuce_error *error)
{
    struct nuce_schedule_arguments arguments = {.workload = workload};
    struct given given = {.options = json_object()};
    struct nuce_command_line line = {
        .about = "What the papers' cost model says of schedules: phases, makespan and lower bounds "
                 "on a pattern, without MPI.",
        .groups = {{.rows = workload->options, .given = given.options, .hidden = NUCE_OPTION_RUN},
                   {.rows = own, .params = &given}}};
    nuce_status status;

    arguments.params = nuce_allocate(1, workload->params_size, error);
    if (arguments.params == NULL)
        return error->status;
    nuce_option_presets(workload->options, arguments.params);
    nuce_command_line_parse(&line, argc, argv);
    status = take(&arguments, &given, error);
    json_decref(given.options);
    if (status == NUCE_OK)
        status = complete(&arguments, error);
    if (status != NUCE_OK) {
        nuce_schedule_arguments_fini(&arguments);
        return status;
    }
    *out = arguments;
    return NUCE_OK;
}
