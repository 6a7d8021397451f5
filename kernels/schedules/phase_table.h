/* The common part of colourings: the order of their messages, and the table of phases. */
#ifndef NUCE_PHASE_TABLE_H
#define NUCE_PHASE_TABLE_H

#include "schedules/network.h"
#include "schedules/pattern.h"

/* The messages of a pattern by their cost on a network, the longest first, without those of ranks
 * to themselves, which cost nothing. */

/* A message with its cost alone on its pair. position is an int because a row has at most one
 * message for each rank. */
struct nuce_ordered_message {
    double seconds;
    int source;
    int position; /* in the source's row of the pattern */
};

/* *out: *count of them, freed with free(); equal ones in the order of the pattern. O(messages log
 * messages). */
void nuce_phase_table_longest_first(const struct nuce_pattern *pattern,
                                    const struct nuce_network *network,
                                    struct nuce_ordered_message **out, int64_t *count);

/* The phases in which each port is taken, and the values that take them: a partial edge colouring
 * of the bipartite graph of senders and receivers. Memory is O(ranks + messages), for any number of
 * phases. */

struct nuce_phase_slot {
    int taken; /* 1 + the phase, or 0: the slot is empty */
    int value;
};

/* Port i < ranks is the sending side of rank i, port ranks + i its receiving side. Arrays are
 * owned. */
struct nuce_phase_table {
    int ports;     /* 2 ranks */
    int *degree;   /* ports: messages that it sends or receives, without its rank's to itself */
    int64_t *word; /* ports + 1: the bits of port p are in words word[p] .. word[p + 1] - 1 */
    uint64_t *bits;
    int64_t *first; /* ports + 1: index of port p's slots, a power of two of them or none */
    struct nuce_phase_slot *slots;
};

/* All phases free. Freed with nuce_phase_table_fini. */
void nuce_phase_table_init(const struct nuce_pattern *pattern, struct nuce_phase_table *out);
void nuce_phase_table_fini(struct nuce_phase_table *table);

/* The value that takes port in phase, or -1. Expected O(1). */
int nuce_phase_table_find(const struct nuce_phase_table *table, int port, int phase);

/* The first takes a free phase with value >= 0, of at most degree at a time; the second releases a
 * taken one. Expected O(1). */
void nuce_phase_table_take(struct nuce_phase_table *table, int port, int phase, int value);
void nuce_phase_table_release(struct nuce_phase_table *table, int port, int phase);

/* The first phase in which port is free. The port must have a message without a phase. */
int nuce_phase_table_first(const struct nuce_phase_table *table, int port);

/* The first phase below limit in which both ports are free, or -1. */
int nuce_phase_table_common(const struct nuce_phase_table *table, int a, int b, int limit);

#endif
