/* nuce: the driver. Finds the subcommand and hands over; each is a file of its own. */
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "commands/subcommand.h"
#include "support/help.h"
#include "support/text.h"

#define X(name) extern const struct nuce_subcommand nuce_subcommand_##name;
#include "commands/subcommands.def"
#undef X

#define X(name) &nuce_subcommand_##name,
const struct nuce_subcommand *const nuce_subcommands[] = {
#include "commands/subcommands.def"
    NULL};
#undef X

#define MOST_SUBCOMMANDS 32

struct arguments {
    const char *name;
    int rest; /* index in argv of the subcommand */
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        arguments->name = value;
        arguments->rest = state->next - 1;
        state->next = state->argc; /* the subcommand parses what follows it */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_state_help(state, stderr, ARGP_HELP_STD_ERR);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The list of subcommands at the end of --help, from their table. */
static char *list_subcommands(int key, const char *text, void *input)
{
    size_t size = 0;
    char *list = NULL;
    FILE *stream;

    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    stream = open_memstream(&list, &size);
    if (stream == NULL)
        return (char *)text;
    (void)fputs("Subcommands:\n", stream);
    for (int i = 0; nuce_subcommands[i] != NULL; i++)
        (void)fprintf(stream, "  %-10s %s\n", nuce_subcommands[i]->name,
                      nuce_subcommands[i]->summary);
    (void)fputs("\n'nuce SUBCOMMAND --help' says more. Exit status: 0 done, 1 failed, 2 bad input "
                "or usage, 75 interrupted: resume.\n",
                stream);
    return fclose(stream) == 0 ? list : (char *)text;
}

static const struct nuce_subcommand *find_subcommand(const char *name)
{
    const char *names[MOST_SUBCOMMANDS], *nearest;
    size_t count = 0;

    for (; nuce_subcommands[count] != NULL; count++) {
        NUCE_ASSERT(count < MOST_SUBCOMMANDS);
        if (strcmp(nuce_subcommands[count]->name, name) == 0)
            return nuce_subcommands[count];
        names[count] = nuce_subcommands[count]->name;
    }
    nearest = nuce_text_nearest(name, names, count);
    (void)fprintf(stderr, "nuce: unknown subcommand '%s'%s%s%s (see 'nuce --help')\n", name,
                  nearest != NULL ? " (did you mean '" : "", nearest != NULL ? nearest : "",
                  nearest != NULL ? "'?)" : "");
    return NULL;
}

/* The subcommand's argp shows argv[0] in its messages: "nuce NAME". */
static int run_subcommand(const struct nuce_subcommand *subcommand, int argc, char **argv)
{
    struct nuce_error error;
    char *own = argv[0], *name = nuce_text_format(&error, "nuce %s", subcommand->name);
    int status;

    if (name == NULL)
        return nuce_message_error(&error);
    argv[0] = name;
    status = subcommand->run(argc, argv);
    argv[0] = own;
    free(name);
    return status;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        NULL,
        parse,
        "SUBCOMMAND [ARGUMENT...]",
        "Plans and runs benchmarks for nonuniform computational environments, collects their "
        "records and draws tables and figures.\v ",
        NULL,
        list_subcommands,
        NULL};
    struct arguments arguments = {NULL, 0};
    const struct nuce_subcommand *subcommand;

    argp_program_version = "nuce " NUCE_VERSION;
    argp_err_exit_status = 2;
    nuce_help_expand(argc, argv);
    /* A reader that goes away (nuce run | head) ends what writes for it, not what else is done. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &arguments);
    subcommand = find_subcommand(arguments.name);
    if (subcommand == NULL)
        return 2;
    return run_subcommand(subcommand, argc - arguments.rest, argv + arguments.rest);
}
