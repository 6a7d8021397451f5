/* Rebalancing: a sample whose ranks change their speeds, and an array that is cut anew by the rates
 * at which they are seen to sweep, with its cells moved under the schedule algorithm of the
 * exchange. */
#ifndef NUCE_REBALANCE_H
#define NUCE_REBALANCE_H

#include <jansson.h>

#include "base/record.h"
#include "instances/part.h"
#include "points/point.h"
#include "points/stencil_instance.h"
#include "points/stencil_periods.h"
#include "run/communication.h"

/* What a rank keeps of an array that is cut in one way: its part and the exchange of halos. */
struct nuce_stage {
    struct nuce_decomposition tiling;        /* owned: which cells each rank has */
    struct nuce_pattern halo;                /* all messages of the exchange of halos */
    struct nuce_part part;                   /* this rank's cells, ghosts and halo */
    struct nuce_communication communication; /* of the halos, under the schedule of the point */
};

/* The stage of point, a stencil's, for instance, whose tiling it takes over; field is borrowed. Its
 * part has no values and no extra work yet. first NULL: the stage that a run begins with; adds to
 * found what follows from communication. Else a further one while that point runs, by the network
 * of first. NUCE_BAD_INPUT where the cells of a node's ranks do not fit its memory. Freed with
 * nuce_stage_destroy, which is collective and takes NULL. Collective; all ranks return the same
 * status. */
nuce_status nuce_stage_create(struct nuce_world *world, const struct nuce_field *field,
                              const struct nuce_point *point,
                              struct nuce_stencil_instance *instance,
                              const struct nuce_stage *first, struct nuce_found *found,
                              struct nuce_stage **out, struct nuce_error *error);
void nuce_stage_destroy(struct nuce_stage *stage);

/* How iterations of a sample are told apart. */
enum nuce_course {
    NUCE_COURSE_BEFORE,  /* speeds are those that it began with */
    NUCE_COURSE_CHANGED, /* they have changed, and the array is still cut for others */
    NUCE_COURSE_AFTER,   /* the array has been cut anew since */
    NUCE_COURSES,
};

/* What the record says: means over samples, the model's over cuts. NaN: nothing. */
struct nuce_rebalance_means {
    int are_known;
    double iteration_s[NUCE_COURSES], rebalances, moved_bytes, saving_s, cost_s;
};

struct nuce_rebalance {
    struct nuce_world *world;
    const struct nuce_point *point; /* borrowed */
    struct nuce_stage *home;        /* borrowed: what every sample begins with */
    struct nuce_stage *stage;       /* home, or what the array was cut into since; then owned */
    struct nuce_speed_periods periods;
    double *rates; /* ranks: cells per second, by which it was cut last */
    double *seen;  /* ranks: the same of the latest look */
    uint64_t salt; /* of the values that the sample began with */
    /* Of the sample under way. */
    int period;
    int is_due;              /* speeds have changed since the latest cut */
    int64_t changed_at;      /* iterations before that */
    int64_t looked_at;       /* iterations before the latest look */
    double computed_s;       /* at the latest look */
    enum nuce_course course; /* since: */
    int64_t course_at;       /* iterations before */
    double course_s;         /* clock */
    /* What moving has been seen to take; NaN: nothing has been moved yet. */
    double set_up_s; /* cutting, schedules, buffers */
    double byte_s;   /* for each byte through the busiest port */
    /* What the model says of the latest cut that was considered and not made; NaN: there was none,
     * or it is not known. */
    double saving_s; /* of an iteration */
    double cost_s;   /* of cutting and moving */
    /* Of all samples. */
    double spent_s[NUCE_COURSES];
    int64_t iterations[NUCE_COURSES];
    int64_t samples, rebalances, moved_bytes;
    double saving_sum_s, cost_sum_s; /* what the model said of those that were made */
    int64_t predictions;             /* of them */
    struct nuce_rebalance_means means;
    nuce_status status; /* of the first look that failed: none follows */
    struct nuce_error failure;
};

/* Of point, a stencil's. Local. Freed with nuce_rebalance_fini, which is collective and takes an
 * empty (all zero) one. */
nuce_status nuce_rebalance_init(struct nuce_world *world, const struct nuce_point *point,
                                struct nuce_stage *home, struct nuce_rebalance *out,
                                struct nuce_error *error);
void nuce_rebalance_fini(struct nuce_rebalance *rebalance);

/* Whether a sample has anything but iterations. */
int nuce_rebalance_has_course(const struct nuce_rebalance *rebalance);

/* Forgets what is stored of samples so far (the warm-up), not what they have taught. */
void nuce_rebalance_reset(struct nuce_rebalance *rebalance);

/* Back to home, with the values of salt, for the next sample. Collective. */
void nuce_rebalance_return(struct nuce_rebalance *rebalance, uint64_t salt);

/* Around the iterations of a sample: at its start; then how many may follow after so many until
 * something is to be done; after those, which does it and adds its time to parts; at its end.
 * computed_s is this rank's time of sweeping, which only ever grows. Collective. */
void nuce_rebalance_begin(struct nuce_rebalance *rebalance, double computed_s);
int64_t nuce_rebalance_room(const struct nuce_rebalance *rebalance, int64_t done);
void nuce_rebalance_after(struct nuce_rebalance *rebalance, int64_t done, double computed_s,
                          double parts[NUCE_SAMPLE_PARTS]);
void nuce_rebalance_end(struct nuce_rebalance *rebalance, int64_t done);

/* Cuts the array once more from home as it was cut last, and compares every cell with the value
 * that salt gives it; the stage is then the one so made. Where nothing has been moved there is
 * nothing to do. Also NUCE_FAILED where a look has failed before. Collective; statuses are to be
 * agreed on. */
nuce_status nuce_rebalance_check(struct nuce_rebalance *rebalance, uint64_t salt,
                                 struct nuce_error *error);

/* Works out what the samples so far come to, by the slowest rank. Collective. */
void nuce_rebalance_conclude(struct nuce_rebalance *rebalance);

/* Adds that to a run's record. Rank 0, local. */
void nuce_rebalance_describe(const struct nuce_rebalance *rebalance, struct nuce_found *found);

#endif
