/* Rank 0 reads the mesh and cuts it, all ranks get graph and partition and keep their own part; the
 * next point on the same mesh and partition finds it there.
 *
 * Cost: O(nodes + edges) time and memory on every rank while the part is taken (12 bytes a node and
 * 8 an edge or so), and of its part afterwards. Seconds are kept apart: reading and cutting are not
 * what is compared. */
#include "programs/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

nuce_status nuce_session_open(struct nuce_world *world, void **session, struct nuce_error *error)
{
    struct nuce_session *made = nuce_allocate(1, sizeof *made);

    (void)error;
    made->world = world;
    *session = made;
    return NUCE_OK;
}

void nuce_session_close(void *session)
{
    struct nuce_session *closed = session;

    if (closed == NULL)
        return;
    nuce_edge_sweep_fini(&closed->sweep);
    nuce_submesh_fini(&closed->submesh);
    free(closed);
}

/* Reads the mesh, by its name or path, and cuts it into parts. Rank 0; what was made is released by
 * the caller, also after failure. */
static nuce_status read_and_cut(const struct nuce_exchange_params *params, int parts,
                                struct nuce_mesh *mesh, struct nuce_partition *partition,
                                struct nuce_error *error)
{
    char *path = NULL;
    int shipped = 0;
    nuce_status status = nuce_mesh_locate(params->mesh, &path, &shipped, error);

    if (status == NUCE_OK)
        status = nuce_mesh_read(path, mesh, error);
    if (status == NUCE_OK)
        status = nuce_partition_create(nuce_partition_find(params->partition), mesh, parts,
                                       params->scheduling.seed, partition, error);
    free(path);
    return status;
}

/* Gives the graph (not the coordinates) and the partition that rank 0 has to all. Collective over
 * the world. */
static void session_share(struct nuce_world *world, struct nuce_mesh *mesh,
                          struct nuce_partition *partition)
{
    int64_t sizes[] = {mesh->nodes, mesh->edges, partition->edge_cut};

    nuce_world_broadcast(world, sizes, (int64_t)sizeof sizes);
    if (world->rank != 0) {
        mesh->nodes = partition->nodes = sizes[0];
        mesh->edges = sizes[1];
        mesh->start = nuce_allocate(mesh->nodes + 1, sizeof *mesh->start);
        mesh->neighbor = nuce_allocate(2 * mesh->edges, sizeof *mesh->neighbor);
        partition->parts = world->size;
        partition->edge_cut = sizes[2];
        partition->part = nuce_allocate(mesh->nodes, sizeof *partition->part);
    }
    nuce_world_broadcast(world, mesh->start, (mesh->nodes + 1) * (int64_t)sizeof *mesh->start);
    nuce_world_broadcast(world, mesh->neighbor, 2 * mesh->edges * (int64_t)sizeof *mesh->neighbor);
    nuce_world_broadcast(world, partition->part, mesh->nodes * (int64_t)sizeof *partition->part);
}

/* Takes this rank's own nodes, with edges and ghosts, into the session. The seconds are processor
 * time, the most over the ranks. NUCE_CORRUPT where the parts together are not the mesh: every node
 * has one owner, every edge inside a part is there once and every cut one twice. Collective over
 * the world; the same verdict on all ranks. */
static nuce_status take_part(struct nuce_session *session, const struct nuce_mesh *mesh,
                             const struct nuce_partition *partition, struct nuce_error *error)
{
    struct nuce_submesh submesh;
    double begin = nuce_processor_clock(), seconds;
    int64_t sums[3];

    nuce_submesh_create(mesh, partition, session->world->rank, &submesh);
    seconds = nuce_processor_clock() - begin;
    nuce_edge_sweep_fini(&session->sweep);
    nuce_submesh_fini(&session->submesh);
    session->submesh = submesh;
    session->edge_cut = partition->edge_cut;
    nuce_world_maximum(session->world, &seconds, 1);
    session->index_s = seconds;
    sums[0] = submesh.owned;
    sums[1] = submesh.interior;
    sums[2] = submesh.edges - submesh.interior;
    nuce_world_sum(session->world, sums, 3);
    if (sums[0] != mesh->nodes || sums[2] != 2 * session->edge_cut ||
        sums[1] + session->edge_cut != mesh->edges)
        return nuce_error_set(error, NUCE_CORRUPT,
                              "the parts have %lld nodes and %lld + %lld / 2 edges, the mesh %lld "
                              "and %lld",
                              (long long)sums[0], (long long)sums[1], (long long)sums[2],
                              (long long)mesh->nodes, (long long)mesh->edges);
    return NUCE_OK;
}

/* The key is empty while the session holds nothing, or something half made, so that a failure is
 * not taken for a mesh that is there. */
nuce_status nuce_session_mesh(struct nuce_session *session,
                              const struct nuce_exchange_params *params, struct nuce_error *error)
{
    struct nuce_world *world = session->world;
    struct nuce_mesh mesh = {0};
    struct nuce_partition partition = {0};
    char key[sizeof session->key];
    nuce_status status = NUCE_OK;

    snprintf(key, sizeof key, "%s %s %lld", params->mesh, params->partition,
             (long long)params->scheduling.seed);
    if (strcmp(key, session->key) == 0)
        return NUCE_OK;
    session->key[0] = '\0';
    if (world->rank == 0)
        status = read_and_cut(params, world->size, &mesh, &partition, error);
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK)
        session_share(world, &mesh, &partition);
    if (status == NUCE_OK)
        status = take_part(session, &mesh, &partition, error);
    if (status == NUCE_OK)
        memcpy(session->key, key, sizeof key);
    nuce_mesh_fini(&mesh);
    nuce_partition_fini(&partition);
    return status;
}

void nuce_session_sweep(struct nuce_session *session, int64_t unit)
{
    if (session->sweep.unit != unit) {
        nuce_edge_sweep_fini(&session->sweep);
        nuce_edge_sweep_init(&session->submesh, unit, &session->sweep);
    }
    nuce_edge_sweep_set(&session->sweep, 0);
}
