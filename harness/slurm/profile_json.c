/* A profile as JSON, as a campaign keeps it. */
#include <stdlib.h>
#include <string.h>

#include "slurm/profile_parts.h"

json_t *nuce_profile_to_json(const struct nuce_profile *profile, struct nuce_error *error)
{
    json_t *object = json_pack(
        "{s:s?, s:s?, s:s?, s:s, s:s?, s:s?, s:I, s:I, s:I, s:I, s:I, s:b, s:b, s:O, s:O, s:O, "
        "s:O, s:O, s:O, s:O}",
        "path", profile->path, "via", profile->via, "programs", profile->programs, "launcher",
        profile->launcher, "mpi", profile->mpi, "hosts", profile->hosts, "nodes",
        (json_int_t)profile->nodes, "tasks_per_node", (json_int_t)profile->tasks_per_node,
        "concurrent", (json_int_t)profile->concurrent, "time_s", (json_int_t)profile->time_s,
        "warning_s", (json_int_t)profile->warning_s, "exclusive", profile->exclusive, "requeue",
        profile->requeue, "environment", profile->environment, "set", profile->set, "describe",
        profile->describe, "options", profile->options, "sbatch", profile->sbatch,
        "launcher_options", profile->launcher_options, "words", profile->words);

    if (object == NULL)
        (void)nuce_error_set(error, NUCE_FAILED,
                             "a profile: out of memory, or a text that is not valid UTF-8");
    return object;
}

struct text_member {
    const char *name;
    char **text;
    int required;
};

static nuce_status bad(const char *name, const char *expected, struct nuce_error *error)
{
    return nuce_error_set(error, NUCE_BAD_INPUT, "%s: expected %s", name, expected);
}

static nuce_status take_texts(const json_t *object, struct nuce_profile *out,
                              struct nuce_error *error)
{
    const struct text_member members[] = {
        {"path",     &out->path,     0},
        {"via",      &out->via,      0},
        {"programs", &out->programs, 0},
        {"launcher", &out->launcher, 1},
        {"mpi",      &out->mpi,      0},
        {"hosts",    &out->hosts,    0},
    };

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const json_t *value = json_object_get(object, members[i].name);

        free(*members[i].text);
        *members[i].text = NULL;
        if (!members[i].required && (value == NULL || json_is_null(value)))
            continue;
        if (!json_is_string(value))
            return bad(members[i].name, "a text", error);
        *members[i].text = strdup(json_string_value(value));
        if (*members[i].text == NULL)
            return nuce_error_set(error, NUCE_FAILED, "out of memory for a profile");
    }
    if (nuce_profile_takes_srun(out->launcher) < 0)
        return bad("launcher", "srun or mpiexec", error);
    return NUCE_OK;
}

struct whole_member {
    const char *name;
    int64_t *whole;
};

static nuce_status take_numbers(const json_t *object, struct nuce_profile *out,
                                struct nuce_error *error)
{
    const struct whole_member members[] = {
        {"nodes",          &out->nodes         },
        {"tasks_per_node", &out->tasks_per_node},
        {"concurrent",     &out->concurrent    },
        {"time_s",         &out->time_s        },
        {"warning_s",      &out->warning_s     },
    };
    const json_t *exclusive = json_object_get(object, "exclusive");
    const json_t *requeue = json_object_get(object, "requeue");

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const json_t *value = json_object_get(object, members[i].name);

        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return bad(members[i].name, "a whole number", error);
        *members[i].whole = json_integer_value(value);
    }
    if (!json_is_boolean(exclusive) || !json_is_boolean(requeue))
        return bad(json_is_boolean(exclusive) ? "requeue" : "exclusive", "true or false", error);
    out->exclusive = json_is_true(exclusive);
    out->requeue = json_is_true(requeue);
    return NUCE_OK;
}

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

struct json_member {
    const char *name;
    json_t **value;
    int is_object;
    int is_new; /* campaigns of earlier versions have none */
};

static nuce_status take_lists(const json_t *object, struct nuce_profile *out,
                              struct nuce_error *error)
{
    const struct json_member members[] = {
        {"environment",      &out->environment,      0, 0},
        {"set",              &out->set,              1, 0},
        {"describe",         &out->describe,         0, 1},
        {"options",          &out->options,          1, 0},
        {"sbatch",           &out->sbatch,           0, 0},
        {"launcher_options", &out->launcher_options, 0, 0},
        {"words",            &out->words,            0, 1},
    };

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        json_t *value = json_object_get(object, members[i].name);
        int good = members[i].is_object ? json_is_object(value) : json_is_array(value);

        if (members[i].is_new && value == NULL)
            continue;
        if (!good || !holds_texts(value))
            return bad(members[i].name,
                       members[i].is_object ? "an object of texts" : "an array of texts", error);
        json_decref(*members[i].value);
        *members[i].value = json_deep_copy(value);
        if (*members[i].value == NULL)
            return nuce_error_set(error, NUCE_FAILED, "out of memory for a profile");
    }
    return NUCE_OK;
}

nuce_status nuce_profile_from_json(const json_t *object, struct nuce_profile *out,
                                   struct nuce_error *error)
{
    struct nuce_profile profile;
    nuce_status status = nuce_profile_init(&profile, error);

    if (status == NUCE_OK)
        status = take_texts(object, &profile, error);
    if (status == NUCE_OK)
        status = take_numbers(object, &profile, error);
    if (status == NUCE_OK)
        status = take_lists(object, &profile, error);
    if (status == NUCE_OK)
        *out = profile;
    else
        nuce_profile_fini(&profile);
    return status;
}
