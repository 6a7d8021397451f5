/* Which phases each port is taken in, and by what: a partial edge colouring of the bipartite graph
 * of senders and receivers. Memory is O(ranks + messages), however many phases there are. */
#ifndef NUCE_PHASE_TABLE_H
#define NUCE_PHASE_TABLE_H

#include "schedules/pattern.h"

struct nuce_phase_slot {
    int taken; /* 1 + the phase, or 0: the slot is empty */
    int value;
};

/* Port i < ranks is the sending side of rank i, port ranks + i its receiving side. Arrays are
 * owned. */
struct nuce_phase_table {
    int ports;     /* 2 ranks */
    int *degree;   /* ports: messages that it sends or receives, but its rank's to itself */
    int64_t *word; /* ports + 1: the bits of port p are in words word[p] .. word[p + 1] - 1 */
    uint64_t *bits;
    int64_t *first; /* ports + 1: the slots of port p, a power of two of them or none */
    struct nuce_phase_slot *slots;
};

/* All phases free. Freed with nuce_phase_table_fini. */
void nuce_phase_table_init(const struct nuce_pattern *pattern, struct nuce_phase_table *out);
void nuce_phase_table_fini(struct nuce_phase_table *table);

/* What takes port in phase, or -1. Expected O(1). */
int nuce_phase_table_find(const struct nuce_phase_table *table, int port, int phase);

/* Takes a free phase with value >= 0, of at most degree ones at a time; and gives a taken one back.
 * Expected O(1). */
void nuce_phase_table_take(struct nuce_phase_table *table, int port, int phase, int value);
void nuce_phase_table_release(struct nuce_phase_table *table, int port, int phase);

/* The first phase in which port is free; it has messages that take none yet. */
int nuce_phase_table_first(const struct nuce_phase_table *table, int port);

/* The first phase below limit in which both ports are free, or -1. */
int nuce_phase_table_common(const struct nuce_phase_table *table, int a, int b, int limit);

#endif
