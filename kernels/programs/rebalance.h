/* Rebalancing: a sample in which the ranks' speeds change and the array is cut again by the
 * measured rates. The cells move under the schedule algorithm of the exchange. */
#ifndef NUCE_REBALANCE_H
#define NUCE_REBALANCE_H

#include <jansson.h>

#include "base/record.h"
#include "instances/part.h"
#include "points/point.h"
#include "points/stencil_instance.h"
#include "points/stencil_periods.h"
#include "run/communication.h"

/* A rank's state for one cut of the array: its part and the exchange of halos. */
struct nuce_stage {
    struct nuce_decomposition tiling;        /* owned: the cells of each rank */
    struct nuce_pattern halo;                /* all messages of the exchange of halos */
    struct nuce_part part;                   /* this rank's cells, ghosts and halo */
    struct nuce_communication communication; /* of the halos, under the schedule of the point */
};

/* Makes the stage of point, a stencil's, for instance, and takes over instance's tiling; field
 * is borrowed. Its part has no values and no extra work yet. first NULL: the first stage of a
 * run; adds the results of communication to found. Else a further stage of a running point, with
 * the network of first. NUCE_BAD_INPUT if the cells of a node's ranks exceed its memory. Freed
 * with nuce_stage_destroy, which is collective and accepts NULL. Collective; all ranks return
 * the same status. */
nuce_status nuce_stage_create(struct nuce_world *world, const struct nuce_field *field,
                              const struct nuce_point *point,
                              struct nuce_stencil_instance *instance,
                              const struct nuce_stage *first, struct nuce_metrics *found,
                              struct nuce_stage **out, struct nuce_error *error);
void nuce_stage_destroy(struct nuce_stage *stage);

/* The phases of a sample by its iterations. */
enum nuce_course {
    NUCE_COURSE_BEFORE,  /* speeds are those of the start */
    NUCE_COURSE_CHANGED, /* speeds have changed, and the array is cut for the old ones */
    NUCE_COURSE_AFTER,   /* the array has been cut again since */
    NUCE_COURSES,
};

/* Results for the record: means over samples, the model's over cuts. NaN: none. */
struct nuce_rebalance_means {
    int are_known;
    double iteration_s[NUCE_COURSES], rebalances, moved_bytes, saving_s, cost_s;
};

struct nuce_rebalance {
    struct nuce_world *world;
    const struct nuce_point *point; /* borrowed */
    struct nuce_stage *home;        /* borrowed: the first stage of every sample */
    struct nuce_stage *stage;       /* home, or the stage since a later cut; then owned */
    struct nuce_speed_periods periods;
    double *rates; /* ranks: cells per second used for the latest cut */
    double *seen;  /* ranks: cells per second at the latest look */
    uint64_t salt; /* of the sample's first values */
    /* The current sample. */
    int period;
    int is_due;              /* speeds have changed since the latest cut */
    int64_t changed_at;      /* iterations before that change */
    int64_t looked_at;       /* iterations before the latest look */
    double computed_s;       /* at the latest look */
    enum nuce_course course; /* the present phase, and since when: */
    int64_t course_at;       /* iterations before */
    double course_s;         /* clock */
    /* Measured costs of moving; NaN: nothing has moved yet. */
    double set_up_s; /* cutting, schedules, buffers */
    double byte_s;   /* for each byte through the busiest port */
    /* The model's numbers for the latest cut that was considered and not made; NaN: none, or
     * unknown. */
    double saving_s; /* of an iteration */
    double cost_s;   /* of cutting and moving */
    /* All samples. */
    double spent_s[NUCE_COURSES];
    int64_t iterations[NUCE_COURSES];
    int64_t samples, rebalances, moved_bytes;
    double saving_sum_s, cost_sum_s; /* the model's predictions for the cuts that were made */
    int64_t predictions;             /* number of predictions */
    struct nuce_rebalance_means means;
    nuce_status status; /* of the first failed look, after which there are no more */
    struct nuce_error failure;
};

/* Initialises rebalancing for point, a stencil's. Local. Freed with nuce_rebalance_fini, which
 * is collective and accepts an empty (all zero) one. */
nuce_status nuce_rebalance_init(struct nuce_world *world, const struct nuce_point *point,
                                struct nuce_stage *home, struct nuce_rebalance *out,
                                struct nuce_error *error);
void nuce_rebalance_fini(struct nuce_rebalance *rebalance);

/* True if a sample has events other than iterations. */
int nuce_rebalance_has_course(const struct nuce_rebalance *rebalance);

/* Forgets the results of the samples so far (the warm-up), but keeps the measured costs. */
void nuce_rebalance_reset(struct nuce_rebalance *rebalance);

/* Returns to home, with the values of salt, for the next sample. Collective. */
void nuce_rebalance_return(struct nuce_rebalance *rebalance, uint64_t salt);

/* The course of a sample. _begin is called at its start and _end at its end. _room returns the
 * number of iterations after the first `done` until the next event. _after, called after those,
 * runs the event and adds its time to parts. computed_s is this rank's time of sweeping, which
 * only grows. Collective. */
void nuce_rebalance_begin(struct nuce_rebalance *rebalance, double computed_s);
int64_t nuce_rebalance_room(const struct nuce_rebalance *rebalance, int64_t done);
void nuce_rebalance_after(struct nuce_rebalance *rebalance, int64_t done, double computed_s,
                          double parts[NUCE_SAMPLE_PARTS]);
void nuce_rebalance_end(struct nuce_rebalance *rebalance, int64_t done);

/* Cuts the array once more from home by the latest rates, and compares every cell with its value
 * by salt; the stage is then the new one. Does nothing if nothing has moved. Also returns
 * NUCE_FAILED if a look has failed before. Collective; the caller agrees on the statuses. */
nuce_status nuce_rebalance_check(struct nuce_rebalance *rebalance, uint64_t salt,
                                 struct nuce_error *error);

/* Computes the results of the samples so far, by the slowest rank. Collective. */
void nuce_rebalance_conclude(struct nuce_rebalance *rebalance);

/* Adds these results to a run's record. Rank 0, local. */
void nuce_rebalance_describe(const struct nuce_rebalance *rebalance, struct nuce_metrics *found);

#endif
