/* Narrowing from 64 bits: cells, bytes and offsets are int64_t, ranks and MPI's counts int. */
#ifndef NUCE_INT_H
#define NUCE_INT_H

#include <stdint.h>

/* value as an int. Callers have checked the range: outside it is a bug. */
int nuce_int(int64_t value);

#endif
