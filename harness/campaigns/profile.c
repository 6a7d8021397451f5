/* The members of a profile, and its keys one by one.
 *
 * Order: the table of members, by which profiles are freed and filled with defaults; paths and
 * launchers; setting a key of profile_keys.h; merging a sweep's `slurm:`; the words after `--`.
 * profile_load.c reads the YAML of a profile. */
#include "campaigns/profile.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "campaigns/profile_keys.h"

/* Seconds for the point in flight to end when a job has to stop. sbatch(1), --signal, has the same
 * default. */
#define WARNING_S 60

const struct nuce_shipped nuce_profile_shipped = {"slurm/profiles", "profile", "profiles", ".yaml"};

/* The variables that an MPI program and its launcher usually need, without those of the shell
 * alone. All others are left out: a job with the submitter's whole environment would depend on the
 * submitter and the folder. */
static const char *const environment[] = {
    "PATH",          "HOME",    "USER",   "LANG",   "LC_*",  "LD_LIBRARY_PATH",
    "MODULEPATH",    "UCX_*",   "FI_*",   "MPIR_*", "OMP_*", "MPICH_*",
    "LOADEDMODULES", "I_MPI_*", "OMPI_*", "PAPI_*",
};

void *nuce_profile_at(const struct nuce_profile_member *member, const struct nuce_profile *profile)
{
    return (char *)profile + member->offset;
}

void nuce_profile_fini(struct nuce_profile *profile)
{
    for (const struct nuce_profile_member *row = nuce_profile_members; row->name != NULL; row++) {
        if (row->type == NUCE_PROFILE_TEXT || row->type == NUCE_PROFILE_REQUIRED)
            free(*(char **)nuce_profile_at(row, profile));
        else if (row->type == NUCE_PROFILE_LIST || row->type == NUCE_PROFILE_OBJECT)
            json_decref(*(json_t **)nuce_profile_at(row, profile));
    }
    *profile = (struct nuce_profile){0};
}

void nuce_profile_init(struct nuce_profile *out)
{
    *out = (struct nuce_profile){
        .launcher = nuce_text_duplicate("srun"), .warning_s = WARNING_S, .exclusive = 1};
    for (const struct nuce_profile_member *row = nuce_profile_members; row->name != NULL; row++) {
        json_t **value = nuce_profile_at(row, out);

        if (row->type != NUCE_PROFILE_LIST && row->type != NUCE_PROFILE_OBJECT)
            continue;
        *value = row->type == NUCE_PROFILE_LIST ? json_array() : json_object();
    }
    for (size_t i = 0; i < sizeof environment / sizeof *environment; i++)
        json_array_append_new(out->environment, json_string(environment[i]));
}

/* Each turn removes one "./" or "../" from the front; more of the latter than the folder has levels
 * end at the root. */
char *nuce_profile_path(const char *folder, const char *path)
{
    int length = (int)strlen(folder);

    if (*path == '/')
        return nuce_text_format("%s", path);
    for (;;) {
        if (strncmp(path, "./", 2) == 0) {
            path += 2;
        } else if (strncmp(path, "../", 3) == 0) {
            path += 3;
            while (length > 0 && folder[--length] != '/')
                continue;
        } else {
            break;
        }
    }
    return nuce_text_format("%.*s/%s", length > 1 ? length : 0, folder, path);
}

int nuce_profile_takes_srun(const char *launcher)
{
    const char *name = basename(launcher);

    if (strcmp(name, "srun") == 0)
        return 1;
    return strncmp(name, "mpiexec", strlen("mpiexec")) == 0 ? 0 : -1;
}

/* A key without a row, or of type TEXT, goes to `options` as written: only sbatch knows its
 * meaning. */
