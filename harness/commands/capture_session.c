/* A whole capture: find the library, make a folder for the raw files, run, merge. If no rank left a
 * file, most of the code searches for the reason: no room, a program of another MPI library, no MPI
 * at all (refuse_silent, read_note).
 *
 * The raw files are in OUTPUT.parts, next to the result, so that all nodes see them if they see its
 * file system. They are removed when the capture is written. After a failure following the run they
 * stay, because the run may have taken hours; `nuce capture merge` can read them. */
#include "commands/capturing.h"

#include <errno.h>
#include <fcntl.h>
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
                                    "%s exists, of a run that goes on, or was stopped: 'nuce "
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

/* Starts the application as a shell would, in the foreground, so that its terminal and its signals
 * are its own. The launcher gets the variables and forwards them: MPICH's to all ranks, Open MPI's
 * to ranks on other nodes only with an option, srun to all. */

/* Seconds without a rank after which the user gets a message. */
#define SILENT_S 30

/* Time for ranks to end after a signal ended their launcher. */
#define GRACE_MS 3000

#define FOLDER_VARIABLE "NUCE_CAPTURE_FOLDER"
#define YIELD_VARIABLE "NUCE_CAPTURE_YIELD"

/* The settings of the interposer (kernels/capture), which an Open MPI launcher forwards only with
 * an option. */
static const char *const variables[] = {"LD_PRELOAD", FOLDER_VARIABLE, YIELD_VARIABLE};
enum { VARIABLES = sizeof variables / sizeof *variables };

/* Waits for the end of the child. Forwards signals that a process sent (si_code <= 0); signals from
 * the terminal reach the child directly, because it is in the foreground. Returns the status of a
 * shell: the exit status, or 128 plus the signal. Continues to wait for a child that was only
 * stopped. */
static int capturing_wait(pid_t child, const sigset_t *set, const char *program, const char *folder)
{
    const char *advice = nuce_start_advice(getenv("SLURM_STEP_ID") != NULL);
    int status = 0, silent = 0;

    for (double begin_s = nuce_clock();;) {
        const struct timespec second = {.tv_sec = 1};
        siginfo_t info;
        int number = sigtimedwait(set, &info, &second);

        /* Printed once, because it may stay so: the application decides when to call MPI_Init. */
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
    /* After a signal ended a launcher, its ranks may live on in sessions of their own. */
    if (WIFSIGNALED(status))
        nuce_process_reap(GRACE_MS);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs the words; the variables to forward follow the launcher, if it needs an option for them.
 * Signals are blocked before the child exists, so that none is lost before capturing_wait. exec
 * closes the pipe: a read then returns 0 bytes, and after a failure the errno. */
static nuce_status capturing_run(char *const *words, const struct nuce_target *target,
                                 const char *library, const char *folder, int yields, int *status,
                                 struct nuce_error *error)
{
    /* Signals that would end nuce while the application continues. */
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGQUIT, SIGCHLD};
    char **all;
    int report[2], reason = 0, count = 0, at = 0;
    const char *loaded = getenv("LD_PRELOAD");
    sigset_t set, before;
    char *preload;
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
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        /* The library comes before those already in LD_PRELOAD. Setting variables takes memory,
         * which is allowed here because nuce has no threads. 126 is the status of a shell for a
         * program that cannot run. */
        preload = loaded != NULL && *loaded != '\0' ? nuce_text_format("%s:%s", library, loaded)
                                                    : nuce_text_duplicate(library);
        if (setenv("LD_PRELOAD", preload, 1) != 0 || setenv(FOLDER_VARIABLE, folder, 1) != 0 ||
            setenv(YIELD_VARIABLE, yields ? "1" : "0", 1) != 0)
            _exit(126);
        execvp(all[0], all);
        reason = errno;
        (void)!write(report[1], &reason, sizeof reason);
        _exit(127);
    }
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

/* *status is valid only if *has_run is set. */
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
