/* Asking Slurm.
 *
 * Its programs are called, as a user would: its library would have to be there when nuce is built,
 * and each release of Slurm has another one.
 *
 * Order: squeue, our own user, scontrol for limits and topology. One squeue call reads all jobs, of
 * all states and users: a job by job question would load the controller, and a job that is not in a
 * partial answer would look as if it had ended. Nothing here changes anything in Slurm. */
#include "campaigns/queue.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/text.h"
#include "campaigns/command.h"
#include "campaigns/queue_parse.h"

/* A controller under load answers late: Slurm's own MessageTimeout is 10 s, and is tried again.
 * Seconds. */
#define LIMIT_S 60

nuce_status nuce_slurm_find(const char *via, const char *program, struct nuce_error *error)
{
    if (nuce_command_exists(via != NULL ? via : program))
        return NUCE_OK;
    if (via == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: not in PATH: expected Slurm's programs there, or a profile with "
                              "'via'",
                              program);
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "via: '%s': expected a program that calls Slurm's, got %s", via,
                          strchr(via, '/') == NULL ? "none of that name in PATH" : strerror(errno));
}

/* MaxArraySize and MaxJobCount where they are not configured: slurm.conf(5). MaxJobCount is a limit
 * of the whole cluster, of all users' jobs. */
#define DEFAULT_ARRAY_SIZE 1001
#define DEFAULT_JOBS 10000

/* squeue as if the user had set none of the variables that hide jobs or write times otherwise: a
 * job that is hidden would look as if it were gone. */
static json_t *squeue_argv(const char *via, const char *format)
{
    static const char *const unset[] = {"SQUEUE_ACCOUNT",   "SQUEUE_LICENSES",  "SQUEUE_NAMES",
                                        "SQUEUE_PARTITION", "SQUEUE_QOS",       "SQUEUE_USERS",
                                        "SQUEUE_FORMAT2",   "SLURM_TIME_FORMAT"};
    json_t *argv = json_pack("[s]", "env");
    json_t *squeue = nuce_command_argv(via, "squeue", "--all", "--array", "--states=all",
                                       "--format", format, NULL);

    for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
        json_array_append_new(argv, json_sprintf("--unset=%s", unset[i]));
    /* What env says about a missing program is then plain ASCII. */
    json_array_append_new(argv, json_string("LC_ALL=C"));
    json_array_extend(argv, squeue);
    json_decref(squeue);
    return argv;
}

/* env's statuses when a program cannot be run or is not there, and that of bad usage, with which
 * the profile's `via` says that there is no cluster, are NUCE_BAD_INPUT: asking again will not
 * help. */
nuce_status nuce_queue_read(const char *via, struct nuce_queue *out, struct nuce_error *error)
{
    char separator[NUCE_QUEUE_SEPARATOR_BYTES], *format, *complaint;
    struct nuce_command_reply reply;
    json_t *argv;
    int code;

    if (nuce_slurm_find(via, "squeue", error) != NUCE_OK)
        return error->status;
    nuce_queue_separator(separator);
    format = nuce_queue_format(separator);
    argv = squeue_argv(via, format);
    free(format);
    error->status = nuce_command_run(argv, LIMIT_S, &reply, error);
    json_decref(argv);
    if (error->status != NUCE_OK)
        return error->status;
    if (nuce_command_succeeded(&reply)) {
        error->status = nuce_queue_parse(reply.out, separator, out, error);
    } else {
        code = reply.status >= 0 && WIFEXITED(reply.status) ? WEXITSTATUS(reply.status) : 0;
        complaint = nuce_command_complaint("squeue", &reply);
        nuce_error_set(error,
                       code == 2 || code == 126 || code == 127 ? NUCE_BAD_INPUT : NUCE_FAILED, "%s",
                       complaint);
        free(complaint);
    }
    nuce_command_reply_fini(&reply);
    return error->status;
}

char *nuce_queue_own_user(void)
{
    const struct passwd *user = getpwuid(geteuid());

    return user != NULL ? nuce_text_duplicate(user->pw_name)
                        : nuce_text_format("%lu", (unsigned long)geteuid());
}

/* What `scontrol show WHAT` prints: a new string. "" when it cannot be asked; NULL with *error
 * when interrupted. */
static char *queue_show(const char *via, const char *what, struct nuce_error *error)
{
    json_t *argv = nuce_command_argv(via, "scontrol", "show", what, NULL);
    struct nuce_command_reply reply;
    nuce_status status;
    char *text;

    status = nuce_command_run(argv, LIMIT_S, &reply, error);
    json_decref(argv);
    if (status == NUCE_INTERRUPTED)
        return NULL;
    if (status != NUCE_OK)
        return nuce_text_duplicate("");
    text = nuce_text_duplicate(nuce_command_succeeded(&reply) ? reply.out : "");
    nuce_command_reply_fini(&reply);
    return text;
}

nuce_status nuce_limits_read(const char *via, struct nuce_limits *out, struct nuce_error *error)
{
    char *text = queue_show(via, "config", error);
    int64_t array_size, jobs;

    if (text == NULL)
        return error->status;
    array_size = nuce_queue_setting(text, "MaxArraySize");
    jobs = nuce_queue_setting(text, "MaxJobCount");
    free(text);
    *out = (struct nuce_limits){.array_size = array_size >= 0 ? array_size : DEFAULT_ARRAY_SIZE,
                                .jobs = jobs >= 0 ? jobs : DEFAULT_JOBS,
                                .known = array_size >= 0 && jobs >= 0};
    return NUCE_OK;
}

char *nuce_queue_topology(const char *via)
{
    struct nuce_error ignored;
    char *text = queue_show(via, "topology", &ignored);

    /* Without a topology some versions say so and end well. */
    if (text != NULL && strstr(text, "Name=") == NULL) {
        free(text);
        return NULL;
    }
    if (text != NULL)
        nuce_printable_make(text);
    return text;
}
