/* A block-cyclic redistribution: the messages of the workload redistribute, without its array.
 *
 * N = ranks V elements move from cyclic(1), element e on rank e mod P, to cyclic(K), element e on
 * rank floor(e / K) mod P, where V is `vertices` and K `degree`. So the pattern repeats every P K
 * elements. 1 item is one element; elements that stay on their rank are no message. Sizes are equal
 * if K and P divide; otherwise they differ by one element in each period and at the end.
 *
 * Cost: O(ranks) per row.
 * Source: Bhat, Prasanna and Raghavendra, Block-Cyclic Redistribution over Heterogeneous Networks;
 * papers/ALGORITHMS.md. */
#include "schedules/generator.h"

/* The number of elements below `end` on rank source in cyclic(1). */
static int64_t elements_below(int64_t end, int ranks, int source)
{
    return end > source ? (end - source - 1) / ranks + 1 : 0;
}

/* In each period rank k gets one stretch of K elements. Those of source among them are counted once
 * for all whole periods, and once for the rest of the last: there is no loop over elements. */
static void cyclic_row(const struct nuce_generator_input *input, const struct nuce_rng *rng,
                       int source, struct nuce_generator_row *out)
{
    int ranks = input->ranks;
    int64_t factor = input->degree, period = factor * ranks, elements = ranks * input->vertices;
    int64_t whole = elements / period, rest = elements % period;

    (void)rng;
    for (int k = 0; k < ranks; k++) {
        int64_t begin = k * factor, end = begin + factor;
        int64_t items =
            whole * (elements_below(end, ranks, source) - elements_below(begin, ranks, source)) +
            elements_below(end < rest ? end : rest, ranks, source) -
            elements_below(begin < rest ? begin : rest, ranks, source);

        nuce_generator_row_add(out, source, k, items);
    }
}

static nuce_status cyclic_check(const struct nuce_generator_input *input, struct nuce_error *error)
{
    int64_t elements;

    if (input->vertices < 1 ||
        __builtin_mul_overflow(input->vertices, (int64_t)input->ranks, &elements))
        return nuce_error_refuse(error, "vertices",
                                 "'%lld': expected at least 1, and fewer than 2^63 on all ranks",
                                 (long long)input->vertices);
    if (input->degree < 2 && input->ranks > 1)
        return nuce_error_refuse(error, "degree",
                                 "'%d': expected blocks at least twice as long as before, or "
                                 "nothing moves",
                                 input->degree);
    return NUCE_OK;
}

static const char *const cyclic_options[] = {"degree", "vertices", NULL};

const struct nuce_generator_ops nuce_generator_pattern_cyclic = {
    .name = "cyclic",
    .summary = "block-cyclic redistribution from blocks of 1 to blocks of degree elements, "
               "vertices elements per rank; 1 item per element",
    .source = "Bhat, Prasanna and Raghavendra: cyclic(x) to cyclic(Kx)",
    .options = cyclic_options,
    .check = cyclic_check,
    .row = cyclic_row,
};
