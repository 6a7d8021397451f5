/* nuce-model platform: a machine for SimGrid's SMPI to run the kernels on, as a platform file. */
#include <argp.h>
#include <stddef.h>
#include <stdio.h>

#include "model.h"
#include "option.h"
#include "platform.h"

struct params {
    const char *name; /* of the platform; NULL: not given */
    int64_t ranks;
    char network[NUCE_PATH_BYTES];
};

#define AT(member) offsetof(struct params, member)

static const struct nuce_option rows[] = {
    {.name = "ranks",
     .type = NUCE_OPTION_COUNT,
     .offset = AT(ranks),
     .argument = "P",
     .help = "hosts, node-0 to node-(P - 1); left out: the platform's own number",
     .minimum = 1},
    {.name = "network",
     .type = NUCE_OPTION_FILE,
     .offset = AT(network),
     .argument = "FILE",
     .help = "the NETWORK FILE of uneven"},
    {.name = NULL},
};

#define ROWS (sizeof rows / sizeof *rows - 1)

/* The comment that names the command in a file cannot hold the two dashes of long options. */
static const int keys[ROWS] = {'r', 'n'};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct params *params = state->input;
    struct nuce_error error;

    if (key == ARGP_KEY_ARG && params->name == NULL) {
        params->name = text;
        return 0;
    }
    if (key == ARGP_KEY_ARG)
        argp_error(state, "'%s': expected one platform", text);
    for (size_t i = 0; i < ROWS; i++) {
        if (key != keys[i])
            continue;
        if (nuce_option_set(&rows[i], params, text, &error) != NUCE_OK)
            argp_error(state, "%s", error.message);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static nuce_status print(const struct params *params, struct nuce_error *error)
{
    struct nuce_platform_input input = {0};
    const struct nuce_platform_ops *ops;
    struct nuce_network network = {0};
    nuce_status status;

    if (nuce_platform_find(params->name == NULL ? "" : params->name, &ops, error) != NUCE_OK)
        return error->status;
    if (params->ranks > NUCE_NETWORK_MAX_RANKS)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%lld': expected 1 to %d",
                              (long long)params->ranks, NUCE_NETWORK_MAX_RANKS);
    input.ranks = (int)params->ranks;
    if (params->network[0] != '\0') {
        if (nuce_network_read(params->network, input.ranks, &network, error) != NUCE_OK)
            return error->status;
        input.network_name = params->network;
        input.network = &network;
    }
    status = nuce_platform_print(ops, &input, stdout, error);
    nuce_network_fini(&network);
    if (status == NUCE_OK && (fflush(stdout) != 0 || ferror(stdout)))
        return nuce_error_set(error, NUCE_FAILED, "cannot write the platform");
    return status;
}

/* Freed by the caller, as argp wants of what a help filter returns. */
static char *list_platforms(int key, const char *text, void *input)
{
    char *list = NULL;
    size_t length = 0;
    FILE *stream;

    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC || (stream = open_memstream(&list, &length)) == NULL)
        return (char *)text;
    for (size_t i = 0; nuce_platforms[i] != NULL; i++)
        (void)fprintf(stream, "  %-10s %s\n", nuce_platforms[i]->name, nuce_platforms[i]->summary);
    (void)fclose(stream);
    return list;
}

static int run(int argc, char **argv)
{
    struct argp_option options[ROWS + 1] = {{0}};
    struct argp argp = {.options = options,
                        .parser = parse,
                        .args_doc = "NAME",
                        .doc = "Writes a machine to standard output as a platform file for "
                               "SimGrid's smpirun.\v ",
                        .help_filter = list_platforms};
    struct params params = {0};
    struct nuce_error error = {0};
    nuce_status status;

    for (size_t i = 0; i < ROWS; i++)
        options[i] = (struct argp_option){
            .name = rows[i].name, .key = keys[i], .arg = rows[i].argument, .doc = rows[i].help};
    nuce_option_presets(rows, &params);
    (void)argp_parse(&argp, argc, argv, 0, NULL, &params);
    status = print(&params, &error);
    if (status != NUCE_OK)
        (void)fprintf(stderr, "nuce-model: %s\n", error.message);
    return nuce_exit_status(status);
}

const struct nuce_model_command nuce_model_platform_command = {
    .name = "platform",
    .summary = "a machine for SimGrid to run the kernels on, as a platform file",
    .run = run,
};
