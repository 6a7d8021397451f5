/* A whole capture: find the library, make a folder for the raw files, run, merge. If no rank left a
 * file, most of the code searches for the reason: no room, a program of another MPI library, no MPI
 * at all (refuse_silent, read_note).
 *
 * The raw files are in OUTPUT.parts, next to the result, so that all nodes see them if they see its
 * file system. They are removed when the capture is written. After a failure following the run they
 * stay, because the run may have taken hours; `nuce capture merge` can read them. */
#include "commands/capturing.h"
#include "commands/preload.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text.h"
#include "base/text_file.h"

char *nuce_capturing_make_parts(const char *output, struct nuce_error *error)
{
    char *parts = nuce_text_format("%s.parts", output), *whole;

    if (mkdir(parts, 0777) != 0) {
        (void)(errno == EEXIST
                   ? nuce_error_set(error, NUCE_BAD_INPUT,
                                    "%s exists: its run goes on or was stopped. Keep it by 'nuce "
                                    "capture merge %s', or remove it",
                                    parts, parts)
                   : nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", parts, strerror(errno)));
        free(parts);
        return NULL;
    }
    whole = realpath(parts, NULL);
    if (whole == NULL)
        nuce_error_set(error, NUCE_FAILED, "%s: %s", parts, strerror(errno));
    free(parts);
    return whole;
}

/* Removes only files that a recorder leaves; if there is any other file, the folder stays. */
void nuce_capturing_remove_parts(const char *folder)
{
    struct nuce_folder parts;
    struct nuce_error ignored;

    nuce_folder_read(&parts, &ignored, "%s", folder);
    for (int i = 0; i < parts.count; i++) {
        const char *name = parts.entries[i]->d_name;
        char *path = strcmp(name, NUCE_RAW_NOTE) == 0 || strcmp(name, NUCE_RAW_ROOM) == 0 ||
                             nuce_text_ends(name, NUCE_RAW_ENDING)
                         ? nuce_text_format("%s/%s", folder, name)
                         : NULL;

        if (path != NULL)
            unlink(path);
        free(path);
    }
    nuce_folder_fini(&parts);
    rmdir(folder);
}

/* The settings of the interposer (kernels/capture). */
#define FOLDER_VARIABLE "NUCE_CAPTURE_FOLDER"
#define YIELD_VARIABLE "NUCE_CAPTURE_YIELD"

/* The first line of a process's note under that name next to the raw files; a new string, NULL:
 * there is none. */
static char *note_of(const char *folder, const char *name)
{
    char *path = nuce_text_format("%s/%s", folder, name), *text = NULL;
    struct nuce_error ignored;

    if (access(path, R_OK) == 0 && nuce_text_read(path, &text, NULL, &ignored) == NUCE_OK)
        text[strcspn(text, "\n")] = '\0';
    free(path);
    return text;
}

/* True if any rank left a file. */
static int has_raw_file(const char *folder)
{
    struct nuce_folder parts;
    struct nuce_error ignored;
    int found = 0;

    nuce_folder_read(&parts, &ignored, "%s", folder);
    for (int i = 0; i < parts.count && !found; i++)
        found = strstr(parts.entries[i]->d_name, NUCE_RAW_ENDING) != NULL;
    nuce_folder_fini(&parts);
    return found;
}

nuce_status nuce_capturing_merge(const char *folder, const char *output,
                                 struct nuce_capture_merging merging, struct nuce_capture *out,
                                 struct nuce_error *error)
{
    struct nuce_capture capture = {0};

    if (nuce_capture_merge(folder, merging, &capture, error) != NUCE_OK)
        return error->status;
    if (nuce_capture_write(&capture, output, error) != NUCE_OK) {
        if (capture.counters[NUCE_RAW_FULL] > 0)
            nuce_error_prefix(error, "%lld records had no room",
                              (long long)capture.counters[NUCE_RAW_FULL]);
        nuce_capture_fini(&capture);
        return error->status;
    }
    *out = capture;
    return NUCE_OK;
}

/* No rank left a file or a reason. status: that of the run; if it is not 0, a program that was not
 * found may be the reason. */
static nuce_status refuse_silent(char *const *words, const struct nuce_target *target,
                                 const char *folder, int status, struct nuce_error *error)
{
    char *room = note_of(folder, NUCE_RAW_ROOM);
    int last = 0;

    if (room != NULL)
        nuce_error_set(error, NUCE_FAILED, "nothing was captured, the ranks had no room in %s: %s",
                       folder,
                       room[0] != '\0' ? room
                                       : "the limit of file sizes (ulimit -f) is too low, "
                                         "expected 64 KiB at least");
    free(room);
    if (room != NULL)
        return error->status;
    /* Some launchers return the number of the signal. */
    if (status == 128 + SIGXFSZ || status == SIGXFSZ)
        return nuce_error_set(
            error, NUCE_FAILED,
            "nothing was captured: the application was ended by the limit of file "
            "sizes (ulimit -f)");
    if (status != 0 && target->program == NULL && nuce_target_check(words, error) != NUCE_OK)
        return error->status;
    while (words[last + 1] != NULL)
        last++;
    if (target->program != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s left nothing: no process of it called MPI_Init, or the launcher "
                              "does not hand LD_PRELOAD on to its ranks",
                              target->program);
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "%s ... %s: no process called MPI_Init, or LD_PRELOAD did not reach it: "
                          "expected an application that is linked with the shared library of %s",
                          words[0], words[last], target->kind->title);
}

