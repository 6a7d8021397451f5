/* Points: one workload, instance and rank count, one value each of schedule,
 * decomposition and placement, and how to measure it. */
#ifndef NUCE_POINT_H
#define NUCE_POINT_H

#include <jansson.h>

#include "base/error.h"
#include "base/hash.h"
#include "points/facts.h"
#include "points/workload.h"

/* A point of a plan. Owned. */
struct nuce_point {
    const struct nuce_workload_ops *workload;
    int ranks;
    void *params; /* workload->params_size bytes, owned */
    struct nuce_measure measure;
    json_t *compare;          /* names of the params that its race compares, owned; NULL: the
                                 workload's default */
    json_t *launch;           /* how its processes are started (launch_factors.h), owned; NULL: as
                                 in the whole campaign */
    json_t *canonical;        /* the params with effect, including launch, owned; NULL until
                                 nuce_point_complete */
    char id[NUCE_HASH_BYTES]; /* SHA-256 of {"params":...,"ranks":...,"workload":...}, compact, keys
                                 sorted; "" until nuce_point_complete */
};

/* A point with every preset, not completed; freed with nuce_point_fini. ranks >= 1. */
void nuce_point_init(const struct nuce_workload_ops *workload, int ranks, struct nuce_point *out);
void nuce_point_fini(struct nuce_point *point);

/* A deep copy; unchangeable JSON is shared. */
void nuce_point_copy(const struct nuce_point *point, struct nuce_point *out);

/* Sets one launch factor (launch_factors.h); value is borrowed. */
void nuce_point_set_launch(struct nuce_point *point, const char *name, json_t *value);

/* Sets a parameter or, if the workload has none of that name, a measure option from JSON.
 * NUCE_BAD_INPUT: there is neither, or value is invalid for it. */
nuce_status nuce_point_set(struct nuce_point *point, const char *key, const json_t *value,
                           struct nuce_error *error);

/* Completes and checks the parameters, inspects the files, and computes canonical form and id. It
 * must be called again after a change. NUCE_BAD_INPUT names the option; the point can then only be
 * changed or freed. */
nuce_status nuce_point_complete(struct nuce_point *point, struct nuce_facts *facts,
                                struct nuce_error *error);

/* The text whose SHA-256 is the id of such a point; canonical: its params. A new string, freed by
 * the caller; NULL with *error. */
char *nuce_point_canonical_text(const struct nuce_workload_ops *workload, int ranks,
                                json_t *canonical, struct nuce_error *error);

/* hex: the id of a complete point's race, the SHA-256 of its canonical text without the options in
 * which contenders differ (nuce_option_instance). */
nuce_status nuce_point_race(const struct nuce_point *point, char hex[NUCE_HASH_BYTES],
                            struct nuce_error *error);

/* A line of a record file (record.h): a run of the point begins. New reference; NULL with *error,
 * as for the next function. */
json_t *nuce_point_begin_record(const struct nuce_point *point, const char *job,
                                const char *started, struct nuce_error *error);

/* The common content of every run record of a (complete) point, for any result of the run; campaign
 * "": a program run by hand. */
json_t *nuce_point_run_record(const struct nuce_point *point, const char *job, const char *campaign,
                              const char *kind, const char *status, const char *started,
                              struct nuce_error *error);

/* Most contenders of one race: each has its buffers and requests. */
#define NUCE_RACE_CONTENDERS_MOST 64

/* True if two lines of a plan are contenders of one race: they differ only in compared options.
 * Never if events are counted, because these must be of one point alone. */
int nuce_point_is_of_race(const json_t *line, const json_t *other);

/* Replaces `measured`, the value of the parameter name, by value, which a run of the (complete)
 * point measured. id and canonical form stay. A point with another value stays unchanged.
 * NUCE_BAD_INPUT: it has no such parameter, or value is invalid for it. */
nuce_status nuce_point_take_measured(struct nuce_point *point, const char *name, const char *value,
                                     struct nuce_error *error);

/* A line of a plan file: {"point","workload","ranks","params","measure"} and, unless they are NULL,
 * "compare" and "launch". params are as the program needs them (with paths), and only those that
 * apply. New reference; NULL with *error. */
json_t *nuce_point_to_json(const struct nuce_point *point, struct nuce_error *error);

/* The reverse; completes the point and checks that its id is the one in the line. With facts NULL
 * the line is trusted: no file is read, and id and canonical form are not computed. Ranks other
 * than 0 use that, because rank 0 has checked the line. */
nuce_status nuce_point_from_json(const json_t *line, struct nuce_facts *facts,
                                 struct nuce_point *out, struct nuce_error *error);

/* Points from comma lists: every combination of the values that a command line gives for a
 * workload's options. Compared options change fastest, so that points of one instance follow one
 * another. */
/* More points in one command line are taken for a typing error. */
#define NUCE_COMBINATIONS_MOST 100000

/* Lists and the number of their combinations; lists is owned. */
struct nuce_given_lists {
    const struct nuce_workload_ops *workload;
    json_t *lists; /* option -> array of texts; compared options are last */
    size_t count;  /* combinations, at most NUCE_COMBINATIONS_MOST */
};

/* given, borrowed: option -> text as given; names that are no options of the workload are ignored.
 * With ranks above 0 a missing option gets its value for runs by hand (nuce_workload_ops).
 * NUCE_BAD_INPUT: more than NUCE_COMBINATIONS_MOST. Freed with nuce_given_lists_fini. */
nuce_status nuce_given_lists_init(const struct nuce_workload_ops *workload, const json_t *given,
                                  int ranks, struct nuce_given_lists *out,
                                  struct nuce_error *error);
void nuce_given_lists_fini(struct nuce_given_lists *lists);

/* Sets the options of combination number, 0 .. count - 1, in a point of the workload.
 * NUCE_BAD_INPUT names option and value. */
nuce_status nuce_given_lists_set(const struct nuce_given_lists *lists, size_t number,
                                 struct nuce_point *point, struct nuce_error *error);

#endif
