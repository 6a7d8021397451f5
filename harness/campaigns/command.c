/* A command is data: its words go to exec, its output into memory, and only numbers come out of it.
 */
#include "campaigns/command.h"

#include <ctype.h>
#include <math.h>
#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/printable.h"
#include "base/text.h"
#include "campaigns/words.h"

/* Time for processes that a command leaves behind to end. */
#define LEFT_MS 100

/* Lines of output in a message. */
#define LINES_SHOWN 3

json_t *nuce_command_null(const json_t *words)
{
    static const char *const launchers[] = {"mpiexec", "mpirun", "srun", "orterun", "prun", NULL};
    size_t first = 0, at;
    json_t *null;

    /* env with its variables may stand before the launcher. */
    if (strcmp(basename(json_string_value(json_array_get(words, 0))), "env") == 0) {
        const char *word;

        while ((word = json_string_value(json_array_get(words, ++first))) != NULL &&
               (*word == '-' || strchr(word, '=') != NULL))
            ;
    }
    for (int i = 0; launchers[i] != NULL; i++) {
        const char *word = json_string_value(json_array_get(words, first));

        if (word != NULL && strncmp(basename(word), launchers[i], strlen(launchers[i])) == 0)
            break;
        if (word == NULL || launchers[i + 1] == NULL)
            return NULL;
    }
    for (at = first + 1; at < json_array_size(words); at++) {
        const char *word = json_string_value(json_array_get(words, at));
        char *path = *word != '-' ? nuce_process_find(word) : NULL;
        int found = path != NULL;

        free(path);
        if (found)
            break;
    }
    if (at == json_array_size(words))
        return NULL;
    null = json_array();
    for (size_t i = 0; i < at; i++)
        json_array_append(null, json_array_get(words, i));
    json_array_append_new(null, json_string("true"));
    return null;
}

json_t *nuce_command_words(const struct nuce_program_params *params, const json_t *factors,
                           int ranks, struct nuce_error *error)
{
    json_t *values = nuce_program_values(factors, ranks), *words = json_array();
    json_t *variables = params->variables[0] != '\0'
                            ? nuce_program_words(params->variables, values, error)
                            : json_array();
    json_t *own = variables == NULL ? NULL
                  : params->shell   ? json_pack("[s, s, s]", "/bin/sh", "-c", params->command)
                                    : nuce_program_words(params->command, values, error);

    nuce_words_add_variables(words, factors);
    if (json_array_size(variables) > 0 && json_array_size(words) == 0)
        json_array_append_new(words, json_string("env"));
    json_array_extend(words, variables);
    json_array_extend(words, own);
    json_decref(values);
    json_decref(variables);
    json_decref(own);
    if (own != NULL)
        return words;
    json_decref(words);
    return NULL;
}

void nuce_command_end_fini(struct nuce_command_end *end)
{
    free(end->message);
    free(end->out);
    free(end->err);
    *end = (struct nuce_command_end){0};
}

/* The last lines of a text on one line, in printable characters. A new string. */
static char *last_lines(const char *text)
{
    size_t length = strlen(text);
    const char *at;
    char *said;
    int lines = LINES_SHOWN;

    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    for (at = text + length; at > text && (at[-1] != '\n' || --lines > 0);)
        at--;
    said = nuce_text_format("%.*s", (int)(text + length - at), at);
    for (char *c = said; *c != '\0'; c++)
        *c = (char)(*c == '\n' ? '|' : *c);
    nuce_printable_make(said);
    return said;
}

/* True if the extended regular expression, which was checked before, matches; group, unless it is
 * NULL, becomes the text of its first group, a new string. */
static int matches(const char *expression, const char *text, char **group)
{
    regmatch_t found[2];
    regex_t regex;
    int matched = 0;

    if (regcomp(&regex, expression, REG_EXTENDED | REG_NEWLINE) != 0)
        return 0;
    matched = regexec(&regex, text, 2, found, 0) == 0;
    if (matched && group != NULL)
        *group =
            nuce_text_format("%.*s", (int)(found[1].rm_eo - found[1].rm_so), text + found[1].rm_so);
    regfree(&regex);
    return matched;
}

