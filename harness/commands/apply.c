/* nuce apply: runs an application with the library in front of it that makes its calls under the
 * schedules of a tuning file (kernels/library). The file is checked before anything starts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "campaigns/cli.h"
#include "campaigns/profile.h"
#include "commands/preload.h"
#include "commands/subcommand.h"
#include "schedules/tuning_file.h"

struct apply_arguments {
    const char *tuning, *used;
};

static const struct nuce_option options[] = {
    NUCE_OPTION(TEXT, "tuning", offsetof(struct apply_arguments, tuning), "nuce.tuning", "FILE",
                "tuning file, as 'nuce advise --write FILE' makes it"),
    NUCE_OPTION(TEXT, "used", offsetof(struct apply_arguments, used), NULL, "FILE",
                "tuning file that gets the rules by which calls were replaced", .letter = 'u'),
    {.name = NULL},
};

/* A new file beside the tuning file, which ranks must see anyway; NULL: it cannot be made. */
static char *make_mark(const char *path)
{
    char *mark = nuce_text_format("%s.XXXXXX", path);
    int file = mkstemp(mark);

    if (file < 0) {
        free(mark);
        return NULL;
    }
    close(file);
    return mark;
}

/* Empties the file that ranks add to, unless it is the tuning file. */
static nuce_status make_used(const char *path, const char *tuning, struct nuce_error *error)
{
    struct stat old, of_tuning;
    FILE *used;

    if (stat(path, &old) == 0 && stat(tuning, &of_tuning) == 0 && old.st_dev == of_tuning.st_dev &&
        old.st_ino == of_tuning.st_ino)
        return nuce_error_refuse(error, "used", "%s: expected another file than the tuning file",
                                 path);
    used = fopen(path, "w");
    if (used == NULL || fclose(used) != 0)
        return nuce_error_refuse(error, "used", "%s: %s", path, strerror(errno));
    return NUCE_OK;
}

/* The exit status is that of the application. */
static nuce_status apply_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    const struct apply_arguments *arguments = call->arguments;
    struct nuce_tuning_file file = {0};
    struct nuce_target target;
    char *library = NULL, *path = NULL, *used = NULL, *folder, *mark;

    if (call->behind[0] == NULL || call->count > 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "apply: expected '-- mpiexec -n 4 PROGRAM' behind the options");
    if (nuce_tuning_file_read(arguments->tuning, &file, error) != NUCE_OK)
        return error->status;
    nuce_tuning_file_fini(&file);
    if (nuce_target_find(call->behind, "apply", &target, error) != NUCE_OK)
        return error->status;
    library = nuce_preload_library("apply", target.kind);
    if (library == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "schedules for %s need a build of nuce for it, optimised or for "
                              "debugging, without sanitizers",
                              target.kind->title);
    path = realpath(arguments->tuning, NULL);
    folder = realpath(".", NULL); /* the ranks may have another */
    NUCE_ASSERT(path != NULL && folder != NULL);
    if (arguments->used != NULL)
        used = nuce_profile_path(folder, arguments->used);
    mark = make_mark(path);
    error->status = used != NULL ? make_used(used, path, error) : NUCE_OK;
    if (error->status == NUCE_OK)
        error->status = nuce_preload_run(
            call->behind, &target,
            (struct nuce_preload_setting[]){{"LD_PRELOAD", library},
                                            {"NUCE_TUNING", path},
                                            {"NUCE_TUNING_MARK", mark != NULL ? mark : ""},
                                            {used != NULL ? "NUCE_TUNING_USED" : NULL, used},
                                            {NULL, NULL}},
            NULL, &call->ended, error);
    if (mark != NULL && unlink(mark) == 0 && error->status == NUCE_OK)
        fputs("nuce: no process was seen to call MPI_Init with nuce in front of it: unless a table "
              "of calls stands above, nothing was replaced (a launcher or module may drop "
              "LD_PRELOAD)\n",
              stderr);
    free(mark);
    free(library);
    free(path);
    free(folder);
    free(used);
    return error->status;
}

const struct nuce_subcommand nuce_subcommand_apply = {
    .name = "apply",
    .summary = "run an MPI application under the schedules of a tuning file",
    .about =
        "Runs an MPI application unchanged. Its calls of MPI_Alltoallv, MPI_Alltoallw and their "
        "forms for neighbours go by the schedules that the tuning file has for them; all "
        "others go to the MPI library. Nonblocking and persistent forms stay the library's. "
        "The command that starts the application follows '--', such as mpiexec -n 4 PROGRAM, "
        "or srun.",
    .after = "The application's output and exit status are its own. At its end rank 0 prints on "
             "stderr how many calls were replaced, why others were not, and the time saved by the "
             "tuning file's own numbers. A tuning file of another machine or MPI library replaces "
             "nothing. Exit status 2: nothing was started.",
    .examples = NUCE_EXAMPLES({"nuce apply --tuning app.tuning -- mpiexec -n 8 ./app",
                               "run ./app under the advice in app.tuning"},
                              {"nuce apply -- srun -n 64 ./app",
                               "the same in an allocation, by nuce.tuning in this folder"}),
    .operands = {.usage = "-- COMMAND...",
                 .least = 0,
                 .most = -1,
                 .expected = "a command behind --"},
    .options = options,
    .arguments_bytes = sizeof(struct apply_arguments),
    .passes = 1,
    .run = apply_command,
};
