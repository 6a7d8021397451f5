/* Nearest neighbours on a periodic grid of ranks, as square as possible: the halo of a block of 32
 * x 32 cells with one cell around it.
 *
 * degree 4: the four sides, 32 items each (5-point stencil). degree 8: the four corners as well,
 * 1 item each (9-point stencil). On a narrow grid several neighbours may be one rank: their
 * messages are one, with the sum of the sizes. A rank that is its own neighbour sends itself
 * nothing. So a prime number of ranks is a ring. */
#include "schedules/generator.h"

/* The cells of a side of each rank's block, an item each; a corner is one cell. */
#define SIDE_UNITS 32
#define MOST_NEIGHBORS 8

/* Rows count down, columns to the right; the sides come first. */
static const int neighbors[MOST_NEIGHBORS][2] = {
    {-1, 0}, {0, -1}, {0, 1}, {1, 0}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1},
};

/* Neighbours are added in the order of the stencil and then sorted, because destinations of a row
 * must ascend. */
static void nearest_row(const struct nuce_generator_input *input, const struct nuce_rng *rng,
                        int source, struct nuce_generator_row *out)
{
    int rows = nuce_generator_grid_rows(input->ranks), columns = input->ranks / rows;
    int64_t first = out->count;

    (void)rng;
    for (int k = 0; k < input->degree; k++) {
        int row = (source / columns + neighbors[k][0] + rows) % rows;
        int column = (source % columns + neighbors[k][1] + columns) % columns;
        int64_t items = neighbors[k][0] == 0 || neighbors[k][1] == 0 ? SIDE_UNITS : 1;

        nuce_generator_row_add(out, source, row * columns + column, items);
    }
    nuce_generator_row_merge(out, first);
}

static nuce_status nearest_check(const struct nuce_generator_input *input, struct nuce_error *error)
{
    if (input->degree != 4 && input->degree != MOST_NEIGHBORS)
        return nuce_error_refuse(error, "degree",
                                 "'%d': expected 4 (the sides) or 8 (sides and corners)",
                                 input->degree);
    return NUCE_OK;
}

const struct nuce_generator_ops nuce_generator_pattern_nearest = {
    .name = "nearest",
    .summary = "the degree (4 or 8) neighbours on a periodic 2-D grid as square as possible; "
               "sides 32 items, corners 1",
    .source = "the halo of 5-point and 9-point stencils",
    .options = nuce_generator_degree,
    .check = nearest_check,
    .row = nearest_row,
};
