/* A workload's execution, with MPI; joined to its description by name. */
#ifndef NUCE_WORKLOAD_RUN_H
#define NUCE_WORKLOAD_RUN_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/record.h"
#include "base/result.h"
#include "points/point.h"
#include "run/counters.h"
#include "run/world.h"

/* Properties of a point's execution, and results of creating it. The loop over points passes it
 * to create with found open and all else 0. It is the same on all ranks; seconds are the maximum
 * over them. */
struct nuce_run_info {
    unsigned parts;                  /* bit 1 << NUCE_PART_...: parts that step times */
    enum nuce_sample_part criterion; /* the part with the median that decides when to stop */
    int64_t samples; /* number of steps if each differs from the others, numbered from the check
                      * on: take that many, however well the median is known; 0: the measure
                      * decides */
    int is_whole;    /* fewer than `samples` are useless: the measure's limit does not hold */
    int prepares;    /* prepare does something: steps cannot follow one another without it */
    int is_counting; /* some rank counts hardware events */
    int per_rank;    /* ranks do different work: keep every rank's time of every sample */
    struct nuce_metrics found; /* results, as the workload's tables declare them */
};

/* A table of functions, static. The state of a point is in `self`, that of all points in their
 * session: functions keep no state of their own. */
struct nuce_workload_run {
    const char *name;
    /* Opens the state that points of one program share, such as the last mesh. Local; closed
     * with close, which accepts NULL. NULL, both: none, their session is the world. */
    void *(*open)(struct nuce_world *world);
    void (*close)(void *session);
    /* Bytes of one point's state, self below: the loop over points makes it, zeroed, and frees
     * it after destroy. */
    size_t self_size;
    /* Makes everything for a step. Collective; all ranks return the same status
     * (nuce_world_agree). After a failure *info has no meaning, and destroy follows. */
    nuce_status (*build)(void *self, void *session, const struct nuce_point *point,
                         struct nuce_counters *counters, struct nuce_run_info *info,
                         struct nuce_error *error);
    /* Called before each step, outside of its time: restores the state that every step must
     * find. Collective; NULL: nothing. */
    void (*prepare)(void *self);
    /* The only code between two time stamps; writes the seconds of this rank's timed parts to
     * parts. Collective. */
    void (*step)(void *self, double parts[NUCE_SAMPLE_PARTS]);
    /* Checks received and computed data, by another way than step; salt makes every check's
     * payload different. Never timed. Collective; NUCE_CORRUPT on the rank that detects it. */
    nuce_status (*verify)(void *self, uint64_t salt, struct nuce_error *error);
    /* A hash of all bytes that this rank received in the last step, or in its last exchange if
     * it has several. Local; NULL: looks are impossible. */
    uint64_t (*mark)(void *self);
    /* Inverts a byte of each message that this rank received, so that a message which does not
     * come leaves another mark. Local; NULL with mark_sent: steps then send different bytes. */
    void (*spoil)(void *self);
    /* NULL: the mark is the same after every step from the check on. Else steps differ, and this
     * is the mark of the sent data. Both are sums over messages (nuce_payload_sum_received,
     * _sent), so over all ranks they are equal. Local. */
    uint64_t (*mark_sent)(void *self);
    /* Exchanges of a step; NULL: 1. */
    int64_t (*exchanges)(const void *self);
    /* The cost model's times of the step's transfers, for the run's record, next to the traced
     * ones. *events is "planned" of record.h (new reference); *network is its name (borrowed
     * from self). *events NULL: there is no plan. Rank 0 only, local; may be NULL. */
    nuce_status (*plan)(const void *self, int64_t most, json_t **events, const char **network,
                        struct nuce_error *error);
    /* Called after the last sample and its check: computes results beyond the time of a step,
     * such as a network, and writes its file. Collective; all ranks return the same status;
     * NULL: nothing. */
    nuce_status (*conclude)(void *self, struct nuce_error *error);
    /* The results of conclude, if it ran: results, and lists of the run's record (record.h),
     * which it adds to lists. Rank 0, local; NULL: nothing. */
    void (*describe)(const void *self, struct nuce_metrics *found, json_t *lists);
    /* Frees the contents of self; accepts a half-built one. Collective. */
    void (*destroy)(void *self);
    /* Adds this workload's own results of record's run to row (of nuce_run_row). Rank 0; NULL:
     * nothing. */
    void (*summarise)(const json_t *record, json_t *row);
    /* Adds results that follow from several rows of one launch. Rank 0, before they are printed;
     * NULL: nothing. */
    void (*compare)(json_t *rows);
    /* Prints the conclusions from the rows, in sentences below the table. Rank 0; NULL: the
     * table suffices. */
    void (*say)(const json_t *rows, FILE *file);
};

#endif
