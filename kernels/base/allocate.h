/* Allocation. Memory that runs out ends the job with one line, as a bug does (NUCE_ASSERT): nobody
 * has to look at what these functions return. What a user's input sizes is asked for before, and
 * refused by name. */
#ifndef NUCE_ALLOCATE_H
#define NUCE_ALLOCATE_H

#include <stdint.h>

#include "base/error.h"

/* Says on stderr how much was asked for and ends the process with exit status 1, on which an MPI
 * launcher ends the whole job. */
_Noreturn void nuce_allocate_failed(int64_t count, size_t size);

/* Zeroed memory for count elements of size bytes; freed with free(). Never NULL, also for count
 * 0. */
void *nuce_allocate(int64_t count, size_t size);

/* Memory that the caller fills, at the start of a cache line; freed with free(). In huge pages
 * where it is large and the kernel has them, since much of the time of writing to it goes into
 * small pages. Never NULL. */
void *nuce_allocate_unset(int64_t bytes);

/* Makes *data (NULL or from malloc, *capacity elements of size bytes) hold at least needed
 * elements, at least doubling it. What is new is not zeroed. */
void nuce_allocate_more(void **data, int64_t *capacity, int64_t needed, size_t size);

/* NUCE_FAILED where there is no memory now for count elements of size bytes: for sizes that a user
 * chose, before they are allocated. */
nuce_status nuce_allocate_check(int64_t count, size_t size, struct nuce_error *error);

/* As nuce_allocate_unset, but zeroed, for bytes that are copied again and again: all of it is there
 * before the first use. NULL with NUCE_FAILED in *error when there is none. */
void *nuce_allocate_buffer(int64_t bytes, struct nuce_error *error);

#endif
