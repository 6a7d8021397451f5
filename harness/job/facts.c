/* What the ranks cannot know by themselves: the cluster's topology, and which job this is. */
#include <stdlib.h>
#include <string.h>

#include "intent.h"
#include "queue.h"
#include "safe_file.h"
#include "text.h"

/* What holds for the cluster; part of the environment that results are compared under. */
static json_t *describe_cluster(void)
{
    char *topology = nuce_topology_read(NULL);
    const char *name = getenv("SLURM_CLUSTER_NAME");
    json_t *cluster = json_pack("{s:s?, s:s?}", "name", name, "topology", topology);

    free(topology);
    return cluster;
}

static json_t *describe_launch(const struct nuce_intent *intent)
{
    return json_pack("{s:i, s:i, s:s, s:s, s:O?}", "submission", intent->number, "task",
                     intent->task, "job", intent->job, "restart", intent->restart, "name",
                     json_object_get(intent->description, "name"));
}

nuce_status nuce_intent_write_facts(const struct nuce_intent *intent, const char *label,
                                    char **path, struct nuce_error *error)
{
    json_t *facts =
        json_pack("{s:o, s:o}", "cluster", describe_cluster(), "launch", describe_launch(intent));
    char *text = facts != NULL ? json_dumps(facts, JSON_INDENT(2) | JSON_SORT_KEYS) : NULL;
    char *folder = nuce_text_format(error, "%s/launches", intent->campaign);
    char *name = nuce_text_format(error, "%s.facts.json", label);

    json_decref(facts);
    if (text == NULL)
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory for the facts of a job");
    else if (folder != NULL && name != NULL)
        error->status = nuce_safe_write(folder, name, text, strlen(text), error);
    if (error->status == NUCE_OK)
        *path = nuce_text_format(error, "%s/%s", folder, name);
    free(name);
    free(folder);
    free(text);
    return error->status;
}
