/* Means over instances of what a model finds of them. */
#ifndef NUCE_MODEL_MEANS_H
#define NUCE_MODEL_MEANS_H

#include <stdint.h>

#include "support/error.h"
#include "support/result.h"

/* Of one number; all zero before the first. */
struct nuce_model_mean {
    int64_t count; /* instances in which it was found */
    double sum, least, largest;
    double middle, squares; /* Welford's mean, and the squares of the deviations from it */
};

void nuce_model_mean_add(struct nuce_model_mean *mean, double value);

/* The standard deviation; not a number of less than two. */
double nuce_model_mean_deviation(const struct nuce_model_mean *mean);

#define NUCE_MEANS_MOST 256

struct nuce_model_means {
    const struct nuce_result *row[NUCE_MEANS_MOST]; /* what may be found, borrowed */
    struct nuce_model_mean mean[NUCE_MEANS_MOST];   /* of the row of that number */
    int rows;
    json_t *last; /* values of the last instance, owned; NULL: there was none */
};

/* Released with nuce_model_means_fini, which accepts one that is all zero. */
void nuce_model_means_init(const struct nuce_result *const *tables, struct nuce_model_means *out);
void nuce_model_means_fini(struct nuce_model_means *means);

/* Adds an instance. */
nuce_status nuce_model_means_add(struct nuce_model_means *means, const struct nuce_found *found,
                                 struct nuce_error *error);

/* The numbers of the result called name, which a table must have. */
const struct nuce_model_mean *nuce_model_means_of(const struct nuce_model_means *means,
                                                  const char *name);

/* Sets in *found what several instances have in the mean: real numbers; of integers and texts what
 * all have, and what is so of every one (NUCE_RESULT_EVERY). */
void nuce_model_means_describe(const struct nuce_model_means *means, struct nuce_found *found);

#endif
