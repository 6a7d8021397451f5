/* Points of any workload, written as "exchange 3 schedule=ac com=some.com": the workload, the ranks
 * and the settings, as a sweep gives them. A word without '=' belongs to the value before it. */
#ifndef NUCE_TEST_POINTS_H
#define NUCE_TEST_POINTS_H

#include "../test.h"

#include <stdio.h>
#include <stdlib.h>

#include "points/point.h"

/* A point with the settings of the text, not complete yet. Freed with nuce_point_fini, also after
 * an error. */
static inline nuce_status point_begin(const char *text, struct nuce_point *point,
                                      struct nuce_error *error)
{
    char words[2048], *key, *value, *next = words, name[32];
    nuce_status status = NUCE_OK;
    int ranks;

    snprintf(words, sizeof words, "%s", text);
    assert_int_equal(sscanf(words, "%31s %d", name, &ranks), 2);
    nuce_point_init(nuce_workload_find(name), ranks, point);
    strsep(&next, " ");
    strsep(&next, " ");
    while (status == NUCE_OK && next != NULL) {
        json_t *json;

        key = strsep(&next, "=");
        value = next;
        /* It ends before the word that has the next '='. */
        next = next == NULL ? NULL : strchr(next, '=');
        while (next != NULL && *next != ' ')
            next--;
        if (next != NULL)
            *next++ = '\0';
        json = json_string(value);
        status = nuce_point_set(point, key, json, error);
        json_decref(json);
    }
    return status;
}

/* A complete point, to be freed with nuce_point_fini also after an error. */
static inline nuce_status point_make(const char *text, struct nuce_point *point,
                                     struct nuce_error *error)
{
    struct nuce_facts *facts = nuce_facts_create();
    nuce_status status = point_begin(text, point, error);

    if (status == NUCE_OK)
        status = nuce_point_complete(point, facts, error);
    nuce_facts_destroy(facts);
    return status;
}

/* The same of a format, where nothing may be wrong. */
__attribute__((format(printf, 1, 2))) static inline struct nuce_point point_of(const char *format,
                                                                               ...)
{
    struct nuce_point point;
    struct nuce_error error = {0};
    char text[2048];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (point_make(text, &point, &error) != NUCE_OK)
        fail_msg("%s: %s", text, nuce_error_flatten(&error));
    return point;
}

/* Bad input: the wrong option or key, "" for no single one, and a part of the message. */
static inline void point_is_refused(const char *text, const char *subject, const char *says)
{
    OWNED(point) point;
    struct nuce_error error = {0};

    if (point_make(text, &point, &error) != NUCE_BAD_INPUT)
        fail_msg("%s: not refused", text);
    assert_string_equal(error.subject, subject);
    assert_says(&error, says);
}

/* The pattern of a point, which is not needed any more. */
static inline struct nuce_pattern pattern_of(struct nuce_point point)
{
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    if (point.workload->pattern(point.params, point.ranks, &pattern, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    nuce_point_fini(&point);
    return pattern;
}

static inline int64_t bytes_between(const struct nuce_pattern *pattern, int source, int destination)
{
    int64_t entry = nuce_pattern_find(pattern, source, destination);

    return entry < 0 ? 0 : pattern->bytes[entry];
}

#endif
