/* Records: what they name, and the same without.
 *
 * What was measured on what stays as it is, with the point's identity. The environment's is the
 * hash of what is described and so changes with it: runs of one environment stay runs of one. */
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bundle/anonymous.h"
#include "bundle/files.h"
#include "support/hash.h"
#include "support/jsonl.h"
#include "support/text.h"

/* What records name. */

/* What is no text names nobody. 0: out of memory. */
static int anonymous_add(struct nuce_pseudonyms *pseudonyms, enum nuce_pseudonym_kind kind,
                         const json_t *name)
{
    return !json_is_string(name) ||
           nuce_pseudonyms_add(pseudonyms, kind, json_string_value(name)) != NULL;
}

/* HOST of the job "local-HOST-PROCESS-TIME" or "model-...": the name of a launch that ran without
 * Slurm. HOST itself may have dashes in it, so the two last ones are looked for. 0: out of
 * memory. */
static int add_host_of_job(struct nuce_pseudonyms *pseudonyms, const char *job)
{
    static const char local[] = "local-", model[] = "model-"; /* of one length */
    char host[256];
    char *dash;

    if (job == NULL ||
        (strncmp(job, local, strlen(local)) != 0 && strncmp(job, model, strlen(model)) != 0) ||
        !nuce_text_copy(host, sizeof host, job + strlen(local)))
        return 1;
    for (int i = 0; i < 2; i++) {
        dash = strrchr(host, '-');
        if (dash == NULL)
            return 1;
        *dash = '\0';
    }
    return nuce_pseudonyms_add(pseudonyms, NUCE_PSEUDONYM_HOST, host) != NULL;
}

/* Names of variables of a Slurm job whose values name somebody. An account is often a project or a
 * person. 0: out of memory. */
static int anonymous_add_variables(struct nuce_pseudonyms *pseudonyms, const json_t *variables)
{
    static const struct {
        const char *name;
        enum nuce_pseudonym_kind kind;
    } rows[] = {
        {"SLURM_JOB_USER", NUCE_PSEUDONYM_USER},        {"SLURM_JOB_ACCOUNT", NUCE_PSEUDONYM_USER},
        {"SLURM_SUBMIT_HOST", NUCE_PSEUDONYM_HOST},     {"SLURMD_NODENAME", NUCE_PSEUDONYM_HOST},
        {"SLURM_CLUSTER_NAME", NUCE_PSEUDONYM_CLUSTER},
    };
    int good = 1;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        good = good &&
               anonymous_add(pseudonyms, rows[i].kind, json_object_get(variables, rows[i].name));
    return good;
}

/* Whose lines are read, and where what they name goes. */
struct finding {
    struct nuce_pseudonyms *pseudonyms;
    int are_hosts_real; /* those of a simulated machine are nobody's */
};

/* Only job records name anybody: what has no facts is passed over. The cluster's facts are what
 * profiles and Slurm say of the machine (topology, lines of the prologue, names of described
 * files), any of which may be somebody's words. */
static nuce_status find_in_line(void *context, int64_t number, const char *text, size_t length,
                                json_t *record, struct nuce_error *error)
{
    const struct finding *finding = context;
    struct nuce_pseudonyms *pseudonyms = finding->pseudonyms;
    const json_t *facts = json_object_get(record, "facts"), *host, *line;
    const json_t *cluster = json_object_get(json_object_get(record, "described"), "cluster");
    int good = 1;
    size_t i;

    (void)number;
    (void)text;
    (void)length;
    if (facts == NULL)
        return NUCE_OK;
    json_array_foreach(json_object_get(facts, "hosts"), i, host) good =
        good && (!finding->are_hosts_real || anonymous_add(pseudonyms, NUCE_PSEUDONYM_HOST, host));
    good = good && add_host_of_job(pseudonyms, json_string_value(json_object_get(record, "job")));
    good = good && anonymous_add_variables(pseudonyms, json_object_get(facts, "variables"));
    good =
        good && anonymous_add(pseudonyms, NUCE_PSEUDONYM_CLUSTER, json_object_get(cluster, "name"));
    good = good &&
           anonymous_add(pseudonyms, NUCE_PSEUDONYM_LINE, json_object_get(cluster, "topology"));
    json_array_foreach(json_object_get(cluster, "prologue"), i, line) good =
        good && anonymous_add(pseudonyms, NUCE_PSEUDONYM_LINE, line);
    json_array_foreach(json_object_get(cluster, "files"), i, line) good =
        good && anonymous_add(pseudonyms, NUCE_PSEUDONYM_LINE, json_object_get(line, "name"));
    return good ? NUCE_OK : nuce_error_set(error, NUCE_FAILED, "out of memory for pseudonyms");
}

