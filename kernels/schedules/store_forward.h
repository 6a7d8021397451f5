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

/* The way of messages, hop by hop, in any order. Hops of the same parcel that are added one after
 * the other share it. round counts from 0; from and to are ranks; parcel is an index into struct
 * nuce_hops' parcel. */
struct nuce_hop {
    int round, from, to;
    int parcel;
};
/* Both arrays are owned and freed with nuce_hops_fini; all zero: none yet. A hop has 16 bytes, a
 * parcel 24, which is why hops share them. */
struct nuce_hops {
    int64_t count, capacity;
    struct nuce_hop *hop;
    int64_t parcels, parcel_capacity;
    struct nuce_parcel *parcel;
};
void nuce_hops_fini(struct nuce_hops *hops);
/* Room for so many hops and parcels in an empty *hops, which may still become more. Memory that is
 * not used is not touched. */
void nuce_hops_reserve(struct nuce_hops *hops, int64_t count, int64_t parcels);
/* Adds a hop; the parcel is copied unless it is the last one that was. More than INT_MAX parcels
 * are more memory than there is. */
void nuce_hops_add(struct nuce_hops *hops, int round, int from, int to,
                   const struct nuce_parcel *parcel);

/* Adds to a builder what each rank sends in each of the rounds: all of its hops of that round to
 * one other rank in one transfer; and what each rank of pattern sends to itself. The hops are
 * sorted in place by it. The builder forwards, and has no piece yet. */
void nuce_hops_schedule(const struct nuce_pattern *pattern, int rounds, struct nuce_hops *hops,
                        struct nuce_schedule_builder *builder);

/* The rounds of messages that go by way of one rank at each end. */
enum { NUCE_RELAY_GATHER, NUCE_RELAY_BETWEEN, NUCE_RELAY_SPREAD, NUCE_RELAY_ROUNDS };

/* The hops of such a parcel: to `via`, from there to `to`, which is another rank, and on. There is
 * none from its source or to its destination where that is the rank itself. */
void nuce_hops_add_relayed(struct nuce_hops *hops, int via, int to,
                           const struct nuce_parcel *parcel);

/* The hops of a message from one place of a ring of places to another, by the digits of their
 * distance; rank[k] is the one at place k, NULL: k itself. */
void nuce_hops_add_digits(struct nuce_hops *hops, int places, const int *rank, int64_t radix,
                          int from, int to, const struct nuce_parcel *parcel);

/* Adds all rounds to a builder. slot_bytes > 0: every rank sends in every round a slot of so many
 * bytes, none less than a message, for each distance of the round, whether it has a message there
 * or not. 0: what it has, and nothing where it has none. */
void nuce_store_forward_add(const struct nuce_pattern *pattern, int64_t radix, int64_t slot_bytes,
                            struct nuce_schedule_builder *builder);

/* More ranks than a message can come by: a digit of a rank's number has at least one bit. */
#define NUCE_STORE_FORWARD_MOST_STOPS 32

/* The ranks that the message from source to destination comes by, its two ends included, in their
 * order, which are 1 where both are the same. Returns how many. */
int nuce_store_forward_way(int ranks, int64_t radix, int source, int destination,
                           int stops[NUCE_STORE_FORWARD_MOST_STOPS]);

/* The ranks that have to know of the message: own_radix as nuce_schedule_own_radix says it, not -1,
 * and at most ranks. Returns how many. */
int nuce_schedule_stops(int ranks, int64_t own_radix, int source, int destination,
                        int stops[NUCE_STORE_FORWARD_MOST_STOPS]);

/* Tries the least radices with which places - 1 has 1, 2, .. digits: add puts the schedule of each
 * into a builder. Notes all as candidates of builder and returns the one whose makespan by the
 * model of the network is the least, the largest of several: it moves less. */
int64_t nuce_store_forward_choose(const struct nuce_schedule_input *input, int places,
                                  void (*add)(const struct nuce_schedule_input *input,
                                              int64_t radix, const void *context,
                                              struct nuce_schedule_builder *builder),
                                  const void *context, struct nuce_schedule_builder *builder);

/* NUCE_BAD_INPUT naming radix, unless it is 0 or in 2 .. ranks. */
nuce_status nuce_store_forward_check(int64_t radix, int ranks, struct nuce_error *error);

#endif
