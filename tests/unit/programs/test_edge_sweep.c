/* The sweep over edges on the parts of a mesh, all in one process: every node gets the same value
 * in whatever partition, and in the whole mesh. */
#include "../meshes/grid.h"
#include "../run/deliver.h"
#include "programs/edge_sweep.h"

#define PARTS_MOST 7
#define NODES_MOST 200

/* A mesh cut at random, each part with the payload of its neighbours. */
struct whole {
    int parts;
    int owner[NODES_MOST];
    struct nuce_pattern pattern;
    struct nuce_submesh submesh[PARTS_MOST];
    struct nuce_edge_sweep sweep[PARTS_MOST];
    struct nuce_payload payload[PARTS_MOST];
};

static void whole_init(struct whole *whole, const struct nuce_mesh *mesh, int parts, int64_t unit,
                       struct nuce_rng *rng)
{
    struct nuce_partition partition = {.parts = parts, .nodes = mesh->nodes, .part = whole->owner};

    whole->parts = parts;
    for (int64_t i = 0; i < mesh->nodes; i++)
        whole->owner[i] = (int)(i < parts ? i : (int64_t)nuce_rng_below(rng, (uint64_t)parts));
    assert_ok(nuce_partition_pattern(mesh, &partition, &whole->pattern, ANY_ERROR));
    assert_ok(nuce_pattern_scale(&whole->pattern, unit, ANY_ERROR));
    for (int part = 0; part < parts; part++) {
        nuce_submesh_create(mesh, &partition, part, &whole->submesh[part]);
        nuce_edge_sweep_init(&whole->submesh[part], unit, &whole->sweep[part]);
        assert_ok(
            nuce_payload_init(&whole->pattern, part, NULL, NULL, &whole->payload[part], ANY_ERROR));
    }
}

static void whole_fini(struct whole *whole)
{
    for (int part = 0; part < whole->parts; part++) {
        nuce_payload_fini(&whole->payload[part]);
        nuce_edge_sweep_fini(&whole->sweep[part]);
        nuce_submesh_fini(&whole->submesh[part]);
    }
    nuce_pattern_fini(&whole->pattern);
}

/* One step; the interior in two pieces, as it is where the exchange runs meanwhile. */
static void step(struct whole *whole, uint64_t salt)
{
    for (int part = 0; part < whole->parts; part++) {
        nuce_edge_sweep_set(&whole->sweep[part], salt);
        nuce_edge_sweep_clear(&whole->sweep[part]);
    }
    for (int part = 0; part < whole->parts; part++)
        nuce_edge_sweep_pack(&whole->sweep[part], &whole->payload[part]);
    deliver(whole->payload, whole->parts, 0);
    for (int part = 0; part < whole->parts; part++) {
        int64_t middle = whole->submesh[part].interior / 3;

        nuce_edge_sweep_unpack(&whole->sweep[part], &whole->payload[part]);
        nuce_edge_sweep_interior(&whole->sweep[part], 0, middle);
        nuce_edge_sweep_interior(&whole->sweep[part], middle, whole->submesh[part].interior);
        nuce_edge_sweep_boundary(&whole->sweep[part]);
    }
}

/* y of every node, by global number, and the sum of all. */
static double collect(const struct whole *whole, double *y)
{
    double sum = 0;

    for (int part = 0; part < whole->parts; part++) {
        for (int64_t node = 0; node < whole->submesh[part].owned; node++) {
            y[whole->submesh[part].global[node]] = whole->sweep[part].y[node];
            sum += whole->sweep[part].y[node];
        }
    }
    return sum;
}

/* Flow out of a node is flow into another: the sum of all is 0, and to the last bit the same for
 * one part and for many, since all numbers are whole. */
