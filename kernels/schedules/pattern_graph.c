/* The values of boundary vertices of a power-law graph that is cut in one dimension.
 *
 * The graph is that of Graph500's Kronecker generator: density edges a vertex, each of which halves
 * the square of the adjacency matrix until one entry is left, into quadrants of probabilities 0.57,
 * 0.19, 0.19 and 0.05 (R-MAT). Entries outside ranks x vertices vertices are drawn again. Vertices
 * keep their numbers, so that the hubs are the first, and rank i has vertices i V .. (i + 1) V - 1
 * of V a rank: rows and columns are as uneven as the degrees. As a code that follows edges needs
 * the value of each neighbour, a rank sends each of its vertices to each other rank that has a
 * neighbour of it, once: 1 unit a vertex.
 *
 * Cost: O(ranks V + edges log (ranks V)), memory O(edges).
 * Source: Chakrabarti, Zhan and Faloutsos, "R-MAT: a recursive model for graph mining", SDM 2004;
 * parameters: Graph500 specification, 3.3 of benchmark 1. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "schedules/generator.h"

/* Of the quadrants 00, 01 and 10; 11 has the rest. */
#define SHARE_00 0.57
#define SHARE_01 0.19
#define SHARE_10 0.19

/* Both ends of every edge in rows: the neighbours of v are neighbor[start[v]] .. . */
struct rmat {
    int64_t vertices; /* of all ranks */
    int64_t edges;
    int64_t *start;    /* vertices + 1 */
    int64_t *neighbor; /* 2 edges */
    int64_t *ends;     /* 2 edges: both vertices of each */
};

static void rmat_fini(struct rmat *graph)
{
    free(graph->start);
    free(graph->neighbor);
    free(graph->ends);
}

/* Both ends of one edge. */
static void graph_draw_edge(int64_t vertices, struct nuce_rng *rng, int64_t ends[2])
{
    do {
        ends[0] = ends[1] = 0;
        for (int64_t side = 1; side < vertices; side *= 2) {
            double where = nuce_rng_uniform(rng);

            ends[0] = 2 * ends[0] + (where >= SHARE_00 + SHARE_01);
            ends[1] = 2 * ends[1] + ((where >= SHARE_00 && where < SHARE_00 + SHARE_01) ||
                                     where >= SHARE_00 + SHARE_01 + SHARE_10);
        }
    } while (ends[0] >= vertices || ends[1] >= vertices);
}

/* Counts at start[v + 2], sums, then fills: start[v + 1] moves to the end of v. */
static void graph_make_rows(struct rmat *graph)
{
    for (int64_t k = 0; k < 2 * graph->edges; k++)
        graph->start[graph->ends[k] + 2]++;
    for (int64_t v = 2; v <= graph->vertices; v++)
        graph->start[v] += graph->start[v - 1];
    for (int64_t k = 0; k < 2 * graph->edges; k++)
        graph->neighbor[graph->start[graph->ends[k] + 1]++] = graph->ends[k ^ 1];
}

/* Freed with rmat_fini, also after failure. */
static void graph_draw(const struct nuce_generator_input *input, struct nuce_rng *rng,
                       struct rmat *out)
{
    *out = (struct rmat){.vertices = input->ranks * input->vertices,
                         .edges = input->ranks * input->vertices * input->density};
    out->start = nuce_allocate(out->vertices + 2, sizeof *out->start);
    out->neighbor = nuce_allocate(2 * out->edges, sizeof *out->neighbor);
    out->ends = nuce_allocate(2 * out->edges, sizeof *out->ends);
    for (int64_t k = 0; k < out->edges; k++)
        graph_draw_edge(out->vertices, rng, out->ends + 2 * k);
    graph_make_rows(out);
}

/* units[j]: vertices of source that rank j needs; seen[j]: 1 + the last vertex counted for j. */
static void graph_count_row(const struct nuce_generator_input *input, const struct rmat *graph,
                            int source, int64_t *seen, int64_t *units)
{
    memset(units, 0, (size_t)input->ranks * sizeof *units);
    for (int64_t v = source * input->vertices; v < (source + 1) * input->vertices; v++) {
        for (int64_t k = graph->start[v]; k < graph->start[v + 1]; k++) {
            int64_t owner = graph->neighbor[k] / input->vertices;

            units[owner] += seen[owner] != v + 1;
            seen[owner] = v + 1;
        }
    }
}

static void graph_add_rows(const struct nuce_generator_input *input, const struct rmat *graph,
                           struct nuce_generator_row *out)
{
    int64_t *seen = nuce_allocate(input->ranks, sizeof *seen);
    int64_t *units = nuce_allocate(input->ranks, sizeof *units);

    for (int i = 0; i < input->ranks; i++) {
        graph_count_row(input, graph, i, seen, units);
        for (int j = 0; j < input->ranks; j++)
            nuce_generator_row_add(out, i, j, units[j]);
    }
    free(seen);
    free(units);
}

static nuce_status graph_check(const struct nuce_generator_input *input, struct nuce_error *error)
{
    int64_t edges;

    if (input->vertices < 1)
        return nuce_error_refuse(error, "vertices", "'%lld': expected at least 1",
                                 (long long)input->vertices);
    if (__builtin_mul_overflow(input->vertices, (int64_t)input->ranks * input->density, &edges) ||
        edges > INT64_MAX / 32)
        return nuce_error_refuse(error, "vertices", "'%lld': expected fewer",
                                 (long long)input->vertices);
    return NUCE_OK;
}

static nuce_status graph_generate(const struct nuce_generator_input *input, struct nuce_rng *rng,
                                  struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_generator_row all = {0};
    struct rmat graph;
    nuce_status status;

    graph_draw(input, rng, &graph);

    graph_add_rows(input, &graph, &all);
    rmat_fini(&graph);
    status = nuce_pattern_init(input->ranks, all.messages, all.count, out, error);
    nuce_generator_row_fini(&all);
    return status;
}

static const char *const graph_options[] = {"density", "vertices", NULL};

const struct nuce_generator_ops nuce_generator_pattern_graph = {
    .name = "graph",
    .summary = "boundary vertices of a power-law graph (R-MAT) cut in one dimension: vertices a "
               "rank with density edges each; 1 unit a vertex",
    .source = "Chakrabarti, Zhan and Faloutsos: R-MAT, SDM 2004; Graph500",
    .options = graph_options,
    .is_random = 1,
    .check = graph_check,
    .generate = graph_generate,
};
