/* The order is that of a communication (run/communication.c): the messages, a plan, their places
 * and the engine. */
#include "library/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "run/check.h"
#include "run/nodes.h"

#define SEED 1 /* of schedules that draw, as of points (points/drawing_options.inc) */

/* This rank's row of the pattern: the messages that it sends. */
static nuce_status make_rows(const struct nuce_world *world, const struct nuce_mpi_side *send,
                             struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_message *messages = nuce_allocate(world->size, sizeof *messages);
    nuce_status status;

    for (int i = 0; i < world->size; i++)
        messages[i] = (struct nuce_message){world->rank, i, send->bytes[i]};
    status = nuce_pattern_init(world->size, messages, world->size, out, error);
    free(messages);
    return status;
}

nuce_status nuce_mpi_exchange_check(const struct nuce_schedule_ops *ops, struct nuce_tuning *tuning,
                                    int ranks, struct nuce_error *error)
{
    if (ops->needs == NUCE_NEEDS_ARRAYS)
        return nuce_error_refuse(error, "nuce_schedule", "'%s': moves block-cyclic arrays",
                                 ops->name);
    if (tuning->group_topology[0] != '\0')
        return nuce_error_refuse(error, "group-topology", "expected nuce_group-ranks instead");
    if (tuning->phi > 0)
        tuning->startup_units = tuning->tau / tuning->phi / tuning->unit;
    if (nuce_tuning_check(tuning, ops->uses, error) != NUCE_OK)
        return error->status;
    return nuce_tuning_check_ranks(tuning, ops->uses, ranks, error);
}

nuce_status nuce_mpi_exchange_init(struct nuce_world *world, const struct nuce_schedule_ops *ops,
                                   const struct nuce_tuning *tuning, int packs_send,
                                   int packs_receive, struct nuce_mpi_exchange *exchange,
                                   struct nuce_error *error)
{
    int *node_of = NULL;
    struct nuce_planner planner = {
        .world = world, .ops = ops, .tuning = tuning, .rng = nuce_rng_create(SEED, UINT64_MAX)};
    struct nuce_engine_input input = {
        .world = world, .schedule = &exchange->plan.schedule, .payload = &exchange->payload};
    const struct nuce_executor_ops *executor;
    struct nuce_pattern rows;
    int is_whole;
    nuce_status status =
        nuce_world_agree(world, make_rows(world, &exchange->send, &rows, error), error);

    if (status != NUCE_OK)
        return status;
    if (ops->uses & NUCE_USES_NODES)
        nuce_nodes_by_host(world, &node_of);
    planner.node_of = node_of;
    status = nuce_planning_init(&planner, &rows, &exchange->plan, error);
    free(node_of);
    nuce_pattern_fini(&rows);
    if (status != NUCE_OK)
        return status;
    nuce_planning_forget_whole(&exchange->plan);
    executor = nuce_engine_executor(&exchange->plan.schedule);
    /* A test of a started exchange would block in MPI_Win_complete. */
    if (strcmp(executor->name, "rma") == 0)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "rma: MPI_Win_complete waits for other ranks: expected another schedule");
    is_whole = executor->takes_buffers;
    nuce_mpi_side_lay_out(&exchange->send, world->size, packs_send || is_whole);
    nuce_mpi_side_lay_out(&exchange->receive, world->size, packs_receive || is_whole);
    if (is_whole) /* packed messages are in the order of ranks */
        nuce_payload_init_in(&exchange->plan.pattern, world->rank, exchange->send.packed,
                             exchange->receive.packed, &exchange->payload);
    else
        nuce_payload_init_at(&exchange->plan.pattern, world->rank, exchange->send.place,
                             exchange->receive.place, &exchange->payload);
    return nuce_world_agree(world, nuce_engine_init(&input, &exchange->engine, error), error);
}

void nuce_mpi_exchange_fini(struct nuce_mpi_exchange *exchange)
{
    if (exchange->engine.ops != NULL)
        nuce_engine_fini(&exchange->engine);
    nuce_payload_fini(&exchange->payload);
    nuce_planning_fini(&exchange->plan);
    nuce_mpi_side_fini(&exchange->send);
    nuce_mpi_side_fini(&exchange->receive);
}

/* True if a rank is twice in ranks. */
static int has_repeated(const int *ranks, int count)
{
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            if (ranks[i] == ranks[j] && ranks[i] != MPI_PROC_NULL)
                return 1;
        }
    }
    return 0;
}

int nuce_mpi_neighbors_find(MPI_Comm comm, struct nuce_mpi_neighbors *out)
{
    int kind, rank, weighted, dimensions;

    NUCE_MPI(MPI_Topo_test(comm, &kind));
    NUCE_MPI(MPI_Comm_rank(comm, &rank));
    if (kind == MPI_DIST_GRAPH) {
        NUCE_MPI(
            MPI_Dist_graph_neighbors_count(comm, &out->sources, &out->destinations, &weighted));
        out->of = nuce_allocate((int64_t)out->sources + out->destinations, sizeof *out->of);
        NUCE_MPI(MPI_Dist_graph_neighbors(comm, out->sources, out->of, MPI_UNWEIGHTED,
                                          out->destinations, out->of + out->sources,
                                          MPI_UNWEIGHTED));
        return MPI_SUCCESS;
    }
    if (kind == MPI_GRAPH) {
        NUCE_MPI(MPI_Graph_neighbors_count(comm, rank, &out->sources));
        out->of = nuce_allocate(2 * (int64_t)out->sources, sizeof *out->of);
        NUCE_MPI(MPI_Graph_neighbors(comm, rank, out->sources, out->of));
    } else if (kind == MPI_CART) {
        NUCE_MPI(MPI_Cartdim_get(comm, &dimensions));
        out->sources = 2 * dimensions;
        out->of = nuce_allocate(2 * (int64_t)out->sources, sizeof *out->of);
        for (int i = 0; i < dimensions; i++)
            NUCE_MPI(MPI_Cart_shift(comm, i, 1, &out->of[2 * i], &out->of[2 * i + 1]));
        if (has_repeated(out->of, out->sources)) {
            free(out->of);
            return MPI_ERR_TOPOLOGY;
        }
    } else {
        return MPI_ERR_TOPOLOGY;
    }
    out->destinations = out->sources;
    memcpy(out->of + out->sources, out->of, (size_t)out->sources * sizeof *out->of);
    return MPI_SUCCESS;
}
