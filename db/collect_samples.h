/* Inside collect: the samples of one run, as numbers and as the database keeps them. */
#ifndef NUCE_COLLECT_SAMPLES_H
#define NUCE_COLLECT_SAMPLES_H

#include <jansson.h>

#include "support/record.h"

struct nuce_collect_samples {
    int64_t count;                     /* of samples */
    double medians[NUCE_SAMPLE_PARTS]; /* seconds, of each part; NaN: the run has none of it */
    /* JSON: an array a sample, [step, pack, ...] in the order of nuce_record_sample_parts, null for
     * a part that is not there, without those behind the last that is. "[]" without samples. */
    char *times;
};

/* From the object "samples" or "twin" of a record that nuce_record_check_run has accepted. Released
 * with nuce_collect_samples_fini; on failure *out is all zero. */
nuce_status nuce_collect_samples_from_json(const json_t *samples, struct nuce_collect_samples *out,
                                           struct nuce_error *error);

/* Accepts one that is all zero. */
void nuce_collect_samples_fini(struct nuce_collect_samples *samples);

#endif
