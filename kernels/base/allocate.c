/* Allocation. Counts are checked against overflow. Memory is zeroed unless the function says
 * otherwise. */
#include "base/allocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The cache line of most processors, in bytes. Elsewhere an allocation is only aligned less
 * well. */
#define CACHE_LINE_BYTES 64
#define HUGE_PAGE_BYTES (2 << 20)
#define PAGE_BYTES 4096

/* _Exit, not exit: exit's handlers, such as MPI's, may need memory or other ranks. */
void nuce_allocate_failed(int64_t count, size_t size)
{
    if (count > 1 && size > 1)
        fprintf(stderr, "nuce: out of memory: asked for %lld elements of %zu bytes\n",
                (long long)count, size);
    else
        fprintf(stderr, "nuce: out of memory: asked for %lld bytes\n",
                (long long)count * (long long)size);
    _Exit(1);
}

/* True if count elements of size bytes are a number of bytes that pointers can span. */
static int allocate_fits(int64_t count, size_t size)
{
    return (uint64_t)count <= (uint64_t)PTRDIFF_MAX / size;
}

/* Asks for huge pages for an untouched block of memory that is large enough for them. Small pages
 * will do as well. */
static void advise_huge_pages(void *data, size_t bytes)
{
    size_t before_page = (PAGE_BYTES - (uintptr_t)data % PAGE_BYTES) % PAGE_BYTES;

    if (bytes >= 2 * HUGE_PAGE_BYTES)
        madvise((char *)data + before_page, bytes - before_page, MADV_HUGEPAGE);
}

/* calloc gives pages that the kernel zeroes when they are touched: a large block costs nothing
 * until it is used, and may still be backed by huge pages then. */
void *nuce_allocate(int64_t count, size_t size)
{
    void *data = NULL;

    NUCE_ASSERT(count >= 0 && size > 0);
    if (allocate_fits(count, size))
        data = calloc(count > 0 ? (size_t)count : 1, size);
    if (data == NULL)
        nuce_allocate_failed(count, size);
    advise_huge_pages(data, (size_t)count * size);
    return data;
}

/* aligned_alloc wants a size that is a multiple of the alignment. From 2 MiB on a block starts at a
 * huge page. Returns NULL if there is no memory. */
static void *allocate_aligned(int64_t bytes)
{
    size_t unit = bytes < HUGE_PAGE_BYTES ? CACHE_LINE_BYTES : HUGE_PAGE_BYTES;
    size_t size;
    void *data;

    NUCE_ASSERT(bytes >= 0);
    if (bytes > PTRDIFF_MAX - HUGE_PAGE_BYTES)
        return NULL;
    size = (bytes > 0 ? (size_t)bytes + unit - 1 : unit) / unit * unit;
    data = aligned_alloc(unit, size);
    if (data != NULL && unit == HUGE_PAGE_BYTES)
        madvise(data, size, MADV_HUGEPAGE);
    return data;
}

void *nuce_allocate_unset(int64_t bytes)
{
    void *data = allocate_aligned(bytes);

    if (data == NULL)
        nuce_allocate_failed(bytes, 1);
    return data;
}

/* Doubling: n elements one at a time cost O(n) copies. */
void nuce_allocate_more(void **data, int64_t *capacity, int64_t needed, size_t size)
{
    int64_t wanted = *capacity < 8 ? 8 : *capacity;
    void *larger;

    if (needed <= *capacity)
        return;
    while (wanted < needed && wanted <= INT64_MAX / 2)
        wanted *= 2;
    larger = wanted < needed || !allocate_fits(wanted, size)
                 ? NULL
                 : realloc(*data, (size_t)wanted * size);
    if (larger == NULL)
        nuce_allocate_failed(needed, size);
    *data = larger;
    *capacity = wanted;
}

/* Allocating a large block only maps it, so asking for one costs next to nothing. There is nearly
 * always room for a small one. */
nuce_status nuce_allocate_check(int64_t count, size_t size, struct nuce_error *error)
{
    void *data = NULL;

    NUCE_ASSERT(count >= 0 && size > 0);
    if (allocate_fits(count, size) && (size_t)count * size < HUGE_PAGE_BYTES)
        return NUCE_OK;
    if (allocate_fits(count, size))
        data = malloc((size_t)count * size);
    if (data == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory: %lld elements of %zu bytes",
                              (long long)count, size);
    free(data);
    return NUCE_OK;
}

/* memset touches every page, so that the pages exist on the node of this thread before anything is
 * timed. */
void *nuce_allocate_buffer(int64_t bytes, struct nuce_error *error)
{
    void *data = allocate_aligned(bytes);

    if (data != NULL)
        memset(data, 0, (size_t)bytes);
    else
        nuce_error_set(error, NUCE_FAILED, "out of memory: %lld bytes", (long long)bytes);
    return data;
}
