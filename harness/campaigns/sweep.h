/* A sweep file: which points to measure, and how. docs/sweep.md has its keys.
 *
 * What is parsed here is still the file: options with lists of values, each with its place for
 * messages. Its points are made by expand.h. Nothing here knows of Slurm or of MPI libraries; what
 * a sweep only passes on is checked by functions that the caller gives (struct
 * nuce_sweep_judge). */
#ifndef NUCE_SWEEP_H
#define NUCE_SWEEP_H

#include <jansson.h>
#include <stdint.h>

#include "base/hash.h"
#include "campaigns/shipped.h"
#include "campaigns/yaml_file.h"
#include "points/workload.h"

/* More ranks than any machine has today: a slip of the keyboard. */
#define NUCE_SWEEP_MOST_RANKS (1 << 24)

/* More points than anybody can want; their number is checked before any is made. */
#define NUCE_SWEEP_MOST_POINTS 200000

/* What a key of the file itself means, for readers; the strings are static. */
struct nuce_sweep_key_help {
    const char *name, *values;
    const char *preset; /* what it is where it is left out; NULL: nothing */
    const char *meaning;
};

/* The index-th key; 0 past the end. */
int nuce_sweep_key_help(size_t index, struct nuce_sweep_key_help *out);

/* One value of one option, and where it stands. Lines and columns, here and below, are from 1 and
 * for messages. */
struct nuce_setting {
    const struct nuce_option *option; /* borrowed from the workload, or of launch factors */
    json_t *value;                    /* as nuce_option_json writes it, owned */
    int64_t line, column;
};

/* Options that vary together: step k sets options 0 .. width - 1 to settings[k * width ..]. What
 * stands by itself below `sweep` is an axis of width 1. The settings are owned. */
struct nuce_axis {
    int64_t steps;
    int64_t width;
    struct nuce_setting *settings; /* steps x width, all of step 0 first */
};

/* One mapping below `sweep`: every combination of a step of each of its axes. The axes are
 * owned. */
struct nuce_product {
    struct nuce_axis *axes;
    int64_t count, capacity;
    int64_t line, column;
};

/* One value of the key `ranks`, and where it stands. */
struct nuce_sweep_ranks {
    int ranks;
    int64_t line, column;
};

/* Drops the points that have all of settings, of an option that is there more than once one of
 * them, and, unless it is 0, that number of ranks. */
struct nuce_exclusion {
    int ranks;
    struct nuce_axis settings; /* one step */
    int64_t line, column;
};

/* All of a file. Zero where a key is left out, unless a remark says what it is then. Its arrays are
 * owned; freed with nuce_sweep_fini. */
struct nuce_sweep {
    char name[NUCE_NAME_BYTES];
    const struct nuce_workload_ops *workload;
    struct nuce_sweep_ranks *ranks;
    int64_t ranks_count; /* 0: each point is for as many as its files tell */
    struct nuce_product *products;
    int64_t products_count;
    struct nuce_product together; /* its axes are joined to each product */
    struct nuce_exclusion *exclusions;
    int64_t exclusions_count;
    json_t *compare;            /* array of option names, owned; NULL: what the workload compares */
    struct nuce_axis reference; /* one step; width 0: the first as listed */
    /* Presets where nothing is said; settled (nuce_measure_settle). */
    struct nuce_measure measure;
    json_t *slurm;      /* object of scalars, owned */
    char *platform;     /* path of a SimGrid platform, owned; NULL: a real machine */
    double precision_s; /* there messages that end within it end at once; 0: as fits the ranks */
    struct nuce_option **variables; /* the environment's, a row each, owned with their names */
    int64_t variables_count, variables_capacity;
    /* Of the order in which points are run; 1 where nothing is said. */
    int64_t seed;
    char sha256[NUCE_HASH_BYTES]; /* of the file */
};

/* What a sweep only passes on is judged by those whom it is for: Slurm's options and builds for MPI
 * libraries are no business of the parser. All functions are set; they look at nothing but their
 * arguments and the machine. programs is what check_mpi is called with. */
struct nuce_sweep_judge {
    /* NUCE_BAD_INPUT: there is no such key; there is no such value of it. */
    nuce_status (*check_key)(const char *key, struct nuce_error *error);
    nuce_status (*check)(const char *key, const char *value, struct nuce_error *error);
    /* NUCE_BAD_INPUT: beside the folder `programs` (NULL: that of the running program) there is no
     * build of them for an MPI library called name. */
    nuce_status (*check_mpi)(const char *programs, const char *name, struct nuce_error *error);
    const char *programs;
    /* NUCE_BAD_INPUT: key, which was found elsewhere, belongs there, as the message says. */
    nuce_status (*place)(const char *key, struct nuce_error *error);
};

/* Parses length bytes at text, a sweep file whose path problems names; relative paths in it are
 * relative to that file's folder. Everything wrong is added to problems; *out is filled only if
 * there is nothing, and freed with nuce_sweep_fini. */
void nuce_sweep_parse(const char *text, size_t length, const struct nuce_sweep_judge *judge,
                      struct nuce_sweep *out, struct nuce_problems *problems);

/* The platforms that nuce ships. */
extern const struct nuce_shipped nuce_sweep_platforms;

/* Accepts an all zero one. */
void nuce_sweep_fini(struct nuce_sweep *sweep);

#endif
