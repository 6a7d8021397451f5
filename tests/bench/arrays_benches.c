/* The benches of decompositions: arrays with random weights of ratio 8, as many of each, one after
 * the other, as take some milliseconds. */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "bench.h"
#include "instances/decomposition.h"

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

/* A bench: an algorithm on so many parts beside another. units: the growth that either is held
 * against; NULL: none. */
struct arrays {
    const char *algorithm;
    int parts;
    const char *other;
    int other_parts;
    double latency;
    double (*units)(int parts);
};

static void prepare_side(const char *algorithm, int parts, double latency, struct side *side)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);

    side->repetitions = parts < PARTS_A_TURN ? PARTS_A_TURN / parts : 1;
    side->array =
        (struct nuce_array){.rows = SIDE, .columns = SIDE, .parts = parts, .latency = latency};
    side->weights = nuce_allocate((int64_t)parts * side->repetitions, sizeof *side->weights);
    nuce_decomposition_draw_weights(&rng, 8, parts * side->repetitions, side->weights);
    MUST(nuce_decomposition_find(algorithm, &side->ops, &error));
}

static void arrays_create(const void *of, struct nuce_bench_case *out)
{
    const struct arrays *arrays = of;
    struct arrays_case *self = nuce_allocate(1, sizeof *self);

    prepare_side(arrays->algorithm, arrays->parts, arrays->latency, &self->ours);
    prepare_side(arrays->other, arrays->other_parts, arrays->latency, &self->reference);
    out->self = self;
    out->ours_units = self->ours.repetitions;
    out->reference_units = self->reference.repetitions;
    if (arrays->units != NULL) {
        out->ours_units *= arrays->units(arrays->parts);
        out->reference_units *= arrays->units(arrays->other_parts);
    }
}

static void arrays_destroy(void *self)
{
    struct arrays_case *freed = self;

    free(freed->ours.weights);
    free(freed->reference.weights);
    free(freed);
}

static void run_side(const struct side *side)
{
    struct nuce_array array = side->array;

    for (int i = 0; i < side->repetitions; i++) {
        struct nuce_decomposition made;

        array.weights = side->weights + (int64_t)i * array.parts;
        MUST(nuce_decomposition_compute(side->ops, &array, &made, &error));
        nuce_decomposition_fini(&made);
    }
}

static void arrays_ours(void *self)
{
    run_side(&((struct arrays_case *)self)->ours);
}

static void arrays_reference(void *self)
{
    run_side(&((struct arrays_case *)self)->reference);
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

/* Members of struct nuce_bench, from those of struct arrays. */
#define OF(...)                                                                                    \
    .of = &(const struct arrays){__VA_ARGS__}, .create = arrays_create, .run_ours = arrays_ours,   \
    .run_reference = arrays_reference, .destroy = arrays_destroy
#define BESIDE_RB2(algorithm, parts, latency, paper)                                               \
    OF(algorithm, parts, "rb2", parts, latency, NULL),                                             \
        .summary = "decomposition by " algorithm ", " #parts " parts, latency " #latency paper,    \
        .reference = "the decomposition by rb2"

const struct nuce_bench nuce_bench_arrays[] = {
    {.name = "arrays-xy2-20", BESIDE_RB2("xy2", 20, 0, " (the paper: 39 ms)"), .budget_s = 20e-6},
    {.name = "arrays-xy2-1000", BESIDE_RB2("xy2", 1000, 0, ""), .budget_s = 1e-3},
    {.name = "arrays-xy2-100000", BESIDE_RB2("xy2", 100000, 0, ""), .budget_s = 200e-3},
    {.name = "arrays-xy2-latency-20",
     BESIDE_RB2("xy2", 20, 100, " (the paper: 238 ms)"),
     .budget_s = 100e-6},
    {.name = "arrays-xy2-latency-1000", BESIDE_RB2("xy2", 1000, 100, ""), .budget_s = 50e-3},
    {.name = "arrays-xy2-latency-10000", BESIDE_RB2("xy2", 10000, 100, ""), .budget_s = 5},
    {.name = "arrays-tile-20",
     BESIDE_RB2("tile", 20, 100, " (the paper: 11.8 s)"),
     .budget_s = 2e-3},
    {.name = "arrays-xy2-growth",
     OF("xy2", 100000, "xy2", 1000, 0, with_logarithm),
     .summary = "decomposition by xy2, 100000 parts, latency 0, per p log p",
     .reference = "the same, 1000 parts: growth as p log p has ratio 1"},
    {.name = "arrays-xy2-latency-growth",
     OF("xy2", 10000, "xy2", 1000, 100, square),
     .summary = "decomposition by xy2, 10000 parts, latency 100, per p^2",
     .reference = "the same, 1000 parts: growth as p^2 has ratio 1"},
    {.name = "arrays-tile-growth",
     OF("tile", 25, "tile", 20, 100, linear),
     .summary = "decomposition by tile, 25 parts, latency 100, per p",
     .reference = "the same, 20 parts: growth as p has ratio 1"},
    {.name = NULL},
};