/* Sets status and message of a command by its end; waited: the status of waitpid. */
static void command_judge(const struct nuce_program_params *params, int waited,
                          struct nuce_command_end *end)
{
    char *said = last_lines(*end->err != '\0' ? end->err : end->out);
    const char *colon = *said != '\0' ? ": " : "";

    end->status = "failed";
    if (WIFSIGNALED(waited))
        end->message =
            nuce_text_format("it was killed by signal %d%s%s", WTERMSIG(waited), colon, said);
    else if (WEXITSTATUS(waited) != 0)
        end->message =
            nuce_text_format("it ended with status %d%s%s", WEXITSTATUS(waited), colon, said);
    else if (params->expect[0] != '\0' && !matches(params->expect, end->out, NULL) &&
             !matches(params->expect, end->err, NULL))
        end->message =
            nuce_text_format("its output does not match '%.200s'%s%s", params->expect, colon, said);
    else
        end->status = "ok";
    free(said);
}

void nuce_command_run(const struct nuce_program_params *params, const json_t *words,
                      double timeout_s, const struct nuce_signals *signals,
                      struct nuce_command_end *out)
{
    struct nuce_process_reply reply;
    struct nuce_error error;

    *out = (struct nuce_command_end){.status = "failed"};
    if (nuce_process_follow(params->directory, words, timeout_s, LEFT_MS, signals, &reply,
                            &error) != NUCE_OK) {
        out->message = nuce_text_duplicate(nuce_error_flatten(&error));
        out->out = nuce_text_duplicate("");
        out->err = nuce_text_duplicate("");
        return;
    }
    out->wall_s = reply.wall_s;
    out->out = reply.out;
    out->err = reply.err;
    if (reply.event == NUCE_EVENT_ENDED) {
        command_judge(params, reply.status, out);
        /* Slurm's signal may have come to it as well, and ended it. */
        if (strcmp(out->status, "ok") != 0 && nuce_process_take_signal())
            reply.event = NUCE_EVENT_SIGNAL;
    }
    if (reply.event == NUCE_EVENT_SIGNAL) {
        free(out->message);
        out->status = "interrupted";
        out->message = nuce_text_duplicate("nuce was told to stop while it ran");
    } else if (reply.event == NUCE_EVENT_TIME) {
        out->status = "timeout";
        out->message = nuce_text_format("it took longer than %g s and was ended", timeout_s);
    }
}

/* IMB prints these in place of a row's numbers that it did not measure; a number may follow. */
static const char *const unmeasured[] = {"out-of-mem.", "time-out.", "int-overflow.", NULL};

/* The length of the word at text. In a line with blanks, digits with commas are one word, which is
 * no number: "1,024" is not 1, nor "3,5" 3. A comma at its end, or a letter, shows that commas
 * separate columns. */
static size_t word_length(const char *text, int has_blanks)
{
    size_t length = strcspn(text, " \t|;\r\n");

    if (has_blanks && length > 0 && strspn(text, "0123456789.,") == length &&
        text[length - 1] != ',')
        return length;
    return strcspn(text, " \t|,;\r\n");
}

/* The word in that column, from 1 on, of the line at text; its length, 0: there is none,
 * or the row was not measured. */
static size_t column_of(const char *text, int64_t column, const char **word)
{
    const char *first = text + strspn(text, " \t"), *blank = first + strcspn(first, " \t\r\n");
    int has_blanks = strchr("\r\n", blank[strspn(blank, " \t")]) == NULL;
    size_t length = 0;

    *word = text;
    for (int64_t i = 0; i < column; i++) {
        text += length;
        text += strspn(text, " \t|,;");
        length = word_length(text, has_blanks);
        for (int k = 0; unmeasured[k] != NULL; k++) {
            if (length == strlen(unmeasured[k]) && strncmp(text, unmeasured[k], length) == 0)
                return 0;
        }
        *word = text;
    }
    return length;
}

