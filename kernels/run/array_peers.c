/* Packs, unpacks and copies a distributed array by its index sets (instances/index_set.h), and
 * fills and checks every element of it. Cost of a check: O(bytes of the part). The value of an
 * element is of its place in the whole array, so that it is the same before and after. */
#include "run/array_peers.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
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

/* Packs or unpacks all messages of a set. Those of a payload, at[0 .. count], are to the same ranks
 * in the same order, but for the rank's own, which only the set has. */
static void copy_messages(const struct nuce_index_set *set, int rank, int is_packing, int count,
                          unsigned char *array, unsigned char *buffer, const int64_t *at)
{
    int message = 0;

    for (int k = 0; k < nuce_index_set_peers(set); k++) {
        if (nuce_index_set_rank(set, k) == rank)
            continue;
        NUCE_ASSERT(message < count &&
                    at[message + 1] - at[message] == nuce_index_set_bytes(set, k));
        if (is_packing)
            nuce_index_set_pack(set, k, array, buffer + at[message]);
        else
            nuce_index_set_unpack(set, k, buffer + at[message], array);
        message++;
    }
}

void nuce_arrays_pack(const struct nuce_arrays *arrays, struct nuce_payload *payload)
{
    copy_messages(&arrays->sends, arrays->rank, 1, payload->sends, arrays->from, payload->send,
                  payload->send_at);
}

void nuce_arrays_unpack(const struct nuce_arrays *arrays, const struct nuce_payload *payload)
{
    copy_messages(&arrays->receives, arrays->rank, 0, payload->receives, arrays->to,
                  payload->receive, payload->receive_at);
}

void nuce_arrays_copy_own(void *context)
{
    const struct nuce_arrays *arrays = context;

    nuce_redistribution_copy_own(&arrays->sends, &arrays->receives, arrays->from, arrays->to);
}

void nuce_arrays_pack_back(const struct nuce_arrays *arrays, struct nuce_payload *payload)
{
    copy_messages(&arrays->receives, arrays->rank, 1, payload->receives, arrays->to,
                  payload->receive, payload->receive_at);
}

void nuce_arrays_unpack_back(const struct nuce_arrays *arrays, const struct nuce_payload *payload)
{
    copy_messages(&arrays->sends, arrays->rank, 0, payload->sends, arrays->from, payload->send,
                  payload->send_at);
    nuce_redistribution_copy_own(&arrays->receives, &arrays->sends, arrays->to, arrays->from);
}

/* One local part and how its elements lie. */
struct array_part {
    const struct nuce_layout *layout;
    int rank;
    unsigned char *data;
    int64_t element_bytes;
};

static struct array_part part_before(const struct nuce_arrays *arrays)
{
    return (struct array_part){&arrays->redistribution.from, arrays->rank, arrays->from,
                               arrays->redistribution.element_bytes};
}

static struct array_part part_after(const struct nuce_arrays *arrays)
{
    return (struct array_part){&arrays->redistribution.to, arrays->rank, arrays->to,
                               arrays->redistribution.element_bytes};
}

/* 64 bits that the element's bytes are made from, by its place in the whole array and salt. */
static uint64_t element_key(int64_t row, int64_t column, uint64_t salt)
{
    return nuce_rng_mix(nuce_rng_mix((uint64_t)row + salt) ^ (uint64_t)column);
}

/* Byte i of an element: of its key, then of words mixed from it. */
static unsigned char element_byte(uint64_t key, int64_t i)
{
    uint64_t word = i < 8 ? key : nuce_rng_mix(key + (uint64_t)i / 8);

    return (unsigned char)(word >> i % 8 * 8);
}

/* What a comparison found; wrong 0: nothing, and the rest means nothing. */
struct array_difference {
    int64_t wrong; /* bytes */
    int64_t row, column, byte;
    unsigned char found, expected;
};

