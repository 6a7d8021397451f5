/* Partitions by every method of the registry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

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

/* No part is empty or much larger than the average, and the cut is what it says. */
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
    struct nuce_mesh mesh = test_grid(12, 5);

    (void)state;
    for (const struct nuce_partition_ops *const *ops = nuce_partitions; *ops != NULL; ops++) {
        assert_ptr_equal(nuce_partition_find((*ops)->name), *ops);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            struct nuce_partition first = {0}, second = {0};
            struct nuce_error error;

            assert_int_equal(nuce_partition_create(*ops, &mesh, parts[k], 7, &first, &error), 0);
            check_partition(&mesh, &first);
            assert_int_equal(nuce_partition_create(*ops, &mesh, parts[k], 7, &second, &error), 0);
            assert_memory_equal(first.part, second.part, 60 * sizeof *first.part);
            nuce_partition_fini(&first);
            nuce_partition_fini(&second);
        }
    }
    nuce_mesh_fini(&mesh);
}

/* A method that leaves parts empty: create fills them. */
static nuce_status assign_zero(const struct nuce_mesh *mesh, int parts, int64_t seed, int *part,
                               struct nuce_error *error)
{
    (void)parts;
    (void)seed;
    (void)error;
    memset(part, 0, (size_t)mesh->nodes * sizeof *part);
    return NUCE_OK;
}

static void test_empty_parts(void **state)
{
    const struct nuce_partition_ops lazy = {.name = "lazy", .assign = assign_zero};
    struct nuce_mesh mesh = test_grid(3, 3);

    (void)state;
    for (int parts = 2; parts <= 9; parts++) {
        struct nuce_partition partition = {0};
        struct nuce_error error;
        int64_t size[MOST_PARTS];

        assert_int_equal(nuce_partition_create(&lazy, &mesh, parts, 1, &partition, &error), 0);
        count_sizes(&partition, size);
        assert_int_equal(size[0], 9 - (parts - 1));
        for (int p = 1; p < parts; p++)
            assert_int_equal(size[p], 1);
        nuce_partition_fini(&partition);
    }
    nuce_mesh_fini(&mesh);
}

/* A graph without a single edge, and one of many pieces. */
static void test_loose(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 0);

    (void)state;
    for (int edges = 0; edges <= 20; edges += 10) {
        struct nuce_mesh mesh = test_random(50, edges, &rng);

        for (const struct nuce_partition_ops *const *ops = nuce_partitions; *ops != NULL; ops++) {
            struct nuce_partition partition = {0};
            struct nuce_error error;

            assert_int_equal(nuce_partition_create(*ops, &mesh, 8, 1, &partition, &error), 0);
            check_partition(&mesh, &partition);
            nuce_partition_fini(&partition);
        }
        nuce_mesh_fini(&mesh);
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
    struct nuce_mesh mesh = test_grid(6, 4);

    (void)state;
    for (int k = 0; k < 3; k++) {
        struct nuce_partition partition = {0};
        struct nuce_error error;

        assert_int_equal(
            nuce_partition_create(nuce_partition_find("rcb"), &mesh, k + 3, 0, &partition, &error),
            0);
        assert_memory_equal(partition.part, expected[k], sizeof four);
        nuce_partition_fini(&partition);
    }
    nuce_mesh_fini(&mesh);
}

/* All nodes in one place: the numbers alone decide, and sizes still differ by one at most. */
static void test_rcb_ties(void **state)
{
    struct nuce_rng rng = nuce_rng_create(5, 0);
    struct nuce_mesh mesh = test_random(101, 300, &rng);
    struct nuce_partition partition = {0};
    struct nuce_error error;
    int64_t size[MOST_PARTS];

    (void)state;
    memset(mesh.coordinates, 0, (size_t)mesh.nodes * 3 * sizeof *mesh.coordinates);
    assert_int_equal(
        nuce_partition_create(nuce_partition_find("rcb"), &mesh, 7, 0, &partition, &error), 0);
    count_sizes(&partition, size);
    for (int p = 0; p < 7; p++)
        assert_in_range(size[p], 14, 15);
    for (int i = 1; i < 101; i++)
        assert_true(partition.part[i] >= partition.part[i - 1]);
    nuce_partition_fini(&partition);
    nuce_mesh_fini(&mesh);
}

static void test_refused(void **state)
{
    struct nuce_mesh mesh = test_grid(3, 2);
    struct nuce_partition partition = {0};
    struct nuce_error error;

    (void)state;
    for (const struct nuce_partition_ops *const *ops = nuce_partitions; *ops != NULL; ops++) {
        assert_int_equal(nuce_partition_create(*ops, &mesh, 7, 0, &partition, &error),
                         NUCE_BAD_INPUT);
        assert_non_null(strstr(error.message, "7 parts of a mesh with 6 nodes"));
        assert_int_equal(nuce_partition_create(*ops, &mesh, 0, 0, &partition, &error),
                         NUCE_BAD_INPUT);
    }
    free(mesh.coordinates);
    mesh.coordinates = NULL;
    mesh.dimensions = 0;
    assert_int_equal(
        nuce_partition_create(nuce_partition_find("rcb"), &mesh, 2, 0, &partition, &error),
        NUCE_BAD_INPUT);
    assert_non_null(strstr(error.message, "needs coordinates"));
    assert_null(partition.part);
    assert_null(nuce_partition_find("none"));
    nuce_mesh_fini(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),      cmocka_unit_test(test_empty_parts),
        cmocka_unit_test(test_loose),    cmocka_unit_test(test_rcb),
        cmocka_unit_test(test_rcb_ties), cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
