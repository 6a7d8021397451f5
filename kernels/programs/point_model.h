/* The models of one instance of a point: of its schedule by the papers' cost model, and of its
 * workload. */
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

/* Result rows of a schedule in addition to the tables of its workload, except for a record. */
extern const struct nuce_result nuce_model_results[];

/* The data that contenders of one instance share, so that it is made once: the inputs of
 * schedules, and the data that their workload's model keeps. All zero: nothing is made yet.
 * Owned. */
struct nuce_model_shared {
    struct nuce_model_memory memory;
    int is_made; /* pattern, network and its name are set; else they are zero */
    struct nuce_pattern pattern;
    struct nuce_splits splits;
    struct nuce_network network;
    char *network_name; /* as given by nuce_scheduling_network */
};

void nuce_model_shared_fini(struct nuce_model_shared *messages);

/* The question to the models. */
struct nuce_model_question {
    const char *network;               /* for points that name none: a preset or a file; borrowed */
    const struct nuce_measured_at *at; /* where points on a measured network ran; NULL: refuses
                                        * such points */
    const enum nuce_execution *execution; /* NULL: the one that fits the schedule's discipline */
    int of_schedule, of_workload;         /* the models that are asked for, if they exist */
    int is_recorded; /* only the results of a record, without times of computing schedules, which
                      * only the model spends */
    int is_emitted;  /* add the transfers of the schedule to lists, if it is timed */
};

/* Models one instance of a point: params are complete and describe one sample. *messages, all
 * zero before the first call, is made and kept for further calls with the same instance under
 * other schedules. The caller releases it, also after failure.
 *
 * Adds results to *found, whose tables have the results of workload and, unless it is for a
 * record, nuce_model_results. Adds to the object lists: "transfers", "candidates" if the
 * schedule was chosen among several, and the lists of nuce_workload_ops.model. NUCE_BAD_INPUT:
 * the point cannot be made (a file, a network, a schedule that does not fit). */
nuce_status nuce_model_instance(const struct nuce_workload_ops *workload, const void *params,
                                int ranks, const struct nuce_model_question *question,
                                struct nuce_model_shared *messages, struct nuce_metrics *found,
                                json_t *lists, struct nuce_error *error);

/* The same for instance k of the point's instances. */
nuce_status nuce_model_sample(const struct nuce_point *point, int64_t k,
                              const struct nuce_model_question *question,
                              struct nuce_model_shared *messages, struct nuce_metrics *found,
                              json_t *lists, struct nuce_error *error);

/* The mean of one number over instances; all zero before the first. */
struct nuce_model_mean {
    int64_t count; /* instances that have the number */
    double sum, least, largest;
    double middle, squares; /* Welford's mean, and the sum of squared deviations from it */
};

/* The standard deviation (of a sample: n - 1); NaN for less than two values. */
double nuce_model_mean_deviation(const struct nuce_model_mean *mean);

/* More results than the tables of one command have together. */
#define NUCE_MEANS_MOST 256

/* Means of all results in the tables. */
struct nuce_model_means {
    const struct nuce_result *row[NUCE_MEANS_MOST]; /* possible results, borrowed */
    struct nuce_model_mean mean[NUCE_MEANS_MOST];   /* of the row with the same index */
    int rows;
    json_t *last; /* values of the last instance, owned; NULL: there was none */
};

/* tables: NULL-ended, borrowed as long as the means. Released with nuce_model_means_fini, which
 * accepts one that is all zero. */
void nuce_model_means_init(const struct nuce_result *const *tables, struct nuce_model_means *out);
void nuce_model_means_fini(struct nuce_model_means *means);

/* Adds the results of an instance. A missing result is not counted for its mean. NUCE_FAILED: no
 * memory, nothing was added. */
nuce_status nuce_model_means_add(struct nuce_model_means *means, const struct nuce_metrics *found,
                                 struct nuce_error *error);

/* The statistics of the result called name, which a table must have; count 0: it was never
 * found. */
const struct nuce_model_mean *nuce_model_means_of(const struct nuce_model_means *means,
                                                  const char *name);

/* Sets results over several instances in *found: the mean of real numbers, the common value of
 * integers, the last instance's texts. An integer flagged NUCE_RESULT_EVERY is set to its least
 * value (1: true for every instance). Other integers that differ are omitted, because their mean
 * is not an integer. */
void nuce_model_means_describe(const struct nuce_model_means *means, struct nuce_metrics *found);

#endif
