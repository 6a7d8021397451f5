/* Exchange of ghost values under a schedule, then the sweep over edges (Ranka, Wang and Kumar,
 * Figure 1); on patterns without a mesh only the exchange.
 *
 * A step is pack, exchange, unpack and sweep, each with its own time. With overlap the interior
 * edges are swept during the exchange, and the step has one time. Every byte of every message is
 * verified against its sender's value. On a mesh every ghost and every sum is verified too, with
 * another order of the edges. Limits: ranks can start late, as in a captured application, only
 * for patterns without a mesh. */
#include "programs/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"
#include "instances/partition.h"
#include "points/exchange_instance.h"
#include "points/workload.h"
#include "programs/edge_sweep.h"
#include "run/communication.h"
#include "run/gathering.h"
#include "run/simulation.h"
#include "run/world.h"

/* State that the points of one launch share. Owned; made by session_open. */
struct nuce_session {
    struct nuce_world *world;
    char
        key[3 * NUCE_PATH_BYTES]; /* mesh, graph, partition and seed of what follows; "" for none */
    struct nuce_submesh submesh;
    int64_t edge_cut; /* of the whole mesh */
    double
        index_s; /* processor seconds of finding neighbours, send and ghost lists; max over ranks */
    struct nuce_edge_sweep sweep; /* on submesh; empty before the first point with it */
};

/* Rank 0 reads and partitions the mesh. All ranks get graph and partition and keep their own
 * part. The next point with the same mesh and partition reuses it.
 *
 * Cost: O(nodes + edges) time and memory on every rank during the set-up (about 12 bytes per node
 * and 8 an edge), later of its own part only. The seconds are recorded separately, because
 * reading and partitioning are not compared. */

/* A session without a mesh. Local. Freed with session_close, which accepts NULL. */
static void *session_open(struct nuce_world *world)
{
    struct nuce_session *session = nuce_allocate(1, sizeof *session);

    session->world = world;
    return session;
}

static void session_close(void *session)
{
    struct nuce_session *closed = session;

    if (closed == NULL)
        return;
    nuce_edge_sweep_fini(&closed->sweep);
    nuce_submesh_fini(&closed->submesh);
    free(closed);
}

/* Rank 0 sends the graph (without coordinates) and the partition to all ranks. Each keeps its
 * own nodes, with edges and ghosts. The seconds are processor time, the maximum over ranks.
 * Returns NUCE_CORRUPT unless the parts together are the mesh: every node has one owner, every
 * edge inside a part occurs once and every cut edge twice. The key is empty while the session
 * holds nothing or is incomplete, so that a failure is not mistaken for a mesh. Collective over
 * the world; the same status on all ranks. */
