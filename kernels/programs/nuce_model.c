/* nuce-model: the same points by the papers' cost models, without MPI. */
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "programs/model_command.h"

#define X(name) extern const struct nuce_model_command nuce_model_##name##_command;
#include "programs/models.def"
#undef X

#define X(name) &nuce_model_##name##_command,
static const struct nuce_model_command *const commands[] = {
#include "programs/models.def"
    NULL,
};
#undef X

static void print_help(FILE *file)
{
    fprintf(file, "Usage: nuce-model MODEL [OPTION...]\n\n"
                  "Predicts points by the papers' cost models, without MPI.\n\n");
    fputs("Models:\n", file);
    for (int i = 0; commands[i] != NULL; i++)
        fprintf(file, "  %-14s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(file, "\n'nuce-model MODEL --help' shows its options.\n\n");
    nuce_command_line_print_examples(
        NUCE_EXAMPLES({"nuce-model schedule --schedule ac,lp --pattern uniform --ranks 32",
                       "predict two schedules of a random pattern"},
                      {"nuce-model arrays --decomposition rb2,xy2 --rows 1K --columns 2K \\\n    "
                       "--weights 4,2,1,1",
                       "cut an array for four processors of different speeds"}),
        file);
}

int main(int argc, char **argv)
{
    char name[64];

    signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error with a message */
    argp_program_version = "nuce-model " NUCE_VERSION;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
                     strcmp(argv[1], "-?") == 0)) {
        print_help(stdout);
        return 0;
    }
    if (argc > 1 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
        printf("%s\n", argp_program_version);
        return 0;
    }
    for (int i = 0; argc > 1 && commands[i] != NULL; i++) {
        if (strcmp(argv[1], commands[i]->name) != 0)
            continue;
        snprintf(name, sizeof name, "nuce-model %s", commands[i]->name);
        argv[1] = name;
        return commands[i]->run(argc - 1, argv + 1);
    }
    if (argc > 1)
        fprintf(stderr, "nuce-model: '%s': unknown model\n", argv[1]);
    print_help(stderr);
    return nuce_error_exit_status(NUCE_BAD_INPUT);
}
