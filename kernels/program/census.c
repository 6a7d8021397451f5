/* Sums and maxima of what each rank counts of its own. */
#include "program/census.h"

#include <stdlib.h>
#include <string.h>

#include "support/allocate.h"
#include "support/int.h"
#include "support/rng.h"
#include "world/control.h"

/* What rank does in one direction: messages, and of those that need a wire number and bytes. */
struct side {
    int64_t messages, bytes, largest;
    int64_t wired, wired_bytes;
};

static void side_add(struct side *side, int source, int destination, int64_t bytes)
{
    side->messages++;
    side->bytes += bytes;
    side->largest = bytes > side->largest ? bytes : side->largest;
    side->wired += source != destination;
    side->wired_bytes += source != destination ? bytes : 0;
}

static int64_t census_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

nuce_status nuce_census_summary(struct nuce_world *world, const struct nuce_pattern *own,
                                struct nuce_pattern_summary *out, struct nuce_error *error)
{
    struct side sent = {0}, received = {0};
    int64_t most[3], sums[2];
    double bytes;

    for (int i = 0; i < own->ranks; i++) {
        for (int64_t k = own->row[i]; k < own->row[i + 1]; k++) {
            if (i == world->rank)
                side_add(&sent, i, own->destination[k], own->bytes[k]);
            if (own->destination[k] == world->rank)
                side_add(&received, i, own->destination[k], own->bytes[k]);
        }
    }
    bytes = (double)sent.bytes;
    nuce_control_allreduce(world, &bytes, 1, MPI_DOUBLE, MPI_SUM, world->control);
    if (!(bytes < (double)INT64_MAX))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "all messages together have %g bytes: expected less than 2^63",
                              bytes);
    sums[0] = sent.messages;
    sums[1] = sent.bytes;
    nuce_control_allreduce(world, sums, 2, MPI_INT64_T, MPI_SUM, world->control);
    most[0] = sent.largest;
    most[1] = census_larger(sent.wired_bytes, received.wired_bytes);
    most[2] = census_larger(sent.wired, received.wired);
    nuce_control_allreduce(world, most, 3, MPI_INT64_T, MPI_MAX, world->control);
    *out = (struct nuce_pattern_summary){.messages = sums[0],
                                         .bytes = sums[1],
                                         .largest = most[0],
                                         .busiest_port = most[1],
                                         .degree = nuce_int(most[2])};
    return NUCE_OK;
}

/* Rank 0: the row of rank from, once it is asked for; *room grows as it has to. */
static nuce_status take_row(struct nuce_world *world, int from, struct nuce_hash_state *state,
                            char **room, int64_t *capacity, struct nuce_error *error)
{
    int64_t length = 0;
    int wanted = 1;

    nuce_control_receive(world, &length, 1, MPI_INT64_T, from, world->control);
    if (nuce_allocate_more((void **)room, capacity, length, 1, error) != NUCE_OK)
        wanted = 0;
    nuce_control_send(world, &wanted, 1, MPI_INT, from, world->control);
    if (!wanted)
        return error->status;
    nuce_control_receive(world, *room, nuce_int(length), MPI_CHAR, from, world->control);
    return nuce_hash_add(state, *room, (size_t)length, error);
}

/* Other ranks: their row as text. */
static nuce_status give_row(struct nuce_world *world, const struct nuce_pattern *own,
                            struct nuce_error *error)
{
    size_t length = 0;
    char *text = nuce_pattern_row_text(own, world->rank, &length, error);
    int64_t bytes = text == NULL ? 0 : (int64_t)length;
    int wanted = 0;

    nuce_control_send(world, &bytes, 1, MPI_INT64_T, 0, world->control);
    nuce_control_receive(world, &wanted, 1, MPI_INT, 0, world->control);
    if (wanted)
        nuce_control_send(world, text, nuce_int(bytes), MPI_CHAR, 0, world->control);
    free(text);
    return text == NULL ? error->status : NUCE_OK;
}

/* Rank 0: the head, its own row, and the others' in their order, also after a failure: they wait
 * to be asked. */
static nuce_status hash_rows(struct nuce_world *world, const struct nuce_pattern *own,
                             struct nuce_hash_state *state, struct nuce_error *error)
{
    char head[NUCE_PATTERN_HEAD_BYTES], *room = NULL;
    size_t length = 0;
    char *text = nuce_pattern_row_text(own, 0, &length, error);
    int64_t capacity = 0;
    nuce_status status = text == NULL ? error->status : NUCE_OK;

    nuce_pattern_head(own->ranks, head);
    if (status == NUCE_OK)
        status = nuce_hash_add(state, head, strlen(head), error);
    if (status == NUCE_OK)
        status = nuce_hash_add(state, text, length, error);
    free(text);
    for (int rank = 1; rank < world->size; rank++) {
        nuce_status taken = take_row(world, rank, state, &room, &capacity, error);

        status = status == NUCE_OK ? taken : status;
    }
    free(room);
    return status;
}

nuce_status nuce_census_hash(struct nuce_world *world, const struct nuce_pattern *own,
                             char hex[NUCE_HASH_BYTES], struct nuce_error *error)
{
    struct nuce_hash_state *state = NULL;
    nuce_status status = NUCE_OK;

    if (world->rank == 0) {
        state = nuce_hash_create(error);
        status = state == NULL ? error->status : NUCE_OK;
    }
    status = nuce_world_agree(world, status, error);
    if (status == NUCE_OK) {
        status =
            world->rank == 0 ? hash_rows(world, own, state, error) : give_row(world, own, error);
        if (status == NUCE_OK && world->rank == 0)
            status = nuce_hash_end(state, hex, error);
        status = nuce_world_agree(world, status, error);
    }
    nuce_hash_destroy(state);
    return status;
}

struct nuce_schedule_totals nuce_census_totals(struct nuce_world *world,
                                               const struct nuce_schedule *own)
{
    struct nuce_schedule_totals totals = nuce_schedule_total(own, world->rank, world->rank + 1);
    int64_t sums[] = {totals.pieces, totals.forwarded_bytes};

    nuce_world_sum(world, sums, 2);
    return (struct nuce_schedule_totals){.pieces = sums[0], .forwarded_bytes = sums[1]};
}

static uint64_t piece_hash(int source, int destination, const struct nuce_transfer *piece)
{
    uint64_t hash = nuce_rng_mix((uint64_t)(uint32_t)source << 32 | (uint32_t)destination);

    hash = nuce_rng_mix(hash + (uint64_t)(uint32_t)piece->phase);
    hash = nuce_rng_mix(hash + (uint64_t)piece->offset);
    return nuce_rng_mix(hash + (uint64_t)piece->bytes);
}

nuce_status nuce_census_match(struct nuce_world *world, const struct nuce_schedule *own,
                              struct nuce_error *error)
{
    int rank = world->rank;
    uint64_t sum = 0;

    for (int64_t k = own->send_start[rank]; k < own->send_start[rank + 1]; k++)
        sum += piece_hash(rank, own->sends[k].peer, &own->sends[k]);
    for (int64_t k = own->receive_start[rank]; k < own->receive_start[rank + 1]; k++)
        sum -= piece_hash(own->receives[k].peer, rank, &own->receives[k]);
    nuce_control_allreduce(world, &sum, 1, MPI_UINT64_T, MPI_SUM, world->control);
    if (sum == 0)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_CORRUPT,
                          "what ranks plan to send is not what their peers plan to receive");
}
