/* Where tests break things on purpose. Programs that are installed link fault_none.c, which does
 * nothing; the faulty programs of the tests link fault_injected.c, which does what the
 * environment variable NUCE_FAULT says. */
#ifndef NUCE_FAULT_H
#define NUCE_FAULT_H

#include "base/error.h"
#include "run/payload.h"

struct nuce_arrays;

/* Whether the exchanges of an executor of that name are to be faulty. */
int nuce_fault_concerns(const char *executor);

/* After every exchange that is to be, on every rank: may change a received byte, hang, or end the
 * process. arrays is not NULL where what was received is in them. */
void nuce_fault_after_exchange(struct nuce_payload *payload, const struct nuce_arrays *arrays);

/* What a rank has received for others, before it sends it on: may change it. */
void nuce_fault_in_transit(int rank, unsigned char *data, int64_t bytes);

/* After the step of an entrant (its number in the heat, from 0; -1: it is not raced) that began at
 * begin (nuce_clock), on every rank. Returns when it ended (nuce_clock); may say later than it was,
 * and make its parts (seconds, NUCE_SAMPLE_PARTS of them) as much longer. */
double nuce_fault_ended(double begin, double *parts, int entrant);

/* The most that a call's counts are taken to hold: most, or less, so that larger calls are tried
 * with few bytes. */
int64_t nuce_fault_most(int64_t most);

/* In place of a rank's own success in setting up a point. */
nuce_status nuce_fault_in_setup(int rank, nuce_status status, struct nuce_error *error);

#endif
