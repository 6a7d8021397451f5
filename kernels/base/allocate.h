/* Allocation. Memory that runs out ends the job with one line, as a bug does (NUCE_ASSERT), so
 * callers need not check what these functions return. Sizes that a user's input decides are checked
 * before (nuce_allocate_check) and refused by name. */
#ifndef NUCE_ALLOCATE_H
#define NUCE_ALLOCATE_H

#include <stdint.h>

#include "base/error.h"

/* Prints the requested size on stderr and ends the process with exit status 1. An MPI launcher then
 * ends the whole job. */
_Noreturn void nuce_allocate_failed(int64_t count, size_t size);

/* Zeroed memory for count elements of size bytes; freed with free(). Never NULL, also for count
 * 0. */
void *nuce_allocate(int64_t count, size_t size);

/* Memory that the caller fills, at the start of a cache line; freed with free(). A large block uses
 * huge pages if the kernel has them, because much of the time of first writing goes into small
 * pages. Never NULL. */
void *nuce_allocate_unset(int64_t bytes);

/* Makes *data (NULL or from malloc, *capacity elements of size bytes) hold at least needed
 * elements, and at least doubles it. New elements are not zeroed. */
void nuce_allocate_more(void **data, int64_t *capacity, int64_t needed, size_t size);

/* Returns NUCE_FAILED if there is no memory now for count elements of size bytes. For sizes that a
 * user chose, before they are allocated. */
nuce_status nuce_allocate_check(int64_t count, size_t size, struct nuce_error *error);

/* As nuce_allocate_unset, but zeroed, for bytes that are copied again and again: all pages exist
 * before the first use. NULL with NUCE_FAILED in *error if there is no memory. */
void *nuce_allocate_buffer(int64_t bytes, struct nuce_error *error);

#endif
