/* The table of generators, made from generators.def, and their common parts.
 *
 * A generator is one file and one row of generators.def. Sizes are items until nuce_pattern_scale
 * makes bytes of them, so that one pattern serves all message sizes of a sweep. The draws of
 * generators are part of the format of results: a seed means one pattern, on every rank and
 * machine, for ever. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/generator.h"

#define NUCE_REGISTRY generator
#define NUCE_REGISTRY_ROWS "schedules/generators.def"
#define NUCE_REGISTRY_FIND
#include "base/registry.inc"

/* A linear search through a few names. Called while options are read, not while patterns are
 * made. */
int nuce_generator_uses(const struct nuce_generator_ops *ops, const char *name)
{
    int uses = 0;

    for (size_t i = 0; ops != NULL && ops->options != NULL && ops->options[i] != NULL; i++)
        uses |= strcmp(ops->options[i], name) == 0;
    for (size_t i = 0; ops == NULL && nuce_generators[i] != NULL; i++)
        uses |= nuce_generator_uses(nuce_generators[i], name);
    return uses;
}

void nuce_generator_row_fini(struct nuce_generator_row *row)
{
    free(row->messages);
    memset(row, 0, sizeof *row);
}

/* A rank keeps its own data: a generator has no message from a rank to itself. */
void nuce_generator_row_add(struct nuce_generator_row *row, int source, int destination,
                            int64_t items)
{
    if (source == destination || items == 0)
        return;
    nuce_allocate_more((void **)&row->messages, &row->capacity, row->count + 1,
                       sizeof *row->messages);
    row->messages[row->count++] = (struct nuce_message){source, destination, items};
}

static int by_pair(const void *left, const void *right)
{
    const struct nuce_message *a = left, *b = right;

    return NUCE_INT_ORDER({a->source, b->source}, {a->destination, b->destination});
}

void nuce_generator_row_merge(struct nuce_generator_row *row, int64_t first)
{
    int64_t kept = first;

    if (row->count == first) /* no messages, and perhaps no array */
        return;
    qsort(row->messages + first, (size_t)(row->count - first), sizeof *row->messages, by_pair);
    for (int64_t k = first; k < row->count; k++) {
        if (kept > first && by_pair(&row->messages[kept - 1], &row->messages[k]) == 0)
            row->messages[kept - 1].bytes += row->messages[k].bytes;
        else
            row->messages[kept++] = row->messages[k];
    }
    row->count = kept;
}

/* For callers that need one rank's messages of a pattern that is too large to be made as a whole.
 * The checks are those of the whole. */
nuce_status nuce_generator_draw_row(const struct nuce_generator_ops *ops,
                                    const struct nuce_generator_input *input,
                                    const struct nuce_rng *rng, int source,
                                    struct nuce_generator_row *out, struct nuce_error *error)
{
    struct nuce_generator_row row = {0};

    if (nuce_generator_check(ops, input, error) != NUCE_OK)
        return error->status;
    NUCE_ASSERT(ops->row != NULL && source >= 0 && source < input->ranks);
    if (input->back && nuce_generator_uses(ops, "back"))
        return nuce_error_refuse(error, "back",
                                 "'true': the messages back to a rank depend on the tokens of all");
    ops->row(input, rng, source, &row);
    *out = row;
    return NUCE_OK;
}

/* Makes the checks common to all generators first, so that none has to check ranks and degree
 * itself. */
nuce_status nuce_generator_check(const struct nuce_generator_ops *ops,
                                 const struct nuce_generator_input *input, struct nuce_error *error)
{
    if (input->ranks < 1 || input->ranks > NUCE_PATTERN_MAX_RANKS)
        return nuce_error_refuse(error, "ranks", "'%d': expected 1 .. %d", input->ranks,
                                 NUCE_PATTERN_MAX_RANKS);
    if (nuce_generator_uses(ops, "degree") && input->degree < 1)
        return nuce_error_refuse(error, "degree", "'%d': expected at least 1", input->degree);
    return ops->check(input, error);
}

/* rng is const for the rows: a row by itself is the same as in the whole, for any draws of other
 * rows. */
nuce_status nuce_generators_draw(const struct nuce_generator_ops *ops,
                                 const struct nuce_generator_input *input, struct nuce_rng *rng,
                                 struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_generator_row all = {0};
    nuce_status status = nuce_generator_check(ops, input, error);

    if (status != NUCE_OK)
        return status;
    if (ops->generate != NULL)
        ops->generate(input, rng, &all);
    for (int i = 0; ops->generate == NULL && i < input->ranks; i++)
        ops->row(input, rng, i, &all);
    status = nuce_pattern_init(input->ranks, all.messages, all.count, out, error);
    nuce_generator_row_fini(&all);
    return status;
}

int64_t nuce_generator_units(struct nuce_rng *rng)
{
    return 1 + (int64_t)nuce_rng_below(rng, NUCE_GENERATOR_MOST_UNITS);
}

/* Returns high itself if rounding left a little above all sums. */
int64_t nuce_generator_lookup(const double *until, int64_t low, int64_t high, double wanted)
{
    while (low < high) {
        int64_t middle = low + (high - low) / 2;

        if (until[middle] <= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *const nuce_generator_degree[] = {"degree", NULL};

/* The last divisor that is found is the largest up to the square root; O(sqrt(ranks)). */
int nuce_generator_grid_rows(int ranks)
{
    int rows = 1;

    for (int divisor = 2; divisor <= ranks / divisor; divisor++) {
        if (ranks % divisor == 0)
            rows = divisor;
    }
    return rows;
}

nuce_status nuce_pattern_uniform(int ranks, int degree, struct nuce_rng *rng,
                                 struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_generator_input input = {.ranks = ranks, .degree = degree};

    return nuce_generators_draw(&nuce_generator_pattern_uniform, &input, rng, out, error);
}

nuce_status nuce_pattern_skewed(int ranks, struct nuce_rng *rng, struct nuce_pattern *out,
                                struct nuce_error *error)
{
    struct nuce_generator_input input = {.ranks = ranks};

    return nuce_generators_draw(&nuce_generator_pattern_skewed, &input, rng, out, error);
}
