/* Benches: the cost of our own code, each beside a reference measured in the same run. Speed is not
 * a test: a bench that misses its budget says so and is not a failure. */
#ifndef NUCE_BENCH_H
#define NUCE_BENCH_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/grid.h"

/* The case that a bench works on; all zero and units 1 before create. */
struct nuce_bench_case {
    void *self;             /* owned by the bench, freed by its destroy */
    double ours_units;      /* a time of ours is divided by it: 1, or messages, points, ... */
    double reference_units; /* the same for the reference */
    const double
        *excluded_s; /* NULL, or where each run leaves the seconds of it that do not count */
    /* Where the first run of ours stores the bytes of its result, which then count as its memory
     * instead of those of the process; NULL: not used. And the same of the reference, or NULL. */
    const int64_t *held_bytes, *reference_bytes;
};

struct nuce_bench {
    const char *name;
    const char *summary;   /* description of ours */
    const char *reference; /* description of the reference */
    double budget_s;       /* for the median of ours per unit; 0: none */
    double budget_ratio;   /* for the median of the ratio of ours to the reference; 0: none */
    int64_t budget_bytes;  /* budget for the memory of ours: the peak of the process with it, or of
                              its result; 0: none */
    int least_turns;       /* 0: 5; fewer for cases that take many seconds */
    int is_single;         /* only one turn, without a warm-up: for cases that take minutes */
    int is_command;        /* ours runs in a process of its own, whose memory is not known */
    const void *of;        /* input of create; the file's own */
    void (*create)(const void *of, struct nuce_bench_case *out);
    void (*run_ours)(void *self);
    void (*run_reference)(void *self);
    void (*destroy)(void *self);
    /* Instead of the four functions: a program, relative to the folder of nuce-bench, launched with
     * so many ranks, measures ours and the reference in turns and prints what
     * nuce_bench_run_command reads. */
    const char *program;
    const char *arguments[2]; /* of the program; NULL: no more */
    int ranks;
    const char
        *study; /* instead of all these: a program, relative to the folder of nuce-bench, that
                   prints tables of its own; it takes minutes, and is run only by name */
    int needs_scalapack; /* its program can do nothing where nuce was built without */
    int needs_scotch;    /* the reference is SCOTCH */
};

/* The benches of each file, in the order in which they run; the last has no name. */
extern const struct nuce_bench nuce_bench_arrays[], nuce_bench_captures[], nuce_bench_dense[],
    nuce_bench_mappings[], nuce_bench_points[], nuce_bench_programs[], nuce_bench_records[],
    nuce_bench_schedules[];

/* A bench that cannot continue ends nuce-bench with one line; its folder stays for inspection. */
_Noreturn void nuce_bench_fail(const struct nuce_error *error);

/* For a call that fills `error`. */
#define MUST(call)                                                                                 \
    do {                                                                                           \
        struct nuce_error error = {.status = NUCE_OK};                                             \
                                                                                                   \
        if ((call) != NUCE_OK)                                                                     \
            nuce_bench_fail(&error);                                                               \
    } while (0)

/* Times in seconds per unit, ours and the reference of one turn under one index. */
struct nuce_bench_samples {
    double *ours, *reference;
    int64_t count;
    int64_t peak_bytes;      /* of ours; 0: unknown */
    int64_t reference_bytes; /* 0: unknown */
};

void nuce_bench_samples_fini(struct nuce_bench_samples *samples);

/* Runs ours and the reference in turns (A B A B: drift hits both alike) for about limit_s seconds,
 * at least as many turns as the bench says and at most 201, after one that is not counted; or the
 * one turn of a bench that is single. */
void nuce_bench_measure(const struct nuce_bench *bench, double limit_s,
                        struct nuce_bench_samples *out);

/* Runs argv (NULL-ended; looked up in PATH) to its end with status 0, its stdout in that file;
 * NULL: with ours. */
void nuce_bench_run(const char *const *argv, FILE *out);

/* Runs argv likewise and reads the samples from the one line of JSON that it
 * prints: {"ours":[seconds,...],"reference":[seconds,...]}, both of one length. */
void nuce_bench_run_command(const char *const *argv, struct nuce_bench_samples *out);

/* The path of a program, relative to the folder of nuce-bench. Freed by the caller. */
char *nuce_bench_program(const char *program);

struct nuce_bench_estimate {
    double median, low, high; /* with the 95 % interval of the median */
};

struct nuce_bench_result {
    const struct nuce_bench *bench;
    int64_t turns;
    struct nuce_bench_estimate ours, reference; /* seconds per unit */
    struct nuce_bench_estimate ratio;           /* of ours to the reference, turn by turn */
    int64_t peak_bytes, reference_bytes;
    int met; /* all budgets */
};

void nuce_bench_evaluate(const struct nuce_bench *bench, const struct nuce_bench_samples *samples,
                         struct nuce_bench_result *out);

/* Prints on stdout as text, JSON (a line each) or CSV: the line above the rows, if the format has
 * one, and the row of a result. benches: of all rows, as columns fit the longest name. */
void nuce_bench_print_head(const struct nuce_bench *const *benches, int count,
                           enum nuce_grid_format format);
void nuce_bench_print_row(const struct nuce_bench *const *benches, int count,
                          const struct nuce_bench_result *result, enum nuce_grid_format format);

/* A folder for benches of the whole path: commands of nuce run there, on files made there. */
struct nuce_scratch {
    char *folder, *campaigns, *database, *figures, *other; /* paths; only the folder exists */
};

/* Makes the folder in TMPDIR. Released with nuce_scratch_fini, which removes it with all that is in
 * it. */
void nuce_scratch_init(struct nuce_scratch *out);
void nuce_scratch_fini(struct nuce_scratch *scratch);

/* Runs a program, relative to the folder of nuce-bench, with the arguments after its name, the last
 * of which is NULL, and without its stdout. */
void nuce_scratch_run(const char *program, const char *const *rest);

#endif
