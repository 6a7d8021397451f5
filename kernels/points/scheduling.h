/* The common part of all workloads with a schedule: the schedule, its knowledge of the network, and
 * its tuning. */
#ifndef NUCE_SCHEDULING_H
#define NUCE_SCHEDULING_H

#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "base/rng.h"
#include "points/facts.h"
#include "schedules/network.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"
#include "schedules/words.h"

/* A part of the workload's parameters. scheduling_options.inc holds the rows of its options. */
struct nuce_scheduling {
    char schedule[NUCE_NAME_BYTES];
    int64_t instance;              /* number of the random draw */
    int64_t samples;               /* number of instances, from that one on, for a model's mean */
    int64_t seed;                  /* of the draws, and of the schedule */
    char network[NUCE_PATH_BYTES]; /* a preset, a NETWORK FILE or one of words.h; "": not known */
    struct nuce_range bandwidth;   /* bytes per second of a drawn network; high 0: not given */
    struct nuce_range startup;     /* seconds, of a drawn network; high 0: none */
    int symmetric;                 /* draw one value for both directions of a pair */
    double link_bandwidth;     /* bytes per second of the real links under an emulated network */
    struct nuce_tuning tuning; /* unit, startup_units and factor: set later */
};

/* The first is true if the network is drawn, so that instances differ. The second is true if it is
 * drawn and made real by other message lengths. */
int nuce_scheduling_draws(const struct nuce_scheduling *scheduling);
int nuce_scheduling_emulates(const struct nuce_scheduling *scheduling);

/* True if option, one of tuning.inc or of a drawn network, has an effect for scheduling. */
int nuce_scheduling_applies(const struct nuce_option *option,
                            const struct nuce_scheduling *scheduling);

/* Fills in derived values (the network from the bandwidth) and makes all checks that need no files.
 * has_arrays: true if the workload's messages are of block-cyclic arrays. */
nuce_status nuce_scheduling_complete(struct nuce_scheduling *scheduling, int has_arrays,
                                     struct nuce_error *error);

/* NUCE_BAD_INPUT if a mean over several instances is requested and nothing is random. */
nuce_status nuce_scheduling_check_samples(const struct nuce_scheduling *scheduling, int is_random,
                                          struct nuce_error *error);

/* The number of ranks of its NETWORK FILE; without one *out is unchanged. */
nuce_status nuce_scheduling_ranks(const struct nuce_scheduling *scheduling,
                                  struct nuce_facts *facts, int *out, struct nuce_error *error);

/* Checks the files of network and groups, and options that count ranks, against ranks.
 * NUCE_BAD_INPUT names the option. */
nuce_status nuce_scheduling_inspect(const struct nuce_scheduling *scheduling, int ranks,
                                    struct nuce_facts *facts, struct nuce_error *error);

/* True if the schedule uses groups of nodes and they are not given, so that they must be found. */
int nuce_scheduling_wants_groups(const struct nuce_scheduling *scheduling);

/* The groups in its topology's file, for a model, which has no hosts: rank I is on the Ith node.
 * *group_of: ranks, freed by the caller; NULL if they are not needed, or without a file.
 * NUCE_BAD_INPUT: the file has no groups, or fewer nodes than ranks. */
nuce_status nuce_scheduling_groups(const struct nuce_scheduling *scheduling, int ranks,
                                   int **group_of, struct nuce_error *error);

/* The tuning for schedules; unit: bytes of an item of COM. */
struct nuce_tuning nuce_scheduling_tuning(const struct nuce_scheduling *scheduling, double unit);

/* The random numbers of the schedule, the same on all ranks. */
struct nuce_rng nuce_scheduling_rng(const struct nuce_scheduling *scheduling);

/* The random numbers of its drawn network, by seed and instance. */
struct nuce_rng nuce_scheduling_network_rng(const struct nuce_scheduling *scheduling);

/* The folder of measured networks, and the hosts. */
struct nuce_measured_at {
    const char *folder;
    const char *const *hosts; /* of the ranks, in their order */
};

/* The network that scheduling names, else an empty one. *name, freed by the caller, is its name for
 * people and records: "cm5", FILE@SHA-256; NULL for none. at NULL: there are no hosts here, so a
 * measured one is NUCE_BAD_INPUT. Freed with nuce_network_fini. */
nuce_status nuce_scheduling_network(const struct nuce_scheduling *scheduling, int ranks,
                                    const struct nuce_measured_at *at, struct nuce_network *out,
                                    char **name, struct nuce_error *error);

/* If the network is emulated: changes the length of every message so that on links of
 * link_bandwidth it takes as long as on *network (at least a byte). *network becomes one of such
 * links with the same startups. Both change or none. NUCE_BAD_INPUT if a message becomes too
 * long. */
nuce_status nuce_scheduling_emulate(const struct nuce_scheduling *scheduling,
                                    struct nuce_pattern *pattern, struct nuce_network *network,
                                    struct nuce_error *error);

#endif
