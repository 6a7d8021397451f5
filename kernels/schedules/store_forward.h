/* Store and forward by the digits of the distance between two ranks: what schedules of one radix
 * have in common.
 *
 * Message (s, d) has the distance (d - s) mod P, a number of some digits in base `radix`. In the
 * round of digit x and value z every rank i sends to rank (i + z radix^x) mod P all messages that
 * are with it and have the digit z at place x, in one transfer; rounds go by x, then by z. A
 * message is moved as often as it has digits that are not 0. */
#ifndef NUCE_STORE_FORWARD_H
#define NUCE_STORE_FORWARD_H

#include "schedules/schedule.h"

/* The number of rounds: digits of the largest distance, ranks - 1, times radix - 1 values, but
 * those beyond it. */
int nuce_store_forward_rounds(int ranks, int64_t radix);

/* Round number round sends to the rank that many further. */
int nuce_store_forward_step(int ranks, int64_t radix, int round);

/* Adds all rounds to a builder. slot_bytes > 0: every rank sends in every round a slot of so many
 * bytes, none less than a message, for each distance of the round, whether it has a message there
 * or not. 0: what it has, and nothing where it has none. */
nuce_status nuce_store_forward_add(const struct nuce_pattern *pattern, int64_t radix,
                                   int64_t slot_bytes, struct nuce_schedule_builder *builder,
                                   struct nuce_error *error);

/* Whether the message from source to destination comes by rank, its two ends included. */
int nuce_store_forward_passes(int ranks, int64_t radix, int source, int destination, int rank);

/* NUCE_BAD_INPUT naming radix, unless it is 0 or in 2 .. ranks. */
nuce_status nuce_store_forward_check(int64_t radix, int ranks, struct nuce_error *error);

#endif
