/* Child processes that end with nuce. The harness is the parent of orphans (a subreaper), so that
 * ranks whose launcher was killed become its own children, which it can find and kill. The child
 * asks to get SIGTERM if the harness dies. Signals are blocked and waited for (sigtimedwait)
 * instead of handled: no handler, no race between a signal and a wait. Linux only. */
#include "campaigns/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/text.h"

/* If a kill has had no effect after KILL_MS, it will have none: the process waits for a disk. Until
 * then it is repeated every POLL_MS. */
#define KILL_MS 10000
#define POLL_MS 20

/* The signals that the harness waits for: those that users and Slurm send to stop it, and the end
 * of a child. */
static void process_awaited(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
    sigaddset(set, SIGUSR1); /* Slurm's warning before the time limit */
    sigaddset(set, SIGCHLD);
}

void nuce_process_prepare(struct nuce_signals *out)
{
    sigset_t set;

    process_awaited(&set);
    sigprocmask(SIG_BLOCK, &set, &out->before);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void nuce_process_restore(const struct nuce_signals *signals)
{
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    sigprocmask(SIG_SETMASK, &signals->before, NULL);
}

/* directory: NULL: the current one. vfork, because a copy of the page tables takes longer than many
 * a command: the child runs in the parent's memory, and the parent waits, until exec. So an errno
 * of the child needs no pipe. NUCE_FAILED then, and no child is left. */
static nuce_status start_on(const char *directory, const char *const *argv, int out, int err,
                            const struct nuce_signals *signals, pid_t *pid,
                            struct nuce_error *error)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    volatile int reason = 0;
    pid_t parent = getpid(), child;

    if (null < 0)
        return nuce_error_set(error, NUCE_FAILED, "/dev/null: %s", strerror(errno));
    child = vfork();
    /* Only async-signal-safe functions are allowed before exec. The parent may have died before the
     * call with PR_SET_PDEATHSIG; getppid shows that, and the child starts nothing. */
    if (child == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
        signal(SIGPIPE, SIG_DFL);
        sigprocmask(SIG_SETMASK, &signals->before, NULL);
        if (getppid() == parent && (directory == NULL || chdir(directory) == 0) &&
            dup2(null, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
            dup2(err, STDERR_FILENO) >= 0)
            execvp(argv[0], (char *const *)argv);
        reason = errno;
        _exit(127);
    }
    if (child < 0)
        reason = errno;
    close(null);
    if (child > 0 && reason != 0)
        waitpid(child, NULL, 0);
    if (reason != 0)
        return nuce_error_set(error, NUCE_FAILED, "cannot start %s: %s", argv[0], strerror(reason));
    *pid = child;
    return NUCE_OK;
}

/* Opens the file for appending output; returns its descriptor, or -1 with *error. */
static int open_output(const char *path, struct nuce_error *error)
{
    int flags = path != NULL ? O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW : O_WRONLY;
    const char *name = path != NULL ? path : "/dev/null";
    int descriptor = open(name, flags | O_CLOEXEC, 0666);

    if (descriptor < 0)
        nuce_error_set(error, NUCE_FAILED, "%s: %s", name, strerror(errno));
    return descriptor;
}

nuce_status nuce_process_start(const char *const *argv, const char *out, const char *err,
                               const struct nuce_signals *signals, pid_t *pid,
                               struct nuce_error *error)
{
    int out_file = open_output(out, error);
    int err_file = out_file >= 0 ? open_output(err, error) : -1;
    nuce_status status = NUCE_FAILED; /* open_output has set *error */

    if (err_file >= 0) {
        status = start_on(NULL, argv, out_file, err_file, signals, pid, error);
        close(err_file);
    }
    if (out_file >= 0)
        close(out_file);
    return status;
}

/* The words of an argv, NULL-ended; borrowed from it, but for the array. */
static const char **words_of(const json_t *argv)
{
    const char **words = nuce_allocate((int64_t)json_array_size(argv) + 1, sizeof *words);

    for (size_t i = 0; i < json_array_size(argv); i++)
        words[i] = json_string_value(json_array_get(argv, i));
    return words;
}

static struct timespec milliseconds_of(int milliseconds)
{
    return (struct timespec){milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
}

/* Checks for the end before the wait, too: the wait for another child may have taken this child's
 * SIGCHLD. */
enum nuce_event nuce_process_wait(pid_t pid, int milliseconds, int *status)
{
    struct timespec time = milliseconds_of(milliseconds);
    sigset_t set;
    int taken;

    if (waitpid(pid, status, WNOHANG) == pid)
        return NUCE_EVENT_ENDED;
    process_awaited(&set);
    taken = sigtimedwait(&set, NULL, &time);
    if (waitpid(pid, status, WNOHANG) == pid) {
        /* A signal at the same time as the end must not be lost. */
        if (taken > 0 && taken != SIGCHLD)
            raise(taken);
        return NUCE_EVENT_ENDED;
    }
    return taken > 0 && taken != SIGCHLD ? NUCE_EVENT_SIGNAL : NUCE_EVENT_TIME;
}

int nuce_process_take_signal(void)
{
    const struct timespec none = {0, 0};
    sigset_t set;

    process_awaited(&set);
    sigdelset(&set, SIGCHLD);
    return sigtimedwait(&set, NULL, &none) > 0;
}

/* Kills the children of this process, including those of dead children. No system call lists
 * children, and /proc/self/task/.../children needs a kernel option. In /proc/PID/stat the parent
 * follows the name, which ends with the last parenthesis and may contain anything: ") S PARENT". */
static void kill_children(void)
{
    DIR *directory = opendir("/proc");
    struct dirent *entry;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        char path[64], text[512], *end;
        size_t length = 0;
        FILE *file;

        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        snprintf(path, sizeof path, "/proc/%.20s/stat", entry->d_name);
        file = fopen(path, "re");
        if (file == NULL)
            continue;
        length = fread(text, 1, sizeof text - 1, file);
        fclose(file);
        text[length] = '\0';
        end = strrchr(text, ')');
        if (end != NULL && strlen(end) > 4 && strtol(end + 4, NULL, 10) == (long)getpid())
            kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
    }
    if (directory != NULL)
        closedir(directory);
}

/* Collects ended children until none is left, and kills live ones every POLL_MS. The children of a
 * killed one become ours, and are next. Children collected since the last kill count as killed, at
 * least 1. */
int nuce_process_reap(int grace_ms)
{
    struct timespec pause = milliseconds_of(POLL_MS);
    int collected = 0, killed = 0;
    pid_t pid;

    for (int waited = 0;; waited += POLL_MS) {
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
            collected++;
        if (pid != 0)
            return killed ? (collected > 0 ? collected : 1) : 0;
        if (waited > grace_ms + KILL_MS)
            return -1;
        if (waited >= grace_ms) {
            kill_children();
            killed = 1;
            collected = 0;
        }
        nanosleep(&pause, NULL);
    }
}

/* Calls of programs for their output. Both streams go to files in memory: a full pipe, or a child
 * left behind with the pipe open, cannot block us or slow the program. They are read at the end. */

/* Interval for checking the time limit; an end or a signal is noticed at once. */
#define LOOK_MS 1000

/* Time between SIGTERM and the kill: launchers end their ranks, and scripts around Slurm's programs
 * (a profile's `via`) clean up. */
#define GRACE_MS 2000

void nuce_process_reply_fini(struct nuce_process_reply *reply)
{
    free(reply->out);
    free(reply->err);
    *reply = (struct nuce_process_reply){0};
}

/* The content of the file as a string; NULL with *error. Reads from the start, whatever the
 * position of the program's descriptor. A file that still grows, by a child left behind, is cut at
 * its size at the call. */
static char *read_output(int descriptor, struct nuce_error *error)
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

/* Reduces text to its most useful line: the first with the word error, because consequences and
 * hints follow it (Try "sbatch --help"), or else the first that is not blank. */
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

nuce_status nuce_process_follow(const char *directory, const json_t *argv, double limit_s,
                                int left_ms, const struct nuce_signals *signals,
                                struct nuce_process_reply *out, struct nuce_error *error)
{
    int files[2] = {memfd_create("out", MFD_CLOEXEC), memfd_create("err", MFD_CLOEXEC)};
    struct nuce_process_reply reply = {.status = -1, .event = NUCE_EVENT_TIME};
    const char **words = words_of(argv);
    double begin_s = nuce_clock(), left_s;
    pid_t pid;

    error->status = NUCE_OK;
    if (files[0] < 0 || files[1] < 0)
        nuce_error_set(error, NUCE_FAILED, "cannot keep output: %s", strerror(errno));
    else
        start_on(directory, words, files[0], files[1], signals, &pid, error);
    free(words);
    if (error->status == NUCE_OK) {
        while (reply.event == NUCE_EVENT_TIME && (left_s = begin_s + limit_s - nuce_clock()) > 0)
            reply.event =
                nuce_process_wait(pid, (int)fmin(ceil(left_s * 1000), LOOK_MS), &reply.status);
        reply.wall_s = nuce_clock() - begin_s;
        if (reply.event != NUCE_EVENT_ENDED)
            kill(-pid, SIGTERM);
        if (reply.event != NUCE_EVENT_ENDED || left_ms >= 0)
            nuce_process_reap(reply.event == NUCE_EVENT_ENDED ? left_ms : GRACE_MS);
        reply.out = read_output(files[0], error);
        reply.err = reply.out != NULL ? read_output(files[1], error) : NULL;
    }
    for (int i = 0; i < 2; i++) {
        if (files[i] >= 0)
            close(files[i]);
    }
    if (error->status == NUCE_OK)
        *out = reply;
    else
        nuce_process_reply_fini(&reply);
    return error->status;
}

nuce_status nuce_process_run(const json_t *argv, int limit_s, struct nuce_process_reply *reply,
                             struct nuce_error *error)
{
    struct nuce_process_reply said;
    struct nuce_signals signals;

    nuce_process_prepare(&signals);
    nuce_process_follow(NULL, argv, limit_s, -1, &signals, &said, error);
    nuce_process_restore(&signals);
    if (error->status != NUCE_OK)
        return error->status;
    if (said.event == NUCE_EVENT_SIGNAL) {
        nuce_process_reply_fini(&said);
        return nuce_error_set(error, NUCE_INTERRUPTED, "stopped by a signal while %s ran",
                              json_string_value(json_array_get(argv, 0)));
    }
    keep_telling_line(said.err);
    *reply = said;
    return NUCE_OK;
}

json_t *nuce_process_word(const char *format, ...)
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

json_t *nuce_process_argv(const char *via, const char *program, ...)
{
    json_t *argv = json_array();
    va_list words;

    if (via != NULL)
        json_array_append_new(argv, nuce_process_word("%s", via));
    va_start(words, program);
    for (const char *word = program; word != NULL; word = va_arg(words, const char *))
        json_array_append_new(argv, nuce_process_word("%s", word));
    va_end(words);
    return argv;
}

json_t *nuce_process_without(const char *names, json_t *argv)
{
    json_t *all = json_pack("[s]", "env");
    char name[64];

    while (nuce_text_word(&names, name, sizeof name))
        json_array_append_new(all, json_sprintf("--unset=%s", name));
    /* Makes env's message about a missing program plain ASCII. */
    json_array_append_new(all, json_string("LC_ALL=C"));
    json_array_extend(all, argv);
    json_decref(argv);
    return all;
}

/* Returns nonzero if exec would run the file; otherwise sets errno. A folder is refused as exec
 * refuses it. */
static int is_program(const char *path)
{
    struct stat file;

    if (access(path, X_OK) != 0 || stat(path, &file) != 0)
        return 0;
    errno = EACCES;
    return S_ISREG(file.st_mode);
}

char *nuce_process_find(const char *program)
{
    const char *search = getenv("PATH");
    char *path = NULL;

    if (strchr(program, '/') != NULL)
        return is_program(program) ? nuce_text_duplicate(program) : NULL;
    /* Each folder of PATH; an empty one means the current folder (POSIX, "Environment
     * Variables"). */
    for (size_t length; search != NULL; search += length + (search[length] == ':')) {
        length = strcspn(search, ":");
        path = nuce_text_format("%.*s%s%s", (int)length, search, length > 0 ? "/" : "", program);
        if (is_program(path))
            return path;
        free(path);
        if (search[length] == '\0')
            break;
    }
    return NULL;
}

int nuce_process_exists(const char *program)
{
    char *path = nuce_process_find(program);
    int found = path != NULL;

    free(path);
    return found;
}

int nuce_process_succeeded(const struct nuce_process_reply *reply)
{
    return reply->event == NUCE_EVENT_ENDED && WIFEXITED(reply->status) &&
           WEXITSTATUS(reply->status) == 0;
}

char *nuce_process_complaint(const char *program, const struct nuce_process_reply *reply)
{
    const char *colon = *reply->err != '\0' ? ": " : "";

    if (reply->event != NUCE_EVENT_ENDED)
        return nuce_text_format("%s took too long and was stopped%s%s", program, colon, reply->err);
    if (WIFSIGNALED(reply->status))
        return nuce_text_format("%s was killed by signal %d%s%s", program, WTERMSIG(reply->status),
                                colon, reply->err);
    return nuce_text_format("%s ended with status %d%s%s", program, WEXITSTATUS(reply->status),
                            colon, reply->err);
}

/* The resources of this machine that the harness may use. */

int nuce_process_processors(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 1)
        return 1;
    return CPU_COUNT(&set);
}
