/* Partitions: the table of methods (partitions.def), their common requirements, and the pattern
 * that follows from a partition: the nodes that each part needs of each other. A rank without nodes
 * would have nothing to do in any exchange, so empty parts are filled.
 * Cost: in addition to the method's, O(nodes + edges). The pattern needs no search: each part has a
 * tally by part, which keeps the latest node, so that a node counts once for each neighbour. */
#include "instances/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/int.h"
#include "base/scanner.h"
#include "base/text_file.h"

#define NUCE_REGISTRY partition
#define NUCE_REGISTRY_ROWS "instances/partitions.def"
#define NUCE_REGISTRY_FIND
#include "base/registry.inc"

nuce_status nuce_partition_check(const struct nuce_partition_ops *ops, bool has_coordinates,
                                 struct nuce_error *error)
{
    if (ops->needs_coordinates && !has_coordinates)
        return nuce_error_refuse(error, "partition",
                                 "'%s': needs coordinates, which this mesh has not: expected a "
                                 "mesh with coordinates (.msh) or another method",
                                 ops->name);
    return NUCE_OK;
}

void nuce_partition_fini(struct nuce_partition *partition)
{
    free(partition->part);
    *partition = (struct nuce_partition){0};
}

/* The nodes of each part together, ascending: those of part p are node[start[p]] .. node[start[p +
 * 1] - 1]. */
struct members {
    int64_t *start; /* parts + 1 */
    int32_t *node;
};

static void members_fini(struct members *members)
{
    free(members->start);
    free(members->node);
}

/* Counting sort of the nodes by part. After NUCE_FAILED the caller still frees *members. */
static void members_init(struct members *members, int64_t nodes, int parts, const int *part)
{
    members->start = nuce_allocate((int64_t)parts + 1, sizeof *members->start);
    members->node = nuce_allocate(nodes, sizeof *members->node);
    for (int64_t i = 0; i < nodes; i++)
        members->start[part[i]]++;
    for (int64_t p = 0, sum = 0; p <= parts; p++) {
        sum += members->start[p];
        members->start[p] = sum;
    }
    /* From the last node to the first: each part is filled from its end, and ascends. */
    for (int64_t i = nodes - 1; i >= 0; i--)
        members->node[--members->start[part[i]]] = (int32_t)i;
}

/* Gives each empty part the last node of the part that is then the largest. O(nodes), and O(parts)
 * for each empty part. METIS leaves few, and only in meshes of few nodes per part. */
static void fill_empty(int64_t nodes, int parts, int *part)
{
    struct members members;
    int64_t *size = nuce_allocate(parts, sizeof *size);

    members_init(&members, nodes, parts, part);

    for (int p = 0; p < parts; p++)
        size[p] = members.start[p + 1] - members.start[p];
    for (int p = 0; p < parts; p++) {
        int largest = 0;

        if (size[p] > 0)
            continue;
        for (int q = 1; q < parts; q++)
            largest = size[q] > size[largest] ? q : largest;
        part[members.node[members.start[largest] + --size[largest]]] = p;
        size[p] = 1;
    }
    members_fini(&members);
    free(size);
}

/* Edges whose ends are in different parts, each once; *out takes part over. */
static void take_parts(const struct nuce_mesh *mesh, int parts, int *part,
                       struct nuce_partition *out)
{
    int64_t cut = 0;

    for (int64_t i = 0; i < mesh->nodes; i++) {
        for (int64_t k = mesh->start[i]; k < mesh->start[i + 1]; k++)
            cut += mesh->neighbor[k] > i && part[mesh->neighbor[k]] != part[i];
    }
    *out = (struct nuce_partition){
        .parts = parts, .nodes = mesh->nodes, .part = part, .edge_cut = cut};
}

nuce_status nuce_partition_read_parts(const char *path, int64_t nodes, int parts, int **out,
                                      struct nuce_error *error)
{
    int *part = nuce_allocate(nodes, sizeof *part), *size = nuce_allocate(parts, sizeof *size);
    struct nuce_scanner scanner;
    char *text = NULL;
    size_t length = 0;
    int64_t value;

