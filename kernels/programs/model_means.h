/* Means over instances of what a model finds of them. */
#ifndef NUCE_MODEL_MEANS_H
#define NUCE_MODEL_MEANS_H

#include <stdint.h>

#include "base/error.h"
#include "base/result.h"

/* The mean of one number over instances; all zero before the first. */
struct nuce_model_mean {
    int64_t count; /* instances in which it was found */
    double sum, least, largest;
    double middle, squares; /* Welford's mean, and the squares of the deviations from it */
};

void nuce_model_mean_add(struct nuce_model_mean *mean, double value);

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
