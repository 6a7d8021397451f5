/* nuce: the driver. Finds the subcommand and calls it; each is a file of its own, whose struct is
 * named by a row of subcommands.def. It knows no subcommand by name, and does not parse the words
 * after it. Its only other task is to set the signals for all of them. */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/command_line.h"
#include "base/text.h"
#include "campaigns/cli.h"
#include "commands/subcommand.h"

#define X(name) extern const struct nuce_subcommand nuce_subcommand_##name;
#include "commands/subcommands.def"
#undef X

#define X(name) &nuce_subcommand_##name,
/* In the order of subcommands.def, which is that of --help; NULL-ended. */
const struct nuce_subcommand *const nuce_subcommands[] = {
#include "commands/subcommands.def"
    NULL};
#undef X

/* Size of the list of names for a misspelt one; checked. */
#define MOST_SUBCOMMANDS 32

/* The list of subcommands at the end of --help, from their table. */
static void list_subcommands(FILE *file)
{
    fputs("Subcommands:\n", file);
    for (int i = 0; nuce_subcommands[i] != NULL; i++)
        fprintf(file, "  %-10s %s\n", nuce_subcommands[i]->name, nuce_subcommands[i]->summary);
    fputs("\n'nuce SUBCOMMAND --help' says more. Exit status: 0 done, 1 failed, 2 bad input "
          "or usage, 3 inconclusive (compare, race, advise), 75 interrupted: resume.\n",
          file);
}

/* Returns the subcommand's exit status. Its argp shows argv[0] in its messages: "nuce NAME". A
 * usage error ends nuce. At the end stdout is flushed, because a full disk must not look like
 * success. A reader that stops early ('nuce show ... | head') is not a failure, but has a status of
 * its own. */
static int run_subcommand(const struct nuce_subcommand *subcommand, int argc, char **argv)
{
    struct nuce_error error;
    char *first = argv[0], *name = nuce_text_format("nuce %s", subcommand->name);
    struct nuce_subcommand_call call = {.arguments = nuce_allocate(1, subcommand->arguments_bytes)};
    struct nuce_command_line line = {
        .about = subcommand->about,
        .after = subcommand->after,
        .examples = subcommand->examples,
        .operands = subcommand->operands,
        .groups = {{.rows = subcommand->options, .params = call.arguments},
                   {.rows = subcommand->more, .params = call.arguments}},
    };
    int own = 1, fails_as = subcommand->fails_as;

    /* If the subcommand passes words on, its own end at the first "--". */
    while (own < argc && !(subcommand->passes && strcmp(argv[own], "--") == 0))
        own++;
    argv[0] = name;
    if (line.operands.most > 0)
        line.operands.into = (void *)((char *)call.arguments + subcommand->operand);
    nuce_command_line_parse(&line, own, argv);
    call.texts = line.operands.texts;
    call.count = line.operands.count;
    call.is_cut = own < argc;
    call.behind = argv + own + call.is_cut;
    error.status = subcommand->run(&call, &error);
    argv[0] = first;
    if (error.status != NUCE_OK) {
        call.ended = nuce_message_error(&error);
        if (fails_as != 0 && call.ended != NUCE_EXIT_PIPE)
            call.ended = fails_as;
    }
    free(call.arguments);
    free(name);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return call.ended;
    if (nuce_message_pipe_broke())
        return NUCE_EXIT_PIPE;
    fprintf(stderr, "nuce: cannot write the results: %s\n", strerror(errno));
    return fails_as != 0 ? fails_as : call.ended != 0 ? call.ended : 1;
}

/* Options before the subcommand are nuce's own (--help, --version); the subcommand handles all
 * words after it, including its own --help. */
int main(int argc, char **argv)
{
    struct nuce_command_line line = {
        .about = "Plans and runs benchmarks for nonuniform computational environments, collects "
                 "their records and draws tables and figures.",
        .list = list_subcommands,
        .examples = NUCE_EXAMPLES(
            {"nuce run quick", "run a shipped sweep on this machine, in about a minute"},
            {"nuce show quick", "show its ratios, the fastest contenders and the noise"}),
        .operands = {.usage = "SUBCOMMAND [ARGUMENT...]",
                     .least = 1,
                     .most = 1,
                     .expected = "a SUBCOMMAND"}};
    const char *names[MOST_SUBCOMMANDS], *nearest;
    size_t count = 0;
    int own = 1;

    /* argp's own variable, which --version of every subcommand also prints. */
    argp_program_version = "nuce " NUCE_VERSION;
    /* A reader that ends (nuce run | head) stops only the output, not the work. */
    signal(SIGPIPE, SIG_IGN);
    /* A file size limit (ulimit -f) causes an error with a message, as a full disk does. */
    signal(SIGXFSZ, SIG_IGN);
    /* The subcommand parses the words after it. */
    while (own < argc && argv[own][0] == '-')
        own++;
    nuce_command_line_parse(&line, own < argc ? own + 1 : argc, argv);
    for (; nuce_subcommands[count] != NULL; count++) {
        NUCE_ASSERT(count < MOST_SUBCOMMANDS);
        if (strcmp(nuce_subcommands[count]->name, argv[own]) == 0)
            return run_subcommand(nuce_subcommands[count], argc - own, argv + own);
        names[count] = nuce_subcommands[count]->name;
    }
    nearest = nuce_text_nearest(argv[own], names, count);
    fprintf(stderr, "nuce: unknown subcommand '%s'%s%s%s (see 'nuce --help')\n", argv[own],
            nearest != NULL ? " (did you mean '" : "", nearest != NULL ? nearest : "",
            nearest != NULL ? "'?)" : "");
    return 2;
}
