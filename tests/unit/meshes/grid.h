/* Meshes for the tests of partitions and submeshes. */
#ifndef NUCE_TEST_GRID_H
#define NUCE_TEST_GRID_H

#include <stdlib.h>

#include "base/rng.h"
#include "instances/mesh.h"

/* columns x rows points, each linked to those left, right, above and below; node number = row *
 * columns + column, coordinates (column, row). Empty when out of memory. */
static inline struct nuce_mesh test_grid(int columns, int rows)
{
    struct nuce_mesh mesh = {0};
    struct nuce_edge_list list = {0};

    for (int i = 0; i < columns * rows; i++) {
        if (i % columns + 1 < columns)
            nuce_edge_list_add(&list, i, i + 1);
        if (i / columns + 1 < rows)
            nuce_edge_list_add(&list, i, i + columns);
    }
    nuce_mesh_from_edges((int64_t)columns * rows, &list, &mesh);
    nuce_edge_list_fini(&list);
    mesh.dimensions = 2;
    mesh.coordinates = calloc((size_t)(columns * rows), 2 * sizeof *mesh.coordinates);
    for (int i = 0; mesh.coordinates != NULL && i < columns * rows; i++) {
        mesh.coordinates[2 * i] = i % columns;
        mesh.coordinates[2 * i + 1] = i / columns;
    }
    return mesh;
}

/* edges random edges (some may coincide) among nodes nodes at random places in a cube. */
static inline struct nuce_mesh test_random(int nodes, int edges, struct nuce_rng *rng)
{
    struct nuce_mesh mesh = {0};
    struct nuce_edge_list list = {0};

    for (int k = 0; k < edges; k++) {
        int a = (int)nuce_rng_below(rng, (uint64_t)nodes);
        int b = (int)nuce_rng_below(rng, (uint64_t)nodes);

        nuce_edge_list_add(&list, a, b);
    }
    nuce_mesh_from_edges(nodes, &list, &mesh);
    nuce_edge_list_fini(&list);
    mesh.dimensions = 3;
    mesh.coordinates = calloc((size_t)nodes, 3 * sizeof *mesh.coordinates);
    for (int i = 0; mesh.coordinates != NULL && i < 3 * nodes; i++)
        mesh.coordinates[i] = nuce_rng_uniform(rng);
    return mesh;
}

#endif
