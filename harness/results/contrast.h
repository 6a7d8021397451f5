/* Two sides of the database, A and B, point by point: which of their launches belong together, and
 * what kernels/base/comparison.h says of them. The launch is the unit, or the campaign where
 * each side of a point has several (docs/how-to/compare.md); what is compared is never a sample.
 * Nothing here prints; compare_print.c does. */
#ifndef NUCE_CONTRAST_H
#define NUCE_CONTRAST_H

#include <jansson.h>
#include <stdint.h>

#include "base/comparison.h"
#include "base/grid.h"
#include "results/sides.h"

/* How the sides come to their values. */
enum nuce_contrast_design {
    NUCE_CONTRAST_APART, /* launches of their own, or campaigns: the median of each */
    NUCE_CONTRAST_RACED, /* contenders in one heat: the ratios of each launch that had both */
    NUCE_CONTRAST_EXACT, /* simulated or modelled: computed times */
};

/* What the user may choose of a comparison. */
struct nuce_contrast_choice {
    const char *kind;     /* measured, simulated or modelled */
    const char *part;     /* one of nuce_record_sample_parts; NULL: what the workload compares by */
    const char *campaign; /* of this campaign's runs only; NULL: of all */
    double confidence, threshold; /* of struct nuce_comparison_rule */
};

/* What A and B have both: everything that tells runs apart is equal but for what is compared, the
 * wait policy included; between contenders also the environment. */
struct nuce_contrast_point {
    int64_t place;       /* its row of what is known of the points */
    int64_t launches[2]; /* of A and B; of contenders that raced those that had both; campaigns
                            where these are the unit */
    double seconds[2];   /* geometric mean over them of the median */
    struct nuce_comparison result;
};

/* A comparison that was made. Counts of what is left out are there so that it can be told: what is
 * not compared must not pass for equal. */
struct nuce_contrast {
    const struct nuce_side *sides[2]; /* A and B; borrowed */
    enum nuce_contrast_design design;
    struct nuce_comparison_rule rule;
    /* The parameters that tell the points apart, an array of strings; those that all points have
     * alike that have them are left out where the others suffice. */
    json_t *keys;
    /* A row a point, by workload, ranks and values: workload, contender (NULL: it is what is
     * compared, or the workload has none), instance ("pattern=uniform unit=64": the parameters in
     * which the points differ, and environment and wait where several points differ in nothing
     * else), point (id; NULL between contenders, which have one each), environment (id; NULL where
     * each side may have its own), part (that was compared: "communication", "step", ...), ranks,
     * described ("pattern uniform, unit 64"), cells (the values of keys as a JSON array, null where
     * the point has no such parameter). */
    struct nuce_grid told;
    /* rule.points of them, the largest ratio B / A first; where it is the same, by place. */
    struct nuce_contrast_point *points;
    struct nuce_comparison mean; /* over the points: the geometric mean of their ratios */
    int64_t in_mean;             /* so many of them: those that several launches have */
    struct nuce_grid lone;       /* points that one side alone has: side (0 or 1), and name */
    int64_t not_ok[2];           /* runs of A and of B that did not end well: left out */
    int64_t interrupted[2]; /* that were stopped before their end, which is no failure: left out */
    int64_t other_kind;     /* runs of both of another kind: left out */
    int64_t untimed; /* points that both have, but without times of the part, without a message, or
                       too short to tell: left out */
    int64_t unraced; /* that both contenders have, but in no heat together: left out */
    char *campaigns; /* whose runs are compared, with commas between them */
    int64_t campaign_count;
    int64_t jobs[2], busy[2]; /* launches of A and of B, and how many of them on a machine with
                                 other work (disturbed) */
    int64_t by_campaign; /* 1: all points have several campaigns a side: these are their units */
    int64_t drifting;    /* points where a machine that drifts would look like a difference: all
                            launches of one side came before those of the other, or a side is one
                            campaign, which does not show what the next would */
    /* Of contenders that raced, the least and largest ratio of a reference to its twin in their
     * heats; 0: no twin. */
    double control_low, control_high;
    /* How far from 1 the interval reaches of what these ratios come to in their geometric mean over
     * the points, a logarithm; 0: unknown. */
    double control_reach;
};

/* What is known of the point, as told has it; "" for NULL. */
const char *nuce_contrast_text(const struct nuce_contrast *contrast,
                               const struct nuce_contrast_point *point, const char *name);

/* Whether other work went on beside half of the launches of one side, and not of the other: then it
 * may be all that differs. Of contenders that raced in the same launches it never is so. */
int nuce_contrast_is_disturbed(const struct nuce_contrast *contrast);

/* Whether a machine that drifts would look like a difference at some point. */
int nuce_contrast_may_drift(const struct nuce_contrast *contrast);

/* NUCE_BAD_INPUT: no campaign of that name is in the store; NULL is none in particular. To be asked
 * before what the sides are, which may be in no other campaign. */
nuce_status nuce_contrast_require_campaign(struct nuce_store *store, const char *campaign,
                                           struct nuce_error *error);

/* Compares a and b, which are of one class and outlive *out. A database without a point that both
 * have gives none: out->rule.points is 0, and mean means nothing. Released with nuce_contrast_fini,
 * also after a failure. Makes temporary tables in store, which is open for reading: once a store.
 * NUCE_BAD_INPUT: choice->campaign is not in it, or ways are not of one campaign. */
nuce_status nuce_contrast_make(struct nuce_store *store, const struct nuce_side *a,
                               const struct nuce_side *b, const struct nuce_contrast_choice *choice,
                               struct nuce_contrast *out, struct nuce_error *error);
void nuce_contrast_fini(struct nuce_contrast *contrast);

#endif
