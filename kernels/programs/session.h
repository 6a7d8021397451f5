/* What the points of one launch share: the part of the last mesh that this rank owns, since reading
 * and cutting a mesh takes far longer than measuring one algorithm on it, and the values on it:
 * contenders find them in the caches as the program of any one of them would. */
#ifndef NUCE_SESSION_H
#define NUCE_SESSION_H

#include "instances/partition.h"
#include "points/workload.h"
#include "programs/edge_sweep.h"
#include "run/world.h"

/* What the points of one launch share. Owned; made by nuce_session_open. */
struct nuce_session {
    struct nuce_world *world;
    char key[2 * NUCE_PATH_BYTES]; /* mesh, partition and seed of what follows; "" for none */
    struct nuce_submesh submesh;
    int64_t edge_cut; /* of the whole mesh */
    double
        index_s; /* processor seconds of finding neighbours, send and ghost lists; max over ranks */
    struct nuce_edge_sweep sweep; /* on submesh; empty before the first nuce_session_sweep of it */
};

/* Makes a session without a mesh in *session. Local. Freed with nuce_session_close, which accepts
 * NULL. */
nuce_status nuce_session_open(struct nuce_world *world, void **session, struct nuce_error *error);
void nuce_session_close(void *session);

/* Makes the session hold this rank's part of the mesh that params names, unless it is there: rank 0
 * reads and cuts it and gives the graph to all. NUCE_BAD_INPUT: the mesh cannot be read or cut into
 * so many parts; the session then holds none. Collective over the world; all ranks return the same
 * status. */
nuce_status nuce_session_mesh(struct nuce_session *session,
                              const struct nuce_exchange_params *params, struct nuce_error *error);

/* Makes the session hold values of so many bytes a node on its mesh, unless they are there, and
 * sets them to those of salt 0. They are every point's that runs on this mesh with this unit, and
 * gone where another mesh or unit is asked for. Collective over the world; all ranks return the
 * same status. */
void nuce_session_sweep(struct nuce_session *session, int64_t unit);

#endif
