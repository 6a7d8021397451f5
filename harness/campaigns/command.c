/* Programs that are called for what they say (sbatch, squeue, scontrol, a simulator's), not for
 * what they measure. Both streams go to files in memory, so that neither a full pipe nor a program
 * that leaves a child behind with the pipe open can hold us up; then all is read at once. */
#include "campaigns/command.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/text.h"
#include "campaigns/process.h"

/* How often the time limit is looked at; an end or a signal is noticed at once. */
#define POLL_MS 200

/* A program that is told to end may take this long before it is killed: scripts around Slurm's
 * programs (a profile's `via`) tidy up. */
#define GRACE_MS 1000

/* In the place of an exit status of waitpid, which is never negative. */
#define TOOK_TOO_LONG (-1)

void nuce_command_reply_fini(struct nuce_command_reply *reply)
{
    free(reply->out);
    free(reply->err);
    *reply = (struct nuce_command_reply){0};
}

/* All that stands in the file, as a string; NULL with *error. The file is read from its start,
 * wherever the program's descriptor stands. A file that grows meanwhile, by a child that was left
 * behind, is cut at the size that it had. */
static char *command_read_output(int descriptor, struct nuce_error *error)
{
    struct stat file;
    off_t done = 0;
    ssize_t got = 1;
    char *text;

    if (fstat(descriptor, &file) != 0) {
        nuce_error_set(error, NUCE_FAILED, "cannot read output: %s", strerror(errno));
        return NULL;
    }
    text = nuce_allocate((int64_t)file.st_size + 1, 1);
    while (done < file.st_size && got > 0) {
        got = pread(descriptor, text + done, (size_t)(file.st_size - done), done);
        done += got > 0 ? got : 0;
    }
    return text;
}

/* Leaves of text the line that tells most: the first that speaks of an error, since what follows
 * are consequences and hints (Try "sbatch --help"), or else the first that is not blank. */
static void keep_telling_line(char *text)
{
    char *found = NULL, *rest = text, *line;
    int speaks = 0;

    while (!speaks && (line = strsep(&rest, "\n")) != NULL) {
        line += strspn(line, " \t\r");
        speaks = strcasestr(line, "error") != NULL;
        if (*line != '\0' && (found == NULL || speaks))
            found = line;
    }
    if (found != NULL)
        memmove(text, found, strlen(found) + 1);
    else
        *text = '\0';
    for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);)
        *--end = '\0';
    for (char *c = text; *c != '\0'; c++)
        *c = (char)(*c < ' ' || *c > '~' ? '?' : *c);
}

/* Runs the program as a process group of its own, under a reaper: what it starts ends with it. When
 * the limit passes or a signal comes the whole group is told to end, and then it and what left it
 * is killed. NUCE_OK also when the limit has passed: *status says so then, and the reply what the
 * program had said until then. */
static nuce_status run_process(const char *const *argv, int limit_s, const int files[2],
                               int *status, struct nuce_error *error)
{
    double until_s = nuce_clock() + limit_s;
    enum nuce_event event = NUCE_EVENT_TIME;
    struct nuce_signals signals;
    pid_t pid;

    nuce_process_prepare(&signals);
    error->status = nuce_process_start_on(argv, files[0], files[1], &signals, &pid, error);
    if (error->status == NUCE_OK) {
        while (event == NUCE_EVENT_TIME && nuce_clock() < until_s)
            event = nuce_process_wait(pid, POLL_MS, status);
        if (event != NUCE_EVENT_ENDED) {
            kill(-pid, SIGTERM);
            nuce_process_reap(GRACE_MS);
            *status = TOOK_TOO_LONG;
        }
        if (event == NUCE_EVENT_SIGNAL)
            nuce_error_set(error, NUCE_INTERRUPTED, "stopped by a signal while %s ran", argv[0]);
    }
    nuce_process_restore(&signals);
    return error->status;
}

nuce_status nuce_command_run(const json_t *argv, int limit_s, struct nuce_command_reply *reply,
                             struct nuce_error *error)
{
    int files[2] = {memfd_create("out", MFD_CLOEXEC), memfd_create("err", MFD_CLOEXEC)};
    const char **words = nuce_allocate((int64_t)json_array_size(argv) + 1, sizeof *words);
    struct nuce_command_reply said = {0};
    nuce_status status;

    for (size_t i = 0; i < json_array_size(argv); i++)
        words[i] = json_string_value(json_array_get(argv, i));
    status = files[0] < 0 || files[1] < 0
                 ? nuce_error_set(error, NUCE_FAILED, "cannot keep output: %s", strerror(errno))
                 : run_process(words, limit_s, files, &said.status, error);
    if (status == NUCE_OK) {
        said.out = command_read_output(files[0], error);
        said.err = said.out != NULL ? command_read_output(files[1], error) : NULL;
        status = said.err != NULL ? NUCE_OK : error->status;
    }
    for (int i = 0; i < 2; i++) {
        if (files[i] >= 0)
            close(files[i]);
    }
    free(words);
    if (status != NUCE_OK) {
        nuce_command_reply_fini(&said);
        return status;
    }
    keep_telling_line(said.err);
    *reply = said;
    return NUCE_OK;
}

json_t *nuce_command_word(const char *format, ...)
{
    va_list arguments;
    json_t *word;
    char *text;

    va_start(arguments, format);
    text = nuce_text_format_list(format, arguments);
    va_end(arguments);
    word = json_string_nocheck(text);
    free(text);
    return word;
}

json_t *nuce_command_argv(const char *via, const char *program, ...)
{
    json_t *argv = json_array();
    va_list words;

    if (via != NULL)
        json_array_append_new(argv, nuce_command_word("%s", via));
    va_start(words, program);
    for (const char *word = program; word != NULL; word = va_arg(words, const char *))
        json_array_append_new(argv, nuce_command_word("%s", word));
    va_end(words);
    return argv;
}

int nuce_command_exists(const char *program)
{
    const char *search = getenv("PATH");

    if (strchr(program, '/') != NULL)
        return access(program, X_OK) == 0;
    /* Each folder of PATH; an empty one is the current folder (POSIX, "Environment Variables"). */
    for (size_t length; search != NULL; search += length + (search[length] == ':')) {
        char *path;
        int found;

        length = strcspn(search, ":");
        path = nuce_text_format("%.*s%s%s", (int)length, search, length > 0 ? "/" : "", program);
        found = access(path, X_OK) == 0;
        free(path);
        if (found || search[length] == '\0')
            return found;
    }
    return 0;
}

int nuce_command_succeeded(const struct nuce_command_reply *reply)
{
    return reply->status != TOOK_TOO_LONG && WIFEXITED(reply->status) &&
           WEXITSTATUS(reply->status) == 0;
}

char *nuce_command_complaint(const char *program, const struct nuce_command_reply *reply)
{
    const char *colon = *reply->err != '\0' ? ": " : "";

    if (reply->status == TOOK_TOO_LONG)
        return nuce_text_format("%s took too long and was stopped%s%s", program, colon, reply->err);
    if (WIFSIGNALED(reply->status))
        return nuce_text_format("%s was killed by signal %d%s%s", program, WTERMSIG(reply->status),
                                colon, reply->err);
    return nuce_text_format("%s ended with status %d%s%s", program, WEXITSTATUS(reply->status),
                            colon, reply->err);
}
