/* Internals of the workload `links`: its steps, their times and the results. */
#ifndef NUCE_LINKS_H
#define NUCE_LINKS_H

#include <jansson.h>

#include "points/workload.h"
#include "run/payload.h"
#include "run/workload_run.h"
#include "schedules/fan.h"
#include "schedules/link_fit.h"
#include "schedules/network.h"

/* The steps of a run. First every round of the tournament at every size, repeated `repetitions`
 * times. Then one step in which the ranks share the results of their pairs. Then every fan out
 * and in of every centre, at every degree, repeated `fan_repetitions` times. */
struct nuce_links_plan {
    int ranks, rounds, sizes, repetitions;
    int64_t bytes[NUCE_LINKS_SIZES_MOST]; /* sizes */
    int centres, degrees, fan_repetitions;
    int degree[NUCE_FAN_DEGREES_MOST]; /* degrees */
};

/* The kind of a step: pairs that meet, the sharing of the pairs' results, or a fan. */
enum nuce_links_kind { NUCE_LINKS_PAIRS, NUCE_LINKS_SHARE, NUCE_LINKS_FAN };

/* A step, made from its number by nuce_links_step. */
struct nuce_links_step {
    enum nuce_links_kind kind;
    int repetition;
    int round, size;            /* of pairs; round: of the tournament; size: index into bytes */
    int is_out, centre, degree; /* of fans: index of the centre, index of the degree */
};

/* The plan of a run with that many ranks; the same on all. Local. */
struct nuce_links_plan nuce_links_plan(const struct nuce_links_params *params, int ranks);

/* The number of its steps. */
int64_t nuce_links_steps(const struct nuce_links_plan *plan);
/* The step of that number, 0 .. nuce_links_steps - 1. */
struct nuce_links_step nuce_links_step(const struct nuce_links_plan *plan, int64_t number);
/* The rank of the index-th centre, 0 .. centres - 1; centres are spread evenly over the ranks. */
int nuce_links_centre(const struct nuce_links_plan *plan, int index);

/* A centre's results of its fans, as doubles: the throughput of its port out, then in (bytes per
 * second; infinite: no limit was seen), then the gains out by degree, then those in. */
#define NUCE_LINKS_FAN_VALUES (2 + 2 * NUCE_FAN_DEGREES_MOST)

/* A run of links. Arrays are allocated before the first step, and owned. */
struct nuce_links {
    struct nuce_world *world;
    struct nuce_counters *counters; /* borrowed */
    struct nuce_links_plan plan;
    int64_t next;                /* the number of the next step */
    double *pair_s;              /* times that this rank led: round, size, repetition (fastest) */
    double *fan_s;               /* times of its fans as centre: out or in, degree, repetition */
    struct nuce_payload payload; /* of one step; all steps reuse the arrays and buffers */
    int64_t capacity;            /* bytes of either buffer */
    int64_t *sizes;              /* ranks: bytes of the messages of the current fan */
    MPI_Request *requests;       /* 2 x ranks */
    /* The results. */
    double *mine; /* 4 x ranks: the quantities of this rank's links, one after another */
    double *all;  /* rank 0: 4 x ranks x ranks, in the order of nuce_world_gather */
    double *fans; /* rank 0: NUCE_LINKS_FAN_VALUES x ranks, in that order */
    /* The measured network. All ranks have its pairs once they are shared. Rank 0 has ports,
     * hosts and the curve of contention at the end. */
    struct nuce_network network;
    json_t *lists; /* rank 0: lists of the run's record, once known; else NULL */
    char *file;    /* rank 0: the path of the network file; NULL: none */
};

/* Fits the links that this rank led and sends all fits to all ranks, as links->network's pairs.
 * Allocates nothing, because it is a step between time stamps. Collective over the world. */
void nuce_links_share(struct nuce_links *links);

/* The members conclude (collective over the world) and describe (local) of nuce_workload_run. */
nuce_status nuce_links_conclude(void *self, struct nuce_error *error);
void nuce_links_describe(const void *self, struct nuce_metrics *found, json_t *lists);

/* Rank 0: creates the folder if needed. Returns NUCE_BAD_INPUT if networks cannot be written
 * into it. Local. */
nuce_status nuce_links_check_folder(const char *folder, struct nuce_error *error);

/* Writes the network as FOLDER/TIME-HASH.network, so names sort by time. *path is the file,
 * freed by the caller. Local. */
nuce_status nuce_links_write(const struct nuce_network *network, const char *folder, char **path,
                             struct nuce_error *error);

#endif
