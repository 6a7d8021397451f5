/* Store and forward by the digits of the distance between two ranks: the common part of schedules
 * of one radix.
 *
 * Message (s, d) has the distance (d - s) mod P, a number of some digits in base `radix`. In the
 * round of digit x and value z every rank i sends to rank (i + z radix^x) mod P, in one transfer,
 * all messages at i that have the digit z at place x. Rounds go by x, then by z. A message is moved
 * once for each nonzero digit. */
#ifndef NUCE_STORE_FORWARD_H
#define NUCE_STORE_FORWARD_H

#include "schedules/schedule.h"

/* The number of rounds: digits of the largest distance, ranks - 1, times radix - 1 values, without
 * those beyond it. */
int nuce_store_forward_rounds(int ranks, int64_t radix);

/* The distance to the receiving rank in round number round. */
int nuce_store_forward_step(int ranks, int64_t radix, int round);

/* The hops of messages, in any order. Consecutive hops of the same parcel share it. round counts
 * from 0; from and to are ranks; parcel is an index into struct nuce_hops' parcel. */
struct nuce_hop {
    int round, from, to;
    int parcel;
};
/* Both arrays are owned and freed with nuce_hops_fini; all zero: none yet. A hop has 16 bytes, a
 * parcel 24, so hops share parcels. */
struct nuce_hops {
    int64_t count, capacity;
    struct nuce_hop *hop;
    int64_t parcels, parcel_capacity;
    struct nuce_parcel *parcel;
};
void nuce_hops_fini(struct nuce_hops *hops);
/* Makes room for that many hops and parcels in an empty *hops, which may still grow. Unused memory
 * is not touched. */
void nuce_hops_reserve(struct nuce_hops *hops, int64_t count, int64_t parcels);
/* Adds a hop; the parcel is copied unless it equals the last one. More than INT_MAX parcels exceed
 * any memory. */
void nuce_hops_add(struct nuce_hops *hops, int round, int from, int to,
                   const struct nuce_parcel *parcel);

/* Adds each rank's transfers in each of the rounds to a builder: all of its hops of that round to
 * one other rank are one transfer. Also adds each rank's message to itself in pattern. Sorts the
 * hops in place. The builder forwards, and has no piece yet. */
void nuce_hops_schedule(const struct nuce_pattern *pattern, int rounds, struct nuce_hops *hops,
                        struct nuce_schedule_builder *builder);

/* The rounds of messages that pass one rank at each end. */
enum { NUCE_RELAY_GATHER, NUCE_RELAY_BETWEEN, NUCE_RELAY_SPREAD, NUCE_RELAY_ROUNDS };

/* The hops of such a parcel: to `via`, from there to `to`, a different rank, and on. A hop from its
 * source or to its destination is omitted if that is the same rank. */
void nuce_hops_add_relayed(struct nuce_hops *hops, int via, int to,
                           const struct nuce_parcel *parcel);

/* The hops of a message from one place of a ring of places to another, by the digits of their
 * distance; rank[k] is the rank at place k, NULL: k itself. */
void nuce_hops_add_digits(struct nuce_hops *hops, int places, const int *rank, int64_t radix,
                          int from, int to, const struct nuce_parcel *parcel);

/* Adds all rounds to a builder. slot_bytes > 0: in every round every rank sends a slot of that many
 * bytes for each distance of the round, even without a message there. A slot is at least as long as
 * the longest message. 0: it sends only its messages, and nothing without any. */
void nuce_store_forward_add(const struct nuce_pattern *pattern, int64_t radix, int64_t slot_bytes,
                            struct nuce_schedule_builder *builder);

/* Upper limit of the ranks that a message passes: a digit of a rank's number has at least one
 * bit. */
#define NUCE_STORE_FORWARD_MOST_STOPS 32

/* The ranks that the message from source to destination passes, in their order, with its two ends;
 * a single one if both are the same. Returns their number. */
int nuce_store_forward_way(int ranks, int64_t radix, int source, int destination,
                           int stops[NUCE_STORE_FORWARD_MOST_STOPS]);

/* The ranks that have to know the message. own_radix is that of nuce_schedule_own_radix, not -1,
 * and at most ranks. Returns their number. */
int nuce_schedule_stops(int ranks, int64_t own_radix, int source, int destination,
                        int stops[NUCE_STORE_FORWARD_MOST_STOPS]);

/* Tries the least radices with which places - 1 has 1, 2, .. digits: add puts the schedule of each
 * into a builder. Notes all as candidates of builder. Returns the one with the least makespan by
 * the model of the network; of several the largest, which moves less. */
int64_t nuce_store_forward_choose(const struct nuce_schedule_input *input, int places,
                                  void (*add)(const struct nuce_schedule_input *input,
                                              int64_t radix, const void *context,
                                              struct nuce_schedule_builder *builder),
                                  const void *context, struct nuce_schedule_builder *builder);

/* NUCE_BAD_INPUT naming radix, unless it is 0 or in 2 .. ranks. */
nuce_status nuce_store_forward_check(int64_t radix, int ranks, struct nuce_error *error);

#endif
