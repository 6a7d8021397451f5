/* What the ranks cannot know by themselves: what the cluster is called and cabled like, what the
 * profile says of it, and which job this is. The ranks take it from a file (--facts) into their job
 * record: "cluster" becomes part of the environment, by which results are kept apart, "launch" does
 * not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/hash.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "campaigns/job_intent.h"
#include "campaigns/queue.h"

/* The files of the profile's `describe`, as they are here and now; NULL where there are none. Name
 * and SHA-256, not the content: that it changed is what matters, and it may be long. */
static nuce_status describe_files(const struct nuce_intent *intent, json_t **out,
                                  struct nuce_error *error)
{
    const json_t *paths = json_object_get(intent->description, "describe"), *item;
    json_t *files = json_array();
    size_t i;

    error->status = NUCE_OK;
    json_array_foreach(paths, i, item)
    {
        const char *path = json_string_value(item), *slash;
        char hash[NUCE_HASH_BYTES];

        if (error->status != NUCE_OK)
            continue;
        if (path == NULL) {
            nuce_error_set(error, NUCE_BAD_INPUT, "describe: item %zu is no text", i + 1);
        } else if (nuce_data_check_file(path, "a file that says what the machine is", error) !=
                       NUCE_OK ||
                   nuce_hash_file(path, hash, error) != NUCE_OK) {
            nuce_error_prefix(error, "describe");
        } else {
            slash = strrchr(path, '/');
            json_array_append_new(
                files,
                json_pack("{s:s, s:s}", "name", slash != NULL ? slash + 1 : path, "sha256", hash));
        }
    }
    if (error->status != NUCE_OK || json_array_size(files) == 0) {
        json_decref(files);
        files = NULL;
    }
    *out = files;
    return error->status;
}

/* A list of the profile's that changes what ranks run in; borrowed, NULL where it is empty. */
static json_t *lines_of(const struct nuce_intent *intent, const char *name)
{
    json_t *lines = json_object_get(intent->description, name);

    return json_array_size(lines) > 0 ? lines : NULL;
}

/* Of the first line `buffer BYTES bytes` in a described file, as slurm/virtual/cluster writes it,
 * BYTES: the queue in front of a port, which drops what exceeds it. New reference; NULL where none
 * says: it is not known. */
static json_t *described_buffer(const struct nuce_intent *intent)
{
    const json_t *path;
    char *line = NULL;
    size_t i, capacity = 0;
    long long found = 0;

    json_array_foreach(json_object_get(intent->description, "describe"), i, path)
    {
        FILE *file = fopen(json_string_value(path), "r");

        while (file != NULL && found == 0 && getline(&line, &capacity, file) > 0) {
            long long bytes;
            int end = 0;

            if (sscanf(line, "buffer %18lld bytes%n", &bytes, &end) == 1 && bytes > 0 && end > 0 &&
                line[end + (int)strspn(line + end, "\n")] == '\0')
                found = bytes;
        }
        if (file != NULL)
            fclose(file);
    }
    free(line);
    return found > 0 ? json_integer(found) : NULL;
}

/* "cluster" holds for the cluster, and is part of the environment that results are compared under;
 * "launch" is of this job only: no environment. */
nuce_status nuce_intent_write_facts(const struct nuce_intent *intent, const char *label,
                                    char **path, struct nuce_error *error)
{
    const char *cluster = getenv("SLURM_CLUSTER_NAME");
    json_t *files, *facts;
    char *text, *folder, *name, *topology;

    if (describe_files(intent, &files, error) != NUCE_OK)
        return error->status;
    topology = nuce_queue_topology(NULL);
    facts = json_pack(
        "{s:{s:s?, s:s?, s:o*, s:o*, s:O*, s:O*}, s:{s:i, s:i, s:s, s:s, s:O?}}", "cluster", "name",
        cluster, "topology", topology, "files", files, "buffer_bytes", described_buffer(intent),
        "modules", lines_of(intent, "modules"), "prologue", lines_of(intent, "prologue"), "launch",
        "submission", intent->number, "task", intent->task, "job", intent->job, "restart",
        intent->restart, "name", json_object_get(intent->description, "name"));
    free(topology);
    if (facts == NULL)
        return nuce_error_set(error, NUCE_FAILED, "SLURM_CLUSTER_NAME: '%s': not valid UTF-8",
                              cluster);
    text = json_dumps(facts, JSON_INDENT(2) | JSON_SORT_KEYS);
    folder = nuce_text_format("%s/launches", intent->campaign);
    name = nuce_text_format("%s.facts.json", label);
    json_decref(facts);
    error->status = nuce_safe_write(folder, name, text, strlen(text), error);
    if (error->status == NUCE_OK)
        *path = nuce_text_format("%s/%s", folder, name);
    free(name);
    free(folder);
    free(text);
    return error->status;
}
