/* The contents of rounds and calls, each kept once: a program repeats few of them often. */
#ifndef NUCE_RECORDER_DEFINITIONS_H
#define NUCE_RECORDER_DEFINITIONS_H

#include "capture/raw_writer.h"

/* The sum over the messages of a round in any order, two times 64 bits. Equal sums are treated
 * as equal rounds (one chance of error in 2^128 a pair). */
struct nuce_recorder_sum {
    uint64_t a, b;
};

void nuce_recorder_sum_add(struct nuce_recorder_sum *sum, const struct nuce_raw_message *message);

struct nuce_recorder_definition {
    struct nuce_recorder_sum sum;
    int id; /* 0: no entry */
};

/* All zero: empty. */
struct nuce_recorder_definitions {
    struct nuce_recorder_definition *entries; /* open addressing */
    int count, capacity;
};

/* Returns the number of the definition, and writes it if it is new. messages NULL: they are at
 * `place` in the file. Returns 0 if there is no room. */
int nuce_recorder_define(struct nuce_recorder_definitions *definitions,
                         struct nuce_raw_writer *writer, struct nuce_recorder_sum sum,
                         int communicator, int kind, int64_t bytes,
                         const struct nuce_raw_message *messages, int64_t place, int count);

#endif
