/* ScaLAPACK's pdgemr2d from array to array, by its C interface, and its siblings for elements of
 * 4 and 16 bytes. It blocks; polite_waits.c makes it yield. Source: ScaLAPACK,
 * REDIST/SRC/pgemraux.c and pdgemr.c, whose head comments are the manual; BLACS for contexts.
 * Limits, all checked before the call: elements of 4, 8 or 16 bytes, 10^8 - 1 rows and columns,
 * and a local part with bytes that fit an int. */
#include <limits.h>
#include <stdlib.h>

#include "base/int.h"
#include "run/array_peers.h"
#include "run/check.h"
#include "run/engine.h"

/* The library has no header: this is its interface, with its int equal to ours. Arrays are void
 * * here; there they are float *, double * and double complex *. */
enum {
    BLOCK_CYCLIC = 1,
    NO_CONTEXT = -1,
    FIRST = 1, /* rows and columns count from 1 */
};

/* The array descriptor of ScaLAPACK (DESC_), 9 ints in this order. */
struct descriptor {
    int type, context, rows, columns, row_block, column_block, first_row_rank, first_column_rank;
    int local_rows;
};

/* p?gemr2d: from one distributed matrix to another; `all` is a context with all ranks of both. */
typedef void redistribute_function(int rows, int columns, void *from, int from_row, int from_column,
                                   struct descriptor *from_layout, void *to, int to_row,
                                   int to_column, struct descriptor *to_layout, int all);

redistribute_function Cpsgemr2d, Cpdgemr2d, Cpzgemr2d;
int Csys2blacs_handle(MPI_Comm comm);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridinit(int *context, char *order, int rows, int columns);
void Cblacs_gridexit(int context);

/* The library uses the value 100000000 to mark a number that was not given. */
#define MOST_ROWS (100000000 - 1)

struct pdgemr2d {
    const struct nuce_arrays *arrays;
    redistribute_function *function;
    MPI_Comm comm;
    int handle; /* of comm */
    int all;    /* context of all ranks */
    struct descriptor from, to;
};

/* The call for elements of that many bytes. Their type does not matter, because they are only
 * moved. NULL: no such call. */
static redistribute_function *find_function(int64_t element_bytes)
{
    switch (element_bytes) {
    case 4:
        return Cpsgemr2d;
    case 8:
        return Cpdgemr2d;
    case 16:
        return Cpzgemr2d;
    default:
        return NULL;
    }
}

/* A block longer than the dimension is the only one, so it is cut to the dimension. */
static int64_t block_of(const struct nuce_cyclic *cyclic)
{
    return cyclic->block < cyclic->elements ? cyclic->block : cyclic->elements;
}

/* Number of elements of the rank with most, rounded up to whole blocks. */
static int64_t most_owned(const struct nuce_cyclic *cyclic)
{
    int64_t turn = block_of(cyclic) * cyclic->ranks;

    return (cyclic->elements + turn - 1) / turn * block_of(cyclic);
}

/* Its extent, and the blocks of all ranks together, must be ints that the library accepts. */
static nuce_status check_dimension(const struct nuce_cyclic *cyclic, const char *name,
                                   struct nuce_error *error)
{
    if (cyclic->elements > MOST_ROWS)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "pdgemr2d: an array of %lld %s: expected at most %d",
                              (long long)cyclic->elements, name, MOST_ROWS);
    if (block_of(cyclic) > INT_MAX / cyclic->ranks)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "pdgemr2d: blocks of %lld %s on %d ranks: it counts a block of every "
                              "rank as int, expected at most %d in all",
                              (long long)block_of(cyclic), name, cyclic->ranks, INT_MAX);
    return NUCE_OK;
}

/* The library allocates a buffer of the local part, and 8 bytes for each row and column; it
 * counts their bytes as int. */
static nuce_status check_layout(const struct nuce_layout *layout, int64_t element_bytes,
                                struct nuce_error *error)
{
    int64_t unit = element_bytes < 8 ? 8 : element_bytes;
    int64_t elements;

    if (check_dimension(&layout->rows, "rows", error) != NUCE_OK ||
        check_dimension(&layout->columns, "columns", error) != NUCE_OK)
        return error->status;
    elements = most_owned(&layout->rows) * most_owned(&layout->columns);
    if (elements > INT_MAX / unit)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "pdgemr2d: a rank's part of %lld elements of %lld bytes: it counts "
                              "bytes as int, expected at most %lld elements",
                              (long long)elements, (long long)element_bytes,
                              (long long)(INT_MAX / unit));
    return NUCE_OK;
}

