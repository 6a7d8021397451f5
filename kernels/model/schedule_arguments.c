#include "schedule_arguments.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "generator.h"
#include "pattern.h"
#include "text.h"
#include "units.h"

enum {
    KEY_RANKS = 0x200,
    KEY_SAMPLES,
    KEY_STARTUP,
    KEY_BANDWIDTH,
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
    {"ranks",         KEY_RANKS,     "N",                              0, "ranks; a COM or NETWORK FILE tells itself",      2},
    {"samples",       KEY_SAMPLES,   "N",                              0, "instances to take the mean over (1)",            2},
    {"startup",       KEY_STARTUP,   "TIME",                           0, "startup of every pair, with --bandwidth",        3},
    {"bandwidth",     KEY_BANDWIDTH, "BYTES",                          0, "bytes per second of every pair, with --startup", 3},
    {"execution",     KEY_EXECUTION, "loose|ports|barrier|fifo|fluid", 0,
     "instead of the one that fits the schedule's discipline",                                                              3},
    {"emit-schedule", KEY_EMIT,      NULL,                             0, "with --format json: who sends what when",        4},
    {"format",        KEY_FORMAT,    "text|json|csv",                  0, "of the results (text)",                          4},
};

/* The rows of the workload that mean something to a model. */
static int is_modelled(const struct nuce_option *row)
{
    return strcmp(row->name, "overlap") != 0;
}

static nuce_status set_real(const char *name,
                            nuce_status (*read)(const char *, double *, struct nuce_error *),
                            const char *text, double *out, struct nuce_error *error)
{
    if (read(text, out, error) != NUCE_OK)
        return nuce_error_prefix(error, "--%s", name);
    return NUCE_OK;
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

static nuce_status set_bandwidth(const char *text, double *out, struct nuce_error *error)
{
    int64_t bytes;

    if (nuce_parse_real(text, out, error) != NUCE_OK) {
        if (nuce_parse_bytes(text, &bytes, error) != NUCE_OK)
            return nuce_error_prefix(error, "--bandwidth");
        *out = (double)bytes;
    }
    if (!(*out > 0))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--bandwidth: '%s': expected more than 0 bytes per second", text);
    return NUCE_OK;
}

static nuce_status set_format(struct nuce_schedule_arguments *arguments, const char *text,
                              struct nuce_error *error)
{
    if (strcmp(text, "text") != 0 && strcmp(text, "json") != 0 && strcmp(text, "csv") != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--format: '%s': expected text, json or csv",
                              text);
    arguments->format = text;
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
    if (strcmp(row->name, "algorithm") != 0)
        return nuce_option_set(row, &arguments->params, text, error);
    if (!nuce_text_copy(arguments->algorithms, sizeof arguments->algorithms, text))
        return nuce_error_set(error, NUCE_BAD_INPUT, "--algorithm: the list is too long");
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
    case KEY_STARTUP:
        return set_real("startup", nuce_parse_duration, text, &arguments->startup, error);
    case KEY_BANDWIDTH:
        return set_bandwidth(text, &arguments->bandwidth, error);
    case KEY_EXECUTION:
        return set_execution(arguments, text, error);
    case KEY_EMIT:
        arguments->emit = 1;
        return NUCE_OK;
    default:
        return set_format(arguments, text, error);
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct parser *parser = state->input;
    nuce_status status;

    if (key == ARGP_KEY_ARG)
        argp_error(state, "'%s': expected only options", text);
    if (key < KEY_RANKS || key > KEY_ROWS + ROWS_MOST)
        return ARGP_ERR_UNKNOWN;
    status = key >= KEY_ROWS
                 ? set_row(parser->arguments, &nuce_workload_exchange.options[key - KEY_ROWS], text,
                           &parser->error)
                 : set_own(parser->arguments, key, text, &parser->error);
    if (status != NUCE_OK)
        argp_error(state, "%s", parser->error.message);
    return 0;
}

static int is_random(const char *pattern)
{
    const struct nuce_generator_ops *generator = nuce_generator_find(pattern);

    return generator != NULL && generator->is_random;
}

/* What follows from the files, and what must fit together. */
static nuce_status complete(struct nuce_schedule_arguments *arguments, struct nuce_error *error)
{
    struct nuce_exchange_params *params = &arguments->params;
    struct nuce_facts *facts = nuce_facts_create(error);
    nuce_status status = facts == NULL ? error->status : NUCE_OK;

    if (status == NUCE_OK && arguments->algorithms[0] == '\0')
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "--algorithm: not given: expected names of 'nuce list algorithms'");
    if (status == NUCE_OK && params->network[0] != '\0' && arguments->bandwidth > 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "--network and --bandwidth: expected one of them");
    if (status == NUCE_OK && arguments->startup >= 0 && !(arguments->bandwidth > 0))
        status =
            nuce_error_set(error, NUCE_BAD_INPUT, "--startup: expected --bandwidth along with it");
    if (status == NUCE_OK && arguments->ranks == 0 && params->com[0] != '\0')
        status = nuce_facts_com_ranks(facts, params->com, &arguments->ranks, error);
    if (status == NUCE_OK && arguments->ranks == 0 && params->network[0] != '\0')
        status = nuce_facts_network_ranks(facts, params->network, &arguments->ranks, error);
    if (status == NUCE_OK && arguments->ranks == 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: not given");
    if (status == NUCE_OK && arguments->emit && strcmp(arguments->format, "json") != 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "--emit-schedule: expected --format json");
    /* Any name will do here: each of the list is looked up later. */
    (void)nuce_text_copy(params->algorithm, sizeof params->algorithm, "ac");
    if (status == NUCE_OK)
        status = nuce_workload_exchange.complete(params, arguments->ranks, error);
    if (status == NUCE_OK && arguments->samples > 1 && !is_random(params->pattern))
        status = nuce_error_set(error, NUCE_BAD_INPUT,
                                "--samples: '%lld': pattern %s is not random: expected 1",
                                (long long)arguments->samples, params->pattern);
    if (status == NUCE_OK)
        status = nuce_workload_exchange.inspect(params, arguments->ranks, facts, error);
    nuce_facts_destroy(facts);
    return status;
}

nuce_status nuce_schedule_arguments_parse(int argc, char **argv,
                                          struct nuce_schedule_arguments *out,
                                          struct nuce_error *error)
{
    struct argp_option all[ROWS_MOST + 16] = {{0}};
    struct nuce_schedule_arguments arguments = {.samples = 1, .startup = -1, .format = "text"};
    struct parser parser = {.arguments = &arguments};
    struct argp argp = {.options = all,
                        .parser = parse,
                        .doc =
                            "What the papers' cost model says of schedules: phases, makespan and "
                            "lower bounds on a pattern, without MPI."};
    struct argp_option *next = all;

    nuce_option_presets(nuce_workload_exchange.options, &arguments.params);
    for (const struct nuce_option *row = nuce_workload_exchange.options; row->name != NULL; row++) {
        if (is_modelled(row))
            *next++ =
                (struct argp_option){.name = row->name,
                                     .key = KEY_ROWS + (int)(row - nuce_workload_exchange.options),
                                     .arg = row->argument,
                                     .doc = row->help,
                                     .group = 1};
    }
    memcpy(next, own, sizeof own);
    (void)argp_parse(&argp, argc, argv, 0, NULL, &parser);
    if (complete(&arguments, error) != NUCE_OK)
        return error->status;
    *out = arguments;
    return NUCE_OK;
}
