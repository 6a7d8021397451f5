/* The papers' cost models: when each piece of a schedule begins and ends, if a piece takes T +
 * bytes / B and a rank does one send and one receive at a time. */
#ifndef NUCE_EXECUTION_H
#define NUCE_EXECUTION_H

#include "error.h"
#include "network.h"
#include "pattern.h"
#include "schedule.h"

enum nuce_execution {
    NUCE_LOOSE,   /* a rank starts phase c + 1 when its own send and receive of phase c are done */
    NUCE_PORTS,   /* the queues of sends and receives advance independently */
    NUCE_BARRIER, /* phase c + 1 begins when all of phase c has ended */
    NUCE_FIFO,    /* no schedule: each rank sends in the order of its list and waits until the
                     receiver, which takes the senders in order of arrival, has the whole */
};

/* "loose", "ports", "barrier", "fifo". */
const char *nuce_execution_name(enum nuce_execution execution);

/* Sets *out to the execution called name; 0 if there is none. */
int nuce_execution_find(const char *name, enum nuce_execution *out);

/* The execution that fits how the engine works: lockstep is loose, streams are ports. What is
 * posted all at once has no model of phases: fifo is the upper end of a bracket whose lower one is
 * the single-port bound. */
enum nuce_execution nuce_execution_of(enum nuce_discipline discipline);

/* Whether the models tell its time: not of a dynamic schedule, nor of streams deeper than 1. */
int nuce_execution_is_modelled(const struct nuce_schedule *schedule);

/* When each piece begins and ends, seconds from the common start. */
struct nuce_timing {
    double makespan;
    double *send_start, *send_end;       /* pieces, as schedule->sends */
    double *receive_start, *receive_end; /* pieces, as schedule->receives */
};

void nuce_timing_fini(struct nuce_timing *timing);

/* schedule is valid, network of as many ranks; a rank's message to itself takes no time. Freed with
 * nuce_timing_fini. O(ranks + pieces), and times their logarithm for fifo. */
nuce_status nuce_execution_run(const struct nuce_schedule *schedule,
                               const struct nuce_network *network, enum nuce_execution execution,
                               struct nuce_timing *out, struct nuce_error *error);

/* The makespan alone, in seconds. */
nuce_status nuce_execution_makespan(const struct nuce_schedule *schedule,
                                    const struct nuce_network *network,
                                    enum nuce_execution execution, double *out,
                                    struct nuce_error *error);

#endif
