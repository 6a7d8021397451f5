/* Packs points into few jobs.
 *
 * A job holds points of one program, rank count and node count. All points compared on one instance
 * go into one job, so that they use the same nodes in the same hour. These groups are packed
 * longest first, each into the first job with room (first-fit decreasing: at most 11/9 of the
 * fewest jobs possible, plus a constant). Within a job the points keep the order of the plan. A job
 * has all launches of its races. With job-per-launch it has one of each, and no two launches of a
 * race share a job. Jobs of one shape become arrays of at most `most_tasks` tasks. */
#ifndef NUCE_PACKING_H
#define NUCE_PACKING_H

#include <stdint.h>

#include "campaigns/campaign.h"
#include "campaigns/profile.h"

/* Bytes for the text of nuce_packing_say_nodes. */
#define NUCE_PACKING_NODES_BYTES 96

/* The points of one job, or of one task of an array. */
struct nuce_packing_part {
    int64_t *points;   /* indices of the campaign's points, in the order of the plan */
    int64_t *launches; /* launches of each point here; 0: it only races against others */
    int64_t count;     /* number of points and launches */
    /* seconds for its points by their limits, without the job's own start */
    double estimate_s;
};

/* The jobs of one sbatch. */
struct nuce_pack {
    const struct nuce_workload_ops *workload; /* the program of all points of a job; borrowed */
    int ranks, nodes, tasks_per_node;         /* nodes and tasks_per_node 0: left to Slurm */
    int64_t time_s;                           /* time limit of a job, whole minutes */
    struct nuce_packing_part *parts;          /* longest first */
    int64_t count;
};

struct nuce_packing {
    struct nuce_pack *packs; /* longest part first */
    int64_t count;
    int64_t cramped;  /* races of which one launch may not fit between the start of a job and its
                         signal to stop: such a job makes no progress */
    int64_t too_long; /* groups whose estimate exceeds a job's time: each has a job of its own */
};

/* Seconds that a point may take in one launch: its limit of sampling, plus an allowance for set-up,
 * warm-up and verification; at most its timeout. */
double nuce_packing_estimate(const struct nuce_campaign_point *point);

/* Seconds between the signal to stop and a time limit of time_s: the profile's warning, but at most
 * a quarter of the limit. A job that gets the signal at its start would measure nothing. */
int64_t nuce_packing_warning_s(const struct nuce_profile *profile, int64_t time_s);

/* Sets nodes and tasks_per_node of a job with that many ranks, by the launch factors of its points
 * (launch_factors.h, NULL: none), else by profile. NUCE_BAD_INPUT if these cannot hold the
 * ranks. */
nuce_status nuce_packing_shape(const struct nuce_profile *profile, int ranks, const json_t *factors,
                               struct nuce_pack *pack, struct nuce_error *error);

/* "", or, if the profile has more nodes than a job of pack can use, ", on 4 nodes (nodes: 16 are
 * more than ranks)". It is not a mistake, because a rank cannot be on two nodes, but it would
 * surprise users of a fixed number of nodes. */
void nuce_packing_say_nodes(const struct nuce_pack *pack, const struct nuce_profile *profile,
                            char text[NUCE_PACKING_NODES_BYTES]);

/* The points to be packed. */
struct nuce_packing_wish {
    const int64_t *points; /* indices of the campaign's points, ascending */
    int64_t count;
    const int64_t *launches; /* launches of each point of the campaign, by its index; NULL: all that
                                it lacks */
};

/* Packs points of campaign. Time, nodes and tasks per node are the profile's. Without a time, jobs
 * are filled up to an hour and request what they need. NUCE_BAD_INPUT if the profile's nodes and
 * tasks per node cannot hold a point's ranks. Freed with nuce_packing_fini. */
nuce_status nuce_packing_make(const struct nuce_campaign *campaign,
                              const struct nuce_packing_wish *wish,
                              const struct nuce_profile *profile, int64_t most_tasks,
                              struct nuce_packing *out, struct nuce_error *error);

/* Packs all points of campaign, with the given limits of Slurm. For `nuce submit --dry-run` and the
 * costs of `nuce plan`, where nothing has been measured or submitted. array_size is MaxArraySize of
 * slurm.conf(5). */
nuce_status nuce_packing_make_all(const struct nuce_campaign *campaign,
                                  const struct nuce_profile *profile, int64_t array_size,
                                  struct nuce_packing *out, struct nuce_error *error);

/* The number of points of pack that are not in seen, which has room for all of the campaign; marks
 * them there. With job-per-launch several parts have launches of one point. */
int64_t nuce_packing_count_points(const struct nuce_pack *pack, unsigned char *seen);

/* The message for users about `cramped`: a new string; NULL if it is 0. */
char *nuce_packing_advice(const struct nuce_packing *packing, const struct nuce_profile *profile);

/* Frees packs, parts and their lists; *packing is empty then, and may be freed again. */
void nuce_packing_fini(struct nuce_packing *packing);

#endif
