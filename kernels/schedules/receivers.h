/* The receivers of a pattern by when they are available, and which of them each sender still has a
 * message for: the structure behind list schedules that ask "which of the receivers of this sender
 * is available first?" once a message.
 *
 * Where the pattern is dense, the receivers are kept in the order of their availability, and the
 * first that the sender's bit set still has is taken: on average ranks / (messages left) looks, at
 * most as many as receivers still get a message. Where it is sparse, the messages that the sender
 * has left are looked at one by one. */
#ifndef NUCE_RECEIVERS_H
#define NUCE_RECEIVERS_H

#include "schedules/pair_set.h"
#include "schedules/pattern.h"

struct nuce_receivers_entry {
    double time; /* seconds: when the receiver is available */
    int rank;
};

/* The receivers that a sender may choose from, by when they are free. Arrays are owned. */
struct nuce_receivers {
    const struct nuce_pattern *pattern; /* borrowed */
    double *available;                  /* ranks, seconds: when the receiver is */
    int *left;                          /* ranks: messages that the sender has left */
    int *wanted;                        /* ranks: messages that the receiver still gets */
    int64_t messages;                   /* left in all */
    int is_dense;
    /* Sparse patterns only. */
    int *rest; /* messages: the first left[i] from row[i] on are those that sender i has left, as
                  places in its row */
    /* Dense patterns only. */
    struct nuce_pair_set pairs;         /* those left */
    struct nuce_receivers_entry *order; /* order[first] .. order[end - 1]: the receivers that still
                                           get a message, by time, then rank */
    int first, end, room;
};

/* All available at 0, all messages left but those of ranks to themselves. Freed with
 * nuce_receivers_fini, also after failure. */
void nuce_receivers_init(const struct nuce_pattern *pattern, struct nuce_receivers *out);
void nuce_receivers_fini(struct nuce_receivers *receivers);

/* A message that has been taken. */
struct nuce_receivers_message {
    int receiver;
    int64_t k; /* its entry in the pattern */
};

/* Takes, of the messages that sender has left (at least one), that whose receiver is available
 * first, of several the one of the lowest rank. No other may be taken before the receiver is
 * released. */
struct nuce_receivers_message nuce_receivers_take(struct nuce_receivers *receivers, int sender);

/* The receiver just taken is available again at time, which is not before it was last. */
void nuce_receivers_release(struct nuce_receivers *receivers, int receiver, double time);

#endif