nuce_status nuce_profile_set(struct nuce_profile *profile, const char *key, const char *value,
                             const char *folder, struct nuce_error *error)
{
    const struct nuce_slurm_key *row = nuce_slurm_key_find(key);
    void *at = row == NULL ? NULL : (char *)profile + row->offset;

    if (nuce_slurm_check(key, value, error) != NUCE_OK)
        return error->status;
    switch (row == NULL ? NUCE_SLURM_TEXT : row->type) {
    case NUCE_SLURM_COUNT:
        *(int64_t *)at = nuce_slurm_count(value);
        return NUCE_OK;
    case NUCE_SLURM_FLAG:
        *(int *)at = nuce_slurm_flag(value);
        return NUCE_OK;
    case NUCE_SLURM_TIME:
        return nuce_slurm_time(value, at, error);
    case NUCE_SLURM_HOSTS:
        free(*(char **)at);
        *(char **)at = nuce_profile_path(folder, value);
        return nuce_slurm_check_hosts(*(char **)at, error);
    case NUCE_SLURM_TEXT:
        break;
    }
    if (json_object_set_new(profile->options, key, json_string(value)) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: not valid UTF-8 text", key);
    return NUCE_OK;
}

/* In the order of the sweep; the first error ends it. */
nuce_status nuce_profile_merge(struct nuce_profile *profile, const json_t *slurm,
                               struct nuce_error *error)
{
    char *folder = getcwd(NULL, 0);
    const char *key;
    json_t *value;

    if (folder == NULL)
        return nuce_error_set(error, NUCE_FAILED, "the current folder: %s", strerror(errno));
    error->status = NUCE_OK;
    json_object_foreach((json_t *)slurm, key, value)
    {
        if (json_is_string(value))
            error->status = nuce_profile_set(profile, key, json_string_value(value), folder, error);
        else
            nuce_error_set(error, NUCE_BAD_INPUT, "slurm: %s: expected a text", key);
        if (error->status != NUCE_OK)
            break;
    }
    free(folder);
    return error->status;
}

nuce_status nuce_profile_set_words(struct nuce_profile *profile, const char *const *words,
                                   struct nuce_error *error)
{
    size_t count = 0;

    while (words[count] != NULL)
        count++;
    if (nuce_slurm_check_words(words, count, error) != NUCE_OK)
        return error->status;
    json_array_clear(profile->words);
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(profile->words, json_string(words[i])) != 0)
            return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': not valid UTF-8 text", words[i]);
    }
    return NUCE_OK;
}

/* The members of a profile and the texts that they accept. A new member of struct nuce_profile
 * needs a row here, or it is lost between `submit` and `resume`. profile.h and the docs describe
 * the keys. */

/* Characters of a variable's name in POSIX; digits are not allowed in front. */
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define DIGITS "0123456789"

/* The name of a launcher decides how it is called: srun has its own options, mpiexec and its
 * variants take -n. */
static nuce_status check_launcher(const char *text, struct nuce_error *error)
{
    if (nuce_profile_takes_srun(text) >= 0)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': expected srun, mpiexec or a name that begins so (mpiexec.hydra), "
                          "or the path of one; for others a script mpiexec-NAME that takes -n "
                          "RANKS [-ppn RANKS] PROGRAM ... (mpirun is mpiexec)",
                          text);
}

/* The way that srun starts MPI programs. After the last key, a check ensures that the launcher is
 * srun, because the launcher may be named further down. */
static nuce_status check_mpi(const char *text, struct nuce_error *error)
{
    if (nuce_text_is_name(text))
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': expected a name of 'srun --mpi=list', such as pmi2 or pmix", text);
}

/* Slurm's own variables are refused, because programs under srun use them to find their rank. */
static nuce_status check_not_slurms(const char *variable, struct nuce_error *error)
{
    if (strncmp(variable, "SLURM_", strlen("SLURM_")) != 0)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': Slurm sets its own variables in each job",
                          variable);
}

/* "OMP_*" or "OMP_NUM_THREADS". Other patterns are refused, so that none is misread. */
static nuce_status check_pattern(const char *text, struct nuce_error *error)
{
    size_t length = strlen(text), plain = strspn(text, LETTERS DIGITS);

    if (check_not_slurms(text, error) != NUCE_OK)
        return error->status;
    if (strchr(DIGITS, *text) == NULL &&
        (plain == length || (plain + 1 == length && text[plain] == '*')))
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': expected the name of a variable, or its beginning and *", text);
}

