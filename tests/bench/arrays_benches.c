/* The benches of decompositions: arrays with random weights of ratio 8, as many of each, one after
 * the other, as take some milliseconds. */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "bench.h"
#include "instances/decomposition.h"

static void arrays_destroy(void *self);

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

static nuce_status prepare_side(const char *algorithm, int parts, double latency, struct side *side,
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

/* units: what the growth of either is held against; NULL: of nothing. */
static nuce_status arrays_create(const char *algorithm, int parts, const char *other,
                                 int other_parts, double latency, double (*units)(int parts),
                                 struct nuce_bench_case *out, struct nuce_error *error)
{
    struct arrays_case *self = nuce_allocate(1, sizeof *self);

    if (prepare_side(algorithm, parts, latency, &self->ours, error) != NUCE_OK ||
        prepare_side(other, other_parts, latency, &self->reference, error) != NUCE_OK) {
        arrays_destroy(self);
        return error->status;
    }
    out->self = self;
    out->ours_units = self->ours.repetitions * (units != NULL ? units(parts) : 1);
    out->reference_units = self->reference.repetitions * (units != NULL ? units(other_parts) : 1);
    return NUCE_OK;
}

static void arrays_destroy(void *self)
{
    struct arrays_case *freed = self;

    if (freed == NULL)
        return;
    free(freed->ours.weights);
    free(freed->reference.weights);
    free(freed);
}

static nuce_status run_side(const struct side *side, struct nuce_error *error)
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

static nuce_status arrays_ours(void *self, struct nuce_error *error)
{
    const struct arrays_case *what = self;

    return run_side(&what->ours, error);
}

static nuce_status arrays_reference(void *self, struct nuce_error *error)
{
    const struct arrays_case *what = self;

    return run_side(&what->reference, error);
}

static double linear(int parts)
{
    return parts;
}

static double with_logarithm(int parts)
{
    return parts * log2(parts);
}

static double square(int parts)
{
    return (double)parts * parts;
}

/* name of the struct, algorithm, parts, the reference's algorithm and parts, latency, growth,
 * members of struct nuce_bench */
#define ROW(id, algorithm, parts, other, other_parts, latency, units, ...)                         \
    static nuce_status create_##id(struct nuce_bench_case *out, struct nuce_error *error)          \
    {                                                                                              \
        return arrays_create(algorithm, parts, other, other_parts, latency, units, out, error);    \
    }                                                                                              \
    const struct nuce_bench nuce_bench_##id = {.create = create_##id,                              \
                                               .run_ours = arrays_ours,                            \
                                               .run_reference = arrays_reference,                  \
                                               .destroy = arrays_destroy,                          \
                                               __VA_ARGS__};

ROW(arrays_xy2_20, "xy2", 20, "rb2", 20, 0, NULL, .name = "arrays-xy2-20",
    .summary = "decomposition by xy2, 20 parts, latency 0 (the paper: 39 ms)",
    .reference = "the decomposition by rb2", .budget_s = 20e-6)
ROW(arrays_xy2_1000, "xy2", 1000, "rb2", 1000, 0, NULL, .name = "arrays-xy2-1000",
    .summary = "decomposition by xy2, 1000 parts, latency 0",
    .reference = "the decomposition by rb2", .budget_s = 1e-3)
ROW(arrays_xy2_100000, "xy2", 100000, "rb2", 100000, 0, NULL, .name = "arrays-xy2-100000",
    .summary = "decomposition by xy2, 100000 parts, latency 0",
    .reference = "the decomposition by rb2", .budget_s = 200e-3)
ROW(arrays_xy2_latency_20, "xy2", 20, "rb2", 20, 100, NULL, .name = "arrays-xy2-latency-20",
    .summary = "decomposition by xy2, 20 parts, latency 100 (the paper: 238 ms)",
    .reference = "the decomposition by rb2", .budget_s = 100e-6)
ROW(arrays_xy2_latency_1000, "xy2", 1000, "rb2", 1000, 100, NULL, .name = "arrays-xy2-latency-1000",
    .summary = "decomposition by xy2, 1000 parts, latency 100",
    .reference = "the decomposition by rb2", .budget_s = 50e-3)
ROW(arrays_xy2_latency_10000, "xy2", 10000, "rb2", 10000, 100, NULL,
    .name = "arrays-xy2-latency-10000", .summary = "decomposition by xy2, 10000 parts, latency 100",
    .reference = "the decomposition by rb2", .budget_s = 5)
ROW(arrays_tile_20, "tile", 20, "rb2", 20, 100, NULL, .name = "arrays-tile-20",
    .summary = "decomposition by tile, 20 parts, latency 100 (the paper: 11.8 s)",
    .reference = "the decomposition by rb2", .budget_s = 2e-3)
ROW(arrays_xy2_growth, "xy2", 100000, "xy2", 1000, 0, with_logarithm, .name = "arrays-xy2-growth",
    .summary = "decomposition by xy2, 100000 parts, latency 0, per p log p",
    .reference = "the same, 1000 parts: growth as p log p has ratio 1")
ROW(arrays_xy2_latency_growth, "xy2", 10000, "xy2", 1000, 100, square,
    .name = "arrays-xy2-latency-growth",
    .summary = "decomposition by xy2, 10000 parts, latency 100, per p^2",
    .reference = "the same, 1000 parts: growth as p^2 has ratio 1")
ROW(arrays_tile_growth, "tile", 25, "tile", 20, 100, linear, .name = "arrays-tile-growth",
    .summary = "decomposition by tile, 25 parts, latency 100, per p",
    .reference = "the same, 20 parts: growth as p has ratio 1")
