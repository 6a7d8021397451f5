/* One run of a point, as a contender of its race: from its line of the plan to its record. */
#ifndef NUCE_ATTEMPT_H
#define NUCE_ATTEMPT_H

#include <jansson.h>

#include "base/record.h"
#include "points/point.h"
#include "run/placed_world.h"
#include "run/point_loop.h"
#include "run/run_record.h"
#include "run/sampling.h"
#include "run/traced_step.h"

/* A contender. Made by nuce_attempt_init, used in the order of the functions below, and always
 * freed with nuce_attempt_fini. */
struct nuce_attempt {
    struct nuce_point_loop *loop;
    struct nuce_point point;
    /* build's description of the run; its results grow until the record */
    struct nuce_run_info info;
    struct nuce_entrant entrant;    /* of self, with its samples */
    struct nuce_samples duplicate;  /* of a second self, made in the same way; empty: none */
    struct nuce_traced_step traced; /* is_noted 0: no step was traced */
    struct nuce_counters *counters;
    struct nuce_placed_world placed;
    struct nuce_world *world; /* the workload's world: the loop's, or a placed one */
    void *session;            /* the loop's session, or that of the placed world */
    json_t *lists;            /* rank 0: the workload's additions to the record (record.h) */
    json_t *row;              /* rank 0: once recorded */
    void *self;
    nuce_status outcome;
    struct nuce_error reason; /* set if outcome is not NUCE_OK */
    int is_over;              /* recorded, or never begun */
    int is_given;             /* build got self, so destroy follows */
    int created;              /* build succeeded */
    double begun;             /* by nuce_clock */
    double others_cpus;       /* processors busy with other processes in the rounds; NAN: unknown */
    double spent_s;           /* time spent on this run, including its share of the rounds */
    char started[NUCE_TIME_BYTES];
};

/* Makes the point of a plan line, with nothing set up yet. Freed with nuce_attempt_fini, also on
 * failure. Collective; all ranks return the same status, as for all functions below. */
nuce_status nuce_attempt_init(struct nuce_point_loop *loop, const json_t *line,
                              struct nuce_attempt *out, struct nuce_error *error);

/* Writes the line that the run has begun, for readers during this process's life or after its
 * death (nuce_point_loop_keep). A failure is of the record file, not of the point. Collective. */
nuce_status nuce_attempt_begin(struct nuce_attempt *attempt, struct nuce_error *error);

/* Prepares everything for a step: counters, the point's world, the workload's self. A failure is
 * the point's. Collective. */
nuce_status nuce_attempt_set_up(struct nuce_attempt *attempt, struct nuce_error *error);

/* The measure of the point, with the workload's own number of samples if it has one. After
 * set-up. Local. */
struct nuce_measure nuce_attempt_measure(const struct nuce_attempt *attempt);

/* Called after the last sample and its check: the workload's conclusions and, if requested, a
 * traced step. A failure is the point's. Collective. */
nuce_status nuce_attempt_conclude(struct nuce_attempt *attempt, struct nuce_error *error);

/* Records the end of the run, by its outcome, and makes its row. A failure is of the record
 * file, not of the point. Collective. */
nuce_status nuce_attempt_end(struct nuce_attempt *attempt, const struct nuce_race_facts *race,
                             struct nuce_error *error);

/* The same for a run that exceeded its time. Called on rank 0's watchdog, while the main thread
 * is stuck. Samples may be half-written, so the record has none. Local. */
void nuce_attempt_time_out(struct nuce_attempt *attempt, const struct nuce_race_facts *race,
                           const char *message);

/* Frees all of it. Collective after set-up, because destroy is. */
void nuce_attempt_fini(struct nuce_attempt *attempt);

/* Adds the ratio to the reference to row, under nuce_run_race_key: the median over rounds of
 * attempt's time / the reference's, for the part that decides when to stop. Adds its 95 %
 * interval, KEY_low and KEY_high (null with too few rounds). The reference's own row, with ratio
 * 1, also gets "noise", "noise_low" and "noise_high". These are the ratio of its duplicate,
 * which is the noise of the comparison. All ratios are of one launch and exclude the variation
 * between launches. */
void nuce_attempt_race(const struct nuce_attempt *attempt, const struct nuce_attempt *reference,
                       json_t *row);

#endif
