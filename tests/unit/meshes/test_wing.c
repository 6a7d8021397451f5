/* The shipped meshes at 32 parts beside the paper's test set 3: prints the table of
 * configs/meshes/README.md, and the README must hold the rows that do not depend on the version of
 * METIS. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>

#include "instances/partition.h"

#define PARTS 32

/* Ranka, Wang and Kumar, 7.2, test set 3: messages per rank and their lengths in nodes. */
struct expected {
    const char *name;
    int64_t nodes; /* 1 % more or less */
    const char *paper;
};

static const struct expected meshes[] = {
    {"wing-2800", 2800, "3 | 9.25 | 15 | 1 | 14.20 | 36"},
    {"wing-53961", 53961, "6 | 10.81 | 18 | 1 | 93.21 | 276"},
};

static void print_row(const struct nuce_mesh *mesh, const struct nuce_partition_ops *ops,
                      const char *name, char *row, size_t size)
{
    OWNED(partition) partition = {0};
    OWNED(pattern) pattern = {0};
    struct nuce_pattern_summary summary;
    struct nuce_error error;
    int64_t least = INT64_MAX, most = 0, smallest = INT64_MAX;

    if (nuce_partition_create(ops, mesh, PARTS, 1, &partition, &error) != NUCE_OK ||
        nuce_partition_pattern(mesh, &partition, &pattern, &error) != NUCE_OK)
        fail_msg("%s: %s", name, error.message);
    nuce_pattern_summarise(&pattern, &summary);
    for (int i = 0; i < PARTS; i++) {
        int64_t sent = pattern.row[i + 1] - pattern.row[i];

        least = sent < least ? sent : least;
        most = sent > most ? sent : most;
    }
    for (int64_t k = 0; k < pattern.messages; k++)
        smallest = pattern.bytes[k] < smallest ? pattern.bytes[k] : smallest;
    snprintf(row, size, "| %s, %s | %lld | %.2f | %lld | %lld | %.2f | %lld |", name, ops->name,
             (long long)least, (double)summary.messages / PARTS, (long long)most,
             (long long)smallest, (double)summary.bytes / (double)summary.messages,
             (long long)summary.largest);
    printf("%s\n", row);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 65536);

    if (file == NULL || text == NULL)
        fail_msg("%s cannot be read", path);
    else {
        fread(text, 1, 65535, file);
        fclose(file);
    }
    return text;
}

static void read_shipped(const struct expected *expected, enum nuce_mesh_graph graph,
                         struct nuce_mesh *mesh)
{
    struct nuce_error error;
    char *path = NULL;
    int shipped;

    if (nuce_mesh_locate(expected->name, &path, &shipped, &error) != NUCE_OK ||
        nuce_mesh_read(path, graph, mesh, &error) != NUCE_OK)
        fail_msg("%s: %s", expected->name, error.message);
    free(path);
    assert_int_equal(mesh->dimensions, 3);
}

static void test_statistics(void **state)
{
    char *readme = read_text(NUCE_MESHES_README);

    for (size_t k = 0; k < COUNT(meshes); k++) {
        OWNED(mesh) mesh = {0};
        char row[256];

        read_shipped(&meshes[k], NUCE_MESH_NODAL, &mesh);
        assert_in_range(mesh.nodes, meshes[k].nodes - meshes[k].nodes / 100,
                        meshes[k].nodes + meshes[k].nodes / 100);
        snprintf(row, sizeof row, "| %lld points, the paper | %s |", (long long)meshes[k].nodes,
                 meshes[k].paper);
        printf("%s\n", row);
        if (strstr(readme, row) == NULL)
            fail_msg("%s does not hold: %s", NUCE_MESHES_README, row);
        for (const struct nuce_partition_ops *const *ops = nuce_partitions; *ops != NULL; ops++) {
            print_row(&mesh, *ops, meshes[k].name, row, sizeof row);
            if (strcmp((*ops)->name, "rcb") == 0)
                if (strstr(readme, row) == NULL)
                    fail_msg("%s does not hold: %s", NUCE_MESHES_README, row);
        }
    }
    free(readme);
}

/* As many edges as the graph of m2gmetis 5.1.0 -gtype=dual -ncommon=3 has of the tetrahedra. */
static void test_dual(void **state)
{
    static const int64_t sizes[][2] = {{14795, 28829}, {313562, 619846}};

    for (size_t k = 0; k < COUNT(meshes); k++) {
        OWNED(mesh) mesh = {0};

        read_shipped(&meshes[k], NUCE_MESH_DUAL, &mesh);
        assert_int_equal(mesh.nodes, sizes[k][0]);
        assert_int_equal(mesh.edges, sizes[k][1]);
    }
}

RUN(test_statistics, test_dual)
