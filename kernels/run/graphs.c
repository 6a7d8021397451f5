/* A graph is found by the partners of all ranks: each says which of the graphs that are there have
 * its own, and the first that all have is taken. Ranks take and give in the same order, so that the
 * places are the same everywhere. */
#include "run/graphs.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/control.h"

MPI_Comm nuce_graphs_make(const struct nuce_world *world, const struct nuce_payload *payload)
{
    MPI_Comm comm;

    NUCE_MPI(MPI_Dist_graph_create_adjacent(world->comm, payload->receives, payload->source,
                                            MPI_UNWEIGHTED, payload->sends, payload->destination,
                                            MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm));
    NUCE_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    return comm;
}

/* Both lists of partners ascend, so that the same partners are the same bytes. */
static int has_partners(const struct nuce_graph *graph, const struct nuce_payload *payload)
{
    size_t receives = (size_t)payload->receives * sizeof(int);

    return graph->partners != NULL && graph->receives == payload->receives &&
           graph->sends == payload->sends &&
           memcmp(graph->partners, payload->source, receives) == 0 &&
           memcmp(graph->partners + payload->receives, payload->destination,
                  (size_t)payload->sends * sizeof(int)) == 0;
}

/* Of the ranks' partners together; NULL: there is none. */
static struct nuce_graph *find_graph(struct nuce_world *world, const struct nuce_payload *payload)
{
    int has[NUCE_GRAPHS_MOST];

    for (int i = 0; i < NUCE_GRAPHS_MOST; i++)
        has[i] = has_partners(&world->graphs->made[i], payload);
    nuce_control_allreduce(world, has, NUCE_GRAPHS_MOST, MPI_INT, MPI_MIN, world->control);
    for (int i = 0; i < NUCE_GRAPHS_MOST; i++) {
        if (has[i])
            return &world->graphs->made[i];
    }
    return NULL;
}

static void graph_free(struct nuce_graph *graph)
{
    if (graph->partners == NULL)
        return;
    NUCE_MPI(MPI_Comm_free(&graph->comm));
    free(graph->partners);
    *graph = (struct nuce_graph){.partners = NULL};
}

/* The place of the graph that was made longest ago, if nobody uses it, else the next one's; NULL:
 * all are in use. */
static struct nuce_graph *graphs_make_room(struct nuce_graphs *graphs)
{
    for (int i = 0; i < NUCE_GRAPHS_MOST; i++) {
        struct nuce_graph *graph = &graphs->made[graphs->next];

        graphs->next = (graphs->next + 1) % NUCE_GRAPHS_MOST;
        if (graph->users > 0)
            continue;
        graph_free(graph);
        return graph;
    }
    return NULL;
}

/* NULL: no room, or a rank without memory. All ranks agree before the graph is made: that is
 * collective, and a rank that stayed out of it would keep the others waiting. */
static struct nuce_graph *add_graph(struct nuce_world *world, const struct nuce_payload *payload)
{
    struct nuce_graph *graph = graphs_make_room(world->graphs);
    int *partners;

    if (graph == NULL)
        return NULL;
    partners = nuce_allocate((int64_t)payload->receives + payload->sends + 1, sizeof *partners);
    memcpy(partners, payload->source, (size_t)payload->receives * sizeof *partners);
    memcpy(partners + payload->receives, payload->destination,
           (size_t)payload->sends * sizeof *partners);
    *graph = (struct nuce_graph){.comm = nuce_graphs_make(world, payload),
                                 .receives = payload->receives,
                                 .sends = payload->sends,
                                 .partners = partners};
    return graph;
}

struct nuce_graph *nuce_graphs_take(struct nuce_world *world, const struct nuce_payload *payload)
{
    struct nuce_graph *graph;

    if (world->graphs == NULL)
        return NULL;
    graph = find_graph(world, payload);
    if (graph == NULL)
        graph = add_graph(world, payload);
    if (graph != NULL)
        graph->users++;
    return graph;
}

void nuce_graphs_give(struct nuce_graph *graph)
{
    if (graph != NULL)
        graph->users--;
}

void nuce_graphs_fini(struct nuce_graphs *graphs)
{
    for (int i = 0; i < NUCE_GRAPHS_MOST; i++)
        graph_free(&graphs->made[i]);
}