/* True if all of the word is a number; *value, unless NULL, becomes it. */
static int is_number(const char *word, size_t length, double *value)
{
    char copy[64], *end;
    double number;

    if (length == 0 || length >= sizeof copy)
        return 0;
    memcpy(copy, word, length);
    copy[length] = '\0';
    number = strtod(copy, &end);
    if (*end != '\0' || !isfinite(number))
        return 0;
    if (value != NULL)
        *value = number;
    return 1;
}

json_t *nuce_command_rows(const char *output, int64_t column)
{
    json_t *rows = json_array();

    for (const char *line = output; line != NULL; line = strchr(line, '\n')) {
        const char *first, *other;
        size_t length, others;

        line += *line == '\n';
        length = column_of(line, 1, &first);
        others = column_of(line, column, &other);
        if (is_number(first, length, NULL) && is_number(other, others, NULL))
            json_array_append_new(rows, json_stringn(first, length));
    }
    return rows;
}

/* The number in that column of the row whose first column is at. NAN: there is none. */
static double row_value(const char *output, const char *at, int64_t column)
{
    for (const char *line = output; line != NULL; line = strchr(line, '\n')) {
        const char *word;
        size_t length;
        double value;

        line += *line == '\n';
        length = column_of(line, 1, &word);
        if (length != strlen(at) || strncmp(word, at, length) != 0)
            continue;
        length = column_of(line, column, &word);
        if (is_number(word, length, &value))
            return value;
    }
    return NAN;
}

/* The number at a pointer (RFC 6901, without escapes) into the JSON text. NAN: there is none. A
 * name of other characters than digits is none of a list's. */
static double json_value(const char *text, const char *pointer)
{
    json_t *root = json_loads(text, 0, NULL), *at = root;
    char *copy = nuce_text_duplicate(pointer + 1), *rest = copy, *name;
    double value;

    while ((name = strsep(&rest, "/")) != NULL)
        at = !json_is_array(at) ? json_object_get(at, name)
             : *name != '\0' && name[strspn(name, "0123456789")] == '\0'
                 ? json_array_get(at, strtoul(name, NULL, 10))
                 : NULL;
    value = json_is_number(at) ? json_number_value(at) : NAN;
    free(copy);
    json_decref(root);
    return value;
}

nuce_status nuce_command_metric(const struct nuce_program_params *params,
                                const struct nuce_command_end *end, double *value, double *cost,
                                struct nuce_error *error)
{
    double unit_s = nuce_program_unit_seconds(params->unit), found = NAN;
    char *group = NULL, *said;

    if (params->series > 0)
        found = row_value(end->out, params->at, params->series);
    else if (strcmp(params->metric, NUCE_METRIC_WALL) == 0)
        found = end->wall_s;
    else if (strncmp(params->metric, NUCE_METRIC_JSON, strlen(NUCE_METRIC_JSON)) == 0)
        found = json_value(end->out, params->metric + strlen(NUCE_METRIC_JSON));
    else if (matches(params->metric, end->out, &group) || matches(params->metric, end->err, &group))
        is_number(group, strlen(group), &found);
    if (found > 0) {
        *value = found;
        *cost =
            (strcmp(params->better, "higher") == 0 ? 1 / found : found) * (unit_s > 0 ? unit_s : 1);
        free(group);
        return NUCE_OK;
    }
    said = last_lines(*end->out != '\0' ? end->out : end->err);
    if (group == NULL && isfinite(found))
        group = nuce_text_format("%g", found);
    if (params->series > 0)
        nuce_error_refuse(error, "series",
                          "no number above 0 in column %lld of the row '%s' of its output: '%s'",
                          (long long)params->series, params->at, said);
    else if (group != NULL)
        nuce_error_refuse(error, "metric", "'%.200s': '%.200s' is not a number above 0",
                          params->metric, group);
    else
        nuce_error_refuse(error, "metric", "'%.200s' is not in its output, which ends: '%s'",
                          params->metric, said);
    free(said);
    free(group);
    return error->status;
}
