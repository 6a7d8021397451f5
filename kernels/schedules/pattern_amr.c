/* The neighbours of a mesh that is refined on two levels, as in block-structured adaptive codes.
 *
 * A periodic square of S x S coarse blocks of 32 x 32 cells. The share `refined` of them, those
 * next to a random point, are each replaced by 2 x 2 fine blocks of as many cells. S is the least
 * that gives degree blocks per rank or more, and at least one. All blocks follow one another on a
 * Z curve (Morton's order), which is cut into as many parts as there are ranks; their numbers of
 * blocks differ by at most one.
 *
 * A block sends along each side: a fine one to a fine one its 32 cells, a coarse one to a coarse
 * one its 32 cells, a fine one to a coarse one 16 averages, and a coarse one to each of the two
 * fine ones 16 cells. So each stretch of half a coarse side carries 32 items each way between fine
 * blocks and 16 otherwise. All data between the blocks of two ranks is one message; data that stays
 * on its rank is none. 1 item is one cell.
 *
 * Cost: O(blocks log blocks).
 * Source: Berger and Colella, "Local adaptive mesh refinement for shock hydrodynamics", Journal of
 * Computational Physics 82, 1989; the curve as in Burstedde, Wilcox and Ghattas, "p4est", SIAM
 * Journal on Scientific Computing 33(3), 2011. */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "schedules/generator.h"

#define FINE_UNITS 32
#define OTHER_UNITS 16

/* The square in half sides of coarse blocks: 2 S of them along each side. */
struct amr {
    int coarse;                      /* S */
    int64_t blocks;                  /* of both levels */
    unsigned char *is_fine;          /* S S, row by row: this coarse block is refined */
    int *owner;                      /* 4 S S, row by row: the rank of the block there */
    struct amr_coarse *coarse_block; /* S S: scratch of sorting */
};

struct amr_coarse {
    double distance; /* to the point, squared; or the place on the curve */
    int number;
};

