/* One rank's part of a mesh: local numbers, edges, and the lists of the nodes to and from each
 * neighbour. Both sides of a message sort its nodes by global number, so they agree without
 * communication.
 *
 * Steps: owned nodes and ghosts are counted and numbered; neighbours are the ghosts' owners; edges,
 * interior ones first; then the nodes for each neighbour. Every rank reads the whole mesh and does
 * this only for its own part: O(nodes + edges), and a qsort of the ghosts. Local numbers have 32
 * bits, as those of meshes do. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
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

/* qsort_r's context is the part of each node. */
static int compare_ghosts(const void *a, const void *b, void *context)
{
    const int *part = context;
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return NUCE_INT_ORDER({part[left], part[right]}, {left, right});
}

/* Each list depends on those before it. */
void nuce_submesh_create(const struct nuce_mesh *mesh, const struct nuce_partition *partition,
                         int own, struct nuce_submesh *result)
{
    const int *part = partition->part;
    int32_t *local =
        nuce_allocate(mesh->nodes, sizeof *local); /* by global number: local + 1, or 0 */
    int *slot = nuce_allocate(partition->parts, sizeof *slot); /* by part: place among neighbours */
    struct nuce_submesh out = {0};
    int64_t owned = 0, ghosts, interior = 0, boundary, *last, *next;
    const int64_t *ghost;

    NUCE_ASSERT(partition->nodes == mesh->nodes && own >= 0 && own < partition->parts);
    /* Numbers the owned nodes and counts their ghosts and edges. local of a ghost is 1 for now. */
    for (int64_t i = 0; i < mesh->nodes; i++) {
        if (part[i] != own)
            continue;
        local[i] = (int32_t)++out.owned;
        for (int64_t k = mesh->start[i]; k < mesh->start[i + 1]; k++) {
            int32_t other = mesh->neighbor[k];
            int is_ghost = part[other] != own;

            out.edges += is_ghost || other > i;
            out.interior += !is_ghost && other > i;
            if (is_ghost && local[other] == 0) {
                local[other] = 1;
                out.ghosts++;
            }
        }
    }
    /* global: the owned nodes ascending, then the ghosts by owner and number. */
    out.global = nuce_allocate(out.owned + out.ghosts, sizeof *out.global);
    ghosts = out.owned;
    for (int64_t i = 0; i < mesh->nodes; i++) {
        if (part[i] == own)
            out.global[owned++] = i;
        else if (local[i] != 0)
            out.global[ghosts++] = i;
    }
    ghost = out.global + out.owned;
    qsort_r(out.global + out.owned, (size_t)out.ghosts, sizeof *out.global, compare_ghosts,
            (void *)part);
    /* The neighbours are the owners of the ghosts: the graph is symmetric. */
    out.neighbor = nuce_allocate(out.ghosts, sizeof *out.neighbor);
    out.ghost_start = nuce_allocate(out.ghosts + 1, sizeof *out.ghost_start);
    for (int64_t k = 0; k < out.ghosts; k++) {
        local[ghost[k]] = (int32_t)(out.owned + k) + 1;
        if (k > 0 && part[ghost[k]] == part[ghost[k - 1]])
            continue;
        slot[part[ghost[k]]] = out.neighbors;
        out.ghost_start[out.neighbors] = k;
        out.neighbor[out.neighbors++] = part[ghost[k]];
    }
    out.ghost_start[out.neighbors] = out.ghosts;
    /* Each edge from its owned end, an interior one from its lower end; interior ones first. */
    out.edge = nuce_allocate(out.edges, sizeof *out.edge);
    boundary = out.interior;
    for (int32_t a = 0; a < out.owned; a++) {
        int64_t i = out.global[a];

        for (int64_t k = mesh->start[i]; k < mesh->start[i + 1]; k++) {
            int32_t b = local[mesh->neighbor[k]] - 1;

            if (b >= a) {
                int32_t *edge = out.edge[b < out.owned ? interior++ : boundary++];

                edge[0] = a;
                edge[1] = b;
            }
        }
    }
    /* The nodes for each neighbour: counted, then placed, by two passes over the same edges. last,
     * by slot, is the latest node that was counted plus one: a node goes once to each neighbour. */
    out.send_start = nuce_allocate((int64_t)out.neighbors + 1, sizeof *out.send_start);
    last = nuce_allocate(out.neighbors, sizeof *last);
    next = nuce_allocate(out.neighbors, sizeof *next);
    for (int places = 0; places < 2; places++) {
        for (int32_t a = 0; a < out.owned; a++) {
            int64_t i = out.global[a];

            for (int64_t k = mesh->start[i]; k < mesh->start[i + 1]; k++) {
                int to = slot[part[mesh->neighbor[k]]];

                if (part[mesh->neighbor[k]] == own || last[to] == i + 1)
                    continue;
                last[to] = i + 1;
                if (places)
                    out.send_node[next[to]] = a;
                next[to]++;
            }
        }
        for (int n = 0; n < out.neighbors && !places; n++) {
            out.send_start[n + 1] = out.send_start[n] + next[n];
            next[n] = out.send_start[n];
            last[n] = 0;
        }
        if (!places)
            out.send_node = nuce_allocate(out.send_start[out.neighbors], sizeof *out.send_node);
    }
    *result = out;
    free(last);
    free(next);
    free(local);
    free(slot);
}
