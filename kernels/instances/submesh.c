/* One rank's part of a mesh: local numbers, edges, and the lists of what goes to and comes from
 * each neighbour. Both sides of a message sort its nodes by global number, so they agree without
 * talking to each other.
 *
 * Steps: owned nodes and ghosts are counted and numbered; neighbours are the ghosts' owners; edges,
 * interior ones first; then what goes to each neighbour. Every rank reads the whole mesh and does
 * this for its own part alone: O(nodes + edges), and a qsort of the ghosts. Local numbers are 32
 * bits, as those of meshes are. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "instances/partition.h"

void nuce_submesh_fini(struct nuce_submesh *submesh)
{
    free(submesh->global);
    free(submesh->edge);
    free(submesh->neighbor);
    free(submesh->send_start);
    free(submesh->send_node);
    free(submesh->ghost_start);
    *submesh = (struct nuce_submesh){0};
}

/* What is known while the part is taken. local and slot are as long as the mesh and the partition
 * and are freed at the end. */
struct submesh_builder {
    const struct nuce_mesh *mesh;
    const int *part;
    int own;
    int32_t *local; /* by global number: local number + 1, or 0 */
    int *slot;      /* by part: place among the neighbours */
    struct nuce_submesh out;
};

/* Numbers the owned nodes and counts their ghosts and edges. local of a ghost is 1 for now. */
static void submesh_count_nodes(struct submesh_builder *builder)
{
    const struct nuce_mesh *mesh = builder->mesh;
    struct nuce_submesh *out = &builder->out;

    for (int64_t i = 0; i < mesh->nodes; i++) {
        if (builder->part[i] != builder->own)
            continue;
        builder->local[i] = (int32_t)++out->owned;
        for (int64_t k = mesh->start[i]; k < mesh->start[i + 1]; k++) {
            int32_t other = mesh->neighbor[k];
            int ghost = builder->part[other] != builder->own;

            out->edges += ghost || other > i;
            out->interior += !ghost && other > i;
            if (ghost && builder->local[other] == 0) {
                builder->local[other] = 1;
                out->ghosts++;
            }
        }
    }
}

/* qsort_r's context is the part of each node. */
static int compare_ghosts(const void *a, const void *b, void *context)
{
    const int *part = context;
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    if (part[left] != part[right])
        return part[left] < part[right] ? -1 : 1;
    return (left > right) - (left < right);
}

/* global: the owned nodes ascending, then the ghosts by owner and number. */
static void list_nodes(struct submesh_builder *builder)
{
    struct nuce_submesh *out = &builder->out;
    int64_t owned = 0, ghosts = out->owned;

    out->global = nuce_allocate(out->owned + out->ghosts, sizeof *out->global);
    for (int64_t i = 0; i < builder->mesh->nodes; i++) {
        if (builder->part[i] == builder->own)
            out->global[owned++] = i;
        else if (builder->local[i] != 0)
            out->global[ghosts++] = i;
    }
    qsort_r(out->global + out->owned, (size_t)out->ghosts, sizeof *out->global, compare_ghosts,
            (void *)builder->part);
    for (int64_t k = out->owned; k < out->owned + out->ghosts; k++)
        builder->local[out->global[k]] = (int32_t)k + 1;
}

/* The neighbours are the owners of the ghosts: the graph is symmetric. */
static void list_neighbors(struct submesh_builder *builder)
{
    struct nuce_submesh *out = &builder->out;
    const int64_t *ghost = out->global + out->owned;

    for (int64_t k = 0; k < out->ghosts; k++)
        out->neighbors += k == 0 || builder->part[ghost[k]] != builder->part[ghost[k - 1]];
    out->neighbor = nuce_allocate(out->neighbors, sizeof *out->neighbor);
    out->ghost_start = nuce_allocate((int64_t)out->neighbors + 1, sizeof *out->ghost_start);
    for (int64_t k = 0, n = 0; k < out->ghosts; k++) {
        if (k == 0 || builder->part[ghost[k]] != builder->part[ghost[k - 1]]) {
            builder->slot[builder->part[ghost[k]]] = (int)n;
            out->ghost_start[n] = k;
            out->neighbor[n++] = builder->part[ghost[k]];
        }
    }
    out->ghost_start[out->neighbors] = out->ghosts;
}

