/* Points from a command line: every combination of the comma lists given, or a file of plan lines.
 */
#include <stdlib.h>
#include <string.h>

#include "program/arguments.h"
#include "support/jsonl.h"
#include "workloads/point.h"

/* "a,b" as an array of texts, one entry for what is not a list. New reference. */
static json_t *given_split(const struct nuce_option *option, const char *text)
{
    json_t *values = json_array();

    if (option->type == NUCE_OPTION_LIST) {
        (void)json_array_append_new(values, json_string(text));
        return values;
    }
    for (;;) {
        size_t length = strcspn(text, ",");

        (void)json_array_append_new(values, json_stringn(text, length));
        if (text[length] == '\0')
            return values;
        text += length + 1;
    }
}

/* What option was given or, without it, stands for; NULL: its preset. list is room for it. */
static const char *given_text(const struct nuce_arguments *arguments,
                              const struct nuce_option *option, int ranks,
                              char list[NUCE_PATH_BYTES])
{
    const char *text = json_string_value(json_object_get(arguments->given, option->name));

    list[0] = '\0';
    if (text == NULL && arguments->workload->by_hand != NULL)
        arguments->workload->by_hand(option, ranks, list);
    return text == NULL && list[0] != '\0' ? list : text;
}

/* The options as lists, in the table's order but what is compared last. */
static json_t *given_lists(const struct nuce_arguments *arguments, int ranks)
{
    char list[NUCE_PATH_BYTES];
    json_t *lists = json_object();
    const struct nuce_option *compared = nuce_option_compared(arguments->workload->options);
    json_t *last = NULL;

    for (const struct nuce_option *row = arguments->workload->options; row->name != NULL; row++) {
        const char *text = given_text(arguments, row, ranks, list);

        if (text == NULL)
            continue;
        if (row == compared)
            last = given_split(row, text);
        else
            (void)json_object_set_new(lists, row->name, given_split(row, text));
    }
    if (last != NULL)
        (void)json_object_set_new(lists, compared->name, last);
    return lists;
}

/* Sets combination number of lists, counting with the last list fastest. */
static nuce_status set_combination(struct nuce_point *point, json_t *lists, size_t number,
                                   size_t total, struct nuce_error *error)
{
    const char *key;
    json_t *values;

    json_object_foreach(lists, key, values)
    {
        size_t count = json_array_size(values);

        total /= count;
        if (nuce_point_set(point, key, json_array_get(values, number / total), error) != NUCE_OK)
            return nuce_error_about(error, key);
        number %= total;
    }
    return NUCE_OK;
}

static nuce_status set_measure(struct nuce_point *point, const struct nuce_arguments *arguments,
                               struct nuce_error *error)
{
    for (const struct nuce_option *row = nuce_measure_options; row->name != NULL; row++) {
        const json_t *text = json_object_get(arguments->given, row->name);

        if (text != NULL && nuce_option_set_json(row, &point->measure, text, error) != NUCE_OK)
            return nuce_error_about(error, row->name);
    }
    return NUCE_OK;
}

/* The number of ranks is a point's, but no option of these programs. */
static nuce_status given_complete(struct nuce_point *point, struct nuce_facts *facts,
                                  struct nuce_error *error)
{
    nuce_status status = nuce_point_complete(point, facts, error);

    if (status != NUCE_OK && strcmp(error->subject, "ranks") == 0)
        (void)nuce_error_flatten(error);
    return status;
}

static json_t *given_combination(const struct nuce_arguments *arguments, json_t *lists,
                                 size_t number, size_t total, int ranks, struct nuce_facts *facts,
                                 struct nuce_error *error)
{
    struct nuce_point point = {0};
    json_t *line = NULL;

    if (nuce_point_init(arguments->workload, ranks, &point, error) == NUCE_OK &&
        set_combination(&point, lists, number, total, error) == NUCE_OK &&
        set_measure(&point, arguments, error) == NUCE_OK &&
        given_complete(&point, facts, error) == NUCE_OK)
        line = nuce_point_to_json(&point, error);
    nuce_point_fini(&point);
    return line;
}

#define COMBINATIONS_MOST 100000

static json_t *given_combinations(const struct nuce_arguments *arguments, int ranks,
                                  struct nuce_facts *facts, struct nuce_error *error)
{
    json_t *lists = given_lists(arguments, ranks);
    json_t *lines = json_array();
    size_t total = 1;
    const char *key;
    json_t *values;

    json_object_foreach(lists, key, values)
    {
        if (total <= COMBINATIONS_MOST)
            total *= json_array_size(values);
    }
    error->status = NUCE_OK;
    if (total > COMBINATIONS_MOST)
        (void)nuce_error_set(error, NUCE_BAD_INPUT, "the lists make more than %d points",
                             COMBINATIONS_MOST);
    for (size_t i = 0; i < total && error->status == NUCE_OK; i++) {
        json_t *line = given_combination(arguments, lists, i, total, ranks, facts, error);

        if (line != NULL)
            (void)json_array_append_new(lines, line);
    }
    json_decref(lists);
    if (error->status != NUCE_OK) {
        json_decref(lines);
        return NULL;
    }
    return lines;
}

struct given_reader {
    const struct nuce_arguments *arguments;
    struct nuce_facts *facts;
    int ranks;
    json_t *lines;
};

static nuce_status given_take_line(void *context, int64_t number, const char *text, size_t length,
                                   json_t *value, struct nuce_error *error)
{
    struct given_reader *reader = context;
    struct nuce_point point;
    nuce_status status = NUCE_OK;

    (void)text;
    (void)length;
    if (nuce_point_from_json(value, reader->facts, &point, error) != NUCE_OK)
        return nuce_error_at(error, reader->arguments->points, number, 1);
    if (point.workload != reader->arguments->workload) {
        (void)nuce_error_set(error, NUCE_BAD_INPUT, "workload '%s': this program runs '%s'",
                             point.workload->name, reader->arguments->workload->name);
        status = nuce_error_at(error, reader->arguments->points, number, 1);
    } else if (point.ranks == reader->ranks) {
        (void)json_array_append(reader->lines, value);
    }
    nuce_point_fini(&point);
    return status;
}

static json_t *given_read_points(const struct nuce_arguments *arguments, int ranks,
                                 struct nuce_facts *facts, struct nuce_error *error)
{
    struct given_reader reader = {
        .arguments = arguments, .facts = facts, .ranks = ranks, .lines = json_array()};
    struct nuce_jsonl_counts counts;
    nuce_status status =
        nuce_jsonl_read(arguments->points, given_take_line, &reader, &counts, error);

    if (status == NUCE_OK && counts.torn)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: cut off in its last line",
                                arguments->points);
    if (status == NUCE_OK && json_array_size(reader.lines) == 0)
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: has no point for %d ranks",
                                arguments->points, ranks);
    if (status != NUCE_OK) {
        json_decref(reader.lines);
        return NULL;
    }
    return reader.lines;
}

json_t *nuce_arguments_points(const struct nuce_arguments *arguments, int ranks,
                              struct nuce_facts *facts, struct nuce_error *error)
{
    return arguments->points == NULL ? given_combinations(arguments, ranks, facts, error)
                                     : given_read_points(arguments, ranks, facts, error);
}
