/* The table that squeue prints, read back.
 *
 * By --format, which every version has; --json needs a plugin that a cluster may not have. A name
 * may hold anything, so fields are parted by what nobody could have known (nuce_queue_separator).
 *
 * Order: the separator and the format; a line into fields; fields into a job; all lines. A line
 * that is no row is left out; that the table was there at all is known by its titles. At the end
 * the settings that scontrol prints. */
#include "campaigns/queue_parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/printable.h"
#include "base/text.h"

/* The fields by their letters in squeue(1), free text last. A name goes last, since one with a line
 * end spoils only itself there. */
enum queue_field { ID, ARRAY, TASK, STATE, USER, START, NODES, REASON, NAME, FIELDS };

static const char letters[FIELDS] = {'A', 'F', 'K', 'T', 'u', 'S', 'N', 'r', 'j'};

/* 32 random bits. A name that was given before the call fits it with a chance of 2^-32. Where the
 * kernel gives no random number the clock and the process id do: nobody else knows those to the
 * nanosecond. */
void nuce_queue_separator(char separator[NUCE_QUEUE_SEPARATOR_BYTES])
{
    unsigned int drawn = 0;
    struct timespec now;

    if (getrandom(&drawn, sizeof drawn, 0) != (ssize_t)sizeof drawn) {
        clock_gettime(CLOCK_REALTIME, &now);
        drawn = (unsigned int)now.tv_nsec * 2654435761u ^ (unsigned int)getpid();
    }
    snprintf(separator, NUCE_QUEUE_SEPARATOR_BYTES, "|%08x|", drawn);
}

char *nuce_queue_format(const char *separator)
{
    char format[FIELDS * (NUCE_QUEUE_SEPARATOR_BYTES + 2) + 1], *end = format;

    for (int i = 0; i < FIELDS; i++)
        end += sprintf(end, "%%%c%.*s", letters[i], NUCE_QUEUE_SEPARATOR_BYTES - 1, separator);
    return nuce_text_format("%s", format);
}

/* Whether text is a whole number of at least 0 and nothing else; *out is it then. */
static int queue_parse_number(const char *text, int64_t *out)
{
    char *end;
    long long number;

    if (!isdigit((unsigned char)*text))
        return 0;
    errno = 0;
    number = strtoll(text, &end, 10);
    *out = number;
    return errno == 0 && *end == '\0';
}

/* Cuts line into its fields; 0 if it is no row. A name with a line end has lost its rest with its
 * last separator. */
static int queue_split_line(char *line, const char *separator, char *fields[FIELDS])
{
    for (int i = 0; i < FIELDS; i++) {
        char *end = strstr(line, separator);

        fields[i] = line;
        if (end == NULL)
            return i == FIELDS - 1;
        *end = '\0';
        line = end + strlen(separator);
    }
    return 1;
}

/* A copy fit for a terminal; "" for what Slurm writes for nothing. */
static char *queue_copy_field(const char *text)
{
    static const char *const nothing[] = {"N/A", "(null)", "None", "n/a"};
    char *copied;

    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        text = strcmp(text, nothing[i]) == 0 ? "" : text;
    copied = nuce_text_duplicate(text);
    for (char *c = copied; *c != '\0'; c++)
        *c = (char)(*c == '\r' || *c == '\n' ? ' ' : *c);
    nuce_printable_make(copied);
    return copied;
}

void nuce_queue_fini(struct nuce_queue *queue)
{
    for (int64_t i = 0; i < queue->count; i++) {
        free(queue->jobs[i].name);
        free(queue->jobs[i].user);
        free(queue->jobs[i].state);
        free(queue->jobs[i].reason);
        free(queue->jobs[i].start);
        free(queue->jobs[i].nodes);
    }
    free(queue->jobs);
    *queue = (struct nuce_queue){.count = 0};
}

/* Adds the job of a line; the row of titles, whose id is no number, is none. A task is "3", "[5-9]"
 * or "[5-9%2]" of an array that squeue did not split although it was asked to (--array), or "N/A".
 * A job without an array's id is its own array. */
static void add_row(struct nuce_queue *queue, char *const fields[FIELDS])
{
    struct nuce_queue_job job = {.task = -1};

    if (!queue_parse_number(fields[ID], &job.id))
        return;
    if (!queue_parse_number(fields[ARRAY], &job.array))
        job.array = job.id;
    if (!queue_parse_number(fields[TASK], &job.task))
        job.task =
            isdigit((unsigned char)*fields[TASK]) || *fields[TASK] == '[' ? NUCE_QUEUE_TASKS : -1;
    nuce_allocate_more((void **)&queue->jobs, &queue->capacity, queue->count + 1, sizeof job);
    job.name = nuce_text_duplicate(fields[NAME]);
    job.user = nuce_text_duplicate(fields[USER]);
    job.state = queue_copy_field(fields[STATE]);
    job.reason = queue_copy_field(fields[REASON]);
    job.start = queue_copy_field(fields[START]);
    job.nodes = queue_copy_field(fields[NODES]);
    queue->jobs[queue->count++] = job;
}

/* Without its titles it is not known what was printed: a program that only seems to be squeue, or
 * output that was lost, would look as if all jobs were gone. */
nuce_status nuce_queue_parse(const char *text, const char *separator, struct nuce_queue *out,
                             struct nuce_error *error)
{
    struct nuce_queue queue = {.count = 0};
    char *lines = nuce_text_duplicate(text), *rest = lines, *line, *fields[FIELDS];
    char first[64];
    int titles = 0;

    while ((line = strsep(&rest, "\n")) != NULL) {
        if (!queue_split_line(line, separator, fields))
            continue;
        titles |= isalpha((unsigned char)*fields[ID]);
        add_row(&queue, fields);
    }
    free(lines);
    if (titles) {
        *out = queue;
        return NUCE_OK;
    }
    nuce_queue_fini(&queue);
    snprintf(first, sizeof first, "%.*s", (int)strcspn(text, "\n"), text);
    for (char *c = first; *c != '\0'; c++)
        *c = (char)(*c < ' ' || *c > '~' ? '?' : *c);
    return nuce_error_set(error, NUCE_FAILED,
                          "squeue printed '%s': expected a table of jobs with titles, as --format "
                          "asks for",
                          first);
}

int64_t nuce_queue_setting(const char *text, const char *name)
{
    size_t length = strlen(name);
    int64_t value = -1;

    for (const char *line = text; line != NULL && *line != '\0';) {
        const char *next = strchr(line, '\n');

        line += strspn(line, " \t");
        if (strncmp(line, name, length) == 0) {
            const char *equals = line + length + strspn(line + length, " \t");

            if (*equals == '=' && isdigit((unsigned char)equals[1 + strspn(equals + 1, " \t")]))
                value = strtoll(equals + 1, NULL, 10);
        }
        line = next != NULL ? next + 1 : NULL;
    }
    return value;
}
