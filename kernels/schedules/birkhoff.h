/* Decomposes matrices of work into stages in which each row meets at most one column: the
 * decomposition of Birkhoff and von Neumann, for preemptive schedules. */
#ifndef NUCE_BIRKHOFF_H
#define NUCE_BIRKHOFF_H

#include <stdint.h>

#include "base/error.h"

/* One row of a stage. */
struct nuce_meeting_part {
    int column;   /* -1: the row does nothing */
    int64_t work; /* part of the work left in (row, column); at most the stage's length */
};

/* The stages in their order. Work is in the caller's unit, such as bytes, or bytes weighted by
 * their cost. The arrays are owned and freed with nuce_stages_fini. */
struct nuce_stages {
    int size; /* rows, and columns */
    int64_t count, capacity;
    int64_t *length;                /* stages: work; at least the longest part */
    struct nuce_meeting_part *part; /* stages x size, by stage and row */
    int64_t part_capacity;
};

/* work: size x size by row, >= 0, the diagonal 0; on return 0 everywhere. The lengths of all stages
 * add up to the largest sum of a row or column, plus the cost of a rest that is sent entry by
 * entry. The rest is the entries that do not form a stage of at least `least`, and the work left
 * after `most` stages.
 *
 * Cost: O(size) for a stage and size^2 / 64 for each new path, of which a stage most often needs
 * few, at most `size`; size^2 each time that the threshold is halved, and for a stage of the rest.
 * Freed with nuce_stages_fini, also after failure. */
void nuce_birkhoff(int size, int64_t *work, int64_t least, int64_t most, struct nuce_stages *out);
void nuce_stages_fini(struct nuce_stages *stages);

#endif