/* A context (BLACS grid) of rows x columns of the first ranks, numbered along its rows;
 * NO_CONTEXT on other ranks. Collective over the communicator of handle. */
static int make_context(int handle, int rows, int columns)
{
    char order[] = "Row";
    int context = handle;

    Cblacs_gridinit(&context, order, rows, columns);
    return context;
}

/* The layout as a descriptor. The leading dimension of the local part is at least 1, as the
 * library requires even of ranks without elements. */
static struct descriptor pdgemr2d_describe(const struct nuce_layout *layout, int context, int rank)
{
    int64_t own = rank < nuce_layout_ranks(layout)
                      ? nuce_cyclic_owned(&layout->rows, rank / layout->columns.ranks)
                      : 0;

    return (struct descriptor){.type = BLOCK_CYCLIC,
                               .context = context,
                               .rows = nuce_int(layout->rows.elements),
                               .columns = nuce_int(layout->columns.elements),
                               .row_block = nuce_int(block_of(&layout->rows)),
                               .column_block = nuce_int(block_of(&layout->columns)),
                               .local_rows = own > 0 ? nuce_int(own) : 1};
}

static void pdgemr2d_destroy(void *self)
{
    struct pdgemr2d *call = self;
    const int *contexts[] = {&call->from.context, &call->to.context, &call->all};

    for (int i = 0; i < 3; i++) {
        if (*contexts[i] != NO_CONTEXT)
            Cblacs_gridexit(*contexts[i]);
    }
    Cfree_blacs_system_handle(call->handle);
    NUCE_MPI(MPI_Comm_free(&call->comm));
}

/* The library checks no status, so errors are fatal on its communicator. */
static nuce_status pdgemr2d_build(void *self, const struct nuce_engine_input *input,
                                  struct nuce_error *error)
{
    struct pdgemr2d *call = self;
    const struct nuce_world *world = input->world;
    const struct nuce_layout *from, *to;
    int64_t bytes;

    NUCE_ASSERT(input->arrays != NULL); /* nuce_scheduling_complete */
    from = &input->arrays->redistribution.from;
    to = &input->arrays->redistribution.to;
    bytes = input->arrays->redistribution.element_bytes;
    call->arrays = input->arrays;
    call->function = find_function(bytes);
    error->status = NUCE_OK;
    if (call->function == NULL)
        nuce_error_set(error, NUCE_BAD_INPUT,
                       "pdgemr2d: element-bytes: '%lld': expected 4, 8 or 16, the elements "
                       "that ScaLAPACK has",
                       (long long)bytes);
    else if (check_layout(from, bytes, error) == NUCE_OK)
        error->status = check_layout(to, bytes, error);
    if (nuce_world_agree(input->world, error->status, error) != NUCE_OK)
        return error->status;
    NUCE_MPI(MPI_Comm_dup(world->comm, &call->comm));
    NUCE_MPI(MPI_Comm_set_errhandler(call->comm, MPI_ERRORS_ARE_FATAL));
    call->handle = Csys2blacs_handle(call->comm);
    /* One row: with any other shape it would make a context of this one in every call. */
    call->all = make_context(call->handle, 1, world->size);
    call->from = pdgemr2d_describe(
        from, make_context(call->handle, from->rows.ranks, from->columns.ranks), world->rank);
    call->to = pdgemr2d_describe(to, make_context(call->handle, to->rows.ranks, to->columns.ranks),
                                 world->rank);
    return NUCE_OK;
}

/* The whole call: it has no intermediate steps. */
static void pdgemr2d_start(void *self)
{
    struct pdgemr2d *call = self;

    call->function(call->from.rows, call->from.columns, call->arrays->from, FIRST, FIRST,
                   &call->from, call->arrays->to, FIRST, FIRST, &call->to, call->all);
}

static int pdgemr2d_progress(void *self)
{
    (void)self;
    return 1;
}

const struct nuce_executor_ops nuce_executor_pdgemr2d = {
    .name = "pdgemr2d",
    .moves_arrays = 1,
    .self_size = sizeof(struct pdgemr2d),
    .build = pdgemr2d_build,
    .start = pdgemr2d_start,
    .progress = pdgemr2d_progress,
    .destroy = pdgemr2d_destroy,
};
