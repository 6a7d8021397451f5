/* METIS's k-way partitioning behind nuce's own types. Parts need not be connected (CONTIG 0). All
 * weights are 1, so parts get about equal numbers of nodes, within METIS's default imbalance.
 * Limits: METIS's integers (IDX_MAX) for nodes and neighbours.
 * Cost: METIS's, O(nodes + edges) for a few levels, and a copy of the graph. */
#include "instances/kway_metis.h"

#include <stdlib.h>

#include "base/allocate.h"

/* The mesh is copied to METIS's integers, which may be wider or narrower than ours. METIS takes
 * seeds as idx_t, of 32 bits on most systems; seeds below 2^31 are passed unchanged. */
nuce_status nuce_kway_metis_assign(const struct nuce_mesh *mesh, mobjtype_et objective, int parts,
                                   int64_t seed, int *part, struct nuce_error *error)
{
    idx_t *start, *neighbor, *assigned;
    idx_t nodes = (idx_t)mesh->nodes, constraints = 1, count = parts, value;
    idx_t options[METIS_NOPTIONS];
    int code;

    if (mesh->nodes >= IDX_MAX || 2 * mesh->edges > IDX_MAX)
        return nuce_error_set(error, NUCE_FAILED,
                              "a mesh of %lld nodes and %lld edges is too large for this METIS; "
                              "expected at most %lld neighbours",
                              (long long)mesh->nodes, (long long)mesh->edges, (long long)IDX_MAX);
    start = nuce_allocate(mesh->nodes + 1, sizeof *start);
    neighbor = nuce_allocate(2 * mesh->edges, sizeof *neighbor);
    assigned = nuce_allocate(mesh->nodes, sizeof *assigned);
    for (int64_t i = 0; i <= mesh->nodes; i++)
        start[i] = (idx_t)mesh->start[i];
    for (int64_t k = 0; k < 2 * mesh->edges; k++)
        neighbor[k] = mesh->neighbor[k];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_OBJTYPE] = (idx_t)objective;
    options[METIS_OPTION_CONTIG] = 0;
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_SEED] = (idx_t)((uint64_t)seed & INT32_MAX);
    code = METIS_PartGraphKway(&nodes, &constraints, start, neighbor, NULL, NULL, NULL, &count,
                               NULL, NULL, options, &value, assigned);
    for (int64_t i = 0; code == METIS_OK && i < mesh->nodes; i++)
        part[i] = (int)assigned[i];
    free(assigned);
    free(neighbor);
    free(start);
    if (code == METIS_OK)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_FAILED, "METIS failed with code %d on %lld nodes in %d parts",
                          code, (long long)mesh->nodes, parts);
}

/* Makes a text of the number that a macro expands to. */
#define METIS_TEXT_OF(number) #number
#define METIS_TEXT(number) METIS_TEXT_OF(number)

const char *nuce_partition_metis_version(void)
{
    return METIS_TEXT(METIS_VER_MAJOR) "." METIS_TEXT(METIS_VER_MINOR) "." METIS_TEXT(
        METIS_VER_SUBMINOR);
}
