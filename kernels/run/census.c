/* Sums and maxima of each rank's own counts.
 *
 * No rank ever has the pattern: each counts its own row and column, O(own messages + ranks), and
 * a few numbers are reduced. The hash of the whole text needs the rows in order: rank 0 receives
 * them a MiB at a time and forgets each afterwards. The check that every send has its receive
 * compares sums of hashes. These are equal if all match, and almost certainly differ if not. */
#include "run/control.h"
#include "run/gathering.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/rng.h"
#include "run/world.h"

#define HALF_BITS 32

/* The members of a summary: sums over the ranks, then maxima. */
enum {
    SUMS = offsetof(struct nuce_pattern_summary, largest) / sizeof(int64_t),
    MAXIMA = sizeof(struct nuce_pattern_summary) / sizeof(int64_t) - SUMS,
};

nuce_status nuce_census_summary(struct nuce_world *world, const struct nuce_pattern *own,
                                struct nuce_pattern_summary *out, struct nuce_error *error)
{
    const int64_t lower = (INT64_C(1) << HALF_BITS) - 1;
    struct nuce_pattern_summary summary = {0};      /* of what this rank sends */
    struct nuce_pattern_port ports[2] = {{0}, {0}}; /* its sends, its receives */
    int64_t values[SUMS + MAXIMA], low[2];

    for (int i = 0; i < own->ranks; i++) {
        for (int64_t k = own->row[i]; k < own->row[i + 1]; k++) {
            int is_sent = i == world->rank, is_received = own->destination[k] == world->rank;

            if (is_sent)
                nuce_pattern_summary_message(&summary, i, own->destination[k], own->bytes[k]);
            if (is_sent != is_received) {
                ports[is_received].bytes += own->bytes[k];
                ports[is_received].messages++;
            }
        }
    }
    nuce_pattern_summary_port(&summary, ports[0]);
    nuce_pattern_summary_port(&summary, ports[1]);
    /* The sum of all bytes may exceed int64_t, and a reduction would not report that. So upper
     * and lower halves are summed, which no number of ranks can overflow; so are those of the
     * fingerprint. Bytes to oneself are a part of all bytes, which are checked below. */
    low[0] = summary.bytes & lower;
    low[1] = summary.fingerprint & lower;
    summary.bytes >>= HALF_BITS;
    summary.fingerprint >>= HALF_BITS;
    memcpy(values, &summary, sizeof values);
    nuce_world_sum(world, values, SUMS);
    nuce_world_sum(world, low, 2);
    nuce_control_allreduce(world, values + SUMS, MAXIMA, MPI_INT64_T, MPI_MAX, world->control);
    memcpy(&summary, values, sizeof values);
    summary.fingerprint =
        (int64_t)(((uint64_t)summary.fingerprint << HALF_BITS) + (uint64_t)low[1]);
    summary.bytes += low[0] >> HALF_BITS;
    if (summary.bytes > INT64_MAX >> HALF_BITS)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "all messages together have 2^63 bytes or more: expected less");
    summary.bytes = (summary.bytes << HALF_BITS) + (low[0] & lower);
    *out = summary;
    return NUCE_OK;
}

/* Rank 0 receives rows with this many bytes of text at a time, and at least one row. */
#define MOST_TEXT (INT64_C(1) << 20)

/* Rank 0 adds some rows at a time, at least one of any length; ranks that do not send now have a
 * count of 0. */
void nuce_census_hash(struct nuce_world *world, const struct nuce_pattern *own,
                      char hex[NUCE_HASH_BYTES])
{
    int *count = nuce_allocate(world->size, sizeof *count); /* of ranks that send now, as at */
    int *at = nuce_allocate(world->size, sizeof *at);
    int64_t *length = nuce_allocate(world->size, sizeof *length), mine, capacity = 0;
    struct nuce_hash_state *state = NULL; /* rank 0, as room */
    char head[NUCE_PATTERN_HEAD_BYTES], *text, *room = NULL;
    size_t bytes = 0;

    text = nuce_pattern_row_text(own, world->rank, &bytes);
    mine = (int64_t)bytes;
    if (world->rank == 0) {
        state = nuce_hash_create();
        nuce_pattern_head(own->ranks, head);
        nuce_hash_add(state, head, strlen(head));
    }
    nuce_control_allgather(world, &mine, 1, MPI_INT64_T, length, world->control);
    for (int first = 0, end = 0; first < world->size; first = end) {
        int64_t total = 0;

        memset(count, 0, (size_t)world->size * sizeof *count);
        for (; end < world->size && (end == first || total + length[end] <= MOST_TEXT); end++) {
            count[end] = nuce_int(length[end]);
            at[end] = (int)total;
            total += length[end];
        }
        if (world->rank == 0)
            nuce_allocate_more((void **)&room, &capacity, total, 1);
        nuce_control_gatherv(world, text, count[world->rank], MPI_CHAR, room, count, at,
                             world->control);
        if (world->rank == 0)
            nuce_hash_add(state, room, (size_t)total);
    }
    if (world->rank == 0)
        nuce_hash_end(state, hex);
    free(text);
    free(length);
    free(count);
    free(at);
    free(room);
    nuce_hash_destroy(state);
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
                          "ranks plan to send other messages than their peers plan to receive");
}
