/* MPI_Pack and MPI_Unpack move what is not in memory as in a message. A block of a plain datatype,
 * such as MPI_DOUBLE or a contiguous type of it, is sent from and received into the caller's
 * memory. Several blocks for one rank, as neighbours have that are such twice, are one message.
 * Cost: memory for all packed messages, and a copy of them a step on each side. */
#include "library/mpi_side.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/rng.h"
#include "run/check.h"

/* MPI_Pack counts bytes in int: at most so many are packed at once, if elements are smaller. */
#define PACK_BYTES (1 << 30)

/* A datatype of the caller: predefined ones are never freed, so only derived ones are kept. */
static int is_predefined(MPI_Datatype type)
{
    int integers, addresses, types, combiner;

    NUCE_MPI(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    return combiner == MPI_COMBINER_NAMED;
}

/* Sets *is_plain if the elements of type are in memory as in a message, without gaps and in order.
 * A derived type is tried: random bytes must be packed unchanged. MPI_ERR_TYPE: it is not
 * committed, or an element has more bytes than MPI_Pack counts. */
static nuce_status look_at_type(MPI_Datatype type, MPI_Comm comm, int *is_plain,
                                struct nuce_error *error)
{
    MPI_Aint low, extent, true_low, true_extent;
    MPI_Count size;
    unsigned char *data = NULL, none = 0;
    int position = 0;

    NUCE_MPI(MPI_Type_size_x(type, &size));
    NUCE_MPI(MPI_Type_get_extent(type, &low, &extent));
    NUCE_MPI(MPI_Type_get_true_extent(type, &true_low, &true_extent));
    *is_plain = low == 0 && true_low == 0 && extent == size && true_extent == size;
    if (is_predefined(type) && *is_plain)
        return NUCE_OK;
    if (MPI_Pack(&none, 0, type, &none, 0, &position, comm) != MPI_SUCCESS)
        return nuce_error_refuse(error, "MPI_ERR_TYPE", "a datatype is not committed");
    if (size > INT_MAX)
        return nuce_error_refuse(error, "MPI_ERR_TYPE",
                                 "a datatype has %lld bytes: expected at most %d", (long long)size,
                                 INT_MAX);
    if (!*is_plain || size == 0)
        return NUCE_OK;
    data = nuce_allocate(2, (size_t)size);
    for (int64_t k = 0; k < size; k++)
        data[k] = (unsigned char)nuce_rng_mix((uint64_t)k + 1);
    NUCE_MPI(MPI_Pack(data, 1, type, data + size, (int)size, &position, comm));
    *is_plain = memcmp(data, data + size, (size_t)size) == 0;
    free(data);
    return NUCE_OK;
}

/* The caller's type of an entry. One of several types may be anything where its count is 0. */
static MPI_Datatype type_of(const struct nuce_mpi_arguments *arguments, int i)
{
    MPI_Datatype type = arguments->types[arguments->is_one_type ? 0 : i];

    return arguments->counts[i] == 0 && (!arguments->is_one_type || type == MPI_DATATYPE_NULL)
               ? MPI_BYTE
               : type;
}

/* Makes the block of an entry, whose type is looked at, or taken from the entry before. */
static nuce_status make_block(const struct nuce_mpi_arguments *arguments, int i, MPI_Comm comm,
                              struct nuce_mpi_side *side, struct nuce_error *error)
{
    struct nuce_mpi_block *block = &side->block[i];
    MPI_Datatype given = type_of(arguments, i);
    MPI_Aint low, extent = 1;
    MPI_Count size;
    int is_again = i > 0 && given == type_of(arguments, i - 1);

    block->peer = arguments->peers == NULL ? i : arguments->peers[i];
    block->count = arguments->counts[i];
    if (block->count < 0)
        return nuce_error_refuse(error, "MPI_ERR_COUNT", "'%d': expected at least 0", block->count);
    if (given == MPI_DATATYPE_NULL)
        return nuce_error_refuse(error, "MPI_ERR_TYPE", "MPI_DATATYPE_NULL: expected a datatype");
    if (is_again) {
        block->type = side->block[i - 1].type;
        block->is_plain = side->block[i - 1].is_plain;
    } else if (look_at_type(given, comm, &block->is_plain, error) != NUCE_OK) {
        return error->status;
    } else if (is_predefined(given)) {
        block->type = given;
    } else {
        NUCE_MPI(MPI_Type_dup(given, &block->type));
    }
    if (!side->is_one_type || i == 0)
        side->type[i] = block->type;
    NUCE_MPI(MPI_Type_size_x(block->type, &size));
    if (side->is_one_type)
        NUCE_MPI(MPI_Type_get_extent(block->type, &low, &extent));
    /* By numbers, for the buffer may be MPI_BOTTOM. */
    block->at = (unsigned char *)((uintptr_t)arguments->buffer +
                                  (uintptr_t)(arguments->byte_places != NULL
                                                  ? arguments->byte_places[i]
                                                  : arguments->displacements[i] * extent));
    block->bytes = block->peer == MPI_PROC_NULL ? 0 : block->count * (int64_t)size;
    return NUCE_OK;
}

nuce_status nuce_mpi_side_init(const struct nuce_mpi_arguments *arguments, int ranks, MPI_Comm comm,
                               struct nuce_mpi_side *out, struct nuce_error *error)
{
    int entries = arguments->entries;
    struct nuce_mpi_side side = {
        .entries = entries, .buffer = arguments->buffer, .is_one_type = arguments->is_one_type};

    if (entries > 0 && (arguments->counts == NULL || arguments->types == NULL ||
                        (arguments->displacements == NULL && arguments->byte_places == NULL)))
        return nuce_error_refuse(error, "MPI_ERR_ARG",
                                 "NULL: expected counts, displacements and datatypes");
    side.count = nuce_allocate(entries, sizeof *side.count);
    side.displacement = nuce_allocate(entries, sizeof *side.displacement);
    side.byte_place = nuce_allocate(entries, sizeof *side.byte_place);
    side.type = nuce_allocate((int64_t)entries + 1, sizeof *side.type);
    side.block = nuce_allocate(entries, sizeof *side.block);
    side.bytes = nuce_allocate(ranks, sizeof *side.bytes);
    side.shape = nuce_allocate(ranks, sizeof *side.shape);
    side.type[0] = MPI_BYTE; /* of a call without entries */
    for (int i = 0; i < entries; i++)
        side.block[i].type = MPI_BYTE;
    for (int i = 0; i < entries; i++) {
        const struct nuce_mpi_block *block = &side.block[i];

        if (make_block(arguments, i, comm, &side, error) != NUCE_OK) {
            nuce_mpi_side_fini(&side);
            return error->status;
        }
        side.count[i] = block->count;
        if (arguments->byte_places != NULL)
            side.byte_place[i] = arguments->byte_places[i];
        else
            side.displacement[i] = arguments->displacements[i];
        if (block->bytes > 0) {
            side.bytes[block->peer] += block->bytes;
            side.shape[block->peer] =
                nuce_rng_mix(side.shape[block->peer] + (uint64_t)block->bytes);
        }
    }
    *out = side;
    return NUCE_OK;
}

/* Entries share the type of the one before them. */
void nuce_mpi_side_fini(struct nuce_mpi_side *side)
{
    for (int i = side->entries - 1; i >= 0; i--) {
        struct nuce_mpi_block *block = &side->block[i];

        if ((i == 0 || block->type != side->block[i - 1].type) && !is_predefined(block->type))
            NUCE_MPI(MPI_Type_free(&block->type));
    }
    free(side->count);
    free(side->displacement);
    free(side->byte_place);
    free(side->type);
    free(side->block);
    free(side->bytes);
    free(side->shape);
    free(side->place);
    free(side->packed);
    memset(side, 0, sizeof *side);
}

/* A block with all bytes of its message is alone in it. */
void nuce_mpi_side_lay_out(struct nuce_mpi_side *side, int ranks, int is_packed)
{
    int64_t total = 0, *used = nuce_allocate(ranks, sizeof *used);

    side->place = nuce_allocate(ranks, sizeof *side->place);
    for (int i = 0; i < side->entries; i++) {
        const struct nuce_mpi_block *block = &side->block[i];

        if (!is_packed && block->is_plain && block->bytes > 0 &&
            block->bytes == side->bytes[block->peer])
            side->place[block->peer] = block->at;
    }
    for (int i = 0; i < ranks; i++)
        total += side->place[i] == NULL ? side->bytes[i] : 0;
    side->packed = nuce_allocate_unset(total);
    total = 0;
    for (int i = 0; i < ranks; i++) {
        if (side->place[i] == NULL && side->bytes[i] > 0) {
            side->place[i] = side->packed + total;
            total += side->bytes[i];
        } else {
            used[i] = -1; /* nothing is packed */
        }
    }
    for (int i = 0; i < side->entries; i++) {
        struct nuce_mpi_block *block = &side->block[i];

        if (block->bytes == 0 || used[block->peer] < 0)
            continue;
        block->packed = side->place[block->peer] + used[block->peer];
        used[block->peer] += block->bytes;
    }
    free(used);
}

void nuce_mpi_side_follow(struct nuce_mpi_side *side, const void *buffer)
{
    uintptr_t distance = (uintptr_t)buffer - (uintptr_t)side->buffer;

    for (int i = 0; i < side->entries && distance != 0; i++)
        side->block[i].at = (unsigned char *)((uintptr_t)side->block[i].at + distance);
    side->buffer = buffer;
}

/* Moves a block's elements, at most PACK_BYTES at a time. */
static void move_block(const struct nuce_mpi_block *block, int is_pack, MPI_Comm comm)
{
    int64_t size = block->bytes / block->count;
    int most = size < PACK_BYTES ? (int)(PACK_BYTES / size) : 1;
    MPI_Aint low, extent;

    if (block->is_plain) {
        memcpy(is_pack ? block->packed : block->at, is_pack ? block->at : block->packed,
               (size_t)block->bytes);
        return;
    }
    NUCE_MPI(MPI_Type_get_extent(block->type, &low, &extent));
    for (int first = 0; first < block->count; first += most) {
        int count = block->count - first < most ? block->count - first : most;
        int bytes = (int)(count * size), position = 0;
        unsigned char *at = (unsigned char *)((uintptr_t)block->at + (uintptr_t)(first * extent));
        unsigned char *packed = block->packed + first * size;

        if (is_pack)
            NUCE_MPI(MPI_Pack(at, count, block->type, packed, bytes, &position, comm));
        else
            NUCE_MPI(MPI_Unpack(packed, bytes, &position, at, count, block->type, comm));
    }
}

static void move_blocks(const struct nuce_mpi_side *side, int is_pack, MPI_Comm comm)
{
    for (int i = 0; i < side->entries; i++) {
        if (side->block[i].packed != NULL)
            move_block(&side->block[i], is_pack, comm);
    }
}

void nuce_mpi_side_pack(const struct nuce_mpi_side *side, MPI_Comm comm)
{
    move_blocks(side, 1, comm);
}

void nuce_mpi_side_unpack(const struct nuce_mpi_side *side, MPI_Comm comm)
{
    move_blocks(side, 0, comm);
}
