/* Two sides of the database, A and B, point by point: which of their runs belong together, and what
 * kernels/support/comparison.h says of their times. */
#ifndef NUCE_CONTRAST_H
#define NUCE_CONTRAST_H

#include <jansson.h>
#include <stdint.h>

#include "results/sides.h"
#include "support/comparison.h"

enum nuce_contrast_unit {
    NUCE_CONTRAST_AUTO,    /* runs where there are enough; else samples, unless of a busy machine */
    NUCE_CONTRAST_RUNS,    /* runs, however few */
    NUCE_CONTRAST_SAMPLES, /* as AUTO, and launches on a busy machine are taken for alike, too */
};

struct nuce_contrast_choice {
    const char *kind; /* measured, simulated or modelled */
    const char
        *part; /* one of nuce_record_sample_parts; NULL: communication where timed, else step */
    const char *campaign; /* of this campaign's runs only; NULL: of all */
    enum nuce_contrast_unit unit;
    double confidence, threshold; /* of struct nuce_comparison_rule */
};

/* What A and B have both: everything that tells runs apart is equal but for what is compared, the
 * wait policy included; between contenders also the environment. Strings are owned. */
struct nuce_contrast_point {
    char *workload;
    char *contender; /* NULL: it is what is compared, or the workload has none */
    int ranks;
    /* "pattern=uniform unit=64": the parameters in which the points differ, and environment and
     * wait where several points differ in nothing else. */
    char *instance;
    char *described; /* "pattern uniform, unit 64": those of struct nuce_contrast's keys */
    json_t *values;  /* theirs as an array of strings, null where the point has no such parameter */
    char *point;     /* id; NULL between contenders, which have one each */
    char *environment; /* id; NULL where each side may have its own */
    char *part;
    int64_t runs[2], samples[2]; /* of A and B */
    int is_busy;                 /* a launch of its runs began on a machine that others used */
    int is_distrusted;           /* so few of them that therefore nothing is made of it */
    int is_despite; /* so few of them, and NUCE_CONTRAST_SAMPLES takes them all the same */
    struct nuce_comparison result;
};

/* Points that only one side has. */
struct nuce_contrast_lone {
    char *name; /* "exchange, 4 ranks, ac, unit 64" */
    int side;   /* 0: A has it, 1: B */
};

struct nuce_contrast {
    const struct nuce_side *sides[2]; /* A and B; borrowed */
    struct nuce_comparison_rule rule;
    /* The parameters that tell the points apart, an array of strings; those that all points have
     * alike that have them are left out where the others suffice. */
    json_t *keys;
    struct nuce_contrast_point *points; /* rule.points of them, by workload, ranks, values */
    struct nuce_contrast_lone *lone;
    int64_t lone_count, lone_capacity;
    int64_t not_ok[2];  /* runs of A and of B that did not end well: left out */
    int64_t other_kind; /* runs of both of another kind: left out */
    int64_t untimed;    /* points that both have, but without times of the part: left out */
    int in_turn;        /* runs of A and B were not all of one side before all of the other */
};

/* Compares a and b, which are of one class and outlive *out. A database without a point that both
 * have gives none. Released with nuce_contrast_fini, also after a failure. Makes temporary tables:
 * once a store. */
nuce_status nuce_contrast_make(struct nuce_store *store, const struct nuce_side *a,
                               const struct nuce_side *b, const struct nuce_contrast_choice *choice,
                               struct nuce_contrast *out, struct nuce_error *error);
void nuce_contrast_fini(struct nuce_contrast *contrast);

#endif
