/* Graphs of partners that are shared: found again by the partners of all ranks, made anew where one
 * rank has others, and freed for new ones when they are unused. */
#include "expect.h"

#include "run/graphs.h"

/* The partners: rank r to the next `reach` ranks, rank 0 to one more if that is asked for. */
static struct nuce_payload payload_of(const struct nuce_world *world, int reach, int more)
{
    struct nuce_message messages[1024];
    struct nuce_pattern pattern;
    struct nuce_payload payload;
    struct nuce_error error;
    int64_t count = 0;

    for (int rank = 0; rank < world->size; rank++) {
        for (int step = 1; step <= reach + (more && rank == 0); step++)
            messages[count++] = (struct nuce_message){rank, (rank + step) % world->size, 8};
    }
    must(nuce_pattern_init(world->size, messages, count, &pattern, &error), &error);
    must(nuce_payload_init(&pattern, world->rank, NULL, NULL, &payload, &error), &error);
    nuce_pattern_fini(&pattern);
    return payload;
}

/* Nonzero if MPI says that the partners are those of payload. */
static int is_graph_of(MPI_Comm comm, const struct nuce_payload *payload)
{
    int sources, destinations, weighted, from[64], to[64];

    NUCE_MPI(MPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted));
    if (sources != payload->receive.count || destinations != payload->send.count)
        return 0;
    NUCE_MPI(MPI_Dist_graph_neighbors(comm, sources, from, MPI_UNWEIGHTED, destinations, to,
                                      MPI_UNWEIGHTED));
    return memcmp(from, payload->receive.peer, (size_t)sources * sizeof(int)) == 0 &&
           memcmp(to, payload->send.peer, (size_t)destinations * sizeof(int)) == 0;
}

/* The partners that most ranks have are the same in both: it is rank 0's that tell them apart. */
static void check_found(struct nuce_world *world)
{
    struct nuce_payload plain = payload_of(world, 1, 0), more = payload_of(world, 1, 1);
    struct nuce_graph *first = nuce_graphs_take(world, &plain);
    struct nuce_graph *again = nuce_graphs_take(world, &plain);
    struct nuce_graph *other = nuce_graphs_take(world, &more);

    expect(world, first != NULL && first == again, "the same partners");
    expect(world, other != NULL && other != first, "one rank has others");
    expect(world, first->users == 2 && other->users == 1, "users");
    expect(world, is_graph_of(first->comm, &plain), "partners of the first");
    expect(world, is_graph_of(other->comm, &more), "partners of the other");

    first->users--;
    again->users--;
    other->users--;
    expect(world, nuce_graphs_take(world, &plain) == first, "nobody's, and kept");
    first->users--;
    nuce_payload_fini(&plain);
    nuce_payload_fini(&more);
}

/* Partners of number k of many. */
static struct nuce_payload payload_number(const struct nuce_world *world, int k)
{
    return payload_of(world, k / 2, k % 2);
}

/* As many as there is room for in use: there is none left until one is given back. */
static void check_room(struct nuce_world *world)
{
    struct nuce_graph *taken[NUCE_GRAPHS_MOST];
    struct nuce_payload last = payload_number(world, NUCE_GRAPHS_MOST);
    struct nuce_graph *graph;

    for (int k = 0; k < NUCE_GRAPHS_MOST; k++) {
        struct nuce_payload payload = payload_number(world, k);

        taken[k] = nuce_graphs_take(world, &payload);
        expect(world, taken[k] != NULL && is_graph_of(taken[k]->comm, &payload), "room");
        nuce_payload_fini(&payload);
    }
    expect(world, nuce_graphs_take(world, &last) == NULL, "no room");
    taken[3]->users--;
    graph = nuce_graphs_take(world, &last);
    expect(world, graph == taken[3] && is_graph_of(graph->comm, &last), "room again");
    for (int k = 0; k < NUCE_GRAPHS_MOST; k++)
        taken[k]->users--;
    nuce_payload_fini(&last);
}

int main(int argc, char **argv)
{
    struct nuce_graphs graphs = {.next = 0};
    struct nuce_world world;
    struct nuce_payload payload;

    ranks_begin(&argc, &argv, &world);
    payload = payload_of(&world, 1, 0);
    expect(&world, nuce_graphs_take(&world, &payload) == NULL, "nothing to share");
    nuce_payload_fini(&payload);
    world.graphs = &graphs;
    /* Few ranks do not have so many different partners. */
    if (world.size > 1)
        check_found(&world);
    if (world.size > NUCE_GRAPHS_MOST / 2 + 1)
        check_room(&world);
    nuce_graphs_fini(&graphs);
    return ranks_end(&world);
}