static void test_parts_agree(void **state)
{
    struct nuce_rng rng = nuce_rng_create(21, 0);
    struct whole one, many;
    double alone[NODES_MOST], cut[NODES_MOST];

    for (uint64_t draw = 0; draw < 30; draw++) {
        struct nuce_mesh mesh = draw % 2 == 0 ? test_grid(9, 11) : test_random(120, 500, &rng);
        int64_t unit = 8 * (1 + (int64_t)nuce_rng_below(&rng, 5));
        int moved = 0;

        whole_init(&one, &mesh, 1, unit, &rng);
        whole_init(&many, &mesh, 2 + (int)nuce_rng_below(&rng, PARTS_MOST - 1), unit, &rng);
        step(&one, draw);
        step(&many, draw);
        assert_true(fabs(collect(&one, alone)) <= 0);
        assert_true(fabs(collect(&many, cut)) <= 0);
        for (int64_t i = 0; i < mesh.nodes; i++) {
            assert_near(alone[i], cut[i], 0);
            moved += fabs(alone[i]) > 0;
        }
        assert_true(moved > mesh.nodes / 2);
        for (int part = 0; part < many.parts; part++)
            assert_ok(nuce_edge_sweep_check(&many.sweep[part], draw, ANY_ERROR));
        whole_fini(&one);
        whole_fini(&many);
        nuce_mesh_fini(&mesh);
    }
}

/* The first part that has a ghost, swept well. */
static int swept(struct whole *whole, const struct nuce_mesh *mesh, struct nuce_rng *rng)
{
    int part = 0;

    whole_init(whole, mesh, 4, 24, rng);
    step(whole, 3);
    while (whole->submesh[part].ghosts == 0)
        part++;
    return part;
}

/* Any byte of a ghost's state, any sum, a missing edge, values of another salt. */
static void test_wrong(void **state)
{
    struct nuce_rng rng = nuce_rng_create(21, 1);
    OWNED(mesh) mesh = test_grid(6, 7);
    struct whole whole;
    struct nuce_error error;
    int part = swept(&whole, &mesh, &rng);
    struct nuce_edge_sweep *sweep = &whole.sweep[part];
    const struct nuce_submesh *submesh = &whole.submesh[part];
    char says[64];

    assert_ok(nuce_edge_sweep_check(sweep, 3, &error));
    assert_int_equal(nuce_edge_sweep_check(sweep, 4, &error), NUCE_CORRUPT);
    for (int64_t byte = 0; byte < 24; byte++) {
        unsigned char *at = sweep->state + submesh->owned * 24 + byte;

        *at ^= 1;
        assert_int_equal(nuce_edge_sweep_check(sweep, 3, &error), NUCE_CORRUPT);
        snprintf(says, sizeof says, "the state of ghost node %lld is not its owner's",
                 (long long)submesh->global[submesh->owned]);
        assert_string_equal(error.message, says);
        *at ^= 1;
    }
    sweep->y[submesh->owned - 1] += 1;
    assert_int_equal(nuce_edge_sweep_check(sweep, 3, &error), NUCE_CORRUPT);
    snprintf(says, sizeof says, "the flux sum of node %lld is",
             (long long)submesh->global[submesh->owned - 1]);
    assert_memory_equal(error.message, says, strlen(says));
    sweep->y[submesh->owned - 1] -= 1;
    assert_ok(nuce_edge_sweep_check(sweep, 3, &error));
    whole_fini(&whole);
}

/* State that has not been exchanged is wrong in every ghost, and so is an edge that is swept twice.
 */
static void test_forgotten(void **state)
{
    struct nuce_rng rng = nuce_rng_create(21, 2);
    OWNED(mesh) mesh = test_random(60, 300, &rng);
    struct whole whole;
    struct nuce_error error;
    int part = swept(&whole, &mesh, &rng);

    nuce_edge_sweep_boundary(&whole.sweep[part]);
    assert_int_equal(nuce_edge_sweep_check(&whole.sweep[part], 3, &error), NUCE_CORRUPT);
    nuce_edge_sweep_set(&whole.sweep[part], 3);
    assert_int_equal(nuce_edge_sweep_check(&whole.sweep[part], 3, &error), NUCE_CORRUPT);
    assert_says(&error, "the state of ghost node");
    whole_fini(&whole);
}

RUN(test_parts_agree, test_wrong, test_forgotten)
