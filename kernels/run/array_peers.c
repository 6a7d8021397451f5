/* Packs, unpacks and copies a distributed array by its index sets (instances/index_set.h), and
 * fills and checks every element of it. Cost of a check: O(bytes of the part). An element's
 * value follows from its place in the whole array, so it is the same before and after. */
#include "run/array_peers.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "instances/pack.h"

void nuce_arrays_init(const struct nuce_redistribution *redistribution, int rank,
                      struct nuce_arrays *out)
{
    struct nuce_arrays arrays = {.redistribution = *redistribution, .rank = rank};

    arrays.from_bytes = nuce_redistribution_bytes_before(redistribution, rank);
    arrays.to_bytes = nuce_redistribution_bytes_after(redistribution, rank);
    nuce_index_set_create(redistribution, rank, NUCE_SENDS, &arrays.sends);
    nuce_index_set_create(redistribution, rank, NUCE_RECEIVES, &arrays.receives);
    *out = arrays;
}

nuce_status nuce_arrays_allocate(struct nuce_arrays *arrays, struct nuce_buffers *shared,
                                 struct nuce_error *error)
{
    arrays->from = nuce_buffers_take(shared, NUCE_BUFFER_FROM, arrays->from_bytes,
                                     &arrays->shares_from, error);
    arrays->to =
        nuce_buffers_take(shared, NUCE_BUFFER_TO, arrays->to_bytes, &arrays->shares_to, error);
    return arrays->from == NULL || arrays->to == NULL ? error->status : NUCE_OK;
}

void nuce_arrays_fini(struct nuce_arrays *arrays)
{
    nuce_index_set_fini(&arrays->sends);
    nuce_index_set_fini(&arrays->receives);
    if (!arrays->shares_from)
        free(arrays->from);
    if (!arrays->shares_to)
        free(arrays->to);
    memset(arrays, 0, sizeof *arrays);
}

int64_t nuce_arrays_bytes(const struct nuce_arrays *arrays)
{
    return 2 * (arrays->from_bytes + arrays->to_bytes);
}

struct nuce_arrays nuce_arrays_reverse(const struct nuce_arrays *arrays)
{
    return (struct nuce_arrays){.redistribution =
                                    nuce_redistribution_reverse(&arrays->redistribution),
                                .rank = arrays->rank,
                                .is_reverse = !arrays->is_reverse,
                                .sends = arrays->receives,
                                .receives = arrays->sends,
                                .from = arrays->to,
                                .to = arrays->from,
                                .from_bytes = arrays->to_bytes,
                                .to_bytes = arrays->from_bytes};
}

/* Packs or unpacks all messages of a set. A payload's messages, those of side, have the same
 * peers in the same order, except the rank itself, which only the set has. */
static void copy_messages(const struct nuce_index_set *set, int rank, int is_packing,
                          unsigned char *array, const struct nuce_payload_side *side)
{
    int message = 0;

    for (int k = 0; k < nuce_index_set_peers(set); k++) {
        if (nuce_index_set_rank(set, k) == rank)
            continue;
        NUCE_ASSERT(message < side->count &&
                    side->at[message + 1] - side->at[message] == nuce_index_set_bytes(set, k));
        if (is_packing)
            nuce_index_set_pack(set, k, array, side->data + side->at[message]);
        else
            nuce_index_set_unpack(set, k, side->data + side->at[message], array);
        message++;
    }
}

void nuce_arrays_pack(const struct nuce_arrays *arrays, struct nuce_payload *payload)
{
    copy_messages(&arrays->sends, arrays->rank, 1, arrays->from, &payload->send);
}

void nuce_arrays_unpack(const struct nuce_arrays *arrays, const struct nuce_payload *payload)
{
    copy_messages(&arrays->receives, arrays->rank, 0, arrays->to, &payload->receive);
}

