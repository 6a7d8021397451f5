/* Inside collect: the samples of one run, as numbers and as the database keeps them. */
#ifndef NUCE_COLLECT_SAMPLES_H
#define NUCE_COLLECT_SAMPLES_H

#include <jansson.h>

#include "support/record.h"

struct nuce_collect_samples {
    int64_t count;                     /* of samples */
    double *values[NUCE_SAMPLE_PARTS]; /* seconds, of each part; NULL: the run has none of it */
    /* JSON: an array a sample, [step, pack, ...] in the order of nuce_record_sample_parts, null for
     * a part that is not there, without those behind the last that is. */
    char *times;
};

/* From what nuce_record_check_run has accepted. Released with nuce_collect_samples_fini. */
nuce_status nuce_collect_samples_from_json(const json_t *samples, struct nuce_collect_samples *out,
                                           struct nuce_error *error);

/* From the text of a line; the times stand in the database as they stand there. Released with
 * nuce_collect_samples_fini. */
nuce_status nuce_collect_samples_from_text(const struct nuce_record_samples *samples,
                                           struct nuce_collect_samples *out,
                                           struct nuce_error *error);

void nuce_collect_samples_fini(struct nuce_collect_samples *samples);

/* The median of a part, seconds; NaN if the run has none of it. Sorts its values. */
double nuce_collect_samples_median(struct nuce_collect_samples *samples, int part);

#endif
