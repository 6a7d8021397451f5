/* Edges as a reader meets them, in any order and repeated, become rows of sorted neighbours:
 * counted, placed, sorted, doubles closed up. Files give each edge of an element once for every
 * element. */
#include "instances/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

void nuce_edge_list_fini(struct nuce_edge_list *list)
{
    free(list->edge);
    *list = (struct nuce_edge_list){0};
}

void nuce_edge_list_add(struct nuce_edge_list *list, int32_t a, int32_t b)
{
    void *data = list->edge;

    nuce_allocate_more(&data, &list->capacity, list->count + 1, sizeof *list->edge);

    list->edge = data;
    list->edge[list->count][0] = a;
    list->edge[list->count][1] = b;
    list->count++;
}

/* Ascending. */
static int graph_compare_nodes(const void *a, const void *b)
{
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;

    return (left > right) - (left < right);
}

/* Fills start with the row starts and neighbor with both directions of every edge but loops. */
static void fill_rows(int64_t nodes, const struct nuce_edge_list *list, int64_t *start,
                      int32_t *neighbor)
{
    for (int64_t k = 0; k < list->count; k++) {
        const int32_t *edge = list->edge[k];

        if (edge[0] != edge[1]) {
            start[edge[0]]++;
            start[edge[1]]++;
        }
    }
    for (int64_t i = 0, sum = 0; i <= nodes; i++) {
        sum += start[i];
        start[i] = sum;
    }
    /* Filling each row from its end moves start[i] from the end of the row to its beginning. */
    for (int64_t k = 0; k < list->count; k++) {
        const int32_t *edge = list->edge[k];

        if (edge[0] != edge[1]) {
            neighbor[--start[edge[0]]] = edge[1];
            neighbor[--start[edge[1]]] = edge[0];
        }
    }
}

/* Sorts each row and closes the gaps that doubles leave. */
static void graph_sort_rows(int64_t nodes, int64_t *start, int32_t *neighbor)
{
    int64_t kept = 0;

    for (int64_t i = 0; i < nodes; i++) {
        int64_t first = start[i], last = start[i + 1];

        start[i] = kept;
        qsort(neighbor + first, (size_t)(last - first), sizeof *neighbor, graph_compare_nodes);
        for (int64_t k = first; k < last; k++) {
            if (k == first || neighbor[k] != neighbor[k - 1])
                neighbor[kept++] = neighbor[k];
        }
    }
    start[nodes] = kept;
}

/* Where the list cannot be made shorter it stays as long as it was: no failure. */
void nuce_mesh_from_edges(int64_t nodes, const struct nuce_edge_list *list, struct nuce_mesh *out)
{
    int64_t *start = nuce_allocate(nodes + 1, sizeof *start);
    int32_t *neighbor = nuce_allocate(2 * list->count, sizeof *neighbor);
    int32_t *trimmed;

    fill_rows(nodes, list, start, neighbor);
    graph_sort_rows(nodes, start, neighbor);
    trimmed = reallocarray(neighbor, start[nodes] > 0 ? (size_t)start[nodes] : 1, sizeof *neighbor);
    *out = (struct nuce_mesh){
        .nodes = nodes,
        .edges = start[nodes] / 2,
        .start = start,
        .neighbor = trimmed != NULL ? trimmed : neighbor,
    };
    return;
}
