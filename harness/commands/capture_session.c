/* A whole capture: which library, a folder for the raw files, the run, the merge. Where nothing was
 * left by any rank, most of the code is about finding out why: no room, a program of another MPI
 * library, none at all (refuse_silent, read_note).
 *
 * The raw files lie in OUTPUT.parts, beside the file that is made of them, so on a file system that
 * all nodes see if that is one. They are removed when the capture is written; if anything fails
 * behind the run they stay, since the run may have taken hours, and `nuce capture merge` can be
 * called on them. */
#include "commands/capturing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/folder.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/builds.h"
#include "campaigns/process.h"
#include "campaigns/start.h"

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

/* The first line of what a process left under that name beside the raw files; a new string, NULL:
 * none did. */
static char *note_of(const char *folder, const char *name)
{
    char *path = nuce_text_format("%s/%s", folder, name), *text = NULL;
    struct nuce_error ignored;

    if (access(path, R_OK) == 0 && nuce_text_read(path, &text, NULL, &ignored) == NUCE_OK)
        text[strcspn(text, "\n")] = '\0';
    free(path);
    return text;
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

/* No rank left anything and none said why. status: of what ran; where that is not 0 a program that
 * was not found may be the reason. */
static nuce_status refuse_silent(char *const *words, const struct nuce_target *target,
                                 const char *folder, int status, struct nuce_error *error)
{
    char *room = note_of(folder, NUCE_RAW_ROOM);
    int last = 0;

    if (room != NULL)
        nuce_error_set(error, NUCE_FAILED,
                       "nothing was captured, the ranks found no room in %s: %s", folder,
                       room[0] != '\0' ? room
                                       : "the limit of file sizes (ulimit -f) is too low, "
                                         "expected 64 KiB at least");
    free(room);
    if (room != NULL)
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

/* The application is started as a shell would start it, in the foreground, so that its terminal and
 * its signals are its own. The variables go to the launcher, which hands them on: MPICH's to all
 * ranks, Open MPI's to those on other nodes where it is told so, srun to all. */

/* After this long without a rank the user is told, seconds. */
#define SILENT_S 30

/* How long ranks may take to follow a launcher that a signal ended. */
#define GRACE_MS 3000

#define FOLDER_VARIABLE "NUCE_CAPTURE_FOLDER"
#define YIELD_VARIABLE "NUCE_CAPTURE_YIELD"

/* What the interposer is told by (kernels/capture), and what an Open MPI launcher must be told to
 * hand on. */
static const char *const variables[] = {"LD_PRELOAD", FOLDER_VARIABLE, YIELD_VARIABLE};
enum { VARIABLES = sizeof variables / sizeof *variables };

/* Waits for the end of the child; signals that somebody sent (si_code <= 0) go on to it, those of
 * the terminal it gets itself, being in the foreground. Returns what a shell would say: the exit
 * status, or 128 and the signal. A child that was only stopped is waited for on. */
static int capturing_wait(pid_t child, const sigset_t *set, const char *program, const char *folder)
{
    const char *advice = nuce_start_advice(getenv("SLURM_STEP_ID") != NULL);
    int status = 0, silent = 0;

    for (double begin_s = nuce_clock();;) {
        const struct timespec second = {.tv_sec = 1};
        siginfo_t info;
        int number = sigtimedwait(set, &info, &second);

        /* Said once, as it may be so for ever; how long an application may take until it calls
         * MPI_Init is its own affair. */
        if (!silent && nuce_clock() - begin_s > SILENT_S) {
            struct nuce_error ignored;
            struct nuce_folder parts;

            if (nuce_folder_read(&parts, &ignored, "%s", folder) == NUCE_OK && parts.count == 0)
                fprintf(stderr,
                        "nuce: no rank of %s has called MPI_Init in %d s; waiting on (Ctrl-C ends "
                        "it)%s%s\n",
                        program, SILENT_S, *advice != '\0' ? "; " : "", advice);
            nuce_folder_fini(&parts);
            silent = 1;
        }
        if (number > 0 && number != SIGCHLD && info.si_code <= 0)
            kill(child, number);
        if (number == SIGCHLD && waitpid(child, &status, WNOHANG) == child)
            break;
    }
    /* Of a launcher that a signal ended the ranks may live on, in sessions of their own. */
    if (WIFSIGNALED(status))
        nuce_process_reap(GRACE_MS);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* In the child, with the signals as the user had them. Setting variables takes memory, which is
 * allowed here as nuce has no threads. What failed goes to the parent as an errno by the pipe
 * `report`, which exec closes. */
static _Noreturn void become(char *const *words, const char *library, const char *folder,
                             int yields, const sigset_t *before, int report)
{
    const char *loaded = getenv("LD_PRELOAD");
    int reason;

    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, before, NULL);
    /* The library in front of what is loaded already. 126 is what a shell says of a program that
     * cannot be run. */
    if (loaded != NULL && *loaded != '\0')
        library = nuce_text_format("%s:%s", library, loaded);
    if (setenv("LD_PRELOAD", library, 1) != 0 || setenv(FOLDER_VARIABLE, folder, 1) != 0 ||
        setenv(YIELD_VARIABLE, yields ? "1" : "0", 1) != 0)
        _exit(126);
    execvp(words[0], words);
    reason = errno;
    (void)!write(report, &reason, sizeof reason);
    _exit(127);
}

/* The words, and behind the launcher the variables that it is to hand on where it must be told, are
 * what is run. Signals are blocked before the child is there, so that none is lost until
 * capturing_wait looks for them. exec closes the pipe: reading it then ends with nothing, and else
 * has the errno. */
static nuce_status capturing_run(char *const *words, const struct nuce_target *target,
                                 const char *library, const char *folder, int yields, int *status,
                                 struct nuce_error *error)
{
    /* Those that would end nuce while the application goes on. */
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGQUIT, SIGCHLD};
    char **all;
    int report[2], reason = 0, count = 0, at = 0;
    sigset_t set, before;
    pid_t child;

    while (words[count] != NULL)
        count++;
    all = nuce_allocate((int64_t)count + 2 * VARIABLES + 1, sizeof *all);
    for (int i = 0; i < count; i++) {
        all[at++] = words[i];
        for (int k = 0; k < VARIABLES && i == target->launcher && target->kind->exports != NULL;
             k++) {
            all[at++] = (char *)target->kind->exports;
            all[at++] = (char *)variables[k];
        }
    }
    error->status = NUCE_OK;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&set, numbers[i]);
    if (pipe2(report, O_CLOEXEC) != 0) {
        free(all);
        return nuce_error_set(error, NUCE_FAILED, "cannot start %s: %s", words[0], strerror(errno));
    }
    sigprocmask(SIG_BLOCK, &set, &before);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    child = fork();
    if (child == 0)
        become(all, library, folder, yields, &before, report[1]);
    close(report[1]);
    if (child < 0)
        reason = errno;
    else if (read(report[0], &reason, sizeof reason) > 0)
        waitpid(child, NULL, 0);
    close(report[0]);
    if (reason != 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "cannot start %s: %s", words[0], strerror(reason));
    else
        *status = capturing_wait(child, &set, words[0], folder);
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(all);
    return error->status;
}