static nuce_status session_mesh(struct nuce_session *session,
                                const struct nuce_exchange_params *params, struct nuce_error *error)
{
    struct nuce_world *world = session->world;
    struct nuce_submesh *own = &session->submesh;
    struct nuce_mesh mesh = {0};
    struct nuce_partition partition = {0};
    char key[sizeof session->key], *path = NULL;
    int64_t sizes[3], sums[3];
    int shipped = 0;
    nuce_status status = NUCE_OK;

    snprintf(key, sizeof key, "%s %d %s %s %lld", params->mesh, params->graph, params->partition,
             params->partition_file, (long long)params->scheduling.seed);
    if (strcmp(key, session->key) == 0)
        return NUCE_OK;
    session->key[0] = '\0';
    if (world->rank == 0)
        status = nuce_mesh_locate(params->mesh, &path, &shipped, error);
    if (path != NULL && status == NUCE_OK)
        status = nuce_mesh_read(path, params->graph, &mesh, error);
    if (path != NULL && status == NUCE_OK)
        status = nuce_exchange_partition(params, &mesh, world->size, &partition, error);
    free(path);
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        double begin;

        sizes[0] = mesh.nodes;
        sizes[1] = mesh.edges;
        sizes[2] = partition.edge_cut;
        nuce_world_broadcast(world, sizes, (int64_t)sizeof sizes);
        if (world->rank != 0) {
            mesh.nodes = partition.nodes = sizes[0];
            mesh.edges = sizes[1];
            mesh.start = nuce_allocate(mesh.nodes + 1, sizeof *mesh.start);
            mesh.neighbor = nuce_allocate(2 * mesh.edges, sizeof *mesh.neighbor);
            partition.parts = world->size;
            partition.part = nuce_allocate(mesh.nodes, sizeof *partition.part);
        }
        nuce_world_broadcast(world, mesh.start, (mesh.nodes + 1) * (int64_t)sizeof *mesh.start);
        nuce_world_broadcast(world, mesh.neighbor, 2 * mesh.edges * (int64_t)sizeof *mesh.neighbor);
        nuce_world_broadcast(world, partition.part, mesh.nodes * (int64_t)sizeof *partition.part);
        nuce_edge_sweep_fini(&session->sweep);
        nuce_submesh_fini(own);
        begin = nuce_processor_clock();
        nuce_submesh_create(&mesh, &partition, world->rank, own);
        session->index_s = nuce_processor_clock() - begin;
        nuce_world_maximum(world, &session->index_s, 1);
        session->edge_cut = sizes[2];
        sums[0] = own->owned;
        sums[1] = own->interior;
        sums[2] = own->edges - own->interior;
        nuce_world_sum(world, sums, 3);
        if (sums[0] != mesh.nodes || sums[2] != 2 * sizes[2] || sums[1] + sizes[2] != mesh.edges)
            status = nuce_error_set(
                error, NUCE_CORRUPT,
                "the parts have %lld nodes and %lld + %lld / 2 edges, the mesh %lld and %lld",
                (long long)sums[0], (long long)sums[1], (long long)sums[2], (long long)mesh.nodes,
                (long long)mesh.edges);
    }
    if (status == NUCE_OK)
        memcpy(session->key, key, sizeof key);
    nuce_mesh_fini(&mesh);
    nuce_partition_fini(&partition);
    return status;
}

/* Edges computed between two progress calls to the exchange, with --overlap: a few microseconds. */
#define EDGES_BETWEEN_PROGRESS 512

struct exchange {
    struct nuce_world *world;
    struct nuce_counters *counters; /* borrowed */
    struct nuce_communication communication;
    struct nuce_edge_sweep *sweep; /* the session's; NULL without a mesh */
    int has_mesh;
    int overlap;
    struct nuce_exchange_lateness lateness; /* 0 calls: all ranks begin together */
    struct nuce_rng lateness_rng;           /* identical on all ranks, and for all contenders */
    double late_s;                          /* of this rank in the next step */
};

/* The stream of the point's seed from which calls are drawn. */
#define LATENESS_STREAM 0x6c617465

static void exchange_destroy(void *self)
{
    struct exchange *exchange = self;

    nuce_communication_fini(&exchange->communication);
    nuce_exchange_lateness_fini(&exchange->lateness);
}

/* Makes COM as the paper does: each rank makes its own row, sparse, in bytes. *out is a pattern
 * of all ranks that has at least this rank's row. A row that follows from the mesh or from the
 * random numbers is made by its rank alone. A pattern that must be drawn or read as a whole is
 * made by one rank of each node, which distributes the rows. params alone choose among the three
 * ways, so all ranks take the same. Freed with nuce_pattern_fini. Collective; all ranks return
 * the same status. */
static nuce_status create_com(struct nuce_session *session,
                              const struct nuce_exchange_params *params, struct nuce_pattern *out,
                              struct nuce_metrics *found, struct nuce_error *error)
{
    struct nuce_world *world = session->world;
    const struct nuce_submesh *submesh = &session->submesh;
    struct nuce_pattern rows = {0}, whole = {0};
    struct nuce_message *messages;
    nuce_status status = NUCE_OK;