/* flip 0xff writes the complement of every byte. */
static void fill_element(unsigned char *data, int64_t bytes, uint64_t key, unsigned char flip)
{
    for (int64_t i = 0; i < bytes; i++)
        data[i] = element_byte(key, i) ^ flip;
}

/* Counts wrong bytes, and keeps the first of all. */
static void compare_element(const unsigned char *data, int64_t bytes, uint64_t key, int64_t row,
                            int64_t column, struct array_difference *difference)
{
    for (int64_t i = 0; i < bytes; i++) {
        unsigned char expected = element_byte(key, i);

        if (data[i] != expected && difference->wrong++ == 0)
            *difference = (struct array_difference){1, row, column, i, data[i], expected};
    }
}

/* Goes over every element of the part, column by column: sets it where difference is NULL, else
 * compares it. A rank beyond the grid has none. */
static void arrays_visit(const struct array_part *part, uint64_t salt, unsigned char flip,
                         struct array_difference *difference)
{
    const struct nuce_cyclic *rows = &part->layout->rows, *columns = &part->layout->columns;
    int grid_row = part->rank / columns->ranks, grid_column = part->rank % columns->ranks;
    unsigned char *data = part->data;
    int64_t own_rows, own_columns;

    if (part->rank >= nuce_layout_ranks(part->layout))
        return;
    own_rows = nuce_cyclic_owned(rows, grid_row);
    own_columns = nuce_cyclic_owned(columns, grid_column);
    for (int64_t j = 0; j < own_columns; j++) {
        int64_t column = nuce_cyclic_global(columns, grid_column, j);

        for (int64_t i = 0; i < own_rows; i++, data += part->element_bytes) {
            int64_t row = nuce_cyclic_global(rows, grid_row, i);
            uint64_t key = element_key(row, column, salt);

            if (difference == NULL)
                fill_element(data, part->element_bytes, key, flip);
            else
                compare_element(data, part->element_bytes, key, row, column, difference);
        }
    }
}

/* The goal gets the complement of what belongs there: an element that is not written is wrong in
 * every byte. */
static void arrays_fill(const struct array_part *origin, const struct array_part *goal,
                        uint64_t salt)
{
    arrays_visit(origin, salt, 0x00, NULL);
    arrays_visit(goal, salt, 0xff, NULL);
}

void nuce_arrays_fill(const struct nuce_arrays *arrays, uint64_t salt)
{
    struct array_part before = part_before(arrays), after = part_after(arrays);

    arrays_fill(&before, &after, salt);
}

void nuce_arrays_fill_back(const struct nuce_arrays *arrays, uint64_t salt)
{
    struct array_part before = part_before(arrays), after = part_after(arrays);

    arrays_fill(&after, &before, salt);
}

/* when: which way, for the message. NUCE_CORRUPT counts all wrong bytes and names the first. */
static nuce_status arrays_check(const struct array_part *part, const char *when, uint64_t salt,
                                struct nuce_error *error)
{
    struct array_difference difference = {0};

    arrays_visit(part, salt, 0x00, &difference);
    if (difference.wrong == 0)
        return NUCE_OK;
    return nuce_error_set(error, NUCE_CORRUPT,
                          "%s: %lld bytes of rank %d are wrong, the first is byte %lld of the "
                          "element at row %lld, column %lld: 0x%02x, expected 0x%02x",
                          when, (long long)difference.wrong, part->rank, (long long)difference.byte,
                          (long long)difference.row, (long long)difference.column, difference.found,
                          difference.expected);
}

nuce_status nuce_arrays_check(const struct nuce_arrays *arrays, uint64_t salt,
                              struct nuce_error *error)
{
    struct array_part after = part_after(arrays);

    return arrays_check(&after, "after the redistribution", salt, error);
}

nuce_status nuce_arrays_check_back(const struct nuce_arrays *arrays, uint64_t salt,
                                   struct nuce_error *error)
{
    struct array_part before = part_before(arrays);

    return arrays_check(&before, "after the way back", salt, error);
}
