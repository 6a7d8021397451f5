/* A profile as JSON, as a campaign keeps it: member by member of nuce_profile_members.
 *
 * Every member is written, also those that have their default: a later nuce may have another
 * default, and `resume` must not change how a campaign is measured. What a later nuce wrote beside
 * them is not looked at. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/profile_parts.h"

/* A new value, or one reference more to the profile's own array or object; NULL for a text that is
 * not valid UTF-8. */
static json_t *value_of(const struct nuce_profile_member *row, const struct nuce_profile *profile)
{
    const void *at = nuce_profile_at(row, profile);

    switch (row->type) {
    case NUCE_PROFILE_TEXT:
    case NUCE_PROFILE_REQUIRED:
        return *(char *const *)at != NULL ? json_string(*(char *const *)at) : json_null();
    case NUCE_PROFILE_WHOLE:
        return json_integer((json_int_t) * (const int64_t *)at);
    case NUCE_PROFILE_FLAG:
        return json_boolean(*(const int *)at);
    case NUCE_PROFILE_LIST:
    case NUCE_PROFILE_OBJECT:
        break;
    }
    return json_incref(*(json_t *const *)at);
}

json_t *nuce_profile_to_json(const struct nuce_profile *profile, struct nuce_error *error)
{
    json_t *object = json_object();
    int good = 1;

    for (const struct nuce_profile_member *row = nuce_profile_members; row->name != NULL; row++)
        good = good && json_object_set_new(object, row->name, value_of(row, profile)) == 0;
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

/* What is expected of the value; NULL: it is as it should be. Texts need not be there. */
static const char *why_bad(const struct nuce_profile_member *row, json_t *value)
{
    switch (row->type) {
    case NUCE_PROFILE_TEXT:
        return value == NULL || json_is_null(value) || json_is_string(value) ? NULL : "a text";
    case NUCE_PROFILE_REQUIRED:
        return json_is_string(value) ? NULL : "a text";
    case NUCE_PROFILE_WHOLE:
        return json_is_integer(value) && json_integer_value(value) >= 0 ? NULL : "a whole number";
    case NUCE_PROFILE_FLAG:
        return json_is_boolean(value) ? NULL : "true or false";
    case NUCE_PROFILE_LIST:
        return json_is_array(value) && holds_texts(value) ? NULL : "an array of texts";
    case NUCE_PROFILE_OBJECT:
        break;
    }
    return json_is_object(value) && holds_texts(value) ? NULL : "an object of texts";
}

/* Puts the value, which is as it should be, in place of the default. */
static void profile_json_take(const struct nuce_profile_member *row, json_t *value,
                              struct nuce_profile *out)
{
    void *at = nuce_profile_at(row, out);

    switch (row->type) {
    case NUCE_PROFILE_TEXT:
    case NUCE_PROFILE_REQUIRED:
        free(*(char **)at);
        *(char **)at = json_is_string(value) ? nuce_text_duplicate(json_string_value(value)) : NULL;
        return;
    case NUCE_PROFILE_WHOLE:
        *(int64_t *)at = json_integer_value(value);
        return;
    case NUCE_PROFILE_FLAG:
        *(int *)at = json_is_true(value);
        return;
    case NUCE_PROFILE_LIST:
    case NUCE_PROFILE_OBJECT:
        break;
    }
    json_decref(*(json_t **)at);
    *(json_t **)at = json_deep_copy(value);
}

/* Every member of object over the defaults in *out. NUCE_BAD_INPUT at the first that is not as
 * expected. The launcher is judged again, since a path that nuce does not know how to call would
 * only fail in the job. */
static nuce_status take_members(const json_t *object, struct nuce_profile *out,
                                struct nuce_error *error)
{
    for (const struct nuce_profile_member *row = nuce_profile_members; row->name != NULL; row++) {
        json_t *value = json_object_get(object, row->name);
        const char *expected = why_bad(row, value);

        if (expected != NULL)
            return nuce_error_set(error, NUCE_BAD_INPUT, "%s: expected %s", row->name, expected);
        profile_json_take(row, value, out);
    }
    if (nuce_profile_takes_srun(out->launcher) < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "launcher: expected srun or mpiexec");
    return NUCE_OK;
}

nuce_status nuce_profile_from_json(const json_t *object, struct nuce_profile *out,
                                   struct nuce_error *error)
{
    struct nuce_profile profile;
    nuce_status status;

    nuce_profile_init(&profile);
    status = take_members(object, &profile, error);
    if (status == NUCE_OK)
        *out = profile;
    else
        nuce_profile_fini(&profile);
    return status;
}
