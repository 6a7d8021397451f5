/* Partitions by every method of the registry. */
#include "../test.h"

#include "grid.h"
#include "instances/partition.h"

#define MOST_PARTS 64

static void count_sizes(const struct nuce_partition *partition, int64_t size[MOST_PARTS])
{
    memset(size, 0, MOST_PARTS * sizeof *size);
    for (int64_t i = 0; i < partition->nodes; i++) {
        assert_in_range(partition->part[i], 0, partition->parts - 1);
        size[partition->part[i]]++;
    }
}

/* No part is empty or much larger than the average, and the cut is the reported one. */
static void check_partition(const struct nuce_mesh *mesh, const struct nuce_partition *partition)
{
    int64_t size[MOST_PARTS];
    int64_t cut = 0, average = mesh->nodes / partition->parts;

    count_sizes(partition, size);
    for (int p = 0; p < partition->parts; p++)
        assert_in_range(size[p], 1, average + average / 4 + 3);
    for (int64_t i = 0; i < mesh->nodes; i++) {
        for (int64_t k = mesh->start[i]; k < mesh->start[i + 1]; k++)
            cut += partition->part[i] != partition->part[mesh->neighbor[k]];
    }
    assert_int_equal(partition->edge_cut, cut / 2);
}

static void test_all(void **state)
{
    static const int parts[] = {1, 2, 3, 4, 5, 7, 8, 13, 32, 60};
    OWNED(mesh) mesh = test_grid(12, 5);

    for (const struct nuce_partition_ops *const *ops = nuce_partitions; *ops != NULL; ops++) {
        assert_ptr_equal(nuce_partition_find((*ops)->name), *ops);
        for (size_t k = 0; k < COUNT(parts); k++) {
            OWNED(partition) first = {0}, second = {0};

            assert_ok(nuce_partition_create(*ops, &mesh, parts[k], 7, &first, ANY_ERROR));
            check_partition(&mesh, &first);
            assert_ok(nuce_partition_create(*ops, &mesh, parts[k], 7, &second, ANY_ERROR));
            assert_memory_equal(first.part, second.part, 60 * sizeof *first.part);
        }
    }
}

/* A method that leaves parts empty: create fills them. */
static nuce_status assign_zero(const struct nuce_mesh *mesh, int parts, int64_t seed, int *part,
                               struct nuce_error *error)
{
    memset(part, 0, (size_t)mesh->nodes * sizeof *part);
    return NUCE_OK;
}

static void test_empty_parts(void **state)
{
    const struct nuce_partition_ops lazy = {.name = "lazy", .assign = assign_zero};
    OWNED(mesh) mesh = test_grid(3, 3);

    for (int parts = 2; parts <= 9; parts++) {
        OWNED(partition) partition = {0};
        int64_t size[MOST_PARTS];

        assert_ok(nuce_partition_create(&lazy, &mesh, parts, 1, &partition, ANY_ERROR));
        count_sizes(&partition, size);
        assert_int_equal(size[0], 9 - (parts - 1));
        for (int p = 1; p < parts; p++)
            assert_int_equal(size[p], 1);
    }
}

/* A graph without a single edge, and one of many pieces. */
static void test_loose(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 0);

    for (int edges = 0; edges <= 20; edges += 10) {
        OWNED(mesh) mesh = test_random(50, edges, &rng);

        for (const struct nuce_partition_ops *const *ops = nuce_partitions; *ops != NULL; ops++) {
            OWNED(partition) partition = {0};

            assert_ok(nuce_partition_create(*ops, &mesh, 8, 1, &partition, ANY_ERROR));
            check_partition(&mesh, &partition);
        }
    }
}

/* 6 x 4 points, cut by hand. Four parts: x is longer, so columns 0-2 and 3-5; then y, rows 0-1 and
 * 2-3. Three: columns 0-1, then x and y are equally long and x goes first. Five, of 4 or 5 nodes:
 * columns 0-1 and node 2 (the tie in x goes by number) against the rest; then y; then x and y. */
