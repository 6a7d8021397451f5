/* What the models say of one instance of a point: of its schedule by the papers' cost model, and
 * what its workload knows besides. */
#ifndef NUCE_POINT_MODEL_H
#define NUCE_POINT_MODEL_H

#include <jansson.h>

#include "base/error.h"
#include "base/result.h"
#include "points/point.h"
#include "points/scheduling.h"
#include "points/workload.h"
#include "schedules/execution.h"
#include "schedules/network.h"
#include "schedules/pattern.h"

/* Rows of what is found of a schedule beside the tables of its workload, unless for a record. */
extern const struct nuce_result nuce_model_results[];

/* What contenders of one instance share, so that it is made once: what schedules are made from, and
 * what the model of their workload keeps. All zero: nothing is made yet. Owned. */
struct nuce_model_shared {
    struct nuce_model_memory memory;
    int is_made; /* pattern, network and its name are there; else they are zero */
    struct nuce_pattern pattern;
    struct nuce_splits splits;
    struct nuce_network network;
    char *network_name; /* as nuce_scheduling_network says it */
};

void nuce_model_shared_fini(struct nuce_model_shared *messages);

/* What is asked of the models. */
struct nuce_model_question {
    const char *network;               /* for points that name none: a preset or a file; borrowed */
    const struct nuce_measured_at *at; /* where points on a measured network ran; NULL: such are
                                          refused */
    const enum nuce_execution *execution; /* NULL: what fits the schedule's discipline */
    int of_schedule, of_workload;         /* which of the two is asked for, where there is one */
    int is_recorded; /* only what a record has, and not how long schedules took to compute, which
                        nobody but the model spends */
    int is_emitted;  /* add the transfers of the schedule to lists, if it is timed */
};

/* Models one instance of a point: params are complete and stand for one sample. *messages, all zero
 * before the first call, is made and kept for further calls with the same instance under other
 * schedules; the caller releases it, also after failure.
 *
 * Adds to *found, whose tables have the results of workload and, unless it is for a record,
 * nuce_model_results; and to the object lists: "transfers", "candidates" where the schedule was
 * chosen of several, and what nuce_workload_ops.model adds. NUCE_BAD_INPUT: the point cannot be
 * made (a file, a network, a schedule that does not fit). */
nuce_status nuce_model_instance(const struct nuce_workload_ops *workload, const void *params,
                                int ranks, const struct nuce_model_question *question,
                                struct nuce_model_shared *messages, struct nuce_found *found,
                                json_t *lists, struct nuce_error *error);

/* The same for instance k of those that point stands for. */
nuce_status nuce_model_sample(const struct nuce_point *point, int64_t k,
                              const struct nuce_model_question *question,
                              struct nuce_model_shared *messages, struct nuce_found *found,
                              json_t *lists, struct nuce_error *error);

/* The mean of one number over instances; all zero before the first. */
struct nuce_model_mean {
    int64_t count; /* instances in which it was found */
    double sum, least, largest;
    double middle, squares; /* Welford's mean, and the squares of the deviations from it */
};

/* The standard deviation (of a sample: n - 1); NaN of less than two values. */
double nuce_model_mean_deviation(const struct nuce_model_mean *mean);

/* More results than all tables that one command shows have together. */
#define NUCE_MEANS_MOST 256

/* Means of all results that tables name. */
struct nuce_model_means {
    const struct nuce_result *row[NUCE_MEANS_MOST]; /* what may be found, borrowed */
    struct nuce_model_mean mean[NUCE_MEANS_MOST];   /* of the row of that number */
    int rows;
    json_t *last; /* values of the last instance, owned; NULL: there was none */
};

/* tables: NULL-ended, borrowed as long as the means. Released with nuce_model_means_fini, which
 * accepts one that is all zero. */
void nuce_model_means_init(const struct nuce_result *const *tables, struct nuce_model_means *out);
void nuce_model_means_fini(struct nuce_model_means *means);

/* Adds what was found of an instance; what it did not find is not counted there. NUCE_FAILED: no
 * memory, nothing was added. */
nuce_status nuce_model_means_add(struct nuce_model_means *means, const struct nuce_found *found,
                                 struct nuce_error *error);

/* The numbers of the result called name, which a table must have; count 0: it was never found. */
const struct nuce_model_mean *nuce_model_means_of(const struct nuce_model_means *means,
                                                  const char *name);

/* Sets in *found what several instances have in the mean: of real numbers their mean; of integers
 * what all have, or, if flagged NUCE_RESULT_EVERY, the least (1: it is so of every one); of texts
 * the last instance's. Integers that differ are left out: their mean is no integer. */
void nuce_model_means_describe(const struct nuce_model_means *means, struct nuce_found *found);

#endif
