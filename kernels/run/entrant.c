/* Samples and their memory.
 *
 * A sample takes 8 bytes a part, twice, and 8 more. */
#include "run/entrant.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

/* Room for most samples in all; what is there stays. On failure some arrays may have grown, which
 * does no harm. */
void nuce_samples_reserve(struct nuce_samples *samples, int64_t most)
{
    nuce_allocate_more((void **)&samples->seconds, &samples->capacity, most * NUCE_SAMPLE_PARTS,
                       sizeof(double));
    nuce_allocate_more((void **)&samples->last, &samples->last_capacity, most * NUCE_SAMPLE_PARTS,
                       sizeof(double));
    nuce_allocate_more((void **)&samples->last_rank, &samples->last_rank_capacity, most,
                       sizeof(int));
    nuce_allocate_more((void **)&samples->place, &samples->place_capacity, most, sizeof(int));
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