void nuce_arrays_copy_own(void *context)
{
    const struct nuce_arrays *arrays = context;

    nuce_redistribution_copy_own(&arrays->sends, &arrays->receives, arrays->from, arrays->to);
}

void nuce_arrays_spoil(const struct nuce_arrays *arrays)
{
    const struct nuce_index_set *set = &arrays->receives;

    for (int k = 0; k < nuce_index_set_peers(set); k++) {
        int64_t row = nuce_index_set_rows(set, k)->period->start;
        int64_t column = nuce_index_set_columns(set, k)->period->start;

        if (nuce_index_set_rank(set, k) != arrays->rank)
            arrays->to[(column * set->rows.elements + row) * set->element_bytes] ^= 0xff;
    }
}

/* The result of a comparison; with wrong 0 the other members have no meaning. */
struct array_difference {
    int64_t wrong; /* bytes */
    int64_t row, column, byte;
    unsigned char found, expected;
};

/* Visits every element of `to`, or of `from`, column by column. The bytes of an element are
 * those of a key, from its place in the whole array and salt, and then of words mixed from the
 * key. difference NULL: sets the bytes; those of `to` become the complement of the expected
 * ones, so a missing element is wrong in every byte. Else: counts wrong bytes, and keeps the
 * first. A rank outside the grid has no elements. */
static void arrays_visit(const struct nuce_arrays *arrays, int is_goal, uint64_t salt,
                         struct array_difference *difference)
{
    const struct nuce_layout *layout =
        is_goal ? &arrays->redistribution.to : &arrays->redistribution.from;
    const struct nuce_cyclic *rows = &layout->rows, *columns = &layout->columns;
    int grid_row = arrays->rank / columns->ranks, grid_column = arrays->rank % columns->ranks;
    unsigned char *data = is_goal ? arrays->to : arrays->from, flip = is_goal ? 0xff : 0;
    int64_t own_rows, own_columns;

    if (arrays->rank >= nuce_layout_ranks(layout))
        return;
    own_rows = nuce_cyclic_owned(rows, grid_row);
    own_columns = nuce_cyclic_owned(columns, grid_column);
    for (int64_t j = 0; j < own_columns; j++) {
        int64_t column = nuce_cyclic_global(columns, grid_column, j);

        for (int64_t k = 0; k < own_rows; k++) {
            int64_t row = nuce_cyclic_global(rows, grid_row, k);
            uint64_t key = nuce_rng_mix(nuce_rng_mix((uint64_t)row + salt) ^ (uint64_t)column);

            for (int64_t i = 0; i < arrays->redistribution.element_bytes; i++, data++) {
                uint64_t word = i < 8 ? key : nuce_rng_mix(key + (uint64_t)i / 8);
                unsigned char byte = (unsigned char)(word >> i % 8 * 8);

                if (difference == NULL)
                    *data = byte ^ flip;
                else if (*data != byte && difference->wrong++ == 0)
                    *difference = (struct array_difference){1, row, column, i, *data, byte};
            }
        }
    }
}

void nuce_arrays_fill(const struct nuce_arrays *arrays, uint64_t salt)
{
    arrays_visit(arrays, 0, salt, NULL);
    arrays_visit(arrays, 1, salt, NULL);
}

nuce_status nuce_arrays_check(const struct nuce_arrays *arrays, uint64_t salt,
                              struct nuce_error *error)
{
    struct array_difference difference = {0};

    arrays_visit(arrays, 1, salt, &difference);
    if (difference.wrong == 0)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_CORRUPT,
                          "%s: %lld bytes of rank %d are wrong, the first is byte %lld of the "
                          "element at row %lld, column %lld: 0x%02x, expected 0x%02x",
                          arrays->is_reverse ? "after the way back" : "after the redistribution",
                          (long long)difference.wrong, arrays->rank, (long long)difference.byte,
                          (long long)difference.row, (long long)difference.column, difference.found,
                          difference.expected);
}
