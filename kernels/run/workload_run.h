/* How a workload executes, with MPI; joined to its description by name. */
#ifndef NUCE_WORKLOAD_RUN_H
#define NUCE_WORKLOAD_RUN_H

#include <stdint.h>

#include "counters.h"
#include "error.h"
#include "point.h"
#include "record.h"
#include "world.h"

#define NUCE_UNKNOWN (-1) /* of the integers below; unknown seconds are NaN */

/* What creating a point found out; the same on all ranks, seconds being the maximum over them. */
struct nuce_run_info {
    unsigned parts;                  /* bit 1 << NUCE_PART_...: parts that step times */
    enum nuce_sample_part criterion; /* the part whose median decides when to stop */
    int64_t phases, pieces, messages, bytes, port_bytes, degree, edge_cut;
    double index_s, gather_s, schedule_s;
    double compress_s;     /* making COM sparse, sequentially */
    double heap_s, sort_s; /* of schedule_s */
    int64_t heap_operations;
    double predicted_s, bound_s, single_port_bound_s; /* by the point's network, if it names one */
    char choice[NUCE_NAME_BYTES]; /* which candidate the algorithm chose; "": it makes but one */
    int nonblocking; /* a library collective runs in its nonblocking form; NUCE_UNKNOWN: none runs
                      */
};

struct nuce_workload_run {
    const char *name;
    /* What points of one program share, such as the last mesh. Local; closed with close. */
    nuce_status (*open)(struct nuce_world *world, void **session, struct nuce_error *error);
    void (*close)(void *session);
    /* All that a step needs. Collective; all ranks return the same status (nuce_agree). */
    nuce_status (*create)(void *session, const struct nuce_point *point,
                          struct nuce_counters *counters, void **self, struct nuce_run_info *info,
                          struct nuce_error *error);
    /* The only code between two time stamps; writes the seconds of this rank's timed parts to
     * parts. Collective. */
    void (*step)(void *self, double parts[NUCE_SAMPLE_PARTS]);
    /* Checks what arrives and what is computed, by another way than step; salt makes every check's
     * payload different. Never timed. Collective; NUCE_CORRUPT on the rank that sees it. */
    nuce_status (*verify)(void *self, uint64_t salt, struct nuce_error *error);
    /* Accepts NULL. Collective. */
    void (*destroy)(void *self);
};

#endif
