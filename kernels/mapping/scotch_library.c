/* SCOTCH's static mapping of the graph of processes onto an architecture, the graph of switches.
 * Switches with processors are targets, each with as much power as it has processors. Distances are
 * the library's own, shortest paths over the links that the routing uses: over a tree the same as
 * ours, else without up and down routing's detours. One thread, and the random numbers from their
 * start; still the results vary (7.0.3).
 * Source: Pellegrini, SCOTCH 7.0 user's guide, sections 3.2 and 8. */
#include <stdlib.h>

#include <scotch.h>

#include "base/allocate.h"
#include "base/int.h"
#include "mapping/scotch_map.h"

/* Sum of the weights of all edges: SCOTCH adds them up in 32 bits. */
#define MOST_WEIGHT 5e8

/* A graph in SCOTCH's form; its arrays live as long as it does. */
struct graph {
    SCOTCH_Num vertices, edges;
    SCOTCH_Num *start, *end_vertex, *load, *edge_load;
};

static void graph_fini(struct graph *graph)
{
    free(graph->start);
    free(graph->end_vertex);
    free(graph->load);
    free(graph->edge_load);
}

static void graph_init(struct graph *graph, int vertices, int64_t edges)
{
    *graph = (struct graph){.vertices = vertices};
    graph->start = nuce_allocate((int64_t)vertices + 1, sizeof *graph->start);
    graph->end_vertex = nuce_allocate(edges, sizeof *graph->end_vertex);
    graph->load = nuce_allocate(vertices, sizeof *graph->load);
    graph->edge_load = nuce_allocate(edges, sizeof *graph->edge_load);
}

/* The graph of processes: loads 1, weights scaled so that their sum fits 32 bits, none below 1. */
static void make_source(const struct nuce_processes *processes, struct graph *graph)
{
    int64_t entries = processes->start[processes->ranks];
    double sum = 0, scale;

    graph_init(graph, processes->ranks, entries);
    for (int64_t k = 0; k < entries; k++)
        sum += processes->weight[k];
    scale = sum > MOST_WEIGHT ? MOST_WEIGHT / sum : 1;
    for (int i = 0; i <= processes->ranks; i++)
        graph->start[i] = nuce_int(processes->start[i]);
    for (int i = 0; i < processes->ranks; i++)
        graph->load[i] = 1;
    for (int64_t k = 0; k < entries; k++) {
        double weight = processes->weight[k] * scale;

        graph->end_vertex[k] = processes->neighbor[k];
        graph->edge_load[k] = weight > 1 ? (SCOTCH_Num)weight : 1;
    }
    graph->edges = nuce_int(entries);
}

/* The graph of switches over the links that the routing uses. Switches without processors must be
 * in it, because paths lead through them; `used` lists the targets. */
static void make_target(const struct nuce_processors *processors, struct graph *graph)
{
    const struct nuce_routing *routing = processors->routing;
    const struct nuce_topology *topology = routing->topology;

    graph_init(graph, topology->switches, 2 * (int64_t)topology->links);
    for (int s = 0; s < topology->switches; s++) {
        int power = processors->start[s + 1] - processors->start[s];

        graph->load[s] = power > 0 ? power : 1;
        graph->start[s] = graph->edges;
        for (int64_t k = topology->start[s]; k < topology->start[s + 1]; k++) {
            if (!routing->ops->may_go(routing, s, topology->neighbor[k], 0))
                continue;
            graph->edge_load[graph->edges] = 1;
            graph->end_vertex[graph->edges++] = topology->neighbor[k];
        }
    }
    graph->start[topology->switches] = graph->edges;
}

/* Returns nonzero on failure, as SCOTCH does. */
static int scotch_library_build(SCOTCH_Graph *out, const struct graph *graph)
{
    return SCOTCH_graphBuild(out, 0, graph->vertices, graph->start, NULL, graph->load, NULL,
                             graph->edges, graph->end_vertex, graph->edge_load);
}

/* SCOTCH's structures are initialised one by one, and SCOTCH prints its own errors. */
static int scotch_library_map(const struct graph *source, const struct graph *target,
                              const SCOTCH_Num *used, SCOTCH_Num count, SCOTCH_Num *part)
{
    SCOTCH_Context context;
    SCOTCH_Graph source_graph, target_graph, bound;
    SCOTCH_Arch arch;
    SCOTCH_Strat strategy;
    int bad;

    SCOTCH_contextInit(&context);
    SCOTCH_graphInit(&source_graph);
    SCOTCH_graphInit(&target_graph);
    SCOTCH_graphInit(&bound);
    SCOTCH_archInit(&arch);
    SCOTCH_stratInit(&strategy);
    bad = SCOTCH_contextThreadSpawn(&context, 1, NULL) || SCOTCH_contextRandomClone(&context);
    if (!bad)
        SCOTCH_contextRandomSeed(&context, 1);
    bad = bad || scotch_library_build(&source_graph, source) ||
          scotch_library_build(&target_graph, target) ||
          SCOTCH_contextBindGraph(&context, &source_graph, &bound) ||
          SCOTCH_archBuild2(&arch, &target_graph, count, used) ||
          SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE, count,
                                    0.01) ||
          SCOTCH_graphMap(&bound, &arch, &strategy, part);
    SCOTCH_stratExit(&strategy);
    SCOTCH_archExit(&arch);
    SCOTCH_graphExit(&bound);
    SCOTCH_graphExit(&target_graph);
    SCOTCH_graphExit(&source_graph);
    SCOTCH_contextExit(&context);
    return bad;
}

nuce_status nuce_scotch_map(const struct nuce_placement_input *input, int *home,
                            struct nuce_error *error)
{
    const struct nuce_processors *processors = input->processors;
    int ranks = input->processes->ranks, switches = processors->routing->topology->switches;
    SCOTCH_Num *used = nuce_allocate(switches, sizeof *used);
    SCOTCH_Num *part = nuce_allocate(ranks, sizeof *part);
    struct graph source = {0}, target = {0};
    SCOTCH_Num count = 0;
    nuce_status status = NUCE_FAILED;

    make_source(input->processes, &source);
    make_target(processors, &target);
    for (int s = 0; s < switches; s++) {
        if (processors->start[s] < processors->start[s + 1])
            used[count++] = s;
    }
    /* SCOTCH 7.0.3 crashes on an architecture of one switch out of several. */
    if (count > 1 && scotch_library_map(&source, &target, used, count, part) != 0) {
        status = nuce_error_set(error, NUCE_FAILED, "SCOTCH found no mapping");
        goto done;
    }
    /* SCOTCH numbers the targets in the order of the list. */
    for (int i = 0; i < ranks; i++)
        home[i] = used[part[i]];
    status = NUCE_OK;
done:
    graph_fini(&source);
    graph_fini(&target);
    free(used);
    free(part);
    return status;
}

#define SCOTCH_TEXT_OF(number) #number
#define SCOTCH_TEXT(number) SCOTCH_TEXT_OF(number)

const char *nuce_scotch_map_version(void)
{
    return SCOTCH_TEXT(SCOTCH_VERSION) "." SCOTCH_TEXT(SCOTCH_RELEASE) "." SCOTCH_TEXT(
        SCOTCH_PATCHLEVEL);
}
