/* Sizes of datatypes, one rank's: of those with a name, of what a trace tells at its end, and of
 * what calls make of others. A message's bytes are its count times such a size: the sum of the
 * parts without gaps, which is what MPI_Type_size counts and what goes over the wire, not the
 * extent (MPI 4.1, 5.1). */
#include "imports/dumpi_types.h"

#include <stdlib.h>
#include <string.h>

#include "imports/dumpi_calls.h"
#include "support/allocate.h"

/* dumpi numbers datatypes with 16 bits. */
#define MOST_DATATYPES 65536

/* The datatypes that have a name, by their numbers, on machines of 64 bits (LP64). */
static const struct {
    const char *name;
    int64_t size;
} named_datatypes[] = {
    {"MPI_CHAR", 1},
    {"MPI_SIGNED_CHAR", 1},
    {"MPI_UNSIGNED_CHAR", 1},
    {"MPI_BYTE", 1},
    {"MPI_WCHAR", 4},
    {"MPI_SHORT", 2},
    {"MPI_UNSIGNED_SHORT", 2},
    {"MPI_INT", 4},
    {"MPI_UNSIGNED", 4},
    {"MPI_LONG", 8},
    {"MPI_UNSIGNED_LONG", 8},
    {"MPI_FLOAT", 4},
    {"MPI_DOUBLE", 8},
    {"MPI_LONG_DOUBLE", 16},
    {"MPI_LONG_LONG_INT", 8},
    {"MPI_UNSIGNED_LONG_LONG", 8},
    {"MPI_LONG_LONG", 8},
    {"MPI_PACKED", 1},
    {"MPI_LB", 0},
    {"MPI_UB", 0},
    {"MPI_FLOAT_INT", 8},
    {"MPI_DOUBLE_INT", 12},
    {"MPI_LONG_INT", 12},
    {"MPI_SHORT_INT", 6},
    {"MPI_2INT", 8},
    {"MPI_LONG_DOUBLE_INT", 20},
};
enum { NAMED_DATATYPES = sizeof named_datatypes / sizeof *named_datatypes };

/* The size of MPI's datatype of that name; -1: none has it. */
static int64_t named_size(const char *name, const char *end)
{
    for (int i = 0; i < NAMED_DATATYPES; i++) {
        size_t length = strlen(named_datatypes[i].name);

        if ((size_t)(end - name) == length && memcmp(name, named_datatypes[i].name, length) == 0)
            return named_datatypes[i].size;
    }
    return -1;
}

int64_t nuce_dumpi_size(const struct nuce_dumpi_types *types, int64_t datatype)
{
    return datatype >= 0 && datatype < types->count ? types->sizes[datatype] : -1;
}

nuce_status nuce_dumpi_note_size(struct nuce_dumpi_types *types, int64_t datatype, int64_t size,
                                 struct nuce_error *error)
{
    void *list = types->sizes;

    if (datatype < 0 || datatype >= MOST_DATATYPES || size < 0)
        return NUCE_OK;
    if (nuce_allocate_more(&list, &types->capacity, datatype + 1, sizeof *types->sizes, error) !=
        NUCE_OK)
        return error->status;
    types->sizes = list;
    while (types->count <= datatype)
        types->sizes[types->count++] = -1;
    types->sizes[datatype] = size;
    return NUCE_OK;
}

