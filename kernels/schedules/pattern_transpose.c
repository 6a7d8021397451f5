/* The transpose of a matrix of which each rank has one block, as in a parallel FFT.
 *
 * On a square grid of ranks rank (r, c) sends its block to (c, r): the "transpose" traffic of
 * network benchmarks. The diagonal sends nothing. If the number of ranks is not a square, the grid
 * is R x C, as square as possible, and becomes C x R. Rank r C + c then sends to c R + r, a
 * permutation too, which keeps at least ranks 0 and R C - 1 in place. Every message is 1 item. With
 * a prime number of ranks the grid is a single row, whose transpose moves nothing, so there is no
 * such pattern. */
#include "schedules/generator.h"

static nuce_status transpose_check(const struct nuce_generator_input *input,
                                   struct nuce_error *error)
{
    if (nuce_generator_grid_rows(input->ranks) == 1)
        return nuce_error_refuse(error, "ranks",
                                 "'%d': makes a grid of 1 x %d, whose transpose moves nothing: "
                                 "expected a product of two numbers above 1, such as 4, 6 or 8",
                                 input->ranks, input->ranks);
    return NUCE_OK;
}

static void transpose_row(const struct nuce_generator_input *input, const struct nuce_rng *rng,
                          int source, struct nuce_generator_row *out)
{
    int rows = nuce_generator_grid_rows(input->ranks), columns = input->ranks / rows;

    (void)rng;
    nuce_generator_row_add(out, source, source % columns * rows + source / columns, 1);
}

const struct nuce_generator_ops nuce_generator_pattern_transpose = {
    .name = "transpose",
    .summary =
        "rank (r, c) of a grid as square as possible sends 1 item to (c, r); not for a prime "
        "number of ranks",
    .source = "Dally and Towles: Principles and Practices of Interconnection Networks, 3.2",
    .check = transpose_check,
    .row = transpose_row,
};
