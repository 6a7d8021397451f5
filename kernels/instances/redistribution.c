/* The pattern (COM) of a redistribution, without a walk over the array. Each dimension is counted
 * by itself over one period of both layouts, and a message of the two-dimensional one is a product
 * of two counts. For cyclic(x) on P to cyclic(K x) on P ranks (Bhat, Prasanna, Raghavendra) a
 * period is K P blocks of x, of which block b goes from rank b mod P to rank (b div K) mod P.
 *
 * The steps grow with the period, not with the array beyond it.
 * Memory: a list of the entries of each dimension, then the messages. */
#include "instances/redistribution.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "instances/cyclic.h"

/* layout and dimension are its names in messages: "source" or "target", "rows" or "columns". */
static nuce_status redistribution_check_dimension(const struct nuce_cyclic *cyclic,
                                                  const char *layout, const char *dimension,
                                                  struct nuce_error *error)
{
    const long long most = NUCE_CYCLIC_MOST_ELEMENTS;

    if (cyclic->elements < 1 || cyclic->elements > most)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "an array of %lld %s: expected 1 .. 2^53 = %lld",
                              (long long)cyclic->elements, dimension, most);
    if (cyclic->block < 1 || cyclic->block > most)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "a block of %lld %s in the %s layout: expected 1 .. 2^53 = %lld",
                              (long long)cyclic->block, dimension, layout, most);
    if (cyclic->ranks < 1 || cyclic->ranks > NUCE_PATTERN_MAX_RANKS)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s on %d ranks in the %s layout: expected 1 .. %d ranks", dimension,
                              cyclic->ranks, layout, NUCE_PATTERN_MAX_RANKS);
    return NUCE_OK;
}

nuce_status nuce_redistribution_check(const struct nuce_redistribution *redistribution,
                                      struct nuce_error *error)
{
    const struct nuce_layout *from = &redistribution->from, *to = &redistribution->to;
    int64_t bytes;

    for (int k = 0; k < 2; k++) {
        const struct nuce_layout *layout = k == 0 ? from : to;
        const char *name = k == 0 ? "source" : "target";

        if (redistribution_check_dimension(&layout->rows, name, "rows", error) != NUCE_OK ||
            redistribution_check_dimension(&layout->columns, name, "columns", error) != NUCE_OK)
            return error->status;
        if ((int64_t)layout->rows.ranks * layout->columns.ranks > NUCE_PATTERN_MAX_RANKS)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "a grid of %d x %d ranks in the %s layout: expected at most %d "
                                  "ranks",
                                  layout->rows.ranks, layout->columns.ranks, name,
                                  NUCE_PATTERN_MAX_RANKS);
    }
    if (from->rows.elements != to->rows.elements || from->columns.elements != to->columns.elements)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%lld x %lld elements in the source layout, %lld x %lld in the "
                              "target layout: expected the same array",
                              (long long)from->rows.elements, (long long)from->columns.elements,
                              (long long)to->rows.elements, (long long)to->columns.elements);
    if (redistribution->element_bytes < 1)
        return nuce_error_set(error, NUCE_BAD_INPUT, "elements of %lld bytes: expected at least 1",
                              (long long)redistribution->element_bytes);
    if (__builtin_mul_overflow(from->rows.elements, from->columns.elements, &bytes) ||
        __builtin_mul_overflow(bytes, redistribution->element_bytes, &bytes) ||
        bytes > NUCE_CYCLIC_MOST_ELEMENTS)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "an array of %lld x %lld elements of %lld bytes: expected at most "
                              "2^53 bytes",
                              (long long)from->rows.elements, (long long)from->columns.elements,
                              (long long)redistribution->element_bytes);
    return NUCE_OK;
}

int nuce_layout_ranks(const struct nuce_layout *layout)
{
    return layout->rows.ranks * layout->columns.ranks;
}

/* Ranks are numbered row by row of the grid; those beyond it have no elements. */
int64_t nuce_layout_elements(const struct nuce_layout *layout, int rank)
{
    if (rank >= nuce_layout_ranks(layout))
        return 0;
    return nuce_cyclic_owned(&layout->rows, rank / layout->columns.ranks) *
           nuce_cyclic_owned(&layout->columns, rank % layout->columns.ranks);
}

int nuce_redistribution_ranks(const struct nuce_redistribution *redistribution)
{
    int before = nuce_layout_ranks(&redistribution->from);
    int after = nuce_layout_ranks(&redistribution->to);

    return before > after ? before : after;
}

