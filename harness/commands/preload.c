/* Starts the application as a shell would, in the foreground, so that its terminal and its signals
 * are its own. The launcher gets the variables and forwards them: MPICH's to all ranks, Open MPI's
 * to ranks on other nodes only with an option, srun to all. */
#include "commands/preload.h"

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
#include "campaigns/process.h"
#include "campaigns/start.h"

char *nuce_preload_library(const char *which, const struct nuce_mpi_kind *kind)
{
    struct nuce_build *builds;
    struct nuce_error ignored;
    char *library = NULL;
    int64_t count;

    if (nuce_builds_list(NULL, &builds, &count, &ignored) != NUCE_OK)
        return NULL;
    for (int64_t i = 0; i < count && library == NULL; i++) {
        library = nuce_text_format("%s/../libexec/nuce/%s/libnuce_%s_%s.so", builds[i].programs,
                                   which, which, kind->name);
        if (access(library, R_OK) != 0) {
            free(library);
            library = NULL;
        }
    }
    nuce_builds_free(builds, count);
    return library;
}

/* Seconds without a rank after which the user gets a message. */
#define SILENT_S 30

/* Time for ranks to end after a signal ended their launcher. */
#define GRACE_MS 3000

/* Waits for the end of the child. Forwards signals that a process sent (si_code <= 0); signals from
 * the terminal reach the child directly, because it is in the foreground. Returns the status of a
 * shell: the exit status, or 128 plus the signal. Continues to wait for a child that was only
 * stopped. */
static int preload_wait(pid_t child, const sigset_t *set, const char *program, const char *folder)
{
    const char *advice = nuce_start_advice(getenv("SLURM_STEP_ID") != NULL);
    int status = 0, silent = 0;

    for (double begin_s = nuce_clock();;) {
        const struct timespec second = {.tv_sec = 1};
        siginfo_t info;
        int number = sigtimedwait(set, &info, &second);

        /* Printed once, because it may stay so: the application decides when to call MPI_Init. */
        if (folder != NULL && !silent && nuce_clock() - begin_s > SILENT_S) {
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

/* Sets the variables in the child. Setting them takes memory, which is allowed there because nuce
 * has no threads. The library comes before those already in LD_PRELOAD. 126 is the status of a
 * shell for a program that cannot run. */
static int set_all(const struct nuce_preload_setting *settings)
{
    const char *loaded = getenv("LD_PRELOAD");

    for (; settings->name != NULL; settings++) {
        int is_more =
            strcmp(settings->name, "LD_PRELOAD") == 0 && loaded != NULL && *loaded != '\0';
        char *value = is_more ? nuce_text_format("%s:%s", settings->value, loaded)
                              : nuce_text_duplicate(settings->value);

        if (setenv(settings->name, value, 1) != 0)
            return -1;
        free(value);
    }
    return 0;
}

/* Runs the words; the variables to forward follow the launcher, if it needs an option for them.
 * Signals are blocked before the child exists, so that none is lost before preload_wait. exec
 * closes the pipe: a read then returns 0 bytes, and after a failure the errno. */
nuce_status nuce_preload_run(char *const *words, const struct nuce_target *target,
                             const struct nuce_preload_setting *settings, const char *folder,
                             int *status, struct nuce_error *error)
{
    /* Signals that would end nuce while the application continues. */
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGQUIT, SIGCHLD};
    char **all;
    int report[2], reason = 0, count = 0, variables = 0, at = 0;
    sigset_t set, before;
    pid_t child;

    while (words[count] != NULL)
        count++;
    while (settings[variables].name != NULL)
        variables++;
    all = nuce_allocate((int64_t)count + 2 * variables + 1, sizeof *all);
    for (int i = 0; i < count; i++) {
        all[at++] = words[i];
        for (int k = 0; k < variables && i == target->launcher && target->kind->exports != NULL;
             k++) {
            all[at++] = (char *)target->kind->exports;
            all[at++] = (char *)settings[k].name;
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
        if (set_all(settings) != 0)
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
        *status = preload_wait(child, &set, words[0], folder);
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(all);
    return error->status;
}
