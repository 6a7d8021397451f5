/* A campaign: one sweep submitted once, as a folder.
 *
 *   DIR/NAME.K/campaign.json   {"campaign","name","created","workload","sweep_sha256","points",
 *                              "seed","slurm"}
 *              sweep.yaml      the sweep file as it was
 *              plan.jsonl      frozen: a line a point, in the order in which they run; written
 * last, so a folder with it is complete records/        what ran (kernels/support/record.h): the
 * truth launches/       NUMBER.jsonl: the lines of the plan that one launch was given logs/
 * NUMBER.out and NUMBER.err of each launch lock            held (flock) by the nuce that runs it */
#ifndef NUCE_CAMPAIGN_H
#define NUCE_CAMPAIGN_H

#include <jansson.h>
#include <stdint.h>

#include "config.h"
#include "option.h"

struct nuce_campaign_point {
    char id[NUCE_HASH_BYTES];
    int ranks;
    char *line; /* of the plan, without newline */
    const struct nuce_workload_ops *workload;
    const char *status; /* of its best run: one of nuce_run_statuses; NULL: has none */
    int attempted;      /* has had its run since the campaign was opened: it gets no second */
};

struct nuce_campaign {
    char *path;
    char name[NUCE_NAME_BYTES]; /* NAME.K */
    int lock;                   /* descriptor, -1: not held */
    struct nuce_campaign_point *points;
    int64_t count, capacity;
    int64_t *by_id;       /* count: indices of points, ids ascending */
    int64_t torn_records; /* record files that end in the middle of a line */
};

/* Makes DIR/NAME.K for the next free K, locked. A crash or a full disk leaves no folder that looks
 * complete. Freed with nuce_campaign_fini. */
nuce_status nuce_campaign_create(const char *folder, const struct nuce_config *config,
                                 struct nuce_campaign *out, struct nuce_error *error);

/* Opens and locks the campaign that the user calls name: a path (with a slash), a name below
 * folder, or NULL for the newest there. Refuses one that another nuce runs, or whose records still
 * have a living writer. Reads the plan and the records. */
nuce_status nuce_campaign_open(const char *folder, const char *name, struct nuce_campaign *out,
                               struct nuce_error *error);

/* Unlocks and frees; accepts an all zero one with lock -1. */
void nuce_campaign_fini(struct nuce_campaign *campaign);

/* The index of the point with that id, or -1. */
int64_t nuce_campaign_find(const struct nuce_campaign *campaign, const char *id);

/* Takes a record of kind "run" into account: the index of its point, or -1 if it is none of this
 * plan's. */
int64_t nuce_campaign_note(struct nuce_campaign *campaign, const json_t *record);

/* The number of the next launch: one more than any that left a trace. */
nuce_status nuce_campaign_next_launch(const struct nuce_campaign *campaign, int *out,
                                      struct nuce_error *error);

/* PATH/FOLDER/NUMBER+ENDING, such as logs/0003.err. A new string, or NULL with *error. */
char *nuce_campaign_file(const struct nuce_campaign *campaign, const char *folder, int launch,
                         const char *ending, struct nuce_error *error);

#endif
