/* How a workload executes, with MPI; joined to its description by name. */
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

/* What a point's execution is to be like, and what creating it found out. The loop over points
 * hands it to create with found open and all else 0; the same on all ranks, seconds being the
 * maximum over them. */
struct nuce_run_info {
    unsigned parts;                  /* bit 1 << NUCE_PART_...: parts that step times */
    enum nuce_sample_part criterion; /* the part whose median decides when to stop */
    int64_t samples; /* each step differs from the others and there are so many of them, numbered
                        from the check on: take as many, however well the median is known; 0: the
                        measure says */
    int is_whole;    /* fewer than `samples` are worth nothing: the measure's limit does not hold */
    int prepares;    /* prepare does something: steps cannot follow one another without it */
    int per_rank;    /* ranks do different things: keep every rank's time of every sample */
    struct nuce_found found; /* results, as the workload's tables declare them */
};

/* A table of functions, static. What a point needs is in `self`, what points share in their
 * session: functions keep no state of their own. */
struct nuce_workload_run {
    const char *name;
    /* What points of one program share, such as the last mesh. Local; closed with close, which
     * takes NULL. NULL, both: nothing, their session is the world. */
    void *(*open)(struct nuce_world *world);
    void (*close)(void *session);
    /* Bytes of what one point needs, self below: the loop over points makes them, zeroed, and frees
     * them behind destroy. */
    size_t self_size;
    /* All that a step needs. Collective; all ranks return the same status (nuce_world_agree). After
     * a failure *info means nothing, and destroy follows. */
    nuce_status (*build)(void *self, void *session, const struct nuce_point *point,
                         struct nuce_counters *counters, struct nuce_run_info *info,
                         struct nuce_error *error);
    /* Before each step, outside of its time: what a step must find as the one before did.
     * Collective; NULL: nothing. */
    void (*prepare)(void *self);
    /* The only code between two time stamps; writes the seconds of this rank's timed parts to
     * parts. Collective. */
    void (*step)(void *self, double parts[NUCE_SAMPLE_PARTS]);
    /* Checks what arrives and what is computed, by another way than step; salt makes every check's
     * payload different. Never timed. Collective; NUCE_CORRUPT on the rank that sees it. */
    nuce_status (*verify)(void *self, uint64_t salt, struct nuce_error *error);
    /* A hash of all bytes that this rank received in the last step, or in its last exchange where
     * it has several. Local; NULL: there is no looking at them. */
    uint64_t (*mark)(void *self);
    /* NULL: that is the same after every step from the check on. Else steps differ, and this is of
     * what was sent then; both are sums over messages (nuce_payload_sum_received, _sent), so that
     * over all ranks they are the same. Local. */
    uint64_t (*mark_sent)(void *self);
    /* Exchanges of a step; NULL: 1. */
    int64_t (*exchanges)(const void *self);
    /* What the cost model says of the step's transfers, for the run's record beside the traced
     * ones: *events as record.h says of "planned" (new reference), *network its name (borrowed from
     * self). *events NULL: there is no plan. Rank 0 only, local; may be NULL. */
    nuce_status (*plan)(const void *self, int64_t most, json_t **events, const char **network,
                        struct nuce_error *error);
    /* After the last sample and its check: works out what they say of more than the time of a step,
     * such as a network, and writes its file. Collective; all ranks return the same status; NULL:
     * nothing. */
    nuce_status (*conclude)(void *self, struct nuce_error *error);
    /* What conclude found, if it did: results, and lists of the run's record (record.h), which it
     * adds to lists. Rank 0, local; NULL: nothing. */
    void (*describe)(const void *self, struct nuce_found *found, json_t *lists);
    /* Frees what self holds; accepts what build has left half-built. Collective. */
    void (*destroy)(void *self);
    /* Adds to row (of nuce_run_row) what only this workload can say of the run that record is of.
     * Rank 0; NULL: nothing. */
    void (*summarise)(const json_t *record, json_t *row);
    /* Adds to the rows of one launch what follows from several of them. Rank 0, before they are
     * printed; NULL: nothing. */
    void (*compare)(json_t *rows);
    /* What the rows come to, in sentences below the table. Rank 0; NULL: the table says it. */
    void (*say)(const json_t *rows, FILE *file);
};

#endif
