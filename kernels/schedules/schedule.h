/* Schedules: for each rank its ordered sends and receives, and the discipline that the engine
 * follows in working them off. */
#ifndef NUCE_SCHEDULE_H
#define NUCE_SCHEDULE_H

#include <stdint.h>

#include "error.h"
#include "pattern.h"
#include "rng.h"

enum nuce_discipline {
    NUCE_POST_ALL, /* every send and receive at once */
    NUCE_LOCKSTEP, /* phase by phase: a rank starts the next phase when its own send and receive of
                      this one are done, whatever the others do (the papers' loose execution) */
    NUCE_STREAMS,  /* the queue of sends and the queue of receives advance on their own, each with
                      up to `depth` in flight; 1 is the papers' single port */
    NUCE_LIBRARY,  /* one call of the MPI library does it all; the schedule's ops name it */
};

/* "post-all", "lockstep", "streams", "library". */
const char *nuce_discipline_name(enum nuce_discipline discipline);

/* One piece of a message, as one of its two ranks sees it. */
struct nuce_transfer {
    int peer;
    int phase;      /* 0-based; nondecreasing along a rank's list */
    int64_t offset; /* of the piece in the message, bytes */
    int64_t bytes;  /* > 0 */
};

struct nuce_schedule {
    int ranks;
    int phases; /* 1 + the last phase number that the algorithm counts, empty phases included */
    enum nuce_discipline discipline;
    int depth;              /* streams only, >= 1 */
    int64_t pieces;         /* length of sends and of receives */
    int64_t *send_start;    /* ranks + 1: rank i's sends are send_start[i] .. send_start[i+1] - 1 */
    int64_t *receive_start; /* ranks + 1 */
    struct nuce_transfer *sends;
    struct nuce_transfer *receives;
};

void nuce_schedule_fini(struct nuce_schedule *schedule);

/* Collects the pieces of a schedule in the order in which they are to happen. That one order gives
 * every rank's order of sends and of receives, so the rank whose next piece comes first can always
 * go on: what is built this way cannot deadlock. */
struct nuce_schedule_builder {
    int ranks;
    int phases;
    enum nuce_discipline discipline;
    int depth;
    int64_t count, capacity;
    struct nuce_piece *pieces;
};

/* discipline with depth 1 and no phases yet; the builder is freed by nuce_schedule_build_end or
 * nuce_schedule_builder_fini. */
void nuce_schedule_builder_init(struct nuce_schedule_builder *builder, int ranks,
                                enum nuce_discipline discipline);
void nuce_schedule_builder_fini(struct nuce_schedule_builder *builder);

/* Makes room for count pieces in all, so that adding them cannot fail half way. */
nuce_status nuce_schedule_reserve(struct nuce_schedule_builder *builder, int64_t count,
                                  struct nuce_error *error);

/* Adds a piece. Phases may come in any order (they are sorted, stably, at the end); `phases` grows
 * to phase + 1. Ranks that do not exist, a negative phase or offset and no bytes are a bug. */
nuce_status nuce_schedule_add(struct nuce_schedule_builder *builder, int source, int destination,
                              int phase, int64_t offset, int64_t bytes, struct nuce_error *error);

/* Turns what was collected into *out (freed with nuce_schedule_fini) and empties the builder, also
 * on failure. */
nuce_status nuce_schedule_build_end(struct nuce_schedule_builder *builder,
                                    struct nuce_schedule *out, struct nuce_error *error);

/* What an algorithm may look at. */
struct nuce_schedule_input {
    const struct nuce_pattern *pattern;
    struct nuce_rng rng; /* from nuce_rng_create, the same on every rank: all compute the same
                            schedule */
};

struct nuce_schedule_ops {
    const char *name; /* stored in results: never reuse one */
    const char *summary;
    const char *source;  /* paper and section, or the standard */
    const char *library; /* NUCE_LIBRARY only: the peer in run/ that makes the call, else NULL */
    enum nuce_discipline discipline;
    /* Pure: the same input gives the same pieces on every rank. Adds pieces to a builder that has
     * been set up with ranks and discipline; the caller ends or frees it. */
    nuce_status (*build)(const struct nuce_schedule_input *input,
                         struct nuce_schedule_builder *builder, struct nuce_error *error);
};

/* The schedule of input under ops: builder, build and build_end in one. */
nuce_status nuce_schedule_create(const struct nuce_schedule_ops *ops,
                                 const struct nuce_schedule_input *input, struct nuce_schedule *out,
                                 struct nuce_error *error);

/* All algorithms in the order of schedules.def, NULL-ended. */
extern const struct nuce_schedule_ops *const nuce_schedules[];

/* The one called name, or NULL. */
const struct nuce_schedule_ops *nuce_schedule_find(const char *name);

/* Checks schedule against pattern; NUCE_CORRUPT says which rule is broken, where:
 * every byte of every message is in exactly one piece; every send has its receive (same peers,
 * phase, offset and bytes) and the reverse; phases do not decrease along a list and lie in 0 ..
 * phases - 1; lockstep: a rank sends at most one and receives at most one piece a phase, its
 * message to itself being one send and one receive; streams: working off the queues with `depth` in
 * flight on each side, with sends that wait for their receive, comes to an end. */
nuce_status nuce_schedule_validate(const struct nuce_schedule *schedule,
                                   const struct nuce_pattern *pattern, struct nuce_error *error);

#endif