/* Each edge from its owned end, an interior one from its lower end; interior ones first. */
static void list_edges(struct submesh_builder *builder)
{
    const struct nuce_mesh *mesh = builder->mesh;
    struct nuce_submesh *out = &builder->out;
    int64_t interior = 0, boundary = out->interior;

    out->edge = nuce_allocate(out->edges, sizeof *out->edge);
    for (int32_t a = 0; a < out->owned; a++) {
        int64_t i = out->global[a];

        for (int64_t k = mesh->start[i]; k < mesh->start[i + 1]; k++) {
            int32_t b = builder->local[mesh->neighbor[k]] - 1;

            if (b >= a) {
                int32_t *edge = out->edge[b < out->owned ? interior++ : boundary++];

                edge[0] = a;
                edge[1] = b;
            }
        }
    }
}

/* Calls for each pair (owned node a, neighbour's slot) that is a node to be sent, in the order of
 * a: counts into next[slot], or, where send_node is there, puts a at send_node[next[slot]]. last,
 * by slot, is the latest node that was counted plus one, 0 before: a node goes once to each
 * neighbour. */
static void visit_sends(const struct submesh_builder *builder, int64_t *last, int64_t *next)
{
    const struct nuce_mesh *mesh = builder->mesh;
    const struct nuce_submesh *out = &builder->out;

    for (int32_t a = 0; a < out->owned; a++) {
        int64_t i = out->global[a];

        for (int64_t k = mesh->start[i]; k < mesh->start[i + 1]; k++) {
            int owner = builder->part[mesh->neighbor[k]];
            int slot = builder->slot[owner];

            if (owner == builder->own || last[slot] == i + 1)
                continue;
            last[slot] = i + 1;
            if (out->send_node != NULL)
                out->send_node[next[slot]] = a;
            next[slot]++;
        }
    }
}

/* Lists what goes to each neighbour: counted, then placed, by two walks over the same edges. */
static void list_sends(struct submesh_builder *builder)
{
    struct nuce_submesh *out = &builder->out;
    int64_t neighbors = out->neighbors;
    int64_t *last = nuce_allocate(neighbors, sizeof *last);
    int64_t *next = nuce_allocate(neighbors, sizeof *next);

    out->send_start = nuce_allocate(neighbors + 1, sizeof *out->send_start);
    visit_sends(builder, last, next);
    for (int64_t n = 0; n < neighbors; n++) {
        out->send_start[n + 1] = out->send_start[n] + next[n];
        next[n] = out->send_start[n];
        last[n] = 0;
    }
    out->send_node = nuce_allocate(out->send_start[neighbors], sizeof *out->send_node);
    visit_sends(builder, last, next);
    free(last);
    free(next);
}

/* Each list depends on those before it. */
void nuce_submesh_create(const struct nuce_mesh *mesh, const struct nuce_partition *partition,
                         int part, struct nuce_submesh *out)
{
    struct submesh_builder builder = {.mesh = mesh, .part = partition->part, .own = part};

    NUCE_ASSERT(partition->nodes == mesh->nodes && part >= 0 && part < partition->parts);
    builder.local = nuce_allocate(mesh->nodes, sizeof *builder.local);
    builder.slot = nuce_allocate(partition->parts, sizeof *builder.slot);
    submesh_count_nodes(&builder);
    list_nodes(&builder);
    list_neighbors(&builder);
    list_edges(&builder);
    list_sends(&builder);
    *out = builder.out;
    free(builder.local);
    free(builder.slot);
}