/* *status is valid only if *has_run is set. */
nuce_status nuce_capturing_take(char *const *words, const char *output,
                                struct nuce_capture_merging merging, int yields, int *has_run,
                                int *status, struct nuce_capture *out, struct nuce_error *error)
{
    struct nuce_target target;
    char *library, *folder = NULL;

    *has_run = 0;
    if (nuce_target_find(words, "capture", &target, error) != NUCE_OK)
        return error->status;
    library = nuce_preload_library("capture", target.kind);
    if (library == NULL)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "there is no interposer for %s here: nuce was built without its "
                       "headers (CMake says which it finds)",
                       target.kind->title);
    else
        folder = nuce_capturing_make_parts(output, error);
    if (folder == NULL) {
        free(library);
        return error->status;
    }
    if (nuce_preload_run(words, &target,
                         (struct nuce_preload_setting[]){{"LD_PRELOAD", library},
                                                         {FOLDER_VARIABLE, folder},
                                                         {YIELD_VARIABLE, yields ? "1" : "0"},
                                                         {NULL, NULL}},
                         folder, status, error) == NUCE_OK) {
        char *note = note_of(folder, NUCE_RAW_NOTE);

        *has_run = 1;
        if (note != NULL) {
            nuce_error_set(error, NUCE_BAD_INPUT, "%s", note);
            if (target.program == NULL && target.launcher < 0)
                nuce_error_prefix(error,
                                  "%s was taken for a script that starts %s: write 'nuce capture "
                                  "--' before the mpiexec in it",
                                  words[0], target.kind->title);
        } else {
            if (has_raw_file(folder)) {
                error->status = nuce_capturing_merge(folder, output, merging, out, error);
            } else {
                refuse_silent(words, &target, folder, *status, error);
                /* The launcher wrote to a rank that had ended already (SIGPIPE): not the
                 * application's status. */
                *has_run = *status != 128 + SIGPIPE;
            }
            if (error->status != NUCE_OK && has_raw_file(folder))
                nuce_error_prefix(error, "the raw files stay in %s", folder);
        }
        free(note);
    }
    if (error->status == NUCE_OK || !has_raw_file(folder))
        nuce_capturing_remove_parts(folder);
    free(library);
    free(folder);
    return error->status;
}
