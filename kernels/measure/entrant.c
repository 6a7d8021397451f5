/* Samples and their memory.
 *
 * A sample takes 8 bytes a part, twice, and 8 more. */
#include "measure/entrant.h"

#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"

/* Room for most samples in all; what is there stays. On failure some arrays may have grown, which
 * does no harm. */
nuce_status nuce_samples_reserve(struct nuce_samples *samples, int64_t most,
                                 struct nuce_error *error)
{
    if (nuce_allocate_more((void **)&samples->seconds, &samples->capacity, most * NUCE_SAMPLE_PARTS,
                           sizeof(double), error) != NUCE_OK)
        return error->status;
    if (nuce_allocate_more((void **)&samples->last, &samples->last_capacity,
                           most * NUCE_SAMPLE_PARTS, sizeof(double), error) != NUCE_OK ||
        nuce_allocate_more((void **)&samples->last_rank, &samples->last_rank_capacity, most,
                           sizeof(int), error) != NUCE_OK)
        return error->status;
    return nuce_allocate_more((void **)&samples->place, &samples->place_capacity, most, sizeof(int),
                              error);
}

void nuce_samples_fini(struct nuce_samples *samples)
{
    free(samples->seconds);
    free(samples->last);
    free(samples->last_rank);
    free(samples->place);
    free(samples->of_rank);
    memset(samples, 0, sizeof *samples);
}