    if (strcmp(params->pattern, "mesh") == 0) {
        if (session_mesh(session, params, error) != NUCE_OK)
            return error->status;
        nuce_metrics_real(found, "index_s", session->index_s);
        nuce_metrics_integer(found, "edge_cut", session->edge_cut);
        messages = nuce_allocate(submesh->neighbors, sizeof *messages);
        for (int k = 0; k < submesh->neighbors; k++) /* in items */
            messages[k] = (struct nuce_message){
                .source = world->rank,
                .destination = submesh->neighbor[k],
                .bytes = submesh->send_start[k + 1] - submesh->send_start[k],
            };
        status = nuce_pattern_init(world->size, messages, submesh->neighbors, &rows, error);
        free(messages);
    } else if (nuce_exchange_has_rows(params)) {
        status = nuce_exchange_row(params, world->rank, world->size, &rows, error);
    } else {
        if (nuce_gathering_leads(world))
            status = nuce_exchange_pattern(params, world->size, &whole, error);
        status = nuce_world_agree(world, status, error);
        if (status == NUCE_OK)
            status = nuce_gathering_hand_out(world, &whole, NULL, NULL, &rows, NULL, error);
        nuce_pattern_fini(&whole);
    }
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK)
        status = nuce_world_agree(world, nuce_exchange_scale(params, &rows, error), error);
    if (status == NUCE_OK)
        *out = rows;
    else
        nuce_pattern_fini(&rows);
    return status;
}

static int is_one_host(const json_t *hosts, int a, int b)
{
    return json_equal(json_array_get(hosts, (size_t)a), json_array_get(hosts, (size_t)b));
}

/* True if the ranks share nodes exactly as they did in the application. Each rank is compared by
 * the first rank on its node. O(ranks x nodes). The inner loops end at the rank itself at the
 * latest. */
static int is_on_like_nodes(const json_t *hosts, int ranks, const int *captured)
{
    for (int rank = 1; rank < ranks; rank++) {
        int here = 0, there = 0;

        if (captured[rank] == captured[rank - 1] && is_one_host(hosts, rank, rank - 1))
            continue;
        while (!is_one_host(hosts, rank, here))
            here++;
        while (captured[rank] != captured[there])
            there++;
        if (here != there)
            return 0;
    }
    return 1;
}

/* Notes the number of such calls in the application, and if its ranks were grouped on nodes like
 * these. Both are noted only if known: placed ranks have no known hosts. Collective. */
static nuce_status exchange_note_captured(struct nuce_world *world,
                                          const struct nuce_exchange_params *params,
                                          struct nuce_metrics *found, struct nuce_error *error)
{
    struct nuce_exchange_captured captured = {0};
    nuce_status status = NUCE_OK;

    if (params->capture[0] == '\0')
        return NUCE_OK;
    if (world->rank == 0)
        status = nuce_exchange_captured_init(params, &captured, error);
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK && world->rank == 0) {
        nuce_exchange_captured_note(&captured, found);
        if (captured.host != NULL && world->hosts != NULL)
            nuce_metrics_integer(found, "nodes_as_captured",
                                 is_on_like_nodes(world->hosts, world->size, captured.host));
    }
    nuce_exchange_captured_fini(&captured);
    return status;
}

/* Decides if ranks start as late as in the application, and how late. Collective. */
static nuce_status exchange_make_late(struct exchange *exchange,
                                      const struct nuce_exchange_params *params,
                                      struct nuce_metrics *found, struct nuce_error *error)
{
    nuce_status status;

    if (params->arrival != NUCE_ARRIVAL_CAPTURED)
        return NUCE_OK;
    if (nuce_simulation_is_on())
        return nuce_error_refuse(error, "arrival",
                                 "'captured' is not supported on a simulated machine: expected "
                                 "together");
    status = nuce_exchange_lateness_init(params, exchange->world->rank, &exchange->lateness, error);
    if (nuce_world_agree(exchange->world, status, error) != NUCE_OK)
        return error->status;
    exchange->lateness_rng = nuce_rng_create((uint64_t)params->scheduling.seed, LATENESS_STREAM);
    nuce_metrics_real(found, "arrival_skew_s", exchange->lateness.skew_s);
    nuce_metrics_integer(found, "arrival_calls", exchange->lateness.calls);
    return NUCE_OK;
}

