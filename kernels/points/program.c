/* The workload `program`: any commands, such as mpiexec with somebody's application. A contender is
 * a command with its settings. The harness starts each once per launch (campaigns/turns.h); nuce
 * knows nothing about the work but the time or the numbers that it prints. */
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "points/results.h"
#include "points/workload.h"

#define NAME_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

#define AT(member) offsetof(struct nuce_program_params, member)

static const struct nuce_option options[] = {
    NUCE_OPTION(LIST, "command", AT(command), NULL, "COMMAND",
                "command with its arguments, as 'mpiexec -n 8 ./app in.dat'; no shell reads it. "
                "{NAME} stands for a swept variable, {ranks} for the ranks",
                .flags = NUCE_OPTION_COMPARED, .room = NUCE_COMMAND_BYTES),
    NUCE_OPTION(LIST, "name", AT(name), NULL, "NAME", "name of the contender; default: the command",
                .flags = NUCE_OPTION_TUNING | NUCE_OPTION_IF_SET, .room = NUCE_NAME_BYTES),
    NUCE_OPTION(LIST, "variables", AT(variables), NULL, "NAME=VALUE...",
                "environment variables of the contender, separated by blanks; those below "
                "'environment:' are of a whole race",
                .flags = NUCE_OPTION_TUNING | NUCE_OPTION_IF_SET),
#define NUCE_PROGRAM_AT(member) AT(member)
#include "points/program_options.inc"
    NUCE_OPTION(LIST, "at", AT(at), NULL, "ROW", "row of the table of series, by its first column",
                .flags = NUCE_OPTION_IF_SET, .room = NUCE_NAME_BYTES),
    NUCE_OPTION(LIST, "directory", AT(directory), NULL, "FOLDER",
                "folder in which the commands run; default: the current one"),
    {.name = NULL},
};

/* Appends the value of the name behind the brace at *at, and moves *at behind the other brace. */
static nuce_status add_value(const char **at, const json_t *values, char **word,
                             struct nuce_error *error)
{
    size_t length = strcspn(*at + 1, "}");
    char *name = nuce_text_format("%.*s", (int)length, *at + 1);
    const json_t *value = json_object_get(values, name);

    error->status = NUCE_OK;
    if (json_is_integer(value))
        nuce_text_append(word, "%lld", (long long)json_integer_value(value));
    else if (json_is_string(value))
        nuce_text_append(word, "%s", json_string_value(value));
    else
        nuce_error_refuse(error, "command",
                          "'{%s}': expected ranks, nodes, or a variable of 'environment:'", name);
    free(name);
    *at += length + 2;
    return error->status;
}

/* True if a name in braces begins at text; other braces, such as those of awk, are text. */
static int is_value(const char *text)
{
    size_t length;

    if (*text != '{' || !(isalpha((unsigned char)text[1]) || text[1] == '_'))
        return 0;
    for (length = 1;
         isalnum((unsigned char)text[length]) || text[length] == '_' || text[length] == '-';)
        length++;
    return text[length] == '}';
}

json_t *nuce_program_words(const char *command, const json_t *values, struct nuce_error *error)
{
    json_t *words = json_array();
    const char *at = command;
    char *word = NULL, quote = '\0';

    error->status = NUCE_OK;
    while (error->status == NUCE_OK && *at != '\0') {
        if (quote == '\0' && isspace((unsigned char)*at)) {
            if (word != NULL)
                json_array_append_new(words, json_string(word));
            free(word);
            word = NULL;
            at++;
        } else if (quote != '\'' && *at == '\\' && at[1] != '\0') {
            nuce_text_append(&word, "%c", at[1]);
            at += 2;
        } else if (quote != '\0' ? *at == quote : *at == '\'' || *at == '"') {
            nuce_text_append(&word, "%s", ""); /* '' is a word as well */
            quote = quote != '\0' ? '\0' : *at;
            at++;
        } else if (values != NULL && quote != '\'' && is_value(at)) {
            add_value(&at, values, &word, error);
        } else {
            nuce_text_append(&word, "%c", *at++);
        }
    }
    if (word != NULL)
        json_array_append_new(words, json_string(word));
    free(word);
    if (error->status == NUCE_OK && quote != '\0')
        nuce_error_refuse(error, "command", "'%.200s': the quote %c is not closed", command, quote);
    else if (error->status == NUCE_OK && json_array_size(words) == 0)
        nuce_error_refuse(error, "command", "empty: expected a program and its arguments");
    if (error->status == NUCE_OK)
        return words;
    json_decref(words);
    return NULL;
}

json_t *nuce_program_values(const json_t *factors, int ranks)
{
    json_t *values = factors != NULL ? json_copy((json_t *)factors) : json_object();

    json_object_set_new(values, "ranks", json_integer(ranks));
    return values;
}

nuce_status nuce_program_check_values(const struct nuce_program_params *params,
                                      const json_t *factors, int ranks, struct nuce_error *error)
{
    const char *const texts[] = {params->shell ? "" : params->command, params->variables};
    json_t *values = nuce_program_values(factors, ranks);

    error->status = NUCE_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && error->status == NUCE_OK; i++) {
        if (texts[i][0] != '\0')
            json_decref(nuce_program_words(texts[i], values, error));
    }
    json_decref(values);
    return error->status;
}

double nuce_program_unit_seconds(const char *unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"min", 60}, {"h", 3600}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i].name) == 0)
            return units[i].seconds;
    }
    return 0;
}

