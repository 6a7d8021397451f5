/* The members that an object of JSON must hold, as JSON. */
#ifndef NUCE_TEST_HOLDS_H
#define NUCE_TEST_HOLDS_H

#include "test.h"

#include <jansson.h>

/* That found is as wanted: of an object each member that is wanted, null for one that is null or
 * not there; numbers but for rounding. */
static inline void json_is(const json_t *found, const json_t *wanted, const char *name)
{
    const char *key;
    json_t *value;
    size_t index;
    double most = fmax(fabs(json_number_value(found)), fabs(json_number_value(wanted)));

    if (json_is_object(wanted)) {
        json_object_foreach((json_t *)wanted, key, value)
            json_is(json_object_get(found, key), value, key);
    } else if (json_is_array(wanted)) {
        assert_int_equal(json_array_size(found), json_array_size(wanted));
        json_array_foreach(wanted, index, value) json_is(json_array_get(found, index), value, name);
    } else if (json_is_null(wanted)
                   ? found != NULL && !json_is_null(found)
                   : !(json_is_number(wanted) ? json_is_number(found) &&
                                                    fabs(json_number_value(found) -
                                                         json_number_value(wanted)) <= 1e-12 * most
                                              : json_equal(found, wanted))) {
        fail_msg("%s: %s", name, json_dumps(found, JSON_ENCODE_ANY));
    }
}

static inline void holds(const json_t *found, const char *text)
{
    json_error_t where;
    json_t *wanted = json_loads(text, JSON_DECODE_ANY, &where);

    if (wanted == NULL)
        fail_msg("%s: %s", text, where.text);
    json_is(found, wanted, "all");
    json_decref(wanted);
}

#endif