nuce_status nuce_dumpi_note_fixed(struct nuce_dumpi_types *types, struct nuce_error *error)
{
    for (int i = 0; i < NAMED_DATATYPES; i++) {
        if (nuce_dumpi_note_size(types, NUCE_DUMPI_FIRST_DATATYPE + i, named_datatypes[i].size,
                                 error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

/* `14 (MPI_DOUBLE)`: notes the size of number 14, unless one is known. A value of another form is
 * passed over. */
static nuce_status note_named_value(struct nuce_dumpi_types *types, const char *at, const char *end,
                                    struct nuce_error *error)
{
    int64_t datatype = 0;

    while (at < end && *at >= '0' && *at <= '9' && datatype < MOST_DATATYPES)
        datatype = 10 * datatype + (*at++ - '0');
    if (end - at < 4 || at[0] != ' ' || at[1] != '(' || end[-1] != ')' ||
        nuce_dumpi_size(types, datatype) >= 0)
        return NUCE_OK;
    return nuce_dumpi_note_size(types, datatype, named_size(at + 2, end - 1), error);
}

nuce_status nuce_dumpi_note_named(struct nuce_dumpi_types *types,
                                  const struct nuce_dumpi_call *call, struct nuce_error *error)
{
    for (int i = 0; i < call->count; i++) {
        if (note_named_value(types, call->arguments[i].value, call->arguments[i].end, error) !=
            NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

nuce_status nuce_dumpi_note_told(struct nuce_dumpi_types *types,
                                 const struct nuce_dumpi_stream *stream,
                                 const struct nuce_dumpi_call *call, struct nuce_error *error)
{
    int64_t datatype, size;

    if (strcmp(call->name, "MPI_Type_size") != 0)
        return NUCE_OK;
    if (nuce_dumpi_integer(stream, call, "datatype", &datatype, error) != NUCE_OK ||
        nuce_dumpi_integer(stream, call, "size", &size, error) != NUCE_OK)
        return error->status;
    return nuce_dumpi_note_size(types, datatype, size, error);
}

/* A datatype has as many of the old one as all that is named here, multiplied: numbers, the sum of
 * a list, the product of one. With several old ones the list has how many of each. */
static const struct made_type {
    const char *name, *factors[2], *sum, *product;
    int has_several;
} made_types[] = {
    {.name = "MPI_Type_contiguous", .factors = {"count"}},
    {.name = "MPI_Type_vector", .factors = {"count", "blocklength"}},
    {.name = "MPI_Type_hvector", .factors = {"count", "blocklength"}},
    {.name = "MPI_Type_create_hvector", .factors = {"count", "blocklength"}},
    {.name = "MPI_Type_create_indexed_block", .factors = {"count", "blocklength"}},
    {.name = "MPI_Type_indexed", .sum = "lengths"},
    {.name = "MPI_Type_hindexed", .sum = "lengths"},
    {.name = "MPI_Type_create_hindexed", .sum = "blocklengths"},
    {.name = "MPI_Type_struct", .sum = "lengths", .has_several = 1},
    {.name = "MPI_Type_create_struct", .sum = "blocklengths", .has_several = 1},
    {.name = "MPI_Type_create_subarray", .product = "subsizes"},
    {.name = "MPI_Type_create_resized"},
    {.name = "MPI_Type_dup"},
};

/* -1 stands for not known, and comes out where one goes in; also where the product is too large. */
static int64_t multiplied(int64_t a, int64_t b)
{
    int64_t product;

    return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? -1 : product;
}

static int64_t added(int64_t a, int64_t b)
{
    int64_t sum;

    return a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum) ? -1 : sum;
}

/* *size is multiplied by the sum (is_sum) or the product of the list of that name; name NULL: it
 * stays. A list that was not recorded has the sum 0 and the product 1. */
static nuce_status multiply_by_list(const struct nuce_dumpi_stream *stream,
                                    const struct nuce_dumpi_call *call, const char *name,
                                    int is_sum, int64_t *size, struct nuce_error *error)
{
    int64_t *list, count, all = is_sum ? 0 : 1;

    if (name == NULL)
        return NUCE_OK;
    if (nuce_dumpi_list(stream, call, name, &list, &count, error) != NUCE_OK)
        return error->status;
    for (int64_t i = 0; i < count; i++)
        all = is_sum ? added(all, list[i]) : multiplied(all, list[i]);
    *size = multiplied(*size, all);
    free(list);
    return NUCE_OK;
}

/* Of a structure: list[i] elements of the i-th old datatype. -1 in *size: some old one is not
 * known, or the lists differ in length. */
static nuce_status size_of_several(const struct nuce_dumpi_types *types,
                                   const struct nuce_dumpi_stream *stream,
                                   const struct nuce_dumpi_call *call, const char *name,
                                   int64_t *size, struct nuce_error *error)
{
    int64_t *list = NULL, *olds = NULL, count, others;

    if (nuce_dumpi_list(stream, call, name, &list, &count, error) != NUCE_OK)
        return error->status;
    if (nuce_dumpi_list(stream, call, "oldtypes", &olds, &others, error) != NUCE_OK) {
        free(list);
        return error->status;
    }
    *size = count == others ? 0 : -1;
    for (int64_t i = 0; i < count && *size >= 0; i++)
        *size = added(*size, multiplied(list[i], nuce_dumpi_size(types, olds[i])));
    free(list);
    free(olds);
    return NUCE_OK;
}

/* *size of the datatype that the call makes; -1: that of what it is made of is not known. */
static nuce_status size_of_made(const struct nuce_dumpi_types *types,
                                const struct nuce_dumpi_stream *stream,
                                const struct nuce_dumpi_call *call, const struct made_type *made,
                                int64_t *size, struct nuce_error *error)
{
    int64_t number;

    if (made->has_several)
        return size_of_several(types, stream, call, made->sum, size, error);
    if (nuce_dumpi_integer(stream, call, "oldtype", &number, error) != NUCE_OK)
        return error->status;
    *size = nuce_dumpi_size(types, number);
    for (int i = 0; i < 2 && made->factors[i] != NULL; i++) {
        if (nuce_dumpi_integer(stream, call, made->factors[i], &number, error) != NUCE_OK)
            return error->status;
        *size = multiplied(*size, number);
    }
    if (multiply_by_list(stream, call, made->sum, 1, size, error) != NUCE_OK)
        return error->status;
    return multiply_by_list(stream, call, made->product, 0, size, error);
}

nuce_status nuce_dumpi_note_made(struct nuce_dumpi_types *types,
                                 const struct nuce_dumpi_stream *stream,
                                 const struct nuce_dumpi_call *call, struct nuce_error *error)
{
    for (size_t i = 0; i < sizeof made_types / sizeof *made_types; i++) {
        int64_t size, number;

        if (strcmp(call->name, made_types[i].name) != 0)
            continue;
        if (size_of_made(types, stream, call, &made_types[i], &size, error) != NUCE_OK ||
            nuce_dumpi_integer(stream, call, "newtype", &number, error) != NUCE_OK)
            return error->status;
        return nuce_dumpi_note_size(types, number, size, error);
    }
    return NUCE_OK;
}