int64_t nuce_redistribution_bytes_before(const struct nuce_redistribution *redistribution, int rank)
{
    return nuce_layout_elements(&redistribution->from, rank) * redistribution->element_bytes;
}

int64_t nuce_redistribution_bytes_after(const struct nuce_redistribution *redistribution, int rank)
{
    return nuce_layout_elements(&redistribution->to, rank) * redistribution->element_bytes;
}

struct nuce_redistribution
nuce_redistribution_reverse(const struct nuce_redistribution *redistribution)
{
    return (struct nuce_redistribution){
        .from = redistribution->to,
        .to = redistribution->from,
        .element_bytes = redistribution->element_bytes,
    };
}

/* The elements of one dimension from one rank of it to another. */
struct redistribution_entry {
    int source, destination;
    int64_t elements;
};

/* The matrix of one dimension as a list, sparse. */
struct entries {
    struct redistribution_entry *entry;
    int64_t count, capacity;
};

/* One rank's row of the matrix of a dimension: elements for each peer, and the peers with any. */
struct redistribution_row {
    int64_t *elements;
    int *peer;
    int peers;
};

/* A visitor of the walk: counts the elements of a line for peer, and lists a new peer. */
static void redistribution_add_line(void *context, int peer, const struct nuce_line *line)
{
    struct redistribution_row *row = context;

    if (row->elements[peer] == 0)
        row->peer[row->peers++] = peer;
    row->elements[peer] += line->length * line->repeats;
}

/* The entries of one dimension, sources ascending: each rank's elements of one period, multiplied,
 * and the part of a period at the end. The caller frees out->entry. */
static void count_dimension(const struct nuce_cyclic *from, const struct nuce_cyclic *to,
                            struct entries *out)
{
    int64_t period = nuce_cyclic_period(from, to);
    struct redistribution_row row = {
        .elements = nuce_allocate(to->ranks, sizeof *row.elements),
        .peer = nuce_allocate(to->ranks, sizeof *row.peer),
    };

    for (int rank = 0; rank < from->ranks; rank++) {
        row.peers = 0;
        nuce_cyclic_walk(from, to, rank, period, redistribution_add_line, &row);
        for (int k = 0; k < row.peers; k++)
            row.elements[row.peer[k]] *= from->elements / period;
        nuce_cyclic_walk(from, to, rank, from->elements % period, redistribution_add_line, &row);
        nuce_allocate_more((void **)&out->entry, &out->capacity, out->count + row.peers,
                           sizeof *out->entry);
        for (int k = 0; k < row.peers; k++) {
            int peer = row.peer[k];

            out->entry[out->count++] =
                (struct redistribution_entry){rank, peer, row.elements[peer]};
            row.elements[peer] = 0;
        }
    }
    free(row.elements);
    free(row.peer);
}

nuce_status nuce_redistribution_pattern(const struct nuce_redistribution *redistribution,
                                        struct nuce_pattern *out, struct nuce_error *error)
{
    const struct nuce_layout *from = &redistribution->from, *to = &redistribution->to;
    struct nuce_message *messages = NULL, *next;
    struct entries rows = {0}, columns = {0};
    int64_t count;

    count_dimension(&from->rows, &to->rows, &rows);
    count_dimension(&from->columns, &to->columns, &columns);
    /* A rank sends an element to the rank of its row and its column. So every pair of an entry of
     * rows and one of columns is a message, of the product of their elements. */
    if (__builtin_mul_overflow(rows.count, columns.count, &count))
        nuce_error_set(error, NUCE_FAILED, "out of memory: %lld x %lld messages",
                       (long long)rows.count, (long long)columns.count);
    else if (nuce_allocate_check(count, sizeof *messages, error) == NUCE_OK) {
        messages = next = nuce_allocate(count, sizeof *messages);
        for (int64_t i = 0; i < rows.count; i++) {
            const struct redistribution_entry *r = &rows.entry[i];

            for (int64_t k = 0; k < columns.count; k++) {
                const struct redistribution_entry *c = &columns.entry[k];

                *next++ = (struct nuce_message){
                    .source = r->source * from->columns.ranks + c->source,
                    .destination = r->destination * to->columns.ranks + c->destination,
                    .bytes = r->elements * c->elements * redistribution->element_bytes,
                };
            }
        }
        error->status = nuce_pattern_init(nuce_redistribution_ranks(redistribution), messages,
                                          count, out, error);
        free(messages);
    }
    free(rows.entry);
    free(columns.entry);
    return error->status;
}