/* Builds in the paper's order: COM, schedule, buffers. On a mesh the values follow, with salt 0;
 * every point with this mesh and unit uses them. With overlap, computation and communication
 * have no separate times, so the whole step decides when to stop. The whole step also decides if
 * ranks start late, because the first ranks' waiting is communication. Collective. */
static nuce_status exchange_build(void *self, void *session, const struct nuce_point *point,
                                  struct nuce_counters *counters, struct nuce_run_info *info,
                                  struct nuce_error *error)
{
    struct exchange *exchange = self;
    struct nuce_session *shared = session;
    const struct nuce_exchange_params *params = point->params;
    struct nuce_pattern row = {0};
    nuce_status status;

    exchange->world = shared->world;
    exchange->counters = counters;
    exchange->has_mesh = strcmp(params->pattern, "mesh") == 0;
    exchange->overlap = params->overlap;
    if (exchange_note_captured(exchange->world, params, &info->found, error) != NUCE_OK ||
        exchange_make_late(exchange, params, &info->found, error) != NUCE_OK ||
        create_com(shared, params, &row, &info->found, error) != NUCE_OK)
        return error->status;
    status = nuce_communication_init(exchange->world, point, &row, NULL, &exchange->communication,
                                     &info->found, error);
    nuce_pattern_fini(&row);
    if (status != NUCE_OK)
        return error->status;
    if (exchange->has_mesh) {
        exchange->sweep = &shared->sweep;
        if (shared->sweep.item_bytes != params->item_bytes) {
            nuce_edge_sweep_fini(&shared->sweep);
            nuce_edge_sweep_init(&shared->submesh, params->item_bytes, &shared->sweep);
        }
        nuce_edge_sweep_set(&shared->sweep, 0);
    }
    if (exchange->overlap) {
        info->criterion = NUCE_PART_STEP;
        nuce_communication_overlaps(&exchange->communication, &info->found);
        return NUCE_OK;
    }
    info->prepares = exchange->lateness.calls > 0;
    info->criterion = info->prepares ? NUCE_PART_STEP : NUCE_PART_COMMUNICATION;
    info->parts = 1U << NUCE_PART_COMMUNICATION;
    if (exchange->has_mesh)
        info->parts |= 1U << NUCE_PART_PACK | 1U << NUCE_PART_UNPACK | 1U << NUCE_PART_COMPUTATION;
    return NUCE_OK;
}

/* Draws the call whose arrivals the next step repeats. All contenders make the same number of
 * steps, so all have the same call in a round. */
static void exchange_prepare(void *self)
{
    struct exchange *exchange = self;
    const struct nuce_exchange_lateness *lateness = &exchange->lateness;

    if (lateness->calls > 0)
        exchange->late_s =
            lateness->own_s[nuce_rng_below(&exchange->lateness_rng, (uint64_t)lateness->calls)];
}

/* The steps of Figure 1 with a time stamp between them; without a mesh only the communication. */
static void step_in_parts(struct exchange *exchange, double parts[NUCE_SAMPLE_PARTS])
{
    double now = nuce_clock();

    nuce_counters_begin(exchange->counters);
    if (!exchange->has_mesh) {
        nuce_engine_run(&exchange->communication.engine);
        nuce_counters_stamp(exchange->counters, NUCE_PART_COMMUNICATION, now, parts);
        return;
    }
    nuce_edge_sweep_pack(exchange->sweep, &exchange->communication.payload);
    now = nuce_counters_stamp(exchange->counters, NUCE_PART_PACK, now, parts);
    nuce_engine_run(&exchange->communication.engine);
    now = nuce_counters_stamp(exchange->counters, NUCE_PART_COMMUNICATION, now, parts);
    nuce_edge_sweep_unpack(exchange->sweep, &exchange->communication.payload);
    now = nuce_counters_stamp(exchange->counters, NUCE_PART_UNPACK, now, parts);
    nuce_watch_set(exchange->world->watch, NUCE_ACTIVITY_COMPUTE, -1, 0);
    nuce_edge_sweep_clear(exchange->sweep);
    nuce_edge_sweep_interior(exchange->sweep, 0, exchange->sweep->submesh->interior);
    nuce_edge_sweep_boundary(exchange->sweep);
    nuce_counters_stamp(exchange->counters, NUCE_PART_COMPUTATION, now, parts);
}

