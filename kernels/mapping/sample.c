/* One sample of the mapping workload: the time and the cost of a placement. */
#include "mapping/sample.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/statistics.h"

/* A placement that takes less than AGAIN_S seconds is repeated, up to a total number, and the
 * median time counts: the first run has cold caches. */
#define AGAIN_S 10e-3
#define MOST_TIMES 5

const double nuce_mapping_distant[NUCE_MAPPING_CASES] = {0, 0.1, 0.2};

/* Each kind of draw has a stream of its own: another placement, or another number of samples, does
 * not change the networks. */
struct nuce_rng nuce_mapping_rng(int64_t seed, int64_t number, enum nuce_mapping_stream stream)
{
    return nuce_rng_create((uint64_t)seed,
                           (uint64_t)number * NUCE_MAPPING_STREAMS + (uint64_t)stream);
}

nuce_status nuce_mapping_sample(const struct nuce_placement_ops *ops,
                                const struct nuce_placement_input *input,
                                struct nuce_mapping_sample *out, int **processor,
                                struct nuce_error *error)
{
    struct nuce_mapping_sample sample;
    double seconds[MOST_TIMES];
    int count = 0, *found = NULL;

    do {
        double start = nuce_processor_clock();

        free(found);
        found = nuce_placement_create(ops, input, error);
        if (found == NULL)
            return nuce_error_prefix(error, "%s", ops->name);
        seconds[count++] = nuce_processor_clock() - start;
    } while (count < MOST_TIMES && seconds[0] < AGAIN_S);
    nuce_statistics_sort(seconds, count);
    sample.seconds = nuce_statistics_median(seconds, count);
    sample.cardinality = nuce_placement_cardinality(input->processes, input->processors, found);
    for (int k = 0; k < NUCE_MAPPING_CASES; k++)
        nuce_placement_latency(input->processes, input->processors, found, nuce_mapping_distant[k],
                               &sample.latency_s[k]);
    *out = sample;
    *processor = found;
    return NUCE_OK;
}
