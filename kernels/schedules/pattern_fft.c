/* The transpose of pencils in a three-dimensional FFT.
 *
 * The ranks are a grid of R x C, as square as possible, R <= C; rank (r, c) is number r C + c. An
 * array of grid[0] x grid[1] x grid[2] points is cut along two sides, and each rank has the third
 * one whole: first x, with block r of R of y and block c of C of z; then y, with block r of R of x
 * and block c of z; then z, with block r of x and block c of C of y. Step xy moves from the first
 * to the second among the ranks of a column, (r, c) to (r', c): x block r' times y block r times z
 * block c. Step yz moves from the second to the third among those of a row.
 *
 * Block i of n points on p ranks is floor(i n / p) .. floor((i + 1) n / p) - 1. So blocks differ by
 * one if p does not divide n, and some are empty if p is more than n. 1 item is one point; points
 * that stay on their rank are no message.
 *
 * Cost: O(messages), which are about ranks times R or C; for one row as many as it has.
 * Source: Pekurovsky, "P3DFFT: a framework for parallel computations of Fourier transforms in three
 * dimensions", SIAM Journal on Scientific Computing 34(4), 2012, section 3. */
#include "schedules/generator.h"

/* The points of block i of n points on p ranks. */
static int64_t fft_block(int64_t points, int parts, int block)
{
    return (block + 1) * points / parts - block * points / parts;
}

/* `kept` is the product of the two blocks that the step leaves unchanged, `given` the block for
 * rank k of the side that is cut. Partners ascend, as rows must. */
static void fft_row(const struct nuce_generator_input *input, const struct nuce_rng *rng,
                    int source, struct nuce_generator_row *out)
{
    int rows = nuce_generator_grid_rows(input->ranks), columns = input->ranks / rows;
    int row = source / columns, column = source % columns;
    int is_xy = input->pencils == NUCE_PENCILS_XY;
    int64_t kept, given;

    (void)rng;
    kept = is_xy
               ? fft_block(input->grid[1], rows, row) * fft_block(input->grid[2], columns, column)
               : fft_block(input->grid[0], rows, row) * fft_block(input->grid[2], columns, column);
    for (int k = 0; k < (is_xy ? rows : columns); k++) {
        given = is_xy ? fft_block(input->grid[0], rows, k) : fft_block(input->grid[1], columns, k);
        nuce_generator_row_add(out, source, is_xy ? k * columns + column : row * columns + k,
                               kept * given);
    }
}

static nuce_status fft_check(const struct nuce_generator_input *input, struct nuce_error *error)
{
    int rows = nuce_generator_grid_rows(input->ranks);
    int64_t points, products = input->ranks; /* products of block numbers and points */

    for (int side = 0; side < 3; side++) {
        if (input->grid[side] < 1)
            return nuce_error_refuse(
                error, "fft-grid", "'%lldx%lldx%lld': expected three sides of at least 1 point",
                (long long)input->grid[0], (long long)input->grid[1], (long long)input->grid[2]);
    }
    if (__builtin_mul_overflow(input->grid[0], input->grid[1], &points) ||
        __builtin_mul_overflow(points, input->grid[2], &points) ||
        __builtin_mul_overflow(products, points, &products))
        return nuce_error_refuse(error, "fft-grid", "'%lldx%lldx%lld': expected fewer points",
                                 (long long)input->grid[0], (long long)input->grid[1],
                                 (long long)input->grid[2]);
    if (rows == 1 && input->pencils == NUCE_PENCILS_XY)
        return nuce_error_refuse(error, "ranks",
                                 "'%d': makes a grid of 1 x %d, where step xy moves nothing: "
                                 "expected a product of two numbers above 1, such as 4, 6 or 8, or "
                                 "fft-step yz",
                                 input->ranks, input->ranks);
    return NUCE_OK;
}

static const char *const fft_options[] = {"fft-grid", "fft-step", NULL};

const struct nuce_generator_ops nuce_generator_pattern_fft = {
    .name = "fft",
    .summary =
        "the transpose of the pencils of a 3-D FFT on a grid of ranks as square as possible: "
        "fft-grid points, fft-step xy or yz; 1 item per point",
    .source = "Pekurovsky: P3DFFT, SIAM J. Sci. Comput. 34(4), 2012",
    .options = fft_options,
    .check = fft_check,
    .row = fft_row,
};
