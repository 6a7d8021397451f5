/* A profile as JSON, as a campaign keeps it: member by member of nuce_profile_members.
 *
 * Every member is written, also those that have their default: a later nuce may have another
 * default, and `resume` must not change how a campaign is measured. What a later nuce wrote beside
 * them is not looked at. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/profile_parts.h"

json_t *nuce_profile_to_json(const struct nuce_profile *profile, struct nuce_error *error)
{
    json_t *object = json_object();
    int good = 1;

    for (const struct nuce_profile_member *row = nuce_profile_members; row->name != NULL; row++) {
        const void *at = nuce_profile_at(row, profile);
        json_t *value = NULL; /* stays so where a text is not valid UTF-8 */

        switch (row->type) {
        case NUCE_PROFILE_TEXT:
        case NUCE_PROFILE_REQUIRED:
            value = *(char *const *)at != NULL ? json_string(*(char *const *)at) : json_null();
            break;
        case NUCE_PROFILE_WHOLE:
            value = json_integer((json_int_t) * (const int64_t *)at);
            break;
        case NUCE_PROFILE_FLAG:
            value = json_boolean(*(const int *)at);
            break;
        case NUCE_PROFILE_LIST:
        case NUCE_PROFILE_OBJECT:
            value = json_incref(*(json_t *const *)at);
            break;
        }
        good = good && json_object_set_new(object, row->name, value) == 0;
    }
    if (good)
        return object;
    nuce_error_set(error, NUCE_FAILED, "a profile: a text that is not valid UTF-8");
    json_decref(object);
    return NULL;
}

/* Whether all items of an array, or all values of an object, are texts; of the two loops one does
 * nothing. */
static int holds_texts(json_t *value)
{
    const char *key;
    json_t *item;
    size_t i;

    json_array_foreach(value, i, item)
    {
        if (!json_is_string(item))
            return 0;
    }
    json_object_foreach(value, key, item)
    {
        if (!json_is_string(item))
            return 0;
    }
    return 1;
}

/* Puts the value in place of the default; returns what is expected of it where it is not as it
 * should be, else NULL. Texts need not be there. */
static const char *take_member(const struct nuce_profile_member *row, json_t *value,
                               struct nuce_profile *out)
{
    void *at = nuce_profile_at(row, out);

    switch (row->type) {
    case NUCE_PROFILE_TEXT:
    case NUCE_PROFILE_REQUIRED:
        if (!json_is_string(value) &&
            (row->type == NUCE_PROFILE_REQUIRED || (value != NULL && !json_is_null(value))))
            return "a text";
        free(*(char **)at);
        *(char **)at = json_is_string(value) ? nuce_text_duplicate(json_string_value(value)) : NULL;
        return NULL;
    case NUCE_PROFILE_WHOLE:
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return "a whole number";
        *(int64_t *)at = json_integer_value(value);
        return NULL;
    case NUCE_PROFILE_FLAG:
        if (!json_is_boolean(value))
            return "true or false";
        *(int *)at = json_is_true(value);
        return NULL;
    case NUCE_PROFILE_LIST:
        if (!json_is_array(value) || !holds_texts(value))
            return "an array of texts";
        break;
    case NUCE_PROFILE_OBJECT:
        if (!json_is_object(value) || !holds_texts(value))
            return "an object of texts";
        break;
    }
    json_decref(*(json_t **)at);
    *(json_t **)at = json_deep_copy(value);
    return NULL;
}

/* Every member of object over the defaults; the first that is not as expected ends it. The launcher
 * is judged again, since a path that nuce does not know how to call would only fail in the job. */
nuce_status nuce_profile_from_json(const json_t *object, struct nuce_profile *out,
                                   struct nuce_error *error)
{
    struct nuce_profile profile;
    const char *expected = NULL;

    nuce_profile_init(&profile);
    error->status = NUCE_OK;
    for (const struct nuce_profile_member *row = nuce_profile_members;
         row->name != NULL && expected == NULL; row++) {
        expected = take_member(row, json_object_get(object, row->name), &profile);
        if (expected != NULL)
            nuce_error_set(error, NUCE_BAD_INPUT, "%s: expected %s", row->name, expected);
    }
    if (expected == NULL && nuce_profile_takes_srun(profile.launcher) < 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "launcher: expected srun or mpiexec");
    if (error->status == NUCE_OK)
        *out = profile;
    else
        nuce_profile_fini(&profile);
    return error->status;
}
