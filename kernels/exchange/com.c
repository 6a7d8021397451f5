/* COM as the paper makes it: each rank its own row, sparse, then one concatenation, after which all
 * ranks hold the same pattern and compute the same schedule. */
#include "exchange/com.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"
#include "support/int.h"
#include "workloads/exchange_instance.h"
#include "world/control.h"

/* One rank's row, sparse. */
struct com_row {
    int count;
    int64_t (*entry)[2]; /* destination, units */
};

static nuce_status mesh_row(const struct nuce_submesh *submesh, struct com_row *row,
                            struct nuce_error *error)
{
    row->count = submesh->neighbors;
    row->entry = nuce_allocate(row->count, sizeof *row->entry, error);
    if (row->entry == NULL)
        return error->status;
    for (int k = 0; k < row->count; k++) {
        row->entry[k][0] = submesh->neighbor[k];
        row->entry[k][1] = submesh->send_start[k + 1] - submesh->send_start[k];
    }
    return NUCE_OK;
}

/* Random patterns are the same on every rank, from the seed; only the own row is kept. */
static nuce_status pattern_row(const struct nuce_exchange_params *params, int rank, int ranks,
                               struct com_row *row, struct nuce_error *error)
{
    struct nuce_pattern pattern = {0};
    nuce_status status = nuce_exchange_pattern(params, ranks, &pattern, error);

    if (status == NUCE_OK) {
        row->count = nuce_int(pattern.row[rank + 1] - pattern.row[rank]);
        row->entry = nuce_allocate(row->count, sizeof *row->entry, error);
        status = row->entry == NULL ? error->status : NUCE_OK;
    }
    for (int k = 0; status == NUCE_OK && k < row->count; k++) {
        row->entry[k][0] = pattern.destination[pattern.row[rank] + k];
        row->entry[k][1] = pattern.bytes[pattern.row[rank] + k];
    }
    nuce_pattern_fini(&pattern);
    return status;
}

struct com_rows {
    int *count; /* of int64 values: twice the entries */
    int *at;
    int64_t (*entry)[2];
    int64_t total; /* entries */
};

static void free_rows(struct com_rows *rows)
{
    free(rows->count);
    free(rows->at);
    free(rows->entry);
}

/* Collective; leaves the counts in place and room for all entries. */
static nuce_status gather_counts(struct nuce_world *world, int mine, struct com_rows *rows,
                                 struct nuce_error *error)
{
    nuce_status status = NUCE_OK;

    rows->count = nuce_allocate(world->size, sizeof *rows->count, error);
    rows->at = nuce_allocate(world->size, sizeof *rows->at, error);
    if (rows->count == NULL || rows->at == NULL)
        status = error->status;
    if (nuce_world_agree(world, status, error) != NUCE_OK)
        return error->status;
    mine *= 2;
    nuce_control_allgather(world, &mine, 1, MPI_INT, rows->count);
    for (int rank = 0; rank < world->size; rank++) {
        if (rows->total * 2 > INT_MAX - rows->count[rank])
            return nuce_error_set(error, NUCE_FAILED, "COM has more than %d messages", INT_MAX / 2);
        rows->at[rank] = (int)rows->total * 2;
        rows->total += rows->count[rank] / 2;
    }
    rows->entry = nuce_allocate(rows->total, sizeof *rows->entry, error);
    return nuce_world_agree(world, rows->entry == NULL ? NUCE_FAILED : NUCE_OK, error);
}

/* Local. */
static nuce_status com_assemble(const struct com_rows *rows, int ranks, struct nuce_pattern *out,
                                struct nuce_error *error)
{
    struct nuce_message *messages = nuce_allocate(rows->total, sizeof *messages, error);
    nuce_status status;

    if (messages == NULL)
        return error->status;
    for (int rank = 0; rank < ranks; rank++) {
        int first = rows->at[rank] / 2;

        for (int k = first; k < first + rows->count[rank] / 2; k++)
            messages[k] = (struct nuce_message){.source = rank,
                                                .destination = nuce_int(rows->entry[k][0]),
                                                .bytes = rows->entry[k][1]};
    }
    status = nuce_pattern_init(ranks, messages, rows->total, out, error);
    free(messages);
    return status;
}

static nuce_status com_concatenate(struct nuce_world *world, const struct com_row *row,
                                   struct nuce_pattern *out, double *gather_s,
                                   struct nuce_error *error)
{
    struct com_rows rows = {0};
    double begin;
    nuce_status status;

    nuce_world_barrier(world);
    begin = nuce_clock();
    status = gather_counts(world, row->count, &rows, error);
    if (status == NUCE_OK) {
        nuce_control_allgatherv(world, row->entry, 2 * row->count, MPI_INT64_T, rows.entry,
                                rows.count, rows.at);
        status = nuce_world_agree(world, com_assemble(&rows, world->size, out, error), error);
    }
    *gather_s = nuce_clock() - begin;
    nuce_world_maximum(world, gather_s, 1);
    free_rows(&rows);
    return status;
}

nuce_status nuce_com_create(struct nuce_session *session, const struct nuce_exchange_params *params,
                            struct nuce_pattern *out, double *gather_s, struct nuce_error *error)
{
    struct nuce_world *world = session->world;
    struct nuce_pattern pattern = {0};
    struct com_row row = {0};
    nuce_status status;

    if (strcmp(params->pattern, "mesh") == 0)
        status = mesh_row(&session->submesh, &row, error);
    else
        status = pattern_row(params, world->rank, world->size, &row, error);
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK)
        status = com_concatenate(world, &row, &pattern, gather_s, error);
    if (status == NUCE_OK)
        status = nuce_world_agree(world, nuce_exchange_scale(params, &pattern, error), error);
    free(row.entry);
    if (status == NUCE_OK)
        *out = pattern;
    else
        nuce_pattern_fini(&pattern);
    return status;
}
