/* A whole capture: which library, a folder for the raw files, the run, the merge. Where nothing was
 * left by any rank, most of the code is about finding out why: no room, a program of another MPI
 * library, none at all (refuse_silent, read_note).
 *
 * The raw files lie in OUTPUT.parts, beside the file that is made of them, so on a file system that
 * all nodes see if that is one. They are removed when the capture is written; if anything fails
 * behind the run they stay, since the run may have taken hours, and `nuce capture merge` can be
 * called on them. */
#include "commands/capture_session.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text.h"
#include "base/text_file.h"
#include "commands/capture_run.h"

char *nuce_capturing_make_parts(const char *output, struct nuce_error *error)
{
    char *parts = nuce_text_format("%s.parts", output), *whole;

    if (mkdir(parts, 0777) != 0) {
        (void)(errno == EEXIST
                   ? nuce_error_set(error, NUCE_BAD_INPUT,
                                    "%s is there: of a run that goes on, or was stopped: 'nuce "
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

/* Only files that a recorder leaves; if there is anything else the folder stays. */
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

/* What a process said of why it was not captured: NUCE_BAD_INPUT with its words, NUCE_OK: none
 * did. */
static nuce_status read_note(const char *folder, struct nuce_error *error)
{
    char *path = nuce_text_format("%s/" NUCE_RAW_NOTE, folder), *text;

    error->status = NUCE_OK;
    if (access(path, R_OK) == 0 && nuce_text_read(path, &text, NULL, error) == NUCE_OK) {
        text[strcspn(text, "\n")] = '\0';
        nuce_error_set(error, NUCE_BAD_INPUT, "%s", text);
        free(text);
    }
    free(path);
    return error->status;
}

/* Whether any rank left anything. */
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
            nuce_error_prefix(error, "%lld records found no room",
                              (long long)capture.counters[NUCE_RAW_FULL]);
        nuce_capture_fini(&capture);
        return error->status;
    }
    *out = capture;
    return NUCE_OK;
}

/* Whether a rank said that it found no room for its file: then that is the error. */
static int refuse_room(const char *folder, struct nuce_error *error)
{
    char *path = nuce_text_format("%s/" NUCE_RAW_ROOM, folder), *text = NULL;
    int is_there = access(path, F_OK) == 0;

    if (is_there && nuce_text_read(path, &text, NULL, error) == NUCE_OK) {
        text[strcspn(text, "\n")] = '\0';
        nuce_error_set(error, NUCE_FAILED,
                       "nothing was captured, the ranks found no room in %s: %s", folder,
                       text[0] != '\0' ? text
                                       : "the limit of file sizes (ulimit -f) is too low, "
                                         "expected 64 KiB at least");
    }
    free(text);
    free(path);
    return is_there;
}

/* No rank left anything and none said why. status: of what ran; where that is not 0 a program that
 * was not found may be the reason. */
static nuce_status refuse_silent(char *const *words, const struct nuce_target *target,
                                 const char *folder, int status, struct nuce_error *error)
{
    int last = 0;

    if (refuse_room(folder, error))
        return error->status;
    /* Some launchers hand on the number of the signal. */
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

/* *status means something only where *has_run is set. */
nuce_status nuce_capturing_take(char *const *words, const char *output,
                                struct nuce_capturing_way way, int *has_run, int *status,
                                struct nuce_capture *out, struct nuce_error *error)
{
    struct nuce_target target;
    char *library, *folder = NULL;

    *has_run = 0;
    if (nuce_target_find(words, &target, error) != NUCE_OK)
        return error->status;
    library = nuce_capturing_library(target.kind, error);
    if (library != NULL)
        folder = nuce_capturing_make_parts(output, error);
    if (folder == NULL) {
        free(library);
        return error->status;
    }
    if (nuce_capturing_run(words, &target, library, folder, way.yields, status, error) == NUCE_OK) {
        *has_run = 1;
        if (read_note(folder, error) != NUCE_OK) {
            if (target.program == NULL && target.launcher < 0)
                nuce_error_prefix(error,
                                  "%s was taken for one that starts %s: write 'nuce capture "
                                  "--' before the mpiexec in it",
                                  words[0], target.kind->title);
        } else {
            if (has_raw_file(folder)) {
                nuce_capturing_merge(folder, output, way.merging, out, error);
            } else {
                refuse_silent(words, &target, folder, *status, error);
                /* A launcher that fed a rank which had ended already (SIGPIPE): not its status. */
                *has_run = *status != 128 + SIGPIPE;
            }
            if (error->status != NUCE_OK && has_raw_file(folder))
                nuce_error_prefix(error, "the raw files stay in %s", folder);
        }
    }
    if (error->status == NUCE_OK || !has_raw_file(folder))
        nuce_capturing_remove_parts(folder);
    free(library);
    free(folder);
    return error->status;
}
