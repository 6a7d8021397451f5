/* What a profile holds, and its keys one by one.
 *
 * Order: by the table of members (profile_members.c) profiles are freed and filled with defaults;
 * paths and launchers; setting a key of keys.h; merging a sweep's `slurm:`; the words behind `--`.
 * The YAML of a profile is read in profile_load.c. */
#include "campaigns/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "campaigns/keys.h"
#include "campaigns/profile_parts.h"

/* When a job has to stop, its point in flight has this long to end. Seconds. sbatch(1), --signal,
 * has the same default. */
#define WARNING_S 60

const struct nuce_shipped nuce_profile_shipped = {"slurm/profiles", "profile", "profiles", ".yaml"};

/* What an MPI program and its launcher usually need, and nothing that is only of the shell.
 * Everything else stays behind: a job that got all of the submitter's shell would depend on who
 * submitted it, and from where. */
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

/* Each turn takes one "./" or "../" off the front; more of the latter than the folder is deep end
 * at the root. */
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
    const char *slash = strrchr(launcher, '/');
    const char *name = slash != NULL ? slash + 1 : launcher;

    if (strcmp(name, "srun") == 0)
        return 1;
    return strncmp(name, "mpiexec", strlen("mpiexec")) == 0 ? 0 : -1;
}

/* A key without a row, and one that is TEXT, goes to `options` as it was written: what it means
 * only sbatch knows. */
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

/* In the order of the sweep; the first that is wrong ends it. */
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