/* *status means something only where *has_run is set. */
nuce_status nuce_capturing_take(char *const *words, const char *output,
                                struct nuce_capture_merging merging, int yields, int *has_run,
                                int *status, struct nuce_capture *out, struct nuce_error *error)
{
    struct nuce_target target;
    struct nuce_build *builds;
    char *library = NULL, *folder = NULL;
    int64_t count;

    *has_run = 0;
    if (nuce_target_find(words, &target, error) != NUCE_OK ||
        nuce_builds_list(NULL, &builds, &count, error) != NUCE_OK)
        return error->status;
    for (int64_t i = 0; i < count && library == NULL; i++) {
        library = nuce_text_format("%s/../libexec/nuce/capture/libnuce_capture_%s.so",
                                   builds[i].programs, target.kind->name);
        if (access(library, R_OK) != 0) {
            free(library);
            library = NULL;
        }
    }
    nuce_builds_free(builds, count);
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
    if (capturing_run(words, &target, library, folder, yields, status, error) == NUCE_OK) {
        char *note = note_of(folder, NUCE_RAW_NOTE);

        *has_run = 1;
        if (note != NULL) {
            nuce_error_set(error, NUCE_BAD_INPUT, "%s", note);
            if (target.program == NULL && target.launcher < 0)
                nuce_error_prefix(error,
                                  "%s was taken for one that starts %s: write 'nuce capture "
                                  "--' before the mpiexec in it",
                                  words[0], target.kind->title);
        } else {
            if (has_raw_file(folder)) {
                error->status = nuce_capturing_merge(folder, output, merging, out, error);
            } else {
                refuse_silent(words, &target, folder, *status, error);
                /* A launcher that fed a rank which had ended already (SIGPIPE): not its status. */
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