/* The user whose the folder is. */
static nuce_status find_owner(const char *path, struct nuce_pseudonyms *pseudonyms,
                              struct nuce_error *error)
{
    struct stat facts;
    const struct passwd *owner = stat(path, &facts) == 0 ? getpwuid(facts.st_uid) : NULL;

    /* Everybody's machine has a root, and a simulated one a host of that name. */
    if (owner != NULL && owner->pw_uid != 0 &&
        nuce_pseudonyms_add(pseudonyms, NUCE_PSEUDONYM_USER, owner->pw_name) == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for pseudonyms");
    return NUCE_OK;
}

/* Every file of records/, as each may have been written by another launch, on other hosts. */
static nuce_status find_in_records(const struct nuce_campaign *campaign,
                                   struct nuce_pseudonyms *pseudonyms, struct nuce_error *error)
{
    struct finding finding = {pseudonyms, campaign->launcher != &nuce_launcher_smpi};
    struct nuce_bundle_files files = {0};
    nuce_status status = nuce_bundle_add_campaign(&files, campaign->path, campaign->name, error);

    for (int64_t i = 0; status == NUCE_OK && i < files.count; i++) {
        const char *name = nuce_bundle_name_in_campaign(files.list[i].path);
        struct nuce_jsonl_counts counts;
        char *path;

        if (strncmp(name, NUCE_BUNDLE_RECORDS, strlen(NUCE_BUNDLE_RECORDS)) != 0)
            continue;
        path = nuce_text_format(error, "%s/%s", campaign->path, name);
        status = path != NULL
                     ? nuce_jsonl_read_sealed(path, NULL, find_in_line, &finding, &counts, error)
                     : error->status;
        free(path);
    }
    nuce_bundle_files_fini(&files);
    return status;
}

nuce_status nuce_anonymous_find(const struct nuce_campaign *campaign,
                                struct nuce_pseudonyms *pseudonyms, struct nuce_error *error)
{
    nuce_status status = find_owner(campaign->path, pseudonyms, error);

    return status == NUCE_OK ? find_in_records(campaign, pseudonyms, error) : status;
}

/* Records. */

/* Whether a job's variable is a count or a number that names nobody. */
static int is_count(const char *name, const char *value)
{
    return value != NULL && value[strspn(value, "0123456789(x),")] == '\0' &&
           strstr(name, "UID") == NULL && strstr(name, "GID") == NULL;
}

/* Leaves of the variables those that are counts; the others may hold anything. */
static void keep_counts(json_t *variables)
{
    const char *name;
    json_t *value;
    void *next;

    json_object_foreach_safe(variables, next, name, value)
    {
        if (!is_count(name, json_string_value(value)))
            (void)json_object_del(variables, name);
    }
}

/* The environment's id is the hash of what is described, which has changed. */
static nuce_status name_environment(json_t *record, struct nuce_error *error)
{
    char *text = json_dumps(json_object_get(record, "described"), JSON_COMPACT | JSON_SORT_KEYS);
    char hash[NUCE_HASH_BYTES];
    nuce_status status = text != NULL ? nuce_hash(text, strlen(text), hash, error)
                                      : nuce_error_set(error, NUCE_FAILED, "out of memory");

    free(text);
    if (status == NUCE_OK && json_object_set_new(record, "environment", json_string(hash)) != 0)
        return nuce_error_set(error, NUCE_FAILED, "out of memory for a record");
    return status;
}

/* found: names of schedules and networks stand there too, so only paths are replaced in it. The
 * copy is shallow and record is borrowed, so what changes is replaced by a new value; only new ones
 * are changed in place (keep_counts). */
json_t *nuce_anonymous_record(const json_t *record, struct nuce_pseudonyms *pseudonyms,
                              struct nuce_error *error)
{
    static const char *const named[] = {"job", "message", "facts", "described"};
    json_t *changed = json_copy((json_t *)record), *value;

    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        value = json_object_get(record, named[i]);
        if (value != NULL &&
            json_object_set_new(changed, named[i],
                                nuce_pseudonyms_json(pseudonyms, value, nuce_pseudonyms_text)) != 0)
            goto failed;
    }
    (void)json_object_del(changed, "sum"); /* of the line as it was */
    value = json_object_get(record, "found");
    if (value != NULL &&
        json_object_set_new(changed, "found",
                            nuce_pseudonyms_json(pseudonyms, value, nuce_pseudonyms_paths)) != 0)
        goto failed;
    keep_counts(json_object_get(json_object_get(changed, "facts"), "variables"));
    if (json_object_get(changed, "described") != NULL &&
        name_environment(changed, error) != NUCE_OK)
        goto failed;
    return changed;
failed:
    json_decref(changed);
    (void)nuce_error_set(error, NUCE_FAILED, "out of memory for a record");
    return NULL;
}
