/* A graph is found by the partners of all ranks. Each rank reports which existing graphs have
 * its own partners, and the first that all ranks have is used. Ranks take and return graphs in
 * the same order, so the places are the same everywhere. */
#include "run/graphs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/control.h"
#include "run/fault.h"
#include "run/large_calls.h"
#include "run/world.h"

/* A graph of payload's partners. Collective. */
static MPI_Comm make_graph(const struct nuce_world *world, const struct nuce_payload *payload)
{
    MPI_Comm comm;

    NUCE_MPI(MPI_Dist_graph_create_adjacent(
        world->comm, payload->receive.count, payload->receive.peer, MPI_UNWEIGHTED,
        payload->send.count, payload->send.peer, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm));
    NUCE_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    return comm;
}

/* The graph with the partners of all ranks; NULL: none. Both lists of partners ascend, so equal
 * partners are equal bytes. */
static struct nuce_graph *find_graph(struct nuce_world *world, const struct nuce_payload *payload)
{
    const struct nuce_payload_side *send = &payload->send, *receive = &payload->receive;
    int has[NUCE_GRAPHS_MOST];

    for (int i = 0; i < NUCE_GRAPHS_MOST; i++) {
        const struct nuce_graph *graph = &world->graphs->made[i];

        has[i] =
            graph->partners != NULL && graph->receives == receive->count &&
            graph->sends == send->count &&
            memcmp(graph->partners, receive->peer, (size_t)receive->count * sizeof(int)) == 0 &&
            memcmp(graph->partners + receive->count, send->peer,
                   (size_t)send->count * sizeof(int)) == 0;
    }
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

/* Replaces the oldest graph if it has no users, else the next one; NULL: all are in use. */
static struct nuce_graph *add_graph(struct nuce_world *world, const struct nuce_payload *payload)
{
    const struct nuce_payload_side *send = &payload->send, *receive = &payload->receive;
    struct nuce_graphs *graphs = world->graphs;

    for (int i = 0; i < NUCE_GRAPHS_MOST; i++) {
        struct nuce_graph *graph = &graphs->made[graphs->next];
        int *partners;

        graphs->next = (graphs->next + 1) % NUCE_GRAPHS_MOST;
        if (graph->users > 0)
            continue;
        graph_free(graph);
        partners = nuce_allocate((int64_t)receive->count + send->count + 1, sizeof *partners);
        memcpy(partners, receive->peer, (size_t)receive->count * sizeof *partners);
        memcpy(partners + receive->count, send->peer, (size_t)send->count * sizeof *partners);
        *graph = (struct nuce_graph){.comm = make_graph(world, payload),
                                     .receives = receive->count,
                                     .sends = send->count,
                                     .partners = partners};
        return graph;
    }
    return NULL;
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

void nuce_graphs_fini(struct nuce_graphs *graphs)
{
    for (int i = 0; i < NUCE_GRAPHS_MOST; i++)
        graph_free(&graphs->made[i]);
}

/* Counts and displacements of one rank's messages. A rank's messages are contiguous, so the end
 * of the last is the largest number. */

/* Fills one side for messages. ranks: the number of entries, one for each rank; 0: one for each
 * message. */
static void make_vector_side(int is_large, int ranks, const struct nuce_payload_side *messages,
                             struct nuce_vector_side *side)
{
    int entries = ranks > 0 ? ranks : messages->count;
    const int64_t *at = messages->at;

    if (is_large) {
        side->large_count = nuce_allocate(entries, sizeof *side->large_count);
        side->large_at = nuce_allocate(entries, sizeof *side->large_at);
    } else {
        side->count = nuce_allocate(entries, sizeof *side->count);
        side->at = nuce_allocate(entries, sizeof *side->at);
    }
    for (int i = 0; i < messages->count; i++) {
        int k = ranks > 0 ? messages->peer[i] : i;

        if (is_large) {
            side->large_count[k] = at[i + 1] - at[i];
            side->large_at[k] = at[i];
        } else {
            side->count[k] = (int)(at[i + 1] - at[i]);
            side->at[k] = (int)at[i];
        }
    }
}

/* The arguments are made, or refused, before the graph is. */
nuce_status nuce_vector_call_init(const struct nuce_engine_input *input, const char *name,
                                  int by_rank, struct nuce_vector_call *out,
                                  struct nuce_error *error)
{
    const struct nuce_payload *p = input->payload;
    int64_t sent = nuce_payload_bytes(&p->send), received = nuce_payload_bytes(&p->receive);
    double largest = (double)(sent > received ? sent : received);

    nuce_world_maximum(input->world, &largest, 1);
    *out = (struct nuce_vector_call){.input = *input,
                                     .comm = input->world->comm,
                                     .is_large = largest > (double)nuce_fault_most(INT_MAX),
                                     .request = MPI_REQUEST_NULL};
    if (out->is_large && nuce_large.alltoallv == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s counts bytes as int, and a rank sends or receives %.0f: expected "
                              "at most %d, or an MPI library with the large counts of MPI 4",
                              name, largest, INT_MAX);
    make_vector_side(out->is_large, by_rank ? input->world->size : 0, &p->send, &out->send);
    make_vector_side(out->is_large, by_rank ? input->world->size : 0, &p->receive, &out->receive);
    if (by_rank)
        return NUCE_OK;
    out->shared = nuce_graphs_take(input->world, p);
    out->owns_graph = out->shared == NULL;
    out->comm = out->owns_graph ? make_graph(input->world, p) : out->shared->comm;
    return NUCE_OK;
}

int nuce_vector_call_progress(void *self)
{
    struct nuce_vector_call *call = self;

    return nuce_wait_one(&call->input.world->wait, &call->request);
}

void nuce_vector_call_destroy(void *self)
{
    struct nuce_vector_call *call = self;
    struct nuce_vector_side *sides[] = {&call->send, &call->receive};

    if (call->shared != NULL)
        call->shared->users--;
    if (call->owns_graph)
        NUCE_MPI(MPI_Comm_free(&call->comm));
    for (int i = 0; i < 2; i++) {
        free(sides[i]->count);
        free(sides[i]->at);
        free(sides[i]->large_count);
        free(sides[i]->large_at);
    }
}
