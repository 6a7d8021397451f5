/* The data that the points of one launch share, and the record of its job. */
#include "run/point_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/record.h"
#include "base/text.h"

/* A file of one line, mapped into rank 0: the kernel keeps a dead process's stores there. The
 * file is written and not only extended: on a full disk a store to a hole would be a SIGBUS. The
 * mapping outlives the descriptor. */
nuce_status nuce_turn_open(const char *path, struct nuce_turn *out, struct nuce_error *error)
{
    static const char empty[NUCE_HASH_BYTES] = "";
    struct nuce_turn turn = {.path = nuce_text_format("%s.turn", path)};
    int descriptor = open(turn.path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    void *text = MAP_FAILED;

    if (descriptor >= 0 && write(descriptor, empty, sizeof empty) == (ssize_t)sizeof empty)
        text = mmap(NULL, NUCE_HASH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (text == MAP_FAILED)
        nuce_error_set(error, NUCE_FAILED, "%s: %s", turn.path, strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    if (text == MAP_FAILED) {
        nuce_turn_close(&turn);
        return error->status;
    }
    turn.text = text;
    *out = turn;
    return NUCE_OK;
}

/* Makes no system call: it is called between the steps of a race. */
void nuce_turn_set(struct nuce_turn *turn, const char *id)
{
    if (turn != NULL && turn->text != NULL)
        memcpy(turn->text, id, NUCE_HASH_BYTES - 1);
}

void nuce_turn_close(struct nuce_turn *turn)
{
    if (turn->text != NULL)
        munmap(turn->text, NUCE_HASH_BYTES);
    if (turn->path != NULL)
        unlink(turn->path);
    free(turn->path);
    *turn = (struct nuce_turn){NULL, NULL};
}

/* The record of the job has the data that all its runs share, once: facts and environment. The
 * runs name the environment by its hash. */
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

    if (loop->writer.descriptor >= 0) /* only rank 0 writes it */
        status = nuce_jsonl_keep(&loop->writer, error);
    return nuce_world_agree(loop->world, status, error);
}

void *nuce_point_loop_open(const struct nuce_point_loop *loop, struct nuce_world *world)
{
    return loop->run->open != NULL ? loop->run->open(world) : world;
}

void nuce_point_loop_close(const struct nuce_point_loop *loop, void *session)
{
    if (loop->run->close != NULL)
        loop->run->close(session);
}

/* With records, the harness printed it already, when the sweep was planned. */
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
