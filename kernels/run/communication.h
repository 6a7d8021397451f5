/* Communication under a schedule, for every workload with a pattern: from COM and the point's
 * scheduling to an engine that is ready to run, with the model's prediction. */
#ifndef NUCE_COMMUNICATION_H
#define NUCE_COMMUNICATION_H

#include <jansson.h>

#include "base/result.h"
#include "points/point.h"
#include "run/array_peers.h"
#include "run/engine.h"
#include "run/planning.h"
#include "run/world.h"
#include "schedules/network.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* world is borrowed, all else is owned. It must not move after it is made: the engine keeps
 * pointers to its schedule and payload. */
struct nuce_communication {
    struct nuce_world *world;
    struct nuce_network network; /* of 0 ranks: unknown */
    char network_name[NUCE_PATH_BYTES];
    struct nuce_planning plan; /* its whole only if a step is traced */
    struct nuce_payload payload;
    struct nuce_engine engine;
};

/* Makes the schedule of the point's algorithm for the rows of all ranks, then buffers and the
 * engine. The node's memory is checked for the buffers. arrays (borrowed, may be NULL) are the
 * source of the messages; elements that stay on a rank are then copied from array to array. rows
 * is a pattern of all ranks, of which only this rank's row is read; network emulation changes
 * its messages. The engine points into *out, which must not move. Sets the results in *found.
 * Freed with nuce_communication_fini, which is collective and accepts an empty (all zero) one;
 * *out is empty on failure. Collective; all ranks return the same status. */
nuce_status nuce_communication_init(struct nuce_world *world, const struct nuce_point *point,
                                    struct nuce_pattern *rows, struct nuce_arrays *arrays,
                                    struct nuce_communication *out, struct nuce_metrics *found,
                                    struct nuce_error *error);

/* The same for another pattern of a running point, without results. It uses the network of
 * first, which *out does not keep, and makes the schedule only once, to save time. Here pattern
 * (borrowed for the call) has all messages, on all ranks: nothing is gathered. Collective; all
 * ranks return the same status. */
nuce_status nuce_communication_init_further(const struct nuce_communication *first,
                                            const struct nuce_point *point,
                                            const struct nuce_pattern *pattern,
                                            struct nuce_communication *out,
                                            struct nuce_error *error);
void nuce_communication_fini(struct nuce_communication *communication);

/* Notes that steps overlap the communication with computation: a library's collective then runs
 * in its nonblocking form. */
void nuce_communication_overlaps(const struct nuce_communication *communication,
                                 struct nuce_metrics *found);

/* The cost model's times of every transfer, as nuce_workload_run.plan: on the point's network,
 * else on the paper's CM-5. */
nuce_status nuce_communication_plan(const struct nuce_communication *communication, int64_t most,
                                    json_t **events, const char **network,
                                    struct nuce_error *error);

/* Checks that every byte of every message arrives; salt makes every check's payload different.
 * Collective; NUCE_CORRUPT on the rank that detects it. */
nuce_status nuce_communication_check(struct nuce_communication *communication, uint64_t salt,
                                     struct nuce_error *error);

/* The transfers on network in the form of "planned" in record.h (a new reference). NULL, which
 * is not a failure, if there is no plan: messages that are posted all at once or ordered during the
 * run have none. More than `most` events are not kept. Local; O(time of the model). */
json_t *nuce_communication_events(const struct nuce_schedule *schedule,
                                  const struct nuce_network *network, int64_t most);

#endif
