/* What the benches of decompositions share: arrays with random weights of ratio 8. */
#ifndef NUCE_BENCH_ARRAYS_CASE_H
#define NUCE_BENCH_ARRAYS_CASE_H

#include "bench.h"
#include "instances/decomposition.h"

/* Prepares the decomposition of 1000 x 1000 among parts by algorithm, beside that by rb2: as many
 * of each, one after the other, as take some milliseconds. Freed with nuce_arrays_case_destroy. */
nuce_status nuce_arrays_case_create(const char *algorithm, int parts, double latency,
                                    struct nuce_bench_case *out, struct nuce_error *error);

/* The same beside algorithm on an array of fewer parts; units: what its growth is held against, of
 * either. */
nuce_status nuce_arrays_case_create_growth(const char *algorithm, int parts, int fewer,
                                           double latency, double (*units)(int parts),
                                           struct nuce_bench_case *out, struct nuce_error *error);

void nuce_arrays_case_destroy(void *self);
nuce_status nuce_arrays_case_ours(void *self, struct nuce_error *error);
nuce_status nuce_arrays_case_reference(void *self, struct nuce_error *error);

#endif
