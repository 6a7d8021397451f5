/* Matrices of work taken apart into stages in which each row meets at most one column: the
 * decomposition of Birkhoff and von Neumann, for preemptive schedules. */
#ifndef NUCE_BIRKHOFF_H
#define NUCE_BIRKHOFF_H

#include <stdint.h>

#include "base/error.h"

/* One row of a stage. */
struct nuce_meeting_part {
    int column;   /* -1: the row does nothing */
    int64_t work; /* of what is left of (row, column); at most the length of the stage */
};

/* The stages in their order. Work is in the caller's unit, such as bytes, or bytes weighed by what
 * one costs. The arrays are owned and freed with nuce_stages_fini. */
struct nuce_stages {
    int size; /* rows, and columns */
    int64_t count, capacity;
    int64_t *length;                /* stages: work; what the longest part is at least */
    struct nuce_meeting_part *part; /* stages x size, by stage and row */
    int64_t part_capacity;
};

/* work: size x size by row, >= 0, the diagonal 0; on return 0 everywhere. The lengths of all stages
 * add up to the largest sum of a row or column, plus what a rest costs that is not taken apart but
 * sent entry by entry: entries of which no stage of at least `least` can be made, and what is left
 * after `most` stages. O(size) for a stage and size^2 / 64 for each of the few new ways that it
 * most often needs, of which it may be `size`; size^2 each time that the threshold is halved, and
 * for a stage of the rest. Freed with nuce_stages_fini, also after failure. */
void nuce_birkhoff(int size, int64_t *work, int64_t least, int64_t most, struct nuce_stages *out);
void nuce_stages_fini(struct nuce_stages *stages);

#endif