static int amr_compare(const void *left, const void *right)
{
    const struct amr_coarse *a = left, *b = right;

    if (a->distance < b->distance || a->distance > b->distance)
        return a->distance < b->distance ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* The number of refined blocks among that many coarse ones. */
static int64_t amr_refined(int64_t blocks, double share)
{
    return llround((double)blocks * share);
}

/* The shorter way around. */
static double amr_distance(double a, double b, double side)
{
    double straight = fabs(a - b);

    return fmin(straight, side - straight);
}

/* Refines the coarse blocks next to a random point. */
static void amr_refine(const struct nuce_generator_input *input, struct nuce_rng *rng,
                       struct amr *amr)
{
    int side = amr->coarse, blocks = side * side;
    double row = nuce_rng_uniform(rng) * side, column = nuce_rng_uniform(rng) * side;
    int64_t refined = amr_refined(blocks, input->refined);

    for (int b = 0; b < blocks; b++) {
        double down = amr_distance(b / side + 0.5, row, side);
        double across = amr_distance(b % side + 0.5, column, side);

        amr->coarse_block[b] = (struct amr_coarse){down * down + across * across, b};
    }
    qsort(amr->coarse_block, (size_t)blocks, sizeof *amr->coarse_block, amr_compare);
    for (int64_t k = 0; k < refined; k++)
        amr->is_fine[amr->coarse_block[k].number] = 1;
    amr->blocks = blocks + 3 * refined;
}

/* Orders the blocks along the curve, the four of a refined one together, and assigns ranks to
 * them. */
static void amr_share_out(int ranks, struct amr *amr)
{
    int side = amr->coarse, blocks = side * side;
    int64_t place = 0;

    for (int b = 0; b < blocks; b++) {
        double on_curve = 0; /* the bits of row and column in turn, from the highest */

        for (int bit = 15; bit >= 0; bit--)
            on_curve = 4 * on_curve + 2 * (b / side >> bit & 1) + (b % side >> bit & 1);
        amr->coarse_block[b] = (struct amr_coarse){on_curve, b};
    }
    qsort(amr->coarse_block, (size_t)blocks, sizeof *amr->coarse_block, amr_compare);
    for (int k = 0; k < blocks; k++) {
        int b = amr->coarse_block[k].number;
        int *corner = &amr->owner[(int64_t)(b / side) * 4 * side + b % side * 2];

        for (int quarter = 0; quarter < 4; quarter++) {
            corner[quarter / 2 * 2 * side + quarter % 2] = (int)(place * ranks / amr->blocks);
            place += amr->is_fine[b];
        }
        place += !amr->is_fine[b];
    }
}

static int amr_is_fine(const struct amr *amr, int row, int column)
{
    return amr->is_fine[row / 2 * amr->coarse + column / 2];
}

/* Adds the items that cross, both ways, the half sides between (row, column) and the next one to
 * the right (down: below). A coarse block that is not refined has no side inside. */
static void amr_add_side(const struct amr *amr, int row, int column, int down,
                         struct nuce_generator_row *out)
{
    int side = 2 * amr->coarse;
    int next_row = (row + down) % side, next_column = (column + !down) % side;
    int here = amr->owner[(int64_t)row * side + column];
    int there = amr->owner[(int64_t)next_row * side + next_column];
    int both = amr_is_fine(amr, row, column) && amr_is_fine(amr, next_row, next_column);
    int64_t items = both ? FINE_UNITS : OTHER_UNITS;

    nuce_generator_row_add(out, here, there, items);
    nuce_generator_row_add(out, there, here, items);
}

static nuce_status amr_check(const struct nuce_generator_input *input, struct nuce_error *error)
{
    if (!(input->refined >= 0 && input->refined <= 1))
        return nuce_error_refuse(error, "refined",
                                 "'%g': a share of the coarse blocks, expected 0 "
                                 "to 1",
                                 input->refined);
    if ((int64_t)input->ranks * input->degree > NUCE_PATTERN_MAX_RANKS)
        return nuce_error_refuse(error, "degree",
                                 "'%d': blocks of each of %d ranks, expected at most %d of all",
                                 input->degree, input->ranks, NUCE_PATTERN_MAX_RANKS);
    return NUCE_OK;
}

/* Cells are halves of coarse sides. Each one adds its right and its lower neighbour, so that every
 * side is added once. amr_check bounds blocks by 2^24, so that side^2 fits an int. */
static void amr_generate(const struct nuce_generator_input *input, struct nuce_rng *rng,
                         struct nuce_generator_row *out)
{
    struct amr amr;
    int64_t blocks_side = 1;
    int side;

    while (blocks_side * blocks_side + 3 * amr_refined(blocks_side * blocks_side, input->refined) <
           (int64_t)input->ranks * input->degree)
        blocks_side++;
    amr = (struct amr){.coarse = (int)blocks_side};
    amr.is_fine = nuce_allocate(blocks_side * blocks_side, sizeof *amr.is_fine);
    amr.owner = nuce_allocate(4 * blocks_side * blocks_side, sizeof *amr.owner);
    amr.coarse_block = nuce_allocate(blocks_side * blocks_side, sizeof *amr.coarse_block);
    amr_refine(input, rng, &amr);
    amr_share_out(input->ranks, &amr);
    side = 2 * amr.coarse;
    for (int cell = 0; cell < side * side; cell++) {
        amr_add_side(&amr, cell / side, cell % side, 0, out);
        amr_add_side(&amr, cell / side, cell % side, 1, out);
    }
    free(amr.is_fine);
    free(amr.owner);
    free(amr.coarse_block);
    nuce_generator_row_merge(out, 0);
}

static const char *const amr_options[] = {"degree", "refined", NULL};

const struct nuce_generator_ops nuce_generator_pattern_amr = {
    .name = "amr",
    .summary = "neighbours in a mesh of blocks on two levels along a Z curve: degree blocks per "
               "rank, a fraction of the coarse ones refined in 2 x 2; 1 item per cell",
    .source = "Berger and Colella, J. Comput. Phys. 82, 1989",
    .options = amr_options,
    .is_random = 1,
    .check = amr_check,
    .generate = amr_generate,
};
