/* Two sides of the database, A and B, point by point: finds the launches that belong together, and
 * their comparison by kernels/base/comparison.h. The unit is the launch, or the campaign if each
 * side of a point has several (docs/how-to/compare.md); it is never a sample. compare_print.c
 * prints the results. */
#ifndef NUCE_CONTRAST_H
#define NUCE_CONTRAST_H

#include <jansson.h>
#include <stdint.h>

#include "base/comparison.h"
#include "base/grid.h"
#include "results/sides.h"

/* The origin of the sides' values. */
enum nuce_contrast_design {
    NUCE_CONTRAST_APART, /* each side's own launches, or campaigns: the median of each */
    NUCE_CONTRAST_RACED, /* contenders in one race: the ratios of each launch that had both */
    NUCE_CONTRAST_EXACT, /* simulated or modelled: computed times */
};

/* The user's choices for a comparison. */
struct nuce_contrast_choice {
    const char *kind;     /* measured, simulated or modelled */
    const char *part;     /* one of nuce_record_sample_parts; NULL: the workload's default */
    const char *campaign; /* only runs of this campaign; NULL: all */
    double confidence, threshold; /* of struct nuce_comparison_rule */
};

/* A point that both A and B have. All that distinguishes runs is equal, including the wait policy,
 * except what is compared; for contenders also the environment. */
struct nuce_contrast_point {
    int64_t place;       /* its row in told */
    int64_t launches[2]; /* of A and B; in a race the launches with both; campaigns if these are the
                            unit */
    double seconds[2];   /* geometric mean of the launches' medians; of a metric that is not a time
                            the value, or its inverse where higher is better */
    struct nuce_comparison result;
};

/* A launch, or campaign, that alone makes the interval of an inconclusive point wide. */
struct nuce_contrast_odd {
    int64_t points; /* points that have one; 0: the rest is unset */
    int64_t unit;   /* that of the widest interval: its number in the temporary tables */
    const struct nuce_contrast_point *point; /* of that interval */
    int side;
    double seconds, others;         /* at the point: its value, and the median of those of
                                       the others of its side, as in point->seconds */
    struct nuce_comparison without; /* the point's result without it */
    char *name, *run;               /* "job 1 of quick.1" or "quick.1"; a run's hash, "" in files */
};

/* A completed comparison. The counts of omissions are for messages: a point that is not compared
 * must not pass for equal. */
struct nuce_contrast {
    const struct nuce_side *sides[2]; /* A and B; borrowed */
    enum nuce_contrast_design design;
    struct nuce_comparison_rule rule;
    /* The parameters that distinguish the points, an array of strings. A parameter with one value
     * at all points that have it is left out, if the others suffice. */
    json_t *keys;
    /* A row for each point, by workload, ranks and values. Its columns are: workload; contender
     * (NULL: contenders are compared, or the workload has none); instance ("pattern=uniform
     * item-bytes=64": the parameters in which the points differ, with environment and wait policy
     * if several points differ in nothing else); point (id; NULL between contenders, which have one
     * each); environment (id; NULL if each side may have its own); part (the time compared:
     * "communication", "step", ...); unit (of a metric that is not a time; "": without one; NULL:
     * times) and is_rate ("1": higher is better, and the inverse is compared); ranks; described
     * ("pattern uniform, item-bytes 64"); cells (the values of keys as a JSON array, null if the
     * point lacks the parameter). */
    struct nuce_grid told;
    /* rule.points of them, the largest ratio B / A first; equal ones by place. */
    struct nuce_contrast_point *points;
    struct nuce_comparison mean; /* over the points: the geometric mean of their ratios */
    int64_t in_mean;             /* number of points in it: those with several launches */
    struct nuce_grid lone;       /* points of one side only: side (0 or 1), and name */
    int64_t not_ok[2];           /* runs of A and of B that did not end well: omitted */
    int64_t interrupted[2]; /* runs stopped before their end, which is not a failure: omitted */
    int64_t other_kind;     /* runs of either side of another kind: omitted */
    int64_t untimed; /* common points without times of the part, without a message, or too short to
                        measure: omitted */
    int64_t unraced; /* points of both contenders, but in no common race: omitted */
    char *campaigns; /* of the compared runs, with commas between them */
    int64_t campaign_count;
    int64_t jobs[2], busy[2]; /* launches of A and of B, and those of them on a machine with other
                                 work (disturbed) */
    int64_t by_campaign;      /* 1: all points have several campaigns on each side: these are their
                                 units */
    int64_t drifting;         /* points where drift of the machine would look like a difference:
                                 all launches of one side came before those of the other, or a side
                                 is one campaign, which hides the spread between campaigns */
    /* For a race, the least and largest ratio of a reference to its duplicate in the races; 0: no
     * duplicate. */
    double noise_low, noise_high;
    /* Distance from 1 of the interval of these ratios' geometric mean over the points, a logarithm;
     * 0: unknown. */
    double noise_reach;
    /* For launches that did not race: one that alone makes intervals wide. */
    struct nuce_contrast_odd odd;
    char *nonblocking; /* the sentence about contenders that ran in a nonblocking form; "": none */
};

/* The text of the point in a column of told; "" for NULL. */
const char *nuce_contrast_text(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_point *point, const char *name);

/* The unit of the point's metric if that is not a time, "": it has none; NULL: a time. */
const char *nuce_contrast_unit(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_point *point);

/* The metric of which point->seconds has the value seconds, in its unit or in seconds. */
double nuce_contrast_value(const struct nuce_contrast *contrast,
                           const struct nuce_contrast_point *point, double seconds);

/* True if other work ran beside half of the launches of one side, but not of the other: it may then
 * explain the difference. False for contenders that raced in the same launches. */
int nuce_contrast_is_disturbed(const struct nuce_contrast *contrast);

/* True if drift of the machine would look like a difference at some point. */
int nuce_contrast_may_drift(const struct nuce_contrast *contrast);

/* Compares a and b, which are of one class and outlive *out. A database without a point that both
 * have gives none: out->rule.points is 0, and mean means nothing. Released with nuce_contrast_fini,
 * also after a failure. Makes temporary tables in store, which is open for reading: once a store.
 * NUCE_BAD_INPUT: choice->campaign is not in it, or ways are not of one campaign. */
nuce_status nuce_contrast_make(struct nuce_store *store, const struct nuce_side *a,
                               const struct nuce_side *b, const struct nuce_contrast_choice *choice,
                               struct nuce_contrast *out, struct nuce_error *error);
void nuce_contrast_fini(struct nuce_contrast *contrast);

#endif
