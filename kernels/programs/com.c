/* COM as the paper makes it: each rank its own row, sparse. Where the row follows from the mesh, or
 * from the random numbers alone, nobody knows more than that. */
#include "programs/com.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "points/exchange_instance.h"
#include "run/gathering.h"
#include "run/hand_out.h"

/* In units. */
static nuce_status mesh_row(const struct nuce_submesh *submesh, int rank, int ranks,
                            struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_message *messages = nuce_allocate(submesh->neighbors, sizeof *messages);
    nuce_status status;

    for (int k = 0; k < submesh->neighbors; k++)
        messages[k] = (struct nuce_message){
            .source = rank,
            .destination = submesh->neighbor[k],
            .bytes = submesh->send_start[k + 1] - submesh->send_start[k],
        };
    status = nuce_pattern_init(ranks, messages, submesh->neighbors, out, error);
    free(messages);
    return status;
}

/* A pattern that is only known whole: the first rank of each node makes it. Collective. */
static nuce_status hand_out_rows(struct nuce_world *world,
                                 const struct nuce_exchange_params *params,
                                 struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_pattern whole = {0};
    nuce_status status = NUCE_OK;

    if (nuce_gathering_leads(world))
        status = nuce_exchange_pattern(params, world->size, &whole, error);
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK)
        status = nuce_hand_out_messages(world, &whole, out, error);
    nuce_pattern_fini(&whole);
    return status;
}

/* Which of the three ways it goes follows from params alone, so that all ranks go the same. */
nuce_status nuce_com_create(struct nuce_session *session, const struct nuce_exchange_params *params,
                            struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_world *world = session->world;
    struct nuce_pattern rows = {0};
    nuce_status status;

    if (strcmp(params->pattern, "mesh") == 0)
        status = nuce_world_agree(
            world, mesh_row(&session->submesh, world->rank, world->size, &rows, error), error);
    else if (nuce_exchange_has_rows(params))
        status = nuce_world_agree(
            world, nuce_exchange_row(params, world->rank, world->size, &rows, error), error);
    else
        status = hand_out_rows(world, params, &rows, error);
    if (status == NUCE_OK)
        status = nuce_world_agree(world, nuce_exchange_scale(params, &rows, error), error);
    if (status == NUCE_OK)
        *out = rows;
    else
        nuce_pattern_fini(&rows);
    return status;
}