/* The exchange runs during the computation of the interior edges, so it has no time of its own. */
static void step_overlapped(struct exchange *exchange)
{
    int64_t interior = exchange->sweep->submesh->interior;

    nuce_counters_begin(exchange->counters);
    nuce_edge_sweep_pack(exchange->sweep, &exchange->communication.payload);
    nuce_engine_start(&exchange->communication.engine);
    nuce_edge_sweep_clear(exchange->sweep);
    for (int64_t first = 0; first < interior; first += EDGES_BETWEEN_PROGRESS) {
        int64_t end = first + EDGES_BETWEEN_PROGRESS;

        nuce_edge_sweep_interior(exchange->sweep, first, end < interior ? end : interior);
        nuce_engine_progress(&exchange->communication.engine);
    }
    nuce_engine_finish(&exchange->communication.engine);
    nuce_edge_sweep_unpack(exchange->sweep, &exchange->communication.payload);
    nuce_edge_sweep_boundary(exchange->sweep);
    nuce_counters_end(exchange->counters, NUCE_PART_STEP);
}

/* A rank that starts late waits as if it computed elsewhere. */
static void exchange_step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct exchange *exchange = self;

    if (exchange->late_s > 0) {
        double until_s = nuce_clock() + exchange->late_s;
        unsigned polls = 0;

        nuce_watch_set(exchange->world->watch, NUCE_ACTIVITY_COMPUTE, -1, 0);
        while (nuce_clock() < until_s)
            nuce_wait_pause(&exchange->world->wait, &polls);
    }
    if (exchange->overlap)
        step_overlapped(exchange);
    else
        step_in_parts(exchange, parts);
}

/* Checks every byte of every message; then, on a mesh, every ghost's state and every sum. The
 * check of the messages comes first. All ranks continue with the next step regardless of its
 * result, because that step is collective. */
static nuce_status exchange_verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct exchange *exchange = self;
    double ignored[NUCE_SAMPLE_PARTS];
    nuce_status status;

    status = nuce_communication_check(&exchange->communication, salt, error);
    if (!exchange->has_mesh)
        return status;
    nuce_edge_sweep_set(exchange->sweep, salt);
    nuce_world_barrier(exchange->world);
    exchange_step(exchange, ignored);
    return status == NUCE_OK ? nuce_edge_sweep_check(exchange->sweep, salt, error) : status;
}

/* States do not change: each step sends the same data. */
static uint64_t exchange_mark(void *self)
{
    const struct exchange *exchange = self;
    const struct nuce_payload *payload = &exchange->communication.payload;

    return nuce_payload_hash(payload->receive.data, nuce_payload_bytes(&payload->receive));
}

static void exchange_spoil(void *self)
{
    struct exchange *exchange = self;

    nuce_payload_spoil(&exchange->communication.payload);
}

static nuce_status exchange_plan(const void *self, int64_t most, json_t **events,
                                 const char **network, struct nuce_error *error)
{
    const struct exchange *exchange = self;

    return nuce_communication_plan(&exchange->communication, most, events, network, error);
}

const struct nuce_workload_run nuce_exchange_run = {
    .name = "exchange",
    .open = session_open,
    .close = session_close,
    .self_size = sizeof(struct exchange),
    .build = exchange_build,
    .prepare = exchange_prepare,
    .step = exchange_step,
    .verify = exchange_verify,
    .mark = exchange_mark,
    .spoil = exchange_spoil,
    .plan = exchange_plan,
    .destroy = exchange_destroy,
};
