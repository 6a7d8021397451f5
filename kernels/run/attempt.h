/* One run of a point, as a contender of its heat: from its line of the plan to its record. */
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

/* A contender. Made by nuce_attempt_init, used in the order of the functions below, and freed with
 * nuce_attempt_fini whatever came of it. */
struct nuce_attempt {
    struct nuce_point_loop *loop;
    struct nuce_point point;
    /* what build said of the run; its results grow until the record */
    struct nuce_run_info info;
    struct nuce_entrant entrant;    /* of self, with its samples */
    struct nuce_samples twin;       /* of another self, made alike; empty: there was none */
    struct nuce_traced_step traced; /* is_noted 0: no step was traced */
    struct nuce_counters *counters;
    struct nuce_placed_world placed;
    struct nuce_world *world; /* as the workload sees it: the loop's, or as it is placed */
    void *session;            /* the loop's, or one of the placed world */
    json_t *lists;            /* rank 0: what the workload adds to the record (record.h) */
    json_t *row;              /* rank 0: once recorded */
    void *self;
    nuce_status outcome;
    struct nuce_error reason; /* where outcome is not NUCE_OK */
    int is_over;              /* recorded, or never begun */
    int is_given;             /* self was given to build: destroy follows */
    int created;              /* and build has made it */
    double begun;             /* by nuce_clock */
    double others_cpus;       /* processors that others kept busy during the rounds; NAN: unknown */
    double spent_s;           /* on this run, its share of the rounds included */
    char started[NUCE_TIME_BYTES];
};

/* The point of a line of the plan, with nothing made yet. Freed with nuce_attempt_fini, also on
 * failure. Collective; all ranks return the same status, as of all below. */
nuce_status nuce_attempt_init(struct nuce_point_loop *loop, const json_t *line,
                              struct nuce_attempt *out, struct nuce_error *error);

/* Writes the line that says that the run has begun, for who reads it while this process lives or
 * after it died (nuce_point_loop_keep). A failure is of the record file, not of the point.
 * Collective. */
nuce_status nuce_attempt_begin(struct nuce_attempt *attempt, struct nuce_error *error);

/* Makes all that a step needs: counters, the world that the point wants, the workload's self. A
 * failure is the point's. Collective. */
nuce_status nuce_attempt_set_up(struct nuce_attempt *attempt, struct nuce_error *error);

/* As the point asks to be measured, but for what the workload knows better (how many samples it
 * has). After set-up. Local. */
struct nuce_measure nuce_attempt_measure(const struct nuce_attempt *attempt);

/* After the last sample and its check: what the workload makes of them and, if it was asked for, a
 * traced step. A failure is the point's. Collective. */
nuce_status nuce_attempt_conclude(struct nuce_attempt *attempt, struct nuce_error *error);

/* Records how the run ended, by its outcome, and makes its row. A failure is of the record file,
 * not of the point. Collective. */
nuce_status nuce_attempt_end(struct nuce_attempt *attempt, const struct nuce_heat_facts *heat,
                             struct nuce_error *error);

/* The same for one that its time ran out on. On rank 0's watchdog, while the main thread is stuck:
 * what is being sampled may be half-written, so the record has no samples. Local. */
void nuce_attempt_time_out(struct nuce_attempt *attempt, const struct nuce_heat_facts *heat,
                           const char *message);

/* Frees all of it. Collective where it was set up, since destroy is. */
void nuce_attempt_fini(struct nuce_attempt *attempt);

/* Adds to row, as nuce_run_race_key says, the median over rounds of attempt's time / the
 * reference's, of the part that decides when to stop, with its 95 % interval, KEY_low and KEY_high
 * (null where there are too few rounds). To that of the reference itself, which is 1, "control",
 * "control_low" and "control_high": the same of its twin, what the ratio of two that are alike came
 * out as, the noise of the comparison. They are of one launch: what varies between launches is not
 * in them. */
void nuce_attempt_race(const struct nuce_attempt *attempt, const struct nuce_attempt *reference,
                       json_t *row);

#endif
