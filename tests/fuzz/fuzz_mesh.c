/* The mesh readers: whatever the bytes, a mesh as mesh.h promises, or a message that
 * names the place. The first byte picks the format. */
#include <string.h>

#include "base/error.h"
#include "fuzz.h"
#include "instances/mesh.h"

static int lists(const struct nuce_mesh *mesh, int64_t node, int64_t neighbor)
{
    for (int64_t k = mesh->start[node]; k < mesh->start[node + 1]; k++) {
        if (mesh->neighbor[k] == neighbor)
            return 1;
    }
    return 0;
}

static void check(const struct nuce_mesh *mesh)
{
    NUCE_ASSERT(mesh->nodes >= 1 && mesh->start[0] == 0);
    NUCE_ASSERT(mesh->start[mesh->nodes] == 2 * mesh->edges);
    NUCE_ASSERT((mesh->dimensions == 0) == (mesh->coordinates == NULL));
    for (int64_t i = 0; i < mesh->nodes; i++) {
        for (int64_t k = mesh->start[i]; k < mesh->start[i + 1]; k++) {
            int32_t neighbor = mesh->neighbor[k];

            NUCE_ASSERT(neighbor >= 0 && neighbor < mesh->nodes && neighbor != i);
            NUCE_ASSERT(k == mesh->start[i] || neighbor > mesh->neighbor[k - 1]);
            NUCE_ASSERT(lists(mesh, neighbor, i));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nuce_mesh mesh = {0};
    struct nuce_error error = {0};
    const struct nuce_mesh_format *format;
    size_t formats = 0;

    if (size == 0)
        return 0;
    while (nuce_mesh_formats[formats] != NULL)
        formats++;
    format = nuce_mesh_formats[data[0] % formats];
    for (int is_dual = 0; is_dual <= (format->parse_dual != NULL); is_dual++) {
        if ((is_dual ? format->parse_dual : format->parse)("fuzz", (const char *)data + 1, size - 1,
                                                           &mesh, &error) == NUCE_OK) {
            check(&mesh);
            nuce_mesh_fini(&mesh);
        } else {
            NUCE_ASSERT(error.status == NUCE_BAD_INPUT);
            NUCE_ASSERT(strncmp(nuce_error_flatten(&error), "fuzz:", strlen("fuzz:")) == 0);
        }
    }
    return 0;
}