static nuce_status check_variable(const char *text, struct nuce_error *error)
{
    if (*text == '\0' || strchr(DIGITS, *text) != NULL ||
        strspn(text, LETTERS DIGITS) != strlen(text))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': expected a name of letters, digits and underscores", text);
    return check_not_slurms(text, error);
}

/* A module's name goes into the job script unchanged. */
static nuce_status check_module(const char *text, struct nuce_error *error)
{
    if (*text != '-' && strspn(text, LETTERS DIGITS "/.+-") == strlen(text))
        return NUCE_OK;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': expected the name of a module, as 'module avail' has it", text);
}

/* Checks each word separately, so that the message can show its place. */
static nuce_status check_sbatch(const char *text, struct nuce_error *error)
{
    return nuce_slurm_check_words(&text, 1, error);
}

/* A row of the table; a name that struct nuce_profile lacks does not compile. */
#define MEMBER(kind, member, ...)                                                                  \
    {                                                                                              \
        .name = #member, .type = NUCE_PROFILE_##kind,                                              \
        .offset = offsetof(struct nuce_profile, member), ##__VA_ARGS__                             \
    }

/* Lines of prologue are the user's own shell text, and are not checked. Neither are the options of
 * the launcher, because nuce does not know those of every launcher. */
const struct nuce_profile_member nuce_profile_members[] = {
    MEMBER(TEXT, path),
    MEMBER(TEXT, via, .key = "via", .names = NUCE_PROFILE_PROGRAM),
    MEMBER(TEXT, programs, .key = "programs", .names = NUCE_PROFILE_FOLDER),
    MEMBER(REQUIRED, launcher, .key = "launcher", .names = NUCE_PROFILE_PROGRAM,
           .check = check_launcher),
    MEMBER(TEXT, mpi, .key = "mpi", .check = check_mpi),
    MEMBER(TEXT, hosts),
    MEMBER(WHOLE, nodes),
    MEMBER(WHOLE, tasks_per_node),
    MEMBER(WHOLE, concurrent),
    MEMBER(WHOLE, time_s),
    MEMBER(WHOLE, warning_s),
    MEMBER(FLAG, exclusive),
    MEMBER(FLAG, requeue),
    MEMBER(LIST, environment, .key = "environment", .check = check_pattern),
    MEMBER(OBJECT, set, .key = "set", .check = check_variable),
    MEMBER(LIST, modules, .key = "modules", .check = check_module),
    MEMBER(LIST, prologue, .key = "prologue"),
    MEMBER(LIST, describe, .key = "describe", .names = NUCE_PROFILE_FILES),
    MEMBER(OBJECT, options),
    MEMBER(LIST, sbatch, .key = "sbatch", .check = check_sbatch),
    MEMBER(LIST, words),
    MEMBER(LIST, launcher_options, .key = "launcher-options"),
    {.name = NULL},
};

const struct nuce_profile_member *nuce_profile_member_find(const char *key)
{
    for (const struct nuce_profile_member *row = nuce_profile_members; row->name != NULL; row++) {
        if (row->key != NULL && strcmp(row->key, key) == 0)
            return row;
    }
    return NULL;
}

/* A profile as JSON, as a campaign keeps it: member by member of nuce_profile_members.
 *
 * Every member is written, also one with its default: a later nuce may have another default, and
 * `resume` must not change how a campaign is measured. Unknown members, from a later nuce, are
 * ignored when read. */

json_t *nuce_profile_to_json(const struct nuce_profile *profile, struct nuce_error *error)
{
    json_t *object = json_object();
    int good = 1;

    for (const struct nuce_profile_member *row = nuce_profile_members; row->name != NULL; row++) {
        const void *at = nuce_profile_at(row, profile);
        json_t *value = NULL; /* remains NULL if a text is not valid UTF-8 */

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

/* True if all items of an array, or all values of an object, are strings; one of the two loops does
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

/* Replaces the default by the value. Returns NULL, or a description of the expected value if it is
 * wrong. Members of type TEXT may be missing. */
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

/* Sets every member of object over the defaults; the first wrong one ends it. Checks the launcher
 * again, because an unknown launcher would fail only in the job. */
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
