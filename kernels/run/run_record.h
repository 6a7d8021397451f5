/* A run's results, as a record and as the flat row that programs print. */
#ifndef NUCE_RUN_RECORD_H
#define NUCE_RUN_RECORD_H

#include <jansson.h>

#include "base/error.h"
#include "points/point.h"
#include "run/sampling.h"
#include "run/traced_step.h"
#include "run/workload_run.h"

/* Facts that the runs of one race share. */
struct nuce_race_facts {
    char id[NUCE_HASH_BYTES];            /* of the instance (nuce_point_race) */
    uint32_t seed;                       /* of the order in each round */
    struct nuce_sampling_facts sampling; /* all zero: there were no rounds */
};

/* The outcome of the run, as far as it got. */
struct nuce_outcome {
    nuce_status status;
    int timed_out;
    const char *message; /* NULL if the status is NUCE_OK */
    const char *started; /* time of day, as nuce_record_time_now writes it */
    double wall_s;
    const struct nuce_wait *wait;
    const struct nuce_race_facts *race;
    const struct nuce_run_info *info;      /* NULL: the set-up did not end */
    const struct nuce_samples *samples;    /* NULL: none */
    const struct nuce_samples *duplicate;  /* of its duplicate; NULL or empty: it has none */
    const struct nuce_counters *counters;  /* NULL: none */
    const struct nuce_traced_step *traced; /* NULL: no step was traced */
    json_t *lists;                         /* the workload's additions, borrowed; NULL: none */
    int ranks;
};

/* The run record; new reference, NULL with *error. campaign "" for a program run by hand. */
json_t *nuce_run_record(const struct nuce_point *point, const struct nuce_outcome *outcome,
                        const char *job, const char *campaign, struct nuce_error *error);

/* A flat object of a run record: workload, ranks, every parameter, the scalar fields, and every
 * result of the tables that may be recorded (null: unknown). For each timed part it has PART_s
 * (median), PART_low_s and PART_high_s (its 95 % interval, absent with fewer than six samples),
 * and n, the number of samples. New reference, NULL with *error. */
json_t *nuce_run_row(const struct nuce_result *const *results, const json_t *record);

/* The key of a contender's ratio to the reference in rows of the workload: "ratio", or, if that
 * is one of its options, "race_ratio". */
const char *nuce_run_race_key(const struct nuce_workload_ops *workload);

#endif
