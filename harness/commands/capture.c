/* nuce capture: what an application's ranks send each other, into a file. */
#include <stdio.h>
#include <string.h>

#include "capturing/take.h"
#include "capturing/tell.h"
#include "cli/cli.h"
#include "commands/subcommand.h"

struct capture_arguments {
    const char *words[2]; /* merge FOLDER; NULL: none */
    const char *output;
    int epochs;
};

static const struct nuce_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct capture_arguments, output),
     .preset = "nuce.capture",
     .argument = "FILE",
     .help = "the capture; one that is there is replaced"},
    {.name = "epochs",
     .letter = 'e',
     .type = NUCE_OPTION_FLAG,
     .offset = offsetof(struct capture_arguments, epochs),
     .help = "what each rank sends between two collective calls is one pattern, everywhere"},
    {.name = NULL},
};

static int capture_merge(const struct capture_arguments *arguments)
{
    struct nuce_capture capture = {0};
    struct nuce_error error;

    if (arguments->words[1] == NULL || strcmp(arguments->words[0], "merge") != 0) {
        (void)nuce_error_set(&error, NUCE_BAD_INPUT,
                             "capture: expected 'merge FOLDER', or '-- mpiexec -n 4 PROGRAM'");
        return nuce_message_error(&error);
    }
    if (nuce_capturing_merge(arguments->words[1], arguments->output, arguments->epochs, &capture,
                             &error) != NUCE_OK)
        return nuce_message_error(&error);
    (void)fprintf(stderr, "nuce: ");
    nuce_capturing_tell(&capture, arguments->output, stderr);
    nuce_capture_fini(&capture);
    return 0;
}

/* The status of the application; if that is 0, of the capture. */
static int capture_run(const struct capture_arguments *arguments, char **words)
{
    struct nuce_capture capture = {0};
    struct nuce_error error;
    int has_run, status = 0, own;

    if (nuce_capturing_take(words, arguments->output, arguments->epochs, &has_run, &status,
                            &capture, &error) == NUCE_OK) {
        (void)fprintf(stderr, "nuce: ");
        nuce_capturing_tell(&capture, arguments->output, stderr);
        nuce_capture_fini(&capture);
        return status;
    }
    own = nuce_message_error(&error);
    return has_run && status != 0 ? status : own;
}

static int capture_command(int argc, char **argv)
{
    struct capture_arguments arguments = {0};
    struct nuce_command_line line = {
        .about = "Runs an MPI application and writes what its ranks send each other to a file: "
                 "every message of every exchange, its pairs and bytes, how often and how long. "
                 "Behind '--' stands what starts it, such as mpiexec -n 4 PROGRAM, or srun. Then "
                 "'nuce show FILE'. 'merge FOLDER' makes the file of the raw files that a capture "
                 "that was killed left.",
        .after = "The application's output and exit status are its own; the summary is on stderr. "
                 "Exit status 2: nothing was captured.",
        .operands = {.usage = "[merge FOLDER] [-- COMMAND...]",
                     .least = 0,
                     .most = 2,
                     .expected = "merge FOLDER, or a command behind --",
                     .into = arguments.words},
        .groups = {{.rows = options, .params = &arguments}},
    };
    int own = nuce_cli_own(argc, argv);

    nuce_command_line_parse(&line, own, argv);
    if (own + 1 < argc && arguments.words[0] == NULL)
        return capture_run(&arguments, argv + own + 1);
    return capture_merge(&arguments);
}

const struct nuce_subcommand nuce_subcommand_capture = {
    .name = "capture",
    .summary = "capture what an MPI application sends",
    .run = capture_command,
};
