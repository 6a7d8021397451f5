/* The command line of nuce-model arrays. */
#ifndef NUCE_ARRAYS_ARGUMENTS_H
#define NUCE_ARRAYS_ARGUMENTS_H

#include "arrays/decomposition.h"
#include "tables/grid.h"

struct nuce_arrays_arguments {
    const struct nuce_decomposition_ops **decompositions; /* decomposition_count, owned */
    int decomposition_count;
    struct nuce_array array; /* its weights are those given, owned; NULL: they are drawn */
    int64_t samples;         /* 1 where weights are given */
    double ratio;            /* of weights that are drawn, largest to least */
    int64_t seed;
    int is_integer;
    int allows_empty;
    enum nuce_grid_format format;
};

/* Parses argv and checks all of it; --help prints and exits. Freed with nuce_arrays_arguments_fini.
 */
nuce_status nuce_arrays_arguments_parse(int argc, char **argv, struct nuce_arrays_arguments *out,
                                        struct nuce_error *error);
void nuce_arrays_arguments_fini(struct nuce_arrays_arguments *arguments);

#endif
