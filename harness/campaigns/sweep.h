/* A sweep file: the points to measure, and how. docs/sweep.md describes its keys.
 *
 * The result of parsing still mirrors the file: options with lists of values, each with its place
 * for messages. expand.h makes the points. This code knows neither Slurm nor MPI libraries;
 * functions of the caller (struct nuce_sweep_judge) check the values that a sweep only passes
 * on. */
#ifndef NUCE_SWEEP_H
#define NUCE_SWEEP_H

#include <jansson.h>
#include <stdint.h>

#include "base/hash.h"
#include "campaigns/shipped.h"
#include "campaigns/yaml_file.h"
#include "points/workload.h"

/* Above the ranks of any machine today: a larger number is a typing error. */
#define NUCE_SWEEP_MOST_RANKS (1 << 24)

/* More points than any user needs; their number is checked before any is made. */
#define NUCE_SWEEP_MOST_POINTS 200000

/* The meaning of a key of the file itself, for readers; the strings are static. */
struct nuce_sweep_key_help {
    const char *name, *values;
    const char *preset; /* default; NULL: none */
    const char *meaning;
};

/* The index-th key; 0 past the end. */
int nuce_sweep_key_help(size_t index, struct nuce_sweep_key_help *out);

/* One value of one option, and its place in the file. Lines and columns, here and below, count from
 * 1 and are for messages. */
struct nuce_setting {
    const struct nuce_option *option; /* borrowed from the workload, or from the launch factors */
    json_t *value;                    /* as nuce_option_json writes it, owned */
    int64_t line, column;
};

/* Options that vary together: step k sets options 0 .. width - 1 to settings[k * width ..]. A
 * single option below `sweep` is an axis of width 1. The settings are owned. */
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

/* One value of the key `ranks`, and its place. */
struct nuce_sweep_ranks {
    int ranks;
    int64_t line, column;
};

/* Drops the points that have all of settings and, unless it is 0, that number of ranks. If settings
 * holds an option several times, the point needs one of these values. */
struct nuce_exclusion {
    int *ranks; /* any of them, owned; none: all */
    int64_t ranks_count;
    struct nuce_axis settings; /* one step */
    int64_t line, column;
};

/* All of a file. Missing keys are zero, unless a remark gives another value. Its arrays are owned;
 * freed with nuce_sweep_fini. */
struct nuce_sweep {
    char name[NUCE_NAME_BYTES];
    const struct nuce_workload_ops *workload;
    struct nuce_sweep_ranks *ranks;
    int64_t ranks_count; /* 0: each point has the rank count of its files */
    struct nuce_product *products;
    int64_t products_count;
    struct nuce_product together; /* its axes are joined to each product */
    struct nuce_exclusion *exclusions;
    int64_t exclusions_count;
    json_t *compare;            /* array of option names, owned; NULL: the workload's default */
    struct nuce_axis reference; /* one step; width 0: the first contender listed */
    /* Defaults for missing options; settled (nuce_measure_settle). */
    struct nuce_measure measure;
    json_t *slurm;      /* object of scalars, owned */
    char *platform;     /* path of a SimGrid platform, owned; NULL: a real machine */
    double precision_s; /* message ends within it count as one in the simulation; 0: default for the
                           ranks */
    struct nuce_option **variables; /* rows of the environment's variables, owned with their
                                       names */
    int64_t variables_count, variables_capacity;
    /* For the order in which points run; 1 by default. */
    int64_t seed;
    char sha256[NUCE_HASH_BYTES]; /* of the file */
};

/* Checks of values that a sweep only passes on: Slurm's options and builds for MPI libraries are
 * unknown to the parser. All functions are set; they depend only on their arguments and the
 * machine. programs is the argument of check_mpi. */
struct nuce_sweep_judge {
    /* NUCE_BAD_INPUT: no such key; no such value of it. */
    nuce_status (*check_key)(const char *key, struct nuce_error *error);
    nuce_status (*check)(const char *key, const char *value, struct nuce_error *error);
    /* NUCE_BAD_INPUT: next to the folder `programs` (NULL: that of the running program) there is no
     * build for an MPI library called name. */
    nuce_status (*check_mpi)(const char *programs, const char *name, struct nuce_error *error);
    const char *programs;
    /* NUCE_BAD_INPUT: key was found at a wrong place; the message names the right one. */
    nuce_status (*place)(const char *key, struct nuce_error *error);
};

/* Parses `length` bytes at text, a sweep file; problems holds its path. Relative paths in it are
 * relative to that file's folder. Adds every mistake to problems. Fills *out only without mistakes;
 * freed with nuce_sweep_fini. */
void nuce_sweep_parse(const char *text, size_t length, const struct nuce_sweep_judge *judge,
                      struct nuce_sweep *out, struct nuce_problems *problems);

/* NUCE_BAD_INPUT unless a sweep may have that name, which is part of the names of folders and jobs:
 * no blanks, slashes, or a hyphen in front. */
nuce_status nuce_sweep_check_name(const char *name, struct nuce_error *error);

/* The platforms shipped with nuce. */
extern const struct nuce_shipped nuce_sweep_platforms;

/* Accepts an all zero struct. */
void nuce_sweep_fini(struct nuce_sweep *sweep);

#endif
