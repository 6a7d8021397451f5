/* A step of the workload `exchange` that is a sequence of patterns, executed: each under the
 * schedule that is in force for it. */
#ifndef NUCE_SEQUENCE_RUN_H
#define NUCE_SEQUENCE_RUN_H

#include "program/communication.h"
#include "schedules/sequence.h"
#include "workloads/point.h"
#include "world/world.h"

/* One pattern's buffers, the same memory for all, and how it is sent. */
struct nuce_sequence_exchange {
    struct nuce_payload payload;
    struct nuce_engine planned;
    struct nuce_engine rest; /* empty where all is planned */
};

/* Starts zeroed. */
struct nuce_sequence_run {
    struct nuce_world *world;
    struct nuce_sequence sequence; /* terms.steps 0: there is none */
    struct nuce_sequence_exchange *exchange;
};

/* The patterns of the point's sequence, if it is one, and room in the buffers for the largest.
 * Before any communication of the point is made. Freed with nuce_sequence_run_fini, also after
 * failure; it is collective and takes an empty one. Collective; all ranks return the same status,
 * as of the next. */
nuce_status nuce_sequence_run_init(struct nuce_world *world, const struct nuce_point *point,
                                   struct nuce_sequence_run *run, struct nuce_error *error);
void nuce_sequence_run_fini(struct nuce_sequence_run *run);

/* The schedules, and engines for all steps; first is the communication of the first pattern, whose
 * network schedules are made for. What was found of that becomes what there is to say of the
 * sequence. */
nuce_status nuce_sequence_run_build(const struct nuce_communication *first,
                                    const struct nuce_point *point, struct nuce_sequence_run *run,
                                    struct nuce_found *found, struct nuce_error *error);

/* 0: the point is of one pattern. */
int64_t nuce_sequence_run_steps(const struct nuce_sequence_run *run);

/* All patterns, one after the other. Collective. */
void nuce_sequence_run_step(struct nuce_sequence_run *run);

/* Whether every byte of every message of every pattern arrives. Collective; all ranks return the
 * same status. */
nuce_status nuce_sequence_run_check(struct nuce_sequence_run *run, uint64_t salt,
                                    struct nuce_error *error);

/* What the last pattern was received in. */
const struct nuce_payload *nuce_sequence_run_last(const struct nuce_sequence_run *run);

#endif
