/* Deliberate faults for tests. Installed programs link fault_none.c, which does nothing. The
 * tests' faulty programs link fault_injected.c, which follows the environment variable
 * NUCE_FAULT. */
#ifndef NUCE_FAULT_H
#define NUCE_FAULT_H

#include "base/error.h"
#include "run/payload.h"

struct nuce_arrays;

/* True if the exchanges of the executor of that name get faults. */
int nuce_fault_concerns(const char *executor);

/* Called after every exchange that may get a fault, on every rank: may change a received byte,
 * hang, or end the process. arrays is not NULL if they have the received data. */
void nuce_fault_after_exchange(struct nuce_payload *payload, const struct nuce_arrays *arrays);

/* Called with data that a rank received for others, before it sends it on: may change it. */
void nuce_fault_in_transit(int rank, unsigned char *data, int64_t bytes);

/* Called after an entrant's step that began at begin (nuce_clock), on every rank. entrant is its
 * number in the race, from 0; -1: it is not raced. Returns the end time (nuce_clock). May return
 * a later time, and lengthen its parts (seconds, NUCE_SAMPLE_PARTS of them) by the same ratio. */
double nuce_fault_ended(double begin, double *parts, int entrant);

/* The largest count of a call: most, or less, so that tests of larger calls need few bytes. */
int64_t nuce_fault_most(int64_t most);

/* Replaces a rank's own status of setting up a point. */
nuce_status nuce_fault_in_setup(int rank, nuce_status status, struct nuce_error *error);

#endif
