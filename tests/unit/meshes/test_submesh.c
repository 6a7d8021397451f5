/* Submeshes and the pattern of a partition against what a look at every pair of nodes gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grid.h"
#include "instances/partition.h"

#define PARTS 5

static int linked(const struct nuce_mesh *mesh, int64_t a, int64_t b)
{
    for (int64_t k = mesh->start[a]; k < mesh->start[a + 1]; k++) {
        if (mesh->neighbor[k] == b)
            return 1;
    }
    return 0;
}

/* Whether node a has a neighbour in part. */
static int touches(const struct nuce_mesh *mesh, const int *owner, int64_t a, int part)
{
    for (int64_t b = 0; b < mesh->nodes; b++) {
        if (owner[b] == part && linked(mesh, a, b))
            return 1;
    }
    return 0;
}

/* Local numbers: the owned nodes, then the ghosts by owner and number; nothing else. */
static void check_nodes(const struct nuce_mesh *mesh, const int *owner, int part,
                        const struct nuce_submesh *submesh)
{
    int64_t next = 0;

    for (int64_t i = 0; i < mesh->nodes; i++) {
        if (owner[i] == part)
            assert_int_equal(submesh->global[next++], i);
    }
    assert_int_equal(submesh->owned, next);
    for (int p = 0; p < PARTS; p++) {
        for (int64_t i = 0; i < mesh->nodes; i++) {
            if (owner[i] == p && p != part && touches(mesh, owner, i, part))
                assert_int_equal(submesh->global[next++], i);
        }
    }
    assert_int_equal(submesh->owned + submesh->ghosts, next);
}

/* Every edge that touches the part is there once, as the header says. */
static void check_edges(const struct nuce_mesh *mesh, const int *owner, int part,
                        const struct nuce_submesh *submesh)
{
    int64_t interior = 0, boundary = 0;
    unsigned char *seen = calloc((size_t)(mesh->nodes * mesh->nodes), 1);

    for (int64_t i = 0; i < mesh->nodes; i++) {
        for (int64_t j = i + 1; j < mesh->nodes; j++) {
            if (linked(mesh, i, j)) {
                interior += owner[i] == part && owner[j] == part;
                boundary += (owner[i] == part) != (owner[j] == part);
            }
        }
    }
    assert_int_equal(submesh->interior, interior);
    assert_int_equal(submesh->edges, interior + boundary);
    for (int64_t k = 0; k < submesh->edges; k++) {
        int32_t a = submesh->edge[k][0], b = submesh->edge[k][1];
        int64_t i = submesh->global[a], j = submesh->global[b];

        assert_true(a < b && a < submesh->owned);
        assert_int_equal(b < submesh->owned, k < interior);
        assert_true(linked(mesh, i, j));
        assert_int_equal(seen[i * mesh->nodes + j]++, 0);
    }
    free(seen);
}

/* What `from` sends to `to` is, node for node, what `to` keeps as ghosts from `from`. */
static void check_message(const struct nuce_submesh *from, int source,
                          const struct nuce_submesh *to, int destination, int64_t units)
{
    int s = 0, d = 0;

    while (s < from->neighbors && from->neighbor[s] != destination)
        s++;
    while (d < to->neighbors && to->neighbor[d] != source)
        d++;
    if (units == 0) {
        assert_int_equal(s, from->neighbors);
        assert_int_equal(d, to->neighbors);
        return;
    }
    assert_true(s < from->neighbors && d < to->neighbors);
    assert_int_equal(from->send_start[s + 1] - from->send_start[s], units);
    assert_int_equal(to->ghost_start[d + 1] - to->ghost_start[d], units);
    for (int64_t k = 0; k < units; k++) {
        int32_t sent = from->send_node[from->send_start[s] + k];

        assert_in_range(sent, 0, from->owned - 1);
        assert_int_equal(from->global[sent], to->global[to->owned + to->ghost_start[d] + k]);
    }
}

static int64_t units_of(const struct nuce_pattern *pattern, int source, int destination)
{
    for (int64_t k = pattern->row[source]; k < pattern->row[source + 1]; k++) {
        if (pattern->destination[k] == destination)
            return pattern->bytes[k];
    }
    return 0;
}

static int64_t count_units(const struct nuce_mesh *mesh, const int *owner, int source,
                           int destination)
{
    int64_t units = 0;

    for (int64_t i = 0; i < mesh->nodes; i++)
        units +=
            source != destination && owner[i] == source && touches(mesh, owner, i, destination);
    return units;
}

static void check_mesh(const struct nuce_mesh *mesh, const struct nuce_partition_ops *ops)
{
    struct nuce_partition partition = {0};
    struct nuce_submesh submesh[PARTS] = {0};
    struct nuce_pattern pattern = {0};
    struct nuce_error error;
    int64_t interior = 0, edges = 0;

    assert_int_equal(nuce_partition_create(ops, mesh, PARTS, 1, &partition, &error), 0);
    assert_int_equal(nuce_partition_pattern(mesh, &partition, &pattern, &error), 0);
    for (int p = 0; p < PARTS; p++) {
        nuce_submesh_create(mesh, &partition, p, &submesh[p]);
        check_nodes(mesh, partition.part, p, &submesh[p]);
        check_edges(mesh, partition.part, p, &submesh[p]);
        interior += submesh[p].interior;
        edges += submesh[p].edges;
    }
    assert_int_equal(interior, mesh->edges - partition.edge_cut);
    assert_int_equal(edges, mesh->edges + partition.edge_cut);
    for (int p = 0; p < PARTS * PARTS; p++) {
        int source = p / PARTS, destination = p % PARTS;
        int64_t units = units_of(&pattern, source, destination);

        assert_int_equal(units, count_units(mesh, partition.part, source, destination));
        if (source != destination)
            check_message(&submesh[source], source, &submesh[destination], destination, units);
    }
    for (int p = 0; p < PARTS; p++)
        nuce_submesh_fini(&submesh[p]);
    nuce_pattern_fini(&pattern);
    nuce_partition_fini(&partition);
}

static void test_grids(void **state)
{
    struct nuce_mesh mesh = test_grid(7, 6);

    (void)state;
    for (const struct nuce_partition_ops *const *ops = nuce_partitions; *ops != NULL; ops++)
        check_mesh(&mesh, *ops);
    nuce_mesh_fini(&mesh);
}

static void test_random_graphs(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 12; seed++) {
        struct nuce_rng rng = nuce_rng_create(seed, 0);
        int nodes = 5 + (int)nuce_rng_below(&rng, 40);
        struct nuce_mesh mesh = test_random(nodes, (int)seed * 10, &rng);

        for (const struct nuce_partition_ops *const *ops = nuce_partitions; *ops != NULL; ops++)
            check_mesh(&mesh, *ops);
        nuce_mesh_fini(&mesh);
    }
}

/* One part: everything is interior and nobody is a neighbour. */
static void test_alone(void **state)
{
    struct nuce_mesh mesh = test_grid(4, 4);
    struct nuce_partition partition = {0};
    struct nuce_submesh submesh = {0};
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_partition_create(nuce_partitions[0], &mesh, 1, 1, &partition, &error), 0);
    nuce_submesh_create(&mesh, &partition, 0, &submesh);
    assert_int_equal(submesh.owned, 16);
    assert_int_equal(submesh.ghosts, 0);
    assert_int_equal(submesh.interior, 24);
    assert_int_equal(submesh.neighbors, 0);
    nuce_submesh_fini(&submesh);
    nuce_partition_fini(&partition);
    nuce_mesh_fini(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grids),
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
