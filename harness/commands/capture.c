/* nuce capture: records the messages between an application's ranks in a file. There are three
 * ways: running the application with the recorder preloaded (commands/capturing.h), merging raw
 * files of an earlier run, and importing files of other tools (commands/capturing.h).
 *
 * The application's output and exit status are its own. So nuce prints to stderr here, and its own
 * failure counts only if the application succeeded. */
#include <stdio.h>
#include <string.h>

#include "base/int.h"
#include "campaigns/cli.h"
#include "commands/capturing.h"
#include "commands/subcommand.h"

struct capture_arguments {
    /* from: a format of capture_import.c; NULL: recognised by the first file */
    const char *output, *from;
    int epochs, yields, trace; /* --epochs, --yield, --trace */
    /* For an import: 0: the number of ranks in the files; unit in bytes. */
    int64_t ranks, unit;
};

static const struct nuce_option options[] = {
    NUCE_OPTION(TEXT, "output", offsetof(struct capture_arguments, output), "nuce.capture", "FILE",
                "file of the capture; an older one is replaced", .letter = 'o'),
    NUCE_OPTION(FLAG, "epochs", offsetof(struct capture_arguments, epochs), NULL, NULL,
                "one pattern for everything that ranks send between two collective calls"),
    NUCE_OPTION(FLAG, "trace", offsetof(struct capture_arguments, trace), NULL, NULL,
                "times of each rank in each call too, for 'nuce show --trace'; the file grows with "
                "the calls"),
    NUCE_OPTION(FLAG, "yield", offsetof(struct capture_arguments, yields), NULL, NULL,
                "processor yielded in MPI_Wait and similar calls, for more ranks than processors",
                .letter = 'y'),
    NUCE_OPTION(
        TEXT, "from", offsetof(struct capture_arguments, from), NULL, "FORMAT",
        "format of imported files: calls, csv, dumpi or otf2; default: that of the first file"),
    NUCE_OPTION(BYTES, "unit", offsetof(struct capture_arguments, unit), "1B", "BYTES",
                "bytes of a number without a unit in an imported csv file", .minimum = 1),
    NUCE_OPTION(COUNT, "ranks", offsetof(struct capture_arguments, ranks), "0", "P",
                "number of ranks of an import; 0: as many as the files name"),
    {.name = NULL},
};

enum { RUN = 1, MERGE = 2, IMPORT = 4 };

/* Refuses options without effect in this form of the command: they were meant for another. */
static nuce_status refuse_idle(const struct capture_arguments *arguments, int form,
                               struct nuce_error *error)
{
    const struct {
        const char *name, *place;
        int is_given, forms;
    } options_of[] = {
        {"trace", "a run, or for 'merge FOLDER'", arguments->trace, RUN | MERGE},
        {"yield", "a run", arguments->yields, RUN},
        {"from", "'import FILE...'", arguments->from != NULL, IMPORT},
        {"unit", "'import FILE...'", arguments->unit != 1, IMPORT},
        {"ranks", "'import FILE...'", arguments->ranks != 0, IMPORT},
    };

    for (size_t i = 0; i < sizeof options_of / sizeof *options_of; i++) {
        if (options_of[i].is_given && (options_of[i].forms & form) == 0)
            return nuce_error_refuse(error, options_of[i].name, "only for %s", options_of[i].place);
    }
    return NUCE_OK;
}

/* Handles everything except running an application. Fills *capture, which the caller frees, and
 * writes the file. */
static nuce_status capture_read(const struct nuce_subcommand_call *call,
                                struct nuce_capture_merging merging, struct nuce_capture *capture,
                                struct nuce_error *error)
{
    const struct capture_arguments *arguments = call->arguments;
    /* Words after -- belong to a command, and these forms have none. */
    char **words = call->is_cut || call->count == 0 ? (char *[]){NULL} : call->texts;
    int is_merge = words[0] != NULL && strcmp(words[0], "merge") == 0;
    int is_import = words[0] != NULL && strcmp(words[0], "import") == 0;

    if (is_merge && words[1] != NULL && words[2] == NULL)
        return refuse_idle(arguments, MERGE, error) != NUCE_OK
                   ? error->status
                   : nuce_capturing_merge(words[1], arguments->output, merging, capture, error);
    if (is_import && words[1] != NULL) {
        if (refuse_idle(arguments, IMPORT, error) != NUCE_OK)
            return error->status;
        if (arguments->ranks < 0 || arguments->ranks > NUCE_PATTERN_MAX_RANKS)
            return nuce_error_refuse(error, "ranks", "'%lld': expected 0 to %d",
                                     (long long)arguments->ranks, NUCE_PATTERN_MAX_RANKS);
        return nuce_capturing_bring(words + 1, arguments->from, nuce_int(arguments->ranks),
                                    arguments->unit, merging.epochs, arguments->output, capture,
                                    error);
    }
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "capture: expected 'merge FOLDER', 'import FILE...', or '-- mpiexec -n 4 "
                          "PROGRAM'");
}

/* The position of `--` selects one of the three ways: a command after it and nothing in front is a
 * run, all else is about files. A summary of the capture goes to stderr. The status is that of the
 * application; if that is 0, of the capture. */
static nuce_status capture_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    const struct capture_arguments *arguments = call->arguments;
    const struct nuce_capture_merging merging = {.epochs = arguments->epochs,
                                                 .stamps = arguments->trace};
    int is_run = call->behind[0] != NULL && call->count == 0, has_run = 0;
    struct nuce_capture capture = {0};

    if (is_run && refuse_idle(arguments, RUN, error) != NUCE_OK)
        return error->status;
    error->status =
        is_run ? nuce_capturing_take(call->behind, arguments->output, merging, arguments->yields,
                                     &has_run, &call->ended, &capture, error)
               : capture_read(call, merging, &capture, error);
    if (error->status != NUCE_OK) {
        if (!has_run || call->ended == 0)
            return error->status;
        nuce_message_error(error);
        return NUCE_OK;
    }
    fprintf(stderr, "nuce: ");
    nuce_capturing_tell(&capture, arguments->output, stderr);
    nuce_capture_fini(&capture);
    return NUCE_OK;
}

const struct nuce_subcommand nuce_subcommand_capture = {
    .name = "capture",
    .summary = "capture the messages of an MPI application, or import them",
    .about = "Runs an MPI application and records the messages of its ranks in a file: pairs, "
             "bytes, numbers and times of all exchanges. The command that starts it follows '--', "
             "such as mpiexec -n 4 PROGRAM, or srun. Then 'nuce show FILE'. 'merge FOLDER' makes "
             "the file from the raw files of a killed capture. 'import FILE...' makes it from "
             "calls as text, traffic matrices, or output of dumpi2ascii and otf2-print.",
    .after = "The application's output and exit status are its own; the summary is on stderr. "
             "Exit status 2: nothing was captured.",
    .examples = NUCE_EXAMPLES(
        {"nuce capture -- mpiexec -n 4 ./app", "record the messages of ./app in nuce.capture"},
        {"nuce capture import matrix.csv --output app.capture",
         "make a capture of a traffic matrix"}),
    .operands = {.usage = "[merge FOLDER | import FILE...] [-- COMMAND...]",
                 .least = 0,
                 .most = -1,
                 .expected = "merge FOLDER, import FILE..., or a command behind --"},
    .options = options,
    .arguments_bytes = sizeof(struct capture_arguments),
    .passes = 1,
    .run = capture_command,
};