    if (nuce_data_check_file(path, "a partition", error) == NUCE_OK)
        error->status = nuce_text_read(path, &text, &length, error);
    nuce_scanner_init(&scanner, path, text != NULL ? text : "", length);
    scanner.across_lines = true;
    for (int64_t i = 0; i < nodes && error->status == NUCE_OK; i++) {
        if (nuce_scanner_integer(&scanner, "the part of a node", 0, parts - 1, &value, error) !=
            NUCE_OK)
            break;
        part[i] = nuce_int(value);
        size[value]++;
    }
    if (error->status == NUCE_OK && nuce_scanner_has_word(&scanner))
        nuce_scanner_fail(&scanner, scanner.at, error, "more than the %lld nodes of the mesh",
                          (long long)nodes);
    for (int p = 0; p < parts && error->status == NUCE_OK; p++) {
        if (size[p] == 0)
            nuce_error_set(error, NUCE_BAD_INPUT, "%s: no node is in part %d of 0 to %d", path, p,
                           parts - 1);
    }
    free(size);
    free(text);
    if (error->status == NUCE_OK && out != NULL)
        *out = part;
    else
        free(part);
    return error->status;
}

nuce_status nuce_partition_read(const char *path, const struct nuce_mesh *mesh, int parts,
                                struct nuce_partition *out, struct nuce_error *error)
{
    int *part;

    if (nuce_partition_read_parts(path, mesh->nodes, parts, &part, error) == NUCE_OK)
        take_parts(mesh, parts, part, out);
    return error->status;
}

/* Methods may leave parts empty; it is mended here for all of them, since a rank without nodes
 * would be a rank less. */
nuce_status nuce_partition_create(const struct nuce_partition_ops *ops,
                                  const struct nuce_mesh *mesh, int parts, int64_t seed,
                                  struct nuce_partition *out, struct nuce_error *error)
{
    int *part;

    if (parts < 1 || parts > mesh->nodes)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%d parts of a mesh with %lld nodes; expected 1 to %lld", parts,
                              (long long)mesh->nodes, (long long)mesh->nodes);
    if (nuce_partition_check(ops, mesh->coordinates != NULL, error) != NUCE_OK)
        return error->status;
    part = nuce_allocate(mesh->nodes, sizeof *part);
    if (parts > 1 && ops->assign(mesh, parts, seed, part, error) != NUCE_OK) {
        free(part);
        return error->status;
    }
    fill_empty(mesh->nodes, parts, part);
    take_parts(mesh, parts, part, out);
    return NUCE_OK;
}

/* Goes through the parts. Units are counted first and become the messages' sizes at the end of the
 * part. A node counts once for every other part among its neighbours: last[q] is the latest node
 * that counted for part q, plus one. */
nuce_status nuce_partition_pattern(const struct nuce_mesh *mesh,
                                   const struct nuce_partition *partition, struct nuce_pattern *out,
                                   struct nuce_error *error)
{
    int64_t *units = nuce_allocate(partition->parts, sizeof *units);
    int64_t *last = nuce_allocate(partition->parts, sizeof *last);
    int64_t count = 0, capacity = 0;
    struct nuce_message *messages = NULL;
    struct members members;
    nuce_status status;

    NUCE_ASSERT(partition->nodes == mesh->nodes);
    members_init(&members, mesh->nodes, partition->parts, partition->part);
    for (int p = 0; p < partition->parts; p++) {
        int64_t first = count;

        for (int64_t m = members.start[p]; m < members.start[p + 1]; m++) {
            int64_t node = members.node[m];

            for (int64_t k = mesh->start[node]; k < mesh->start[node + 1]; k++) {
                int other = partition->part[mesh->neighbor[k]];

                if (other == p || last[other] == node + 1)
                    continue;
                last[other] = node + 1;
                if (units[other]++ > 0)
                    continue;
                nuce_allocate_more((void **)&messages, &capacity, count + 1, sizeof *messages);
                messages[count++] = (struct nuce_message){.source = p, .destination = other};
            }
        }
        for (int64_t k = first; k < count; k++) {
            messages[k].bytes = units[messages[k].destination];
            units[messages[k].destination] = 0;
        }
    }
    status = nuce_pattern_init(partition->parts, messages, count, out, error);
    members_fini(&members);
    free(messages);
    free(units);
    free(last);
    return status;
}