/* NUCE_BAD_INPUT unless text is an extended regular expression of POSIX with that many groups, -1:
 * any. */
static nuce_status check_regex(const char *option, const char *text, int groups,
                               struct nuce_error *error)
{
    char why[256];
    regex_t regex;
    int code = regcomp(&regex, text, REG_EXTENDED | REG_NEWLINE);

    error->status = NUCE_OK;
    if (code != 0) {
        regerror(code, &regex, why, sizeof why);
        return nuce_error_refuse(error, option, "'%.200s': no regular expression: %s", text, why);
    }
    if (groups >= 0 && (int)regex.re_nsub != groups)
        nuce_error_refuse(error, option,
                          "'%.200s': expected wall, json:/POINTER, or a regular expression with "
                          "one group, such as 'time: ([0-9.]+)'; it has %zu",
                          text, regex.re_nsub);
    regfree(&regex);
    return error->status;
}

/* NUCE_BAD_INPUT unless each word is NAME=VALUE. */
static nuce_status check_variables(const char *text, struct nuce_error *error)
{
    json_t *words = nuce_program_words(text, NULL, error), *word;
    size_t i;

    if (words == NULL)
        return nuce_error_about(error, "variables");
    json_array_foreach(words, i, word)
    {
        const char *one = json_string_value(word);
        size_t length = strcspn(one, "=");

        if (error->status == NUCE_OK &&
            (one[length] != '=' || length == 0 || isdigit((unsigned char)*one) ||
             strspn(one, NAME_LETTERS) != length))
            nuce_error_refuse(error, "variables", "'%.100s': expected NAME=VALUE", one);
    }
    json_decref(words);
    return error->status;
}

static nuce_status program_complete(void *params, int ranks, struct nuce_error *error)
{
    struct nuce_program_params *p = params;
    int is_wall = strcmp(p->metric, NUCE_METRIC_WALL) == 0, is_series = p->series > 0;
    json_t *words;

    (void)ranks;
    if (p->command[0] == '\0')
        return nuce_error_refuse(error, "command",
                                 "not given: expected a program and its "
                                 "arguments");
    words = p->shell ? json_array() : nuce_program_words(p->command, NULL, error);
    json_decref(words);
    if (words == NULL)
        return error->status;
    if (p->variables[0] != '\0' && check_variables(p->variables, error) != NUCE_OK)
        return error->status;
    for (const struct nuce_option *row = options; row->name != NULL; row++) {
        if ((row->type == NUCE_OPTION_LIST && nuce_text_has_control((char *)params + row->offset)))
            return nuce_error_refuse(error, row->name, "expected text without control characters");
    }
    if (is_series != (p->at[0] != '\0'))
        return nuce_error_refuse(error, is_series ? "at" : "series",
                                 "not given: expected both, the column of a table and its row");
    if (is_series && !is_wall)
        return nuce_error_refuse(error, "metric", "expected none beside series, which has one");
    if (strncmp(p->metric, NUCE_METRIC_JSON, strlen(NUCE_METRIC_JSON)) == 0) {
        if (p->metric[strlen(NUCE_METRIC_JSON)] != '/')
            return nuce_error_refuse(error, "metric", "'%.200s': expected json:/NAME/NAME",
                                     p->metric);
    } else if (!is_wall && check_regex("metric", p->metric, 1, error) != NUCE_OK) {
        return error->status;
    }
    if (is_wall && !is_series && (p->unit[0] != '\0' || strcmp(p->better, "lower") != 0))
        return nuce_error_refuse(error, p->unit[0] != '\0' ? "unit" : "better",
                                 "the metric is the command's time, in seconds: expected a metric "
                                 "that the program prints");
    if (p->expect[0] != '\0' && check_regex("expect", p->expect, -1, error) != NUCE_OK)
        return error->status;
    if (p->directory[0] == '\0' && getcwd(p->directory, sizeof p->directory) == NULL)
        return nuce_error_refuse(error, "directory", "the current folder has no usable path");
    return NUCE_OK;
}

/* Commands start their own ranks; a sweep need not give any. */
static nuce_status program_ranks(const void *params, struct nuce_facts *facts, int *out,
                                 struct nuce_error *error)
{
    (void)params;
    (void)facts;
    (void)error;
    *out = 1;
    return NUCE_OK;
}

/* clang-format off */
static const struct nuce_result own_results[] = {
    {"value", NUCE_REAL, "", "metric as the program printed it, in its own unit", "value", 0},
    {"command_s", NUCE_REAL, NUCE_UNIT_SECONDS, "wall time of the command", "wall time", 0},
    {"null_s", NUCE_REAL, NUCE_UNIT_SECONDS,
     "wall time of the same start with a program that does nothing", "start alone", 0},
    {.name = NULL},
};
/* clang-format on */

static const struct nuce_result *const results[] = {
    nuce_results_part,
    own_results,
    nuce_results_run,
    NULL,
};

const struct nuce_workload_ops nuce_workload_program = {
    .name = "program",
    .summary = "any commands, such as an application under two settings, in turns",
    .source = "nuce: docs/how-to/race.md",
    .program = "nuce",
    .subcommand = "race",
    .is_command = 1,
    .options = options,
    .results = results,
    .params_size = sizeof(struct nuce_program_params),
    .complete = program_complete,
    .ranks = program_ranks,
};