static void test_rcb(void **state)
{
    static const int four[] = {0, 0, 0, 2, 2, 2, 0, 0, 0, 2, 2, 2,
                               1, 1, 1, 3, 3, 3, 1, 1, 1, 3, 3, 3};
    static const int three[] = {0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2,
                                0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2};
    static const int five[] = {0, 0, 0, 2, 3, 3, 0, 1, 2, 2, 3, 3,
                               1, 1, 2, 3, 4, 4, 1, 1, 2, 4, 4, 4};
    static const int *const expected[] = {three, four, five};
    OWNED(mesh) mesh = test_grid(6, 4);

    for (int k = 0; k < 3; k++) {
        OWNED(partition) partition = {0};

        assert_ok(nuce_partition_create(nuce_partition_find("rcb"), &mesh, k + 3, 0, &partition,
                                        ANY_ERROR));
        assert_memory_equal(partition.part, expected[k], sizeof four);
    }
}

/* All nodes in one place: the numbers alone decide, and sizes still differ by one at most. */
static void test_rcb_ties(void **state)
{
    struct nuce_rng rng = nuce_rng_create(5, 0);
    OWNED(mesh) mesh = test_random(101, 300, &rng);
    OWNED(partition) partition = {0};
    int64_t size[MOST_PARTS];

    memset(mesh.coordinates, 0, (size_t)mesh.nodes * 3 * sizeof *mesh.coordinates);
    assert_ok(
        nuce_partition_create(nuce_partition_find("rcb"), &mesh, 7, 0, &partition, ANY_ERROR));
    count_sizes(&partition, size);
    for (int p = 0; p < 7; p++)
        assert_in_range(size[p], 14, 15);
    for (int i = 1; i < 101; i++)
        assert_true(partition.part[i] >= partition.part[i - 1]);
}

static void test_refused(void **state)
{
    OWNED(mesh) mesh = test_grid(3, 2);
    struct nuce_partition partition = {0};
    struct nuce_error error;

    for (const struct nuce_partition_ops *const *ops = nuce_partitions; *ops != NULL; ops++) {
        assert_int_equal(nuce_partition_create(*ops, &mesh, 7, 0, &partition, &error),
                         NUCE_BAD_INPUT);
        assert_says(&error, "7 parts of a mesh with 6 nodes");
        assert_int_equal(nuce_partition_create(*ops, &mesh, 0, 0, &partition, &error),
                         NUCE_BAD_INPUT);
    }
    free(mesh.coordinates);
    mesh.coordinates = NULL;
    mesh.dimensions = 0;
    assert_int_equal(
        nuce_partition_create(nuce_partition_find("rcb"), &mesh, 2, 0, &partition, &error),
        NUCE_BAD_INPUT);
    assert_says(&error, "needs coordinates");
    assert_null(partition.part);
    assert_null(nuce_partition_find("none"));
}

/* Submeshes and the pattern of a partition against a search of all pairs of nodes. */

#define PARTS 5

static int linked(const struct nuce_mesh *mesh, int64_t a, int64_t b)
{
    for (int64_t k = mesh->start[a]; k < mesh->start[a + 1]; k++) {
        if (mesh->neighbor[k] == b)
            return 1;
    }
    return 0;
}

/* Nonzero if node a has a neighbour in part. */
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

/* The nodes that `from` sends to `to` are, one by one, those that `to` keeps as ghosts from `from`.
 */
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
    OWNED(partition) partition = {0};
    struct nuce_submesh submesh[PARTS] = {0};
    OWNED(pattern) pattern = {0};
    int64_t interior = 0, edges = 0;

    assert_ok(nuce_partition_create(ops, mesh, PARTS, 1, &partition, ANY_ERROR));
    assert_ok(nuce_partition_pattern(mesh, &partition, &pattern, ANY_ERROR));
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
}

static void test_grids(void **state)
{
    OWNED(mesh) mesh = test_grid(7, 6);

    for (const struct nuce_partition_ops *const *ops = nuce_partitions; *ops != NULL; ops++)
        check_mesh(&mesh, *ops);
}

static void test_random_graphs(void **state)
{
    for (unsigned seed = 0; seed < 12; seed++) {
        struct nuce_rng rng = nuce_rng_create(seed, 0);
        int nodes = 5 + (int)nuce_rng_below(&rng, 40);
        OWNED(mesh) mesh = test_random(nodes, (int)seed * 10, &rng);

        for (const struct nuce_partition_ops *const *ops = nuce_partitions; *ops != NULL; ops++)
            check_mesh(&mesh, *ops);
    }
}

RUN(test_all, test_empty_parts, test_loose, test_rcb, test_rcb_ties, test_refused, test_grids,
    test_random_graphs)
