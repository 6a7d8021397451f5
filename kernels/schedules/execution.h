/* Cost models: when each piece of a schedule begins and ends. The papers': a piece takes T + bytes
 * / B, and a rank does one send and one receive at a time. And one for ranks that do several. */
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
                     receiver, which takes the senders in order of arrival, has the whole */
    NUCE_FLUID,   /* the queues advance independently, with up to schedule->depth in flight in each
                     (post-all: all of it; in phases: as in loose; blocking: depth sends, all
                     receives). A piece
                     starts when it is among those of its sender and of its receiver, takes its
                     startup, then moves at a rate: max-min fair shares of the capacities of ports,
                     rails and nodes, at most the pair's bandwidth, which the pieces of a pair
                     share. What is not known sets no limit: pairs are then paths of their own, and
                     a deeper queue is only ever faster. Where there is a gap, a rank begins no two
                     messages within it */
};

/* "loose", "ports", "barrier", "fifo", "fluid". */
const char *nuce_execution_name(enum nuce_execution execution);

/* Sets *out to the execution called name; 0 if there is none. */
int nuce_execution_find(const char *name, enum nuce_execution *out);

/* Pieces times those that move at once, of which fluid is the model where ports are known: its cost
 * grows with that, to about 4 s. 64 ranks that post messages to all others at once have a quarter
 * of it, 256 ranks with 4 in flight each all; with a gap of 0.2 us and ports of 25 GB/s 1 024 ranks
 * that post 300 bytes to all others, of which few move at once. */
#define NUCE_FLUID_MOST 0x1p26

/* The execution that fits how the engine works: lockstep and forward are loose, streams of depth 1
 * are ports and deeper ones fluid, blocking sends are fifo and fluid likewise. Fluid is what is
 * posted all at once, where the network has ports to share, and everything that is not dynamic
 * where it has tiers or a gap (nuce_network_has_tiers); where it has none, or there is too much in
 * flight, nothing tells how those at once slow each other down: fifo is then the upper end of a
 * bracket whose lower one is the single-port bound. */
enum nuce_execution nuce_execution_of(const struct nuce_schedule *schedule,
                                      const struct nuce_network *network);

/* By which schedules that are chosen among are compared: the same, but where tiers would take too
 * long to follow, what fits without them. */
enum nuce_execution nuce_execution_to_compare(const struct nuce_schedule *schedule,
                                              const struct nuce_network *network);

/* Whether that execution says how long the schedule takes: fifo says it of blocking sends of depth
 * 1, of what is posted all at once it is one end of a bracket. */
int nuce_execution_predicts(const struct nuce_schedule *schedule, enum nuce_execution execution);

/* Whether the models tell its time: not of a dynamic schedule, nor of streams with too much in
 * flight for fluid. */
int nuce_execution_is_modelled(const struct nuce_schedule *schedule,
                               const struct nuce_network *network);

/* When each piece begins and ends, seconds from the common start. The arrays are owned; entry k is
 * of the piece sends[k], or receives[k], of the schedule. */
struct nuce_timing {
    double makespan;
    double *send_start, *send_end;       /* pieces, as schedule->sends */
    double *receive_start, *receive_end; /* pieces, as schedule->receives */
};

/* Frees what *timing holds and empties it. */
void nuce_timing_fini(struct nuce_timing *timing);

/* schedule is valid, network of as many ranks; a rank's message to itself takes no time. Freed with
 * nuce_timing_fini. O(ranks + pieces), and times their logarithm for fifo. Fluid: the same, and for
 * pieces through ports that are known a few times O(in flight + ranks) each. */
void nuce_execution_run(const struct nuce_schedule *schedule, const struct nuce_network *network,
                        enum nuce_execution execution, struct nuce_timing *out);

/* The makespan alone, in seconds. */
double nuce_execution_makespan(const struct nuce_schedule *schedule,
                               const struct nuce_network *network, enum nuce_execution execution);

/* NUCE_FLUID (fluid.c): fills timing, whose arrays are there and zeroed. source: pieces, who sends
 * each send. */
void nuce_fluid_run(const struct nuce_schedule *schedule, const struct nuce_network *network,
                    const int *source, struct nuce_timing *timing);

#endif
