/* Points of any workload, put together from settings as a sweep gives them. */
#ifndef NUCE_TEST_POINTS_H
#define NUCE_TEST_POINTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "points/point.h"

#define MOST_SETTINGS 12

struct setting {
    const char *key, *value;
};

/* A list of them, up to one without a key. */
#define SETTINGS(...) ((const struct setting[MOST_SETTINGS]){__VA_ARGS__, {NULL, NULL}})
#define NO_SETTINGS ((const struct setting[MOST_SETTINGS]){{NULL, NULL}})

/* A complete point, to be freed with nuce_point_fini also after an error. */
static inline nuce_status point_make(const struct nuce_workload_ops *workload, int ranks,
                                     const struct setting *settings, struct nuce_point *point,
                                     struct nuce_error *error)
{
    struct nuce_facts *facts = nuce_facts_create();
    nuce_status status = NUCE_OK;

    assert_non_null(facts);
    nuce_point_init(workload, ranks, point);
    for (; status == NUCE_OK && settings->key != NULL; settings++) {
        json_t *value = json_string(settings->value);

        status = nuce_point_set(point, settings->key, value, error);
        json_decref(value);
    }
    if (status == NUCE_OK)
        status = nuce_point_complete(point, facts, error);
    nuce_facts_destroy(facts);
    return status;
}

/* The same where nothing may be wrong. */
static inline struct nuce_point point_of(const struct nuce_workload_ops *workload, int ranks,
                                         const struct setting *settings)
{
    struct nuce_point point;
    struct nuce_error error = {0};

    if (point_make(workload, ranks, settings, &point, &error) != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&error));
    return point;
}

/* That two ways of giving it are, or are not, one point. */
static inline void points_are_same(const struct nuce_workload_ops *workload, int ranks, int same,
                                   const struct setting *first, const struct setting *second)
{
    struct nuce_point a = point_of(workload, ranks, first);
    struct nuce_point b = point_of(workload, ranks, second);

    if ((strcmp(a.id, b.id) == 0) != same)
        fail_msg("%s and %s", json_dumps(a.canonical, 0), json_dumps(b.canonical, 0));
    nuce_point_fini(&a);
    nuce_point_fini(&b);
}

/* The keys of the canonical form, in alphabetical order with blanks between. */
static inline void point_has_keys(const struct nuce_workload_ops *workload, int ranks,
                                  const struct setting *settings, const char *wanted)
{
    struct nuce_point point = point_of(workload, ranks, settings);
    char *text = json_dumps(point.canonical, JSON_SORT_KEYS | JSON_COMPACT);
    json_t *sorted = json_loads(text, 0, NULL);
    char found[1024] = "";
    const char *key;
    json_t *value;

    json_object_foreach(sorted, key, value)
    {
        if (found[0] != '\0')
            strncat(found, " ", sizeof found - strlen(found) - 1);
        strncat(found, key, sizeof found - strlen(found) - 1);
    }
    assert_string_equal(found, wanted);
    free(text);
    json_decref(sorted);
    nuce_point_fini(&point);
}

/* Bad input: the option or key that is wrong, "" for no single one, and a part of what is said. */
static inline void point_is_refused(const struct nuce_workload_ops *workload, int ranks,
                                    const struct setting *settings, const char *subject,
                                    const char *says)
{
    struct nuce_point point;
    struct nuce_error error = {0};

    assert_int_equal(point_make(workload, ranks, settings, &point, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.subject, subject);
    if (strstr(nuce_error_flatten(&error), says) == NULL)
        fail_msg("'%s' does not say '%s'", nuce_error_flatten(&error), says);
    nuce_point_fini(&point);
}

#endif
