/* The values of boundary vertices of a power-law graph that is cut in one dimension.
 *
 * The graph is that of Graph500's Kronecker generator, with degree edges per vertex. Each edge
 * repeatedly halves the square of the adjacency matrix into quadrants of probabilities 0.57, 0.19,
 * 0.19 and 0.05 (R-MAT), until one entry is left. Entries outside ranks x vertices vertices are
 * drawn again. Vertices keep their numbers, so that the hubs are the first. Rank i has vertices i V
 * .. (i + 1) V - 1, V of them per rank: rows and columns are as uneven as the degrees. A code that
 * follows edges needs the value of each neighbour. So a rank sends each of its vertices once to
 * each other rank that has a neighbour of it: 1 item per vertex.
 *
 * Cost: O(ranks V + edges log (ranks V)), memory O(edges).
 * Source: Chakrabarti, Zhan and Faloutsos, "R-MAT: a recursive model for graph mining", SDM 2004;
 * parameters: Graph500 specification, 3.3 of benchmark 1. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "schedules/generator.h"

/* The probabilities of the quadrants 00, 01 and 10; 11 has the rest. */
#define SHARE_00 0.57
#define SHARE_01 0.19
#define SHARE_10 0.19

/* Both ends of every edge in rows: the neighbours of v are neighbor[start[v]] .. . */
struct rmat {
    int64_t vertices; /* on all ranks together */
    int64_t edges;
    int64_t *start;    /* vertices + 1 */
    int64_t *neighbor; /* 2 edges */
    int64_t *ends;     /* 2 edges: both vertices of each */
};

static nuce_status graph_check(const struct nuce_generator_input *input, struct nuce_error *error)
{
    int64_t edges;

    if (input->vertices < 1)
        return nuce_error_refuse(error, "vertices", "'%lld': expected at least 1",
                                 (long long)input->vertices);
    if (__builtin_mul_overflow(input->vertices, (int64_t)input->ranks * input->degree, &edges) ||
        edges > INT64_MAX / 32)
        return nuce_error_refuse(error, "vertices", "'%lld': expected fewer",
                                 (long long)input->vertices);
    return NUCE_OK;
}

static void graph_generate(const struct nuce_generator_input *input, struct nuce_rng *rng,
                           struct nuce_generator_row *out)
{
    struct rmat graph = {.vertices = input->ranks * input->vertices,
                         .edges = input->ranks * input->vertices * input->degree};
    int64_t *seen = nuce_allocate(input->ranks, sizeof *seen);
    int64_t *items = nuce_allocate(input->ranks, sizeof *items);

    graph.start = nuce_allocate(graph.vertices + 2, sizeof *graph.start);
    graph.neighbor = nuce_allocate(2 * graph.edges, sizeof *graph.neighbor);
    graph.ends = nuce_allocate(2 * graph.edges, sizeof *graph.ends);
    for (int64_t k = 0; k < graph.edges; k++) {
        int64_t *ends = graph.ends + 2 * k;

        do {
            ends[0] = ends[1] = 0;
            for (int64_t side = 1; side < graph.vertices; side *= 2) {
                double where = nuce_rng_uniform(rng);

                ends[0] = 2 * ends[0] + (where >= SHARE_00 + SHARE_01);
                ends[1] = 2 * ends[1] + ((where >= SHARE_00 && where < SHARE_00 + SHARE_01) ||
                                         where >= SHARE_00 + SHARE_01 + SHARE_10);
            }
        } while (ends[0] >= graph.vertices || ends[1] >= graph.vertices);
    }
    /* Counts at start[v + 2], sums, then fills: start[v + 1] moves to the end of v. */
    for (int64_t k = 0; k < 2 * graph.edges; k++)
        graph.start[graph.ends[k] + 2]++;
    for (int64_t v = 2; v <= graph.vertices; v++)
        graph.start[v] += graph.start[v - 1];
    for (int64_t k = 0; k < 2 * graph.edges; k++)
        graph.neighbor[graph.start[graph.ends[k] + 1]++] = graph.ends[k ^ 1];
    for (int i = 0; i < input->ranks; i++) {
        /* items[j]: vertices of source that rank j needs; seen[j]: 1 + the last vertex counted for
         * j. */
        memset(items, 0, (size_t)input->ranks * sizeof *items);
        for (int64_t v = i * input->vertices; v < (i + 1) * input->vertices; v++) {
            for (int64_t k = graph.start[v]; k < graph.start[v + 1]; k++) {
                int64_t owner = graph.neighbor[k] / input->vertices;

                items[owner] += seen[owner] != v + 1;
                seen[owner] = v + 1;
            }
        }
        for (int j = 0; j < input->ranks; j++)
            nuce_generator_row_add(out, i, j, items[j]);
    }
    free(seen);
    free(items);
    free(graph.start);
    free(graph.neighbor);
    free(graph.ends);
}

static const char *const graph_options[] = {"degree", "vertices", NULL};

const struct nuce_generator_ops nuce_generator_pattern_graph = {
    .name = "graph",
    .summary = "boundary vertices of a power-law graph (R-MAT) cut in one dimension: vertices per "
               "rank with degree edges each; 1 item per vertex",
    .source = "Chakrabarti, Zhan and Faloutsos: R-MAT, SDM 2004; Graph500",
    .options = graph_options,
    .is_random = 1,
    .check = graph_check,
    .generate = graph_generate,
};
