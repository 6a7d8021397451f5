/* Allocation that checks for overflow and says what was asked for. */
#ifndef NUCE_ALLOCATE_H
#define NUCE_ALLOCATE_H

#include <stdint.h>

#include "support/error.h"

/* Zeroed memory for count elements of size bytes; freed with free(). Never NULL on success, also
 * for count 0. NULL with NUCE_FAILED in *error on overflow or when there is none. */
void *nuce_allocate(int64_t count, size_t size, struct nuce_error *error);

/* Memory that the caller fills, at the start of a cache line; freed with free(). In huge pages
 * where it is large and the kernel has them, since much of the time of writing to it goes into
 * small pages. NULL with NUCE_FAILED in *error when there is none. */
void *nuce_allocate_unset(int64_t bytes, struct nuce_error *error);

/* The same, zeroed, for bytes that are copied again and again: all of it is there before the first
 * use. */
void *nuce_allocate_buffer(int64_t bytes, struct nuce_error *error);

/* Makes *data (NULL or from malloc, *capacity elements of size bytes) hold at least needed
 * elements, at least doubling it. On failure *data and *capacity stay as they were. */
nuce_status nuce_allocate_more(void **data, int64_t *capacity, int64_t needed, size_t size,
                               struct nuce_error *error);

#endif
