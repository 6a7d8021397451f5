/* What the points of one launch share, and the record of its job. */
#include "run/point_loop.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/record.h"

/* The record of the job says once what all its runs share: facts and environment, which the runs
 * name by its hash. */
nuce_status nuce_point_loop_begin(struct nuce_point_loop *loop, struct nuce_error *error)
{
    const struct nuce_environment *environment = loop->environment;
    nuce_status status = NUCE_OK;

    if (loop->world->rank == 0 && loop->writer.descriptor >= 0) {
        json_t *record = nuce_record_create("job", environment->job, error);

        json_object_set_new(record, "campaign", json_string(loop->campaign));
        json_object_set_new(record, "environment", json_string(environment->id));
        json_object_set(record, "facts", environment->facts);
        json_object_set(record, "described", environment->described);
        status = record == NULL ? error->status : nuce_jsonl_append(&loop->writer, record, error);
        json_decref(record);
    }
    return nuce_world_agree(loop->world, status, error);
}

nuce_status nuce_point_loop_keep(struct nuce_point_loop *loop, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    if (loop->writer.descriptor >= 0) /* rank 0's */
        status = nuce_jsonl_keep(&loop->writer, error);
    return nuce_world_agree(loop->world, status, error);
}

nuce_status nuce_point_loop_open(const struct nuce_point_loop *loop, struct nuce_world *world,
                                 void **session, struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    *session = world;
    if (loop->run->open != NULL)
        status = loop->run->open(world, session, error);
    if (status != NUCE_OK)
        *session = NULL;
    return nuce_world_agree(loop->world, status, error);
}

void nuce_point_loop_close(const struct nuce_point_loop *loop, void *session)
{
    if (loop->run->close != NULL)
        loop->run->close(session);
}

/* With records the harness has said it already, when the sweep was planned. */
void nuce_point_loop_remark(struct nuce_point_loop *loop, const struct nuce_point *point)
{
    char text[NUCE_MESSAGE_BYTES] = "";

    if (point->workload->remark == NULL || loop->world->rank != 0 || loop->writer.descriptor >= 0)
        return;
    point->workload->remark(point->params, point->ranks, text);
    if (text[0] != '\0' && strcmp(text, loop->remark) != 0)
        fprintf(stderr, "%s: note: %s\n", program_invocation_short_name, text);
    memcpy(loop->remark, text, sizeof loop->remark);
}
