#include "arrays_case.h"

#include <stdlib.h>

#include "base/allocate.h"

#define SIDE 1000.0
#define PARTS_A_TURN 20000 /* decomposed in one turn, at least */

struct side {
    const struct nuce_decomposition_ops *ops;
    struct nuce_array array;
    double *weights; /* of each repetition, array.parts */
    int repetitions;
};

struct arrays_case {
    struct side ours, reference;
};

static nuce_status prepare(const char *algorithm, int parts, double latency, struct side *side,
                           struct nuce_error *error)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);

    side->repetitions = parts < PARTS_A_TURN ? PARTS_A_TURN / parts : 1;
    side->array =
        (struct nuce_array){.rows = SIDE, .columns = SIDE, .parts = parts, .latency = latency};
    side->weights = nuce_allocate((int64_t)parts * side->repetitions, sizeof *side->weights);
    nuce_decomposition_draw_weights(&rng, 8, parts * side->repetitions, side->weights);
    return nuce_decomposition_find(algorithm, &side->ops, error);
}

static nuce_status create(const char *algorithm, int parts, const char *other, int other_parts,
                          double latency, struct nuce_bench_case *out, struct nuce_error *error)
{
    struct arrays_case *self = nuce_allocate(1, sizeof *self);

    if (prepare(algorithm, parts, latency, &self->ours, error) != NUCE_OK ||
        prepare(other, other_parts, latency, &self->reference, error) != NUCE_OK) {
        nuce_arrays_case_destroy(self);
        return error->status;
    }
    out->self = self;
    out->ours_units = self->ours.repetitions;
    out->reference_units = self->reference.repetitions;
    return NUCE_OK;
}

nuce_status nuce_arrays_case_create(const char *algorithm, int parts, double latency,
                                    struct nuce_bench_case *out, struct nuce_error *error)
{
    return create(algorithm, parts, "rb2", parts, latency, out, error);
}

nuce_status nuce_arrays_case_create_growth(const char *algorithm, int parts, int fewer,
                                           double latency, double (*units)(int parts),
                                           struct nuce_bench_case *out, struct nuce_error *error)
{
    if (create(algorithm, parts, algorithm, fewer, latency, out, error) != NUCE_OK)
        return error->status;
    out->ours_units *= units(parts);
    out->reference_units *= units(fewer);
    return NUCE_OK;
}

void nuce_arrays_case_destroy(void *self)
{
    struct arrays_case *freed = self;

    if (freed == NULL)
        return;
    free(freed->ours.weights);
    free(freed->reference.weights);
    free(freed);
}

static nuce_status run(const struct side *side, struct nuce_error *error)
{
    struct nuce_array array = side->array;

    for (int i = 0; i < side->repetitions; i++) {
        struct nuce_decomposition made;

        array.weights = side->weights + (int64_t)i * array.parts;
        if (nuce_decomposition_compute(side->ops, &array, &made, error) != NUCE_OK)
            return error->status;
        nuce_decomposition_fini(&made);
    }
    return NUCE_OK;
}

nuce_status nuce_arrays_case_ours(void *self, struct nuce_error *error)
{
    const struct arrays_case *what = self;

    return run(&what->ours, error);
}

nuce_status nuce_arrays_case_reference(void *self, struct nuce_error *error)
{
    const struct arrays_case *what = self;

    return run(&what->reference, error);
}
