/* Packing points into few jobs.
 *
 * A job holds points of one program, rank count and node count. What is compared stays together:
 * the points of one instance with all that is compared on it go into one job, so that they see the
 * same nodes in the same hour. These groups are packed longest first, each into the first job with
 * room (first-fit decreasing: at most 11/9 of the fewest jobs possible, and a bit); within a job
 * the points keep the order of the plan. A job has all launches of its heats, or with `spread` one
 * of each: then no two launches of a heat share a job. Jobs of one shape become arrays of at most
 * `most_tasks` tasks.
 */
#ifndef NUCE_PACKING_H
#define NUCE_PACKING_H

#include <stdint.h>

#include "campaigns/campaign.h"
#include "campaigns/profile.h"

/* Room for what nuce_packing_say_nodes writes. */
#define NUCE_PACKING_NODES_BYTES 96

/* The points of one job, or of one task of an array. */
struct nuce_packing_part {
    int64_t *points;   /* indices of the campaign's points, in the order of the plan */
    int64_t *launches; /* of each, that it is to have here; 0: it is there for others to race */
    int64_t count;     /* of points, and of launches */
    /* seconds that its points take by their limits, without the job's own start */
    double estimate_s;
};

/* What one sbatch submits. */
struct nuce_pack {
    const struct nuce_workload_ops *workload; /* all points of a job are of one program; borrowed */
    int ranks, nodes, tasks_per_node;         /* nodes and tasks_per_node 0: left to Slurm */
    int64_t time_s;                           /* time limit of a job, whole minutes */
    struct nuce_packing_part *parts;          /* longest first */
    int64_t count;
};

struct nuce_packing {
    struct nuce_pack *packs; /* longest part first */
    int64_t count;
    int64_t cramped;  /* heats of which one launch may not fit between the start of a job and its
                         being told to stop: a job that ends so gets nowhere */
    int64_t too_long; /* groups whose estimate is beyond a job's time: each has a job of its own */
};

/* Seconds that a point may take in one launch: its limit of sampling, and an allowance for set-up,
 * warm-up and verification; at most its timeout. */
double nuce_packing_estimate(const struct nuce_campaign_point *point);

/* Seconds before a time limit of time_s at which a job is told to stop: the profile's, but of a
 * short job not more than a quarter, since what is told as soon as it starts measures nothing. */
int64_t nuce_packing_warning_s(const struct nuce_profile *profile, int64_t time_s);

/* Sets nodes and tasks_per_node of a job of so many ranks, whose points are started as factors say
 * (launch_factors.h, NULL: nothing), else as profile does. NUCE_BAD_INPUT if these cannot hold
 * them. */
nuce_status nuce_packing_shape(const struct nuce_profile *profile, int ranks, const json_t *factors,
                               struct nuce_pack *pack, struct nuce_error *error);

/* "" or, where the profile's nodes are more than a job of pack has use for, ", on 4 nodes (nodes:
 * 16 are more than ranks)". That is no mistake, since a rank cannot be on two nodes, but users of a
 * fixed number of nodes wonder. */
void nuce_packing_say_nodes(const struct nuce_pack *pack, const struct nuce_profile *profile,
                            char text[NUCE_PACKING_NODES_BYTES]);

/* What is to be packed. */
struct nuce_packing_wish {
    const int64_t *points; /* indices of the campaign's points, ascending */
    int64_t count;
    const int64_t *launches; /* by index of a point, that it is to have; NULL: all that it lacks */
};

/* Packs points of campaign. time, nodes and tasks per node are the profile's; without a time jobs
 * are filled up to an hour and ask for what they need.
 * NUCE_BAD_INPUT if the profile's nodes and tasks per node cannot hold a point's ranks. Freed with
 * nuce_packing_fini. */
nuce_status nuce_packing_make(const struct nuce_campaign *campaign,
                              const struct nuce_packing_wish *wish,
                              const struct nuce_profile *profile, int64_t most_tasks,
                              struct nuce_packing *out, struct nuce_error *error);

/* All points of campaign, as long as Slurm's own limits are as given. For `nuce submit --dry-run`
 * and the costs of `nuce plan`: nothing has been measured or submitted there. array_size is
 * MaxArraySize of slurm.conf(5). */
nuce_status nuce_packing_make_all(const struct nuce_campaign *campaign,
                                  const struct nuce_profile *profile, int64_t array_size,
                                  struct nuce_packing *out, struct nuce_error *error);

/* What to tell the user about `cramped`: a new string; NULL if there are none (or no memory). */
char *nuce_packing_advice(const struct nuce_packing *packing, const struct nuce_profile *profile);

/* Frees packs, parts and their lists; *packing is empty then, and may be freed again. */
void nuce_packing_fini(struct nuce_packing *packing);

#endif
