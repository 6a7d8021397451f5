/* What every workload that runs under a schedule has in common: which algorithm, what it may know
 * of the network, and its tuning. */
#ifndef NUCE_SCHEDULING_H
#define NUCE_SCHEDULING_H

#include <stdint.h>

#include "error.h"
#include "facts.h"
#include "network.h"
#include "option.h"
#include "rng.h"
#include "schedule.h"

/* A part of the workload's parameters. scheduling_options.inc holds the rows of its options, but
 * for that of the algorithm. */
struct nuce_scheduling {
    char algorithm[NUCE_NAME_BYTES];
    int64_t instance;              /* number of what is drawn at random */
    int64_t seed;                  /* of it, and of the algorithm */
    char network[NUCE_PATH_BYTES]; /* a preset or a NETWORK FILE; "": not known */
    double tau;                    /* seconds; with phi what rs-nh weighs; 0: not given */
    double phi;                    /* seconds per byte */
    double lambda;                 /* in (0, 1]; 0: not given */
    int64_t depth;                 /* of streams */
    char choices[NUCE_PATH_BYTES]; /* comma list of algorithms for `best`; "": its own */
};

/* The index-th algorithm, for the `choices` of the option `algorithm`. */
const char *nuce_scheduling_algorithm(size_t index);

/* Whether option is one of scheduling_options.inc other than instance and seed; *applies says then
 * whether it means anything for scheduling, as nuce_workload_ops.applies does. */
int nuce_scheduling_applies(const struct nuce_option *option,
                            const struct nuce_scheduling *scheduling, int *applies);

/* Checks all that can be checked without reading files. */
nuce_status nuce_scheduling_check(const struct nuce_scheduling *scheduling,
                                  struct nuce_error *error);

/* Checks the network's file against ranks. */
nuce_status nuce_scheduling_inspect(const struct nuce_scheduling *scheduling, int ranks,
                                    struct nuce_facts *facts, struct nuce_error *error);

/* unit: bytes of a unit of COM. choices is borrowed from scheduling. */
struct nuce_tuning nuce_scheduling_tuning(const struct nuce_scheduling *scheduling, double unit);

/* The random numbers of the algorithm, the same on all ranks. */
struct nuce_rng nuce_scheduling_rng(const struct nuce_scheduling *scheduling);

/* The network that scheduling names, else an empty one. Freed with nuce_network_fini. */
nuce_status nuce_scheduling_network(const struct nuce_scheduling *scheduling, int ranks,
                                    struct nuce_network *out, struct nuce_error *error);

#endif
