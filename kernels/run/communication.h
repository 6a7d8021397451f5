/* Communication under a schedule, as every workload that has a pattern needs it: from COM and the
 * point's scheduling to an engine that is ready to run, with what the model says of it. */
#ifndef NUCE_COMMUNICATION_H
#define NUCE_COMMUNICATION_H

#include <jansson.h>

#include "base/result.h"
#include "points/point.h"
#include "run/array_peers.h"
#include "run/engine.h"
#include "run/gathering.h"
#include "run/world.h"
#include "schedules/network.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

/* world is borrowed, all else is owned. It must stay where it is once it is made: the engine keeps
 * pointers to its schedule and payload. */
struct nuce_communication {
    struct nuce_world *world;
    struct nuce_pattern pattern; /* at least what this rank sends and receives */
    struct nuce_network network; /* of 0 ranks: not known */
    char network_name[NUCE_PATH_BYTES];
    struct nuce_schedule schedule; /* with at least this rank's lists */
    int is_whole_known;            /* rank 0 has made whole, the same on all ranks */
    struct {
        struct nuce_pattern pattern;
        struct nuce_schedule schedule;
    } whole; /* rank 0, where a step is traced; else empty */
    struct nuce_payload payload;
    struct nuce_engine engine;
};

/* arrays (borrowed, may be NULL): what the messages are of; then what a rank keeps goes from array
 * to array. rows: a pattern of all ranks with at least this rank's row, which alone is looked at;
 * network: emulated changes its messages. Makes the schedule of the point's algorithm for the rows
 * of all ranks, then buffers, for which the node must have the memory, and the engine, which points
 * into *out: it must stay where it is. Sets in *found what follows. Freed with
 * nuce_communication_fini, which is collective and takes an empty (all zero) one; *out is empty on
 * failure. Collective; all ranks return the same status. */
nuce_status nuce_communication_init(struct nuce_world *world, const struct nuce_point *point,
                                    struct nuce_pattern *rows, struct nuce_arrays *arrays,
                                    struct nuce_communication *out, struct nuce_found *found,
                                    struct nuce_error *error);

/* The same for another pattern of the same point while it runs, without the findings: by the
 * network of first, which *out does not keep, and with a schedule that is made once, in as little
 * time as it takes. Here pattern (borrowed for the call) has all messages, on all ranks: nothing is
 * gathered. Collective; all ranks return the same status. */
nuce_status nuce_communication_init_further(const struct nuce_communication *first,
                                            const struct nuce_point *point,
                                            const struct nuce_pattern *pattern,
                                            struct nuce_communication *out,
                                            struct nuce_error *error);
void nuce_communication_fini(struct nuce_communication *communication);

/* Notes that steps overlap the communication with computing: a library's collective then runs in
 * its nonblocking form. */
void nuce_communication_overlaps(const struct nuce_communication *communication,
                                 struct nuce_found *found);

/* What the cost model says of every transfer, as nuce_workload_run.plan: on the point's network,
 * else on the paper's CM-5. */
nuce_status nuce_communication_plan(const struct nuce_communication *communication, int64_t most,
                                    json_t **events, const char **network,
                                    struct nuce_error *error);

/* Whether every byte of every message arrives; salt makes every check's payload different.
 * Collective; NUCE_CORRUPT on the rank that sees it. */
nuce_status nuce_communication_check(struct nuce_communication *communication, uint64_t salt,
                                     struct nuce_error *error);

/* The transfers on network as record.h says of "planned" (a new reference); NULL, which is no
 * failure, where there is no plan: what is posted all at once or decided while it runs was not
 * planned, and more than `most` events are not kept. Local; O(time of the model). */
json_t *nuce_communication_events(const struct nuce_schedule *schedule,
                                  const struct nuce_network *network, int64_t most);

#endif
