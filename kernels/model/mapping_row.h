/* What nuce-model mapping prints of a placement: means over samples. */
#ifndef NUCE_MAPPING_ROW_H
#define NUCE_MAPPING_ROW_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "mapping/sample.h"
#include "support/error.h"
#include "tables/grid.h"

/* A running mean. */
struct nuce_mapping_mean {
    int64_t count;
    double mean, squares; /* squares of the deviations from the mean */
};

void nuce_mapping_mean_add(struct nuce_mapping_mean *mean, double value);

struct nuce_mapping_row {
    const char *name;
    struct nuce_mapping_mean cardinality, bound, seconds;
    struct nuce_mapping_mean latency_us[NUCE_MAPPING_CASES];
    /* Beside rm on the same network and processors, where rm is among the placements. */
    struct nuce_mapping_mean percent;                  /* the cardinality, of rm's */
    struct nuce_mapping_mean gain[NUCE_MAPPING_CASES]; /* per cent of the latency saved */
};

/* Adds a sample, on a network where no cardinality is below bound; rm NULL: not known. */
void nuce_mapping_row_add(struct nuce_mapping_row *row, const struct nuce_mapping_sample *sample,
                          double bound, const struct nuce_mapping_sample *rm);

/* Adds the keys cardinality, cardinality_bound, latency_us, seconds, with several samples
 * cardinality_sd and latency_us_sd, with rm cardinality_percent, gain_percent and their _sd, to
 * json. */
nuce_status nuce_mapping_row_json(const struct nuce_mapping_row *row, json_t *json,
                                  struct nuce_error *error);

/* Prints an array of those. */
nuce_status nuce_mapping_rows_print(const json_t *rows, enum nuce_grid_format format, FILE *file,
                                    struct nuce_error *error);

#endif
