/* Cost models: when each piece of a schedule begins and ends. The papers' models: a piece takes T +
 * bytes / B, and a rank does one send and one receive at a time. And fluid, for ranks with several
 * at a time. */
#ifndef NUCE_EXECUTION_H
#define NUCE_EXECUTION_H

#include "base/error.h"
#include "schedules/network.h"
#include "schedules/pattern.h"
#include "schedules/schedule.h"

enum nuce_execution {
    NUCE_LOOSE,   /* a rank starts phase c + 1 when its own send and receive of phase c are done */
    NUCE_PORTS,   /* the queues of sends and receives advance independently */
    NUCE_BARRIER, /* phase c + 1 begins when all of phase c has ended */
    NUCE_FIFO,    /* blocking sends: each rank sends in the order of its list and waits until the
                     receiver, which takes senders in order of arrival, has the whole message */
    NUCE_FLUID,   /* the queues advance independently, with up to schedule->depth in flight in each
                     (post-all: all of it; in phases: as in loose; blocking: depth sends, all
                     receives). A piece starts when it is among those of its sender and of its
                     receiver, takes its startup, then moves at a rate. Rates are max-min fair
                     shares of the capacities of ports, rails and nodes, at most the pair's
                     bandwidth, which the pieces of a pair share. An unknown capacity sets no limit:
                     pairs are then independent paths, and a deeper queue is always faster. With a
                     gap, a rank begins no two messages within it */
};

/* "loose", "ports", "barrier", "fifo", "fluid". */
const char *nuce_execution_name(enum nuce_execution execution);

/* Sets *out to the execution called name; 0 if there is none. */
int nuce_execution_find(const char *name, enum nuce_execution *out);

/* Largest number of pieces times pieces that move at once for fluid with known ports. Its cost
 * grows with that product, to about 4 s. With 64 ranks that post messages to all others at once it
 * is a quarter of that. It is all of that with 256 ranks with 4 in flight each. So it is, with a
 * gap of 0.2 us and ports of 25 GB/s, with 1 024 ranks that post 300 bytes to all others: few of
 * these move at once. */
#define NUCE_FLUID_MOST 0x1p26

/* The execution that fits the engine of the schedule. Lockstep and forward are loose. Streams of
 * depth 1 are ports, deeper ones fluid. Blocking sends are fifo at depth 1 and fluid when deeper.
 * Post-all schedules are fluid if the network has ports to share. With tiers or a gap
 * (nuce_network_has_tiers) fluid fits all disciplines but dynamic.
 *
 * Without ports to share, or with too much in flight, no model shows how simultaneous messages slow
 * each other down. Then fifo is the upper end of a bracket whose lower end is the single-port
 * bound. */
enum nuce_execution nuce_execution_of(const struct nuce_schedule *schedule,
                                      const struct nuce_network *network);

/* The execution by which schedules are compared in a choice: the same, but if tiers take too long
 * to simulate, the one that fits without them. */
enum nuce_execution nuce_execution_to_compare(const struct nuce_schedule *schedule,
                                              const struct nuce_network *network);

/* True if the execution gives the schedule's time. fifo gives that of blocking sends of depth 1.
 * For post-all schedules it is only one end of a bracket. */
int nuce_execution_predicts(const struct nuce_schedule *schedule, enum nuce_execution execution);

/* True if the models give the schedule's time. They do not for a dynamic schedule, nor for streams
 * with too much in flight for fluid. */
int nuce_execution_is_modelled(const struct nuce_schedule *schedule,
                               const struct nuce_network *network);

/* Begin and end of each piece, in seconds from the common start. The arrays are owned; entry k is
 * of the piece sends[k], or receives[k], of the schedule. */
struct nuce_timing {
    double makespan;
    double *send_start, *send_end;       /* pieces, as schedule->sends */
    double *receive_start, *receive_end; /* pieces, as schedule->receives */
};

/* Frees the content of *timing and empties it. */
void nuce_timing_fini(struct nuce_timing *timing);

/* schedule is valid, and network has as many ranks; a rank's message to itself takes no time. Freed
 * with nuce_timing_fini. O(ranks + pieces), and times their logarithm for fifo. Fluid: the same,
 * and for pieces through known ports a few times O(in flight + ranks) each. */
void nuce_execution_run(const struct nuce_schedule *schedule, const struct nuce_network *network,
                        enum nuce_execution execution, struct nuce_timing *out);

/* The makespan alone, in seconds. */
double nuce_execution_makespan(const struct nuce_schedule *schedule,
                               const struct nuce_network *network, enum nuce_execution execution);

/* NUCE_FLUID (fluid.c): fills timing, whose arrays exist and are zeroed. source: pieces, the rank
 * of each send. */
void nuce_fluid_run(const struct nuce_schedule *schedule, const struct nuce_network *network,
                    const int *source, struct nuce_timing *timing);

#endif
