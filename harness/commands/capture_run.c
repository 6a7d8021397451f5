/* The application is started as a shell would start it, in the foreground, so that its terminal and
 * its signals are its own. The variables go to the launcher, which hands them on: MPICH's to all
 * ranks, Open MPI's to those on other nodes where it is told so, srun to all. */
#include "commands/capture_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/folder.h"
#include "base/text.h"
#include "campaigns/builds.h"
#include "campaigns/patience.h"
#include "campaigns/process.h"

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

char *nuce_capturing_library(const struct nuce_mpi_kind *kind, struct nuce_error *error)
{
    struct nuce_build *builds;
    int64_t count;
    char *path = NULL;

    if (nuce_builds_list(NULL, &builds, &count, error) != NUCE_OK)
        return NULL;
    for (int64_t i = 0; i < count && path == NULL; i++) {
        path = nuce_text_format("%s/../libexec/nuce/capture/libnuce_capture_%s.so",
                                builds[i].programs, kind->name);
        if (access(path, R_OK) != 0) {
            free(path);
            path = NULL;
        }
    }
    nuce_builds_free(builds, count);
    if (path == NULL)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "there is no interposer for %s here: nuce was built without its "
                       "headers (CMake says which it finds)",
                       kind->title);
    return path;
}

/* In the child: the library in front of what is loaded already. 126 is what a shell says of a
 * program that cannot be run. */
static void set_variables(const char *library, const char *folder, int yields)
{
    const char *before = getenv("LD_PRELOAD");
    char *both = before == NULL || *before == '\0' ? nuce_text_format("%s", library)
                                                   : nuce_text_format("%s:%s", library, before);

    if (setenv("LD_PRELOAD", both, 1) != 0 || setenv(FOLDER_VARIABLE, folder, 1) != 0 ||
        setenv(YIELD_VARIABLE, yields ? "1" : "0", 1) != 0)
        _exit(126);
}

/* The words, and behind the launcher the variables that it is to hand on where it must be told; a
 * new array of borrowed words. */
static char **launcher_words(char *const *words, const struct nuce_target *target)
{
    char **all;
    int count = 0, at = 0;

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
    return all;
}

/* Those that would end nuce while the application goes on. */
static void awaited_signals(sigset_t *set)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGQUIT, SIGCHLD};

    sigemptyset(set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(set, numbers[i]);
}

/* Says once that no rank has begun to record, where that may be for ever; how long an application
 * may take until it calls MPI_Init is its own affair. */
static void notice_silence(const char *program, const char *folder, int in_step)
{
    const char *advice = nuce_patience_advice(in_step);
    struct nuce_error ignored;
    struct nuce_folder parts;

    if (nuce_folder_read(&parts, &ignored, "%s", folder) == NUCE_OK && parts.count == 0)
        fprintf(stderr,
                "nuce: no rank of %s has called MPI_Init in %d s; waiting on (Ctrl-C ends "
                "it)%s%s\n",
                program, SILENT_S, *advice != '\0' ? "; " : "", advice);
    nuce_folder_fini(&parts);
}

/* Waits for the end of the child; signals that somebody sent (si_code <= 0) go on to it, those of
 * the terminal it gets itself, being in the foreground. Returns what a shell would say: the exit
 * status, or 128 and the signal. A child that was only stopped is waited for on. */
static int capturing_wait(pid_t child, const sigset_t *set, const char *program, const char *folder)
{
    int status = 0, silent = 0;

    for (double begin_s = nuce_clock();;) {
        const struct timespec second = {.tv_sec = 1};
        siginfo_t info;
        int number = sigtimedwait(set, &info, &second);

        if (!silent && nuce_clock() - begin_s > SILENT_S) {
            notice_silence(program, folder, getenv("SLURM_STEP_ID") != NULL);
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
    int reason;

    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, before, NULL);
    set_variables(library, folder, yields);
    execvp(words[0], words);
    reason = errno;
    (void)!write(report, &reason, sizeof reason);
    _exit(127);
}

/* Signals are blocked before the child is there, so that none is lost until capturing_wait looks
 * for them. exec closes the pipe: reading it then ends with nothing, and else has the errno. */
nuce_status nuce_capturing_run(char *const *words, const struct nuce_target *target,
                               const char *library, const char *folder, int yields, int *status,
                               struct nuce_error *error)
{
    char **all = launcher_words(words, target);
    int report[2], reason = 0;
    sigset_t set, before;
    pid_t child;

    error->status = NUCE_OK;
    awaited_signals(&set);
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
