/* Inside the workload `links`: its steps, what they leave behind, and what is made of that. */
#ifndef NUCE_LINKS_H
#define NUCE_LINKS_H

#include <jansson.h>

#include "points/workload.h"
#include "run/payload.h"
#include "run/workload_run.h"
#include "schedules/fan.h"
#include "schedules/link_fit.h"
#include "schedules/network.h"

/* The steps of a run: every round of the tournament at every size, all that repetitions times; one
 * in which the ranks tell each other what their pairs came to; then every fan out and in of every
 * centre, at every degree, all that fan_repetitions times. */
struct nuce_links_plan {
    int ranks, rounds, sizes, repetitions;
    int64_t bytes[NUCE_LINKS_SIZES_MOST]; /* sizes */
    int centres, degrees, fan_repetitions;
    int degree[NUCE_FAN_DEGREES_MOST]; /* degrees */
};

/* What a step is: pairs that meet, the sharing of what pairs came to, or a fan. */
enum nuce_links_kind { NUCE_LINKS_PAIRS, NUCE_LINKS_SHARE, NUCE_LINKS_FAN };

/* A step, by its number: nuce_links_step. */
struct nuce_links_step {
    enum nuce_links_kind kind;
    int repetition;
    int round, size;            /* of pairs; round: of the tournament; size: index into bytes */
    int is_out, centre, degree; /* fans: the centre-th centre, the degree-th degree */
};

/* The plan of a run with so many ranks; the same on all. Local. */
struct nuce_links_plan nuce_links_plan(const struct nuce_links_params *params, int ranks);

/* How many steps it has. */
int64_t nuce_links_steps(const struct nuce_links_plan *plan);
/* Step number, 0 .. nuce_links_steps - 1. */
struct nuce_links_step nuce_links_step(const struct nuce_links_plan *plan, int64_t number);
/* The rank of the index-th centre, 0 .. centres - 1; centres are spread evenly over the ranks. */
int nuce_links_centre(const struct nuce_links_plan *plan, int index);

/* What a centre tells of its fans, as doubles: what its port carries out, then in (bytes per
 * second; infinite: no limit was seen), then the gains out by degree, then those in. */
#define NUCE_LINKS_FAN_VALUES (2 + 2 * NUCE_FAN_DEGREES_MOST)

/* A run of links. Arrays are allocated before the first step, and owned. */
struct nuce_links {
    struct nuce_world *world;
    struct nuce_counters *counters; /* borrowed */
    struct nuce_links_plan plan;
    int64_t next;                /* the number of the next step */
    double *pair_s;              /* what this rank led: round, size, repetition (fastest) */
    double *fan_s;               /* the same as a centre: out or in, degree, repetition */
    struct nuce_payload payload; /* of one step; the arrays and buffers serve all */
    int64_t capacity;            /* bytes of either buffer */
    int64_t *sizes;              /* ranks: bytes of the messages of the fan under way */
    MPI_Request *requests;       /* 2 x ranks */
    /* What came of it. */
    double *mine; /* 4 x ranks: a quantity of this rank's links after another */
    double *all;  /* rank 0: 4 x ranks x ranks, as nuce_world_gather leaves them */
    double *fans; /* rank 0: the same of NUCE_LINKS_FAN_VALUES x ranks */
    /* The network that is measured: pairs on all ranks once they are shared; ports, hosts and the
     * curve of contention on rank 0, at the end. */
    struct nuce_network network;
    json_t *lists; /* rank 0: of the run's record, once they are known; else NULL */
    char *file;    /* rank 0: the network file that was written; NULL: none */
};

/* Fits the links that this rank led and makes all known to all: links->network has its pairs then.
 * Allocates nothing, since it is a step between time stamps. Collective over the world. */
void nuce_links_share(struct nuce_links *links);

/* What nuce_workload_run says of conclude (collective over the world) and describe (local). */
nuce_status nuce_links_conclude(void *self, struct nuce_error *error);
void nuce_links_describe(const void *self, struct nuce_found *found, json_t *lists);

/* Rank 0: NUCE_BAD_INPUT if networks cannot be written into folder, which is made if need be.
 * Local. */
nuce_status nuce_links_check_folder(const char *folder, struct nuce_error *error);

/* Writes the network as FOLDER/TIME-HASH.network, names that sort by time; *path, freed by the
 * caller, is the file. Local. */
nuce_status nuce_links_write(const struct nuce_network *network, const char *folder, char **path,
                             struct nuce_error *error);

#endif
