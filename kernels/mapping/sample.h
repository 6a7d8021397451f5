/* One placement on one network, measured, for nuce-model and for records of sweeps. */
#ifndef NUCE_SAMPLE_H
#define NUCE_SAMPLE_H

#include "mapping/placement.h"

/* The paper's cases: messages to any other process, as a share of all: 0, 10 and 20 per cent. */
enum { NUCE_MAPPING_CASES = 3 };
extern const double nuce_mapping_distant[NUCE_MAPPING_CASES];

/* The streams of a sample's draws. */
enum nuce_mapping_stream {
    NUCE_MAPPING_NETWORK,
    NUCE_MAPPING_NODES,
    NUCE_MAPPING_PLACEMENT,
    NUCE_MAPPING_STREAMS,
};

/* The random numbers of a stream of sample number `number`, so that all programs draw the same
 * network. */
struct nuce_rng nuce_mapping_rng(int64_t seed, int64_t number, enum nuce_mapping_stream stream);

/* The results of a placement. */
struct nuce_mapping_sample {
    double cardinality;                   /* weighted, in links; see nuce_placement_cardinality */
    double latency_s[NUCE_MAPPING_CASES]; /* NaN: no messages */
    double seconds;                       /* processor time of computing it */
};

/* Places the processes of input by ops, several times if that is quick, for the median of the
 * times. *processor, freed by the caller, is the processor of each rank. Errors are those of ops,
 * with its name in front; *out and *processor are then untouched. Local. */
nuce_status nuce_mapping_sample(const struct nuce_placement_ops *ops,
                                const struct nuce_placement_input *input,
                                struct nuce_mapping_sample *out, int **processor,
                                struct nuce_error *error);

#endif
