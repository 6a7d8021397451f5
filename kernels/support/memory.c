#include "memory.h"

#include <limits.h>
#include <stdlib.h>

/* Whether count elements of size bytes are a number of bytes that pointers can span. */
static int fits(int64_t count, size_t size)
{
    return (uint64_t)count <= (uint64_t)PTRDIFF_MAX / size;
}

void *nuce_allocate(int64_t count, size_t size, struct nuce_error *error)
{
    void *data = NULL;

    NUCE_ASSERT(count >= 0 && size > 0);
    if (fits(count, size))
        data = calloc(count > 0 ? (size_t)count : 1, size);
    if (data == NULL)
        (void)nuce_error_set(error, NUCE_FAILED, "out of memory: %lld elements of %zu bytes",
                             (long long)count, size);
    return data;
}

nuce_status nuce_grow(void **data, int64_t *capacity, int64_t needed, size_t size,
                      struct nuce_error *error)
{
    int64_t wanted = *capacity < 8 ? 8 : *capacity;
    void *larger;

    if (needed <= *capacity)
        return NUCE_OK;
    while (wanted < needed && wanted <= INT64_MAX / 2)
        wanted *= 2;
    larger = wanted < needed || !fits(wanted, size) ? NULL : realloc(*data, (size_t)wanted * size);
    if (larger == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory: %lld elements of %zu bytes",
                              (long long)needed, size);
    *data = larger;
    *capacity = wanted;
    return NUCE_OK;
}

int nuce_int(int64_t value)
{
    NUCE_ASSERT(value >= INT_MIN && value <= INT_MAX);
    return (int)value;
}
