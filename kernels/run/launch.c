/* What the launcher has written down for the program: a file of facts, which go into the record,
 * and a file of hosts, by which each rank is checked to run where it was meant to: on other nodes,
 * or in another order, the run would be of another machine than its record says. */
#include "run/launch.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/jsonl.h"
#include "base/text.h"

/* Only the two keys that the launcher writes, each an object. What is not known here would be
 * dropped without a word, so it is refused. */
static nuce_status check_fact(const char *path, const char *key, const json_t *value,
                              struct nuce_error *error)
{
    static const char *const keys[] = {"cluster", "launch"};
    const char *nearest;
    char *text;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(key, keys[i]) != 0)
            continue;
        if (json_is_object(value))
            return NUCE_OK;
        text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s: '%.40s': expected an object", path, key,
                       text == NULL ? "" : text);
        free(text);
        return error->status;
    }
    nearest = nuce_text_nearest(key, keys, sizeof keys / sizeof *keys);
    if (nearest != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: unknown key '%.40s' (did you mean '%s'?)",
                              path, key, nearest);
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "%s: unknown key '%.40s': expected 'cluster' or 'launch'", path, key);
}

/* What stands in the file is data from a launcher of ours, but a hand may have written it: every
 * mistake has its place. Facts are as they come out of a record, with as many digits of reals as
 * records have: the hash of what is described is taken of this, and stays the same when a reader
 * computes it. */
json_t *nuce_launch_read_facts(const char *path, struct nuce_error *error)
{
    json_error_t problem;
    json_t *facts, *value, *recorded;
    const char *key;
    char *text;

    if (nuce_data_check_file(path, "a JSON object of facts", error) != NUCE_OK)
        return NULL;
    facts = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (facts == NULL) {
        nuce_error_set(error, NUCE_BAD_INPUT, "%s; expected a JSON object", problem.text);
        nuce_error_at(error, path, problem.line, problem.column);
        return NULL;
    }
    error->status = NUCE_OK;
    if (!json_is_object(facts))
        nuce_error_set(error, NUCE_BAD_INPUT, "%s:1:1: an array; expected a JSON object", path);
    json_object_foreach(facts, key, value)
    {
        if (error->status == NUCE_OK)
            check_fact(path, key, value, error);
    }
    if (error->status != NUCE_OK) {
        json_decref(facts);
        return NULL;
    }
    text = json_dumps(facts, JSON_COMPACT | JSON_REAL_PRECISION(NUCE_JSONL_PRECISION));
    recorded = json_loads(text, 0, NULL);
    free(text);
    json_decref(facts);
    return recorded;
}

/* Appends the name on the line to names, characters that are seen: names are compared, not looked
 * up. *blank is the number of the first of the empty lines that
 * precede it, 0: there were none. */
static nuce_status launch_take_name(const char *path, long long number, const char *text,
                                    size_t length, long long *blank, json_t *names,
                                    struct nuce_error *error)
{
    if (length == 0) {
        *blank = *blank == 0 ? number : *blank;
        return NUCE_OK;
    }
    if (*blank != 0) {
        nuce_error_set(error, NUCE_BAD_INPUT, "the line is empty; expected a host name");
        return nuce_error_at(error, path, *blank, 0);
    }
    for (size_t i = 0; i < length; i++) {
        if (!isgraph((unsigned char)text[i])) {
            nuce_error_set(error, NUCE_BAD_INPUT, "'%.80s': expected one host name", text);
            return nuce_error_at(error, path, number, 0);
        }
    }
    json_array_append_new(names, json_stringn(text, length));
    return NUCE_OK;
}

/* A name a line, rank 0's first. Empty lines are taken at the end of the file only: in the middle
 * they would shift all ranks behind them. */
static nuce_status read_names(const char *path, json_t *names, struct nuce_error *error)
{
    nuce_status status = nuce_data_check_file(path, "one host name a line", error);
    FILE *file = status == NUCE_OK ? fopen(path, "r") : NULL;
    long long blank = 0;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;

    if (status != NUCE_OK)
        return status;
    if (file == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    for (long long number = 1; status == NUCE_OK && (length = getline(&line, &capacity, file)) >= 0;
         number++) {
        if (length > 0 && line[length - 1] == '\n')
            line[--length] = '\0';
        status = launch_take_name(path, number, line, (size_t)length, &blank, names, error);
    }
    if (status == NUCE_OK && !feof(file))
        status = nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return status;
}

/* Whether two names may be one host's: with and without its domain. */
static bool is_same_host(const char *a, const char *b)
{
    size_t length = strcspn(a, ".");

    if (a[length] == '.' && strchr(b, '.') != NULL)
        return strcmp(a, b) == 0;
    return length == strcspn(b, ".") && strncmp(a, b, length) == 0;
}

/* NUCE_FAILED, not NUCE_BAD_INPUT: the files are right, the ranks are in the wrong place, and
 * another launch may do better. */
static nuce_status compare_hosts(const char *path, const json_t *names, const json_t *hosts,
                                 struct nuce_error *error)
{
    size_t ranks = json_array_size(hosts);

    if (json_array_size(names) != ranks)
        return nuce_error_set(error, NUCE_FAILED, "%s: %zu host names; expected %zu, one a rank",
                              path, json_array_size(names), ranks);
    for (size_t rank = 0; rank < ranks; rank++) {
        const char *expected = json_string_value(json_array_get(names, rank));
        const char *host = json_string_value(json_array_get(hosts, rank));

        if (!is_same_host(host, expected))
            return nuce_error_set(error, NUCE_FAILED, "%s:%zu: rank %zu runs on %s, expected %s",
                                  path, rank + 1, rank, host, expected);
    }
    return NUCE_OK;
}

nuce_status nuce_launch_check_hosts(const char *path, const json_t *hosts, struct nuce_error *error)
{
    json_t *names = json_array();
    nuce_status status = read_names(path, names, error);

    if (status == NUCE_OK)
        status = compare_hosts(path, names, hosts, error);
    json_decref(names);
    return status;
}
