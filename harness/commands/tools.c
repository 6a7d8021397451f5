/* What the checks share: the table of groups, and running other programs under a time limit. These
 * go through a file and campaigns/process.h, not campaigns/command.h, since what is printed on both
 * streams is wanted as it came. */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "campaigns/process.h"
#include "commands/doctor_check.h"

/* A launcher that takes longer to start two ranks hangs. */
#define START_SECONDS 30

#define X(name) extern const struct nuce_doctor_check nuce_doctor_##name[];
#include "commands/groups.def"
#undef X

#define X(name) nuce_doctor_##name,
const struct nuce_doctor_check *const nuce_doctor_groups[] = {
#include "commands/groups.def"
    NULL};
#undef X

void nuce_doctor_finding_set(struct nuce_doctor_finding *finding, const char *state,
                             const char *format, ...)
{
    va_list arguments;

    finding->state = state;
    va_start(arguments, format);
    vsnprintf(finding->what, sizeof finding->what, format, arguments);
    va_end(arguments);
    finding->what[strcspn(finding->what, "\r\n")] = '\0';
}

/* Both streams go to one file, so that what was printed is there in its order. The program and all
 * that it started are gone when this returns. What a program that has ended left behind has a
 * second to end as well. */
int nuce_doctor_capture(const char *const *argv, char *text, size_t size)
{
    char path[] = "/tmp/nuce-doctor-XXXXXX";
    int descriptor = mkostemp(path, O_CLOEXEC), status = -1;
    int ended = 0, hangs = 0, stopped = 0;
    struct nuce_signals signals;
    struct nuce_error error;
    ssize_t length = 0;
    pid_t pid;

    text[0] = '\0';
    if (descriptor < 0)
        return -1;
    nuce_process_prepare(&signals);
    if (nuce_process_start(argv, path, path, &signals, &pid, &error) == NUCE_OK) {
        enum nuce_event event = NUCE_EVENT_TIME;

        for (int waited = 0; event == NUCE_EVENT_TIME && waited < START_SECONDS * 10; waited++)
            event = nuce_process_wait(pid, 100, &status);
        ended = event == NUCE_EVENT_ENDED;
        hangs = event == NUCE_EVENT_TIME;
        stopped = event == NUCE_EVENT_SIGNAL;
        /* First as the user would: srun and mpiexec then end what they started on other nodes. */
        if (!ended)
            kill(-pid, SIGTERM);
        nuce_process_reap(1000);
        length = pread(descriptor, text, size - 1, 0);
        text[length > 0 ? length : 0] = '\0';
    }
    nuce_process_restore(&signals);
    close(descriptor);
    unlink(path);
    if (stopped)
        raise(SIGINT);
    if (hangs)
        return NUCE_DOCTOR_HANGS;
    return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int nuce_doctor_read_line(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    int good = file != NULL && fgets(text, (int)size, file) != NULL;

    if (file != NULL)
        fclose(file);
    if (good)
        text[strcspn(text, "\n")] = '\0';
    return good;
}
