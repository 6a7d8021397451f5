/* The best of all decompositions into rectangles, for up to six parts, as a reference for the
 * others. Every layout of up to six rectangles is cut in two from side to side, or is a pinwheel of
 * five blocks (Figure 17 of Kaddoura, Ranka and Wang). One of the five may be two parts. The same
 * holds for the two sides of a cut, and for the blocks. Each layout has one realisation with given
 * areas (Wimer, Koren, Cederbaum: "Floorplans, planar graphs, and layouts", IEEE TCS 35, 1988). All
 * layouts are tried except those that cannot beat the best so far, by the areas of their parts. */
#include <math.h>
#include <string.h>

#include "instances/array_problem.h"

#define MOST_PARTS 6
#define ALL_DIRECTIONS (-1)

/* The weights of a box, as bits. */
struct optimal_block {
    unsigned set; /* bit k: the k-th weight in order */
    struct nuce_box box;
    int uncut; /* 0 or 1: not cut that way again, because it was cut off that way; or
                  ALL_DIRECTIONS */
};

/* blocks is a stack of blocks to divide; placed[k] is the box of each weight that is in none of
 * them. Recursion leaves the stack unchanged. */
struct optimal_search {
    const struct nuce_array_problem *problem;
    struct optimal_block blocks[MOST_PARTS]; /* a stack */
    int count;
    struct nuce_box placed[MOST_PARTS];
    struct nuce_box best[MOST_PARTS];
    double least;
};

/* The cells of the array, lying down, of the weights of set together. */
static double set_area(const struct optimal_search *s, unsigned set)
{
    double sum = 0;

    for (int k = 0; k < s->problem->parts; k++) {
        if (set >> k & 1)
            sum += s->problem->weights[k];
    }
    return sum / s->problem->sums[s->problem->parts] * s->problem->height * s->problem->width;
}

/* Counts the pairs of parts that share part of a border, each at the part above or to the left;
 * naive: also the corners where four meet, at the part to their upper left. With at most 6 parts,
 * all pairs within the tolerance cost less than lines would. */
static int optimal_count_edges(const struct optimal_search *s)
{
    double near_row = NUCE_DECOMPOSITION_TOLERANCE * s->problem->height;
    double near_column = NUCE_DECOMPOSITION_TOLERANCE * s->problem->width;
    int is_naive = s->problem->array->edges == NUCE_EDGES_NAIVE, edges = 0;

    for (int i = 0; i < s->problem->parts; i++) {
        const struct nuce_box *a = &s->placed[i];
        double bottom = a->row + a->rows, right = a->column + a->columns;

        for (int k = 0; k < s->problem->parts; k++) {
            const struct nuce_box *b = &s->placed[k];
            double down = fmin(bottom, b->row + b->rows) - fmax(a->row, b->row);
            double along = fmin(right, b->column + b->columns) - fmax(a->column, b->column);
            int below = fabs(bottom - b->row) <= near_row;
            int beside = fabs(right - b->column) <= near_column;

            edges += (beside && down > near_row) || (below && along > near_column);
            edges += is_naive && beside && below;
        }
    }
    return edges;
}

/* Lower bound of Acost + latency x edges. Placed parts count with their sides. A part of area a
 * still to place has half a perimeter of 2 sqrt(a), or l + a / l with l the shorter side of its
 * block if that is shorter than sqrt(a). Edges: p - 1, as the parts are connected. */
static double area_bound(const struct optimal_search *s)
{
    double borders = -s->problem->height - s->problem->width;
    unsigned pending = 0;

    for (int i = 0; i < s->count; i++) {
        const struct optimal_block *block = &s->blocks[i];
        double side = fmin(block->box.rows, block->box.columns);

        pending |= block->set;
        for (int k = 0; k < s->problem->parts; k++) {
            if (block->set >> k & 1) {
                double part = set_area(s, 1U << k), length = fmin(side, sqrt(part));

                borders += length + part / length;
            }
        }
    }
    for (int k = 0; k < s->problem->parts; k++) {
        if (!(pending >> k & 1))
            borders += s->placed[k].rows + s->placed[k].columns;
    }
    return borders + s->problem->array->latency * (s->problem->parts - 1);
}

static void optimal_search(struct optimal_search *s);

/* Continues with blocks in place of the top one. */
static void search_with(struct optimal_search *s, const struct optimal_block *blocks, int count)
{
    s->count--;
    for (int i = 0; i < count; i++)
        s->blocks[s->count + i] = blocks[i];
    s->count += count;
    optimal_search(s);
    s->count -= count - 1;
}

/* Continues with block as a pinwheel of five sets, for either root, and as its mirror image, which
 * turns the other way. The boxes are at the top left, u wide, at the top right, at the bottom
 * right, at the bottom left, and in the middle. a: areas of the first four; the middle gets the
 * rest. The areas fix the widths: eliminating all but u leaves x u^2 + y u + z = 0. A root is a
 * pinwheel if all five boxes have positive sides. The stack holds block again afterwards. */
static void spin_pinwheel(struct optimal_search *s, struct optimal_block block,
                          const unsigned sets[5])
{
    double height = block.box.rows, width = block.box.columns, whole = height * width, a[4];
    double x, y, z, root;

    for (int i = 0; i < 4; i++)
        a[i] = set_area(s, sets[i]);
    x = height * (a[2] + a[3] - whole);
    y = (whole - a[3]) * (whole - a[1]) + whole * a[0] - a[2] * (whole + a[0]);
    z = width * a[0] * (a[1] + a[2] - whole);
    root = y * y - 4 * x * z;
    for (int sign = -1; sign <= 1 && root >= 0; sign += 2) {
        double u = (-y + sign * sqrt(root)) / (2 * x);
        double top = a[0] / u, right = a[1] / (width - u), left = a[3] / (height - top);
        const struct nuce_box boxes[5] = {{0, 0, top, u},
                                          {0, u, right, width - u},
                                          {right, left, height - right, width - left},
                                          {top, 0, height - top, left},
                                          {top, left, right - top, u - left}};

        if (!(0 < u && u < width && top < right && right < height && 0 < left && left < u))
            continue;
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            struct optimal_block blocks[5];

            for (int i = 0; i < 5; i++) {
                blocks[i] = (struct optimal_block){sets[i], boxes[i], ALL_DIRECTIONS};
                if (mirrored)
                    blocks[i].box.column = block.box.columns - boxes[i].column - boxes[i].columns;
                blocks[i].box.row += block.box.row;
                blocks[i].box.column += block.box.column;
            }
            search_with(s, blocks, 5);
            s->blocks[s->count - 1] = block;
        }
    }
}

/* Tries all ways to distribute the weights of left over the sets from number on, none of them
 * empty; the fifth takes the rest. With six weights one set has two. */
static void deal_to_pinwheel(struct optimal_search *s, struct optimal_block block, unsigned left,
                             unsigned sets[5], int number)
{
    if (number == 4) {
        sets[4] = left;
        spin_pinwheel(s, block, sets);
        return;
    }
    for (unsigned set = (left - 1) & left; set != 0; set = (set - 1) & left) {
        sets[number] = set;
        if (__builtin_popcount(left & ~set) >= 4 - number)
            deal_to_pinwheel(s, block, left & ~set, sets, number + 1);
    }
}

/* Divides the block on top of the stack in all ways, and by recursion those below; leaves the stack
 * unchanged. When all weights are placed the layout is kept if it is cheaper by more than rounding.
 * A single weight fills its block. Other blocks are divided in two by a straight cut in all ways, a
 * proper subset to the left or top, the rest beyond, and as pinwheels. A block that was cut off a
 * side is not cut the same way again (uncut): otherwise a row of three would be found twice. */
static void optimal_search(struct optimal_search *s)
{
    struct optimal_block block;
    unsigned sets[5];

    if (s->count == 0) {
        double cost = -s->problem->height - s->problem->width;

        for (int k = 0; k < s->problem->parts; k++)
            cost += s->placed[k].rows + s->placed[k].columns;
        if (s->problem->array->latency > 0)
            cost += s->problem->array->latency * optimal_count_edges(s);
        if (cost < s->least * (1 - NUCE_DECOMPOSITION_TOLERANCE)) {
            s->least = cost;
            memcpy(s->best, s->placed, sizeof s->best);
        }
        return;
    }
    if (!(area_bound(s) < s->least))
        return;
    block = s->blocks[s->count - 1];
    if ((block.set & (block.set - 1)) == 0) {
        s->placed[__builtin_ctz(block.set)] = block.box;
        s->count--;
        optimal_search(s);
        s->blocks[s->count++] = block;
        return;
    }
    for (unsigned set = (block.set - 1) & block.set; set != 0; set = (set - 1) & block.set) {
        double share = set_area(s, set) / set_area(s, block.set);

        for (int across = 0; across < 2; across++) {
            struct optimal_block sides[2] = {
                {set, nuce_box_slice(block.box, across, 0, share), across},
                {block.set & ~set, nuce_box_slice(block.box, across, share, 1), ALL_DIRECTIONS},
            };

            if (across != block.uncut)
                search_with(s, sides, 2);
            s->blocks[s->count - 1] = block;
        }
    }
    if (__builtin_popcount(block.set) >= 5)
        deal_to_pinwheel(s, block, block.set, sets, 0);
}

static void optimal_build(const struct nuce_array_problem *problem, struct nuce_decomposition *out)
{
    struct optimal_search s = {.problem = problem, .count = 1, .least = INFINITY};

    s.blocks[0] = (struct optimal_block){(1U << problem->parts) - 1,
                                         nuce_array_problem_box(problem), ALL_DIRECTIONS};
    optimal_search(&s);
    for (int k = 0; k < problem->parts; k++)
        nuce_array_problem_put(problem, k, s.best[k], out);
}

const struct nuce_decomposition_ops nuce_decomposition_optimal = {
    .name = "optimal",
    .summary = "the best of all rectangles, with the pinwheel, for up to 6 parts",
    .source = "Kaddoura, Ranka, Wang 1996, Figure 17; Wimer, Koren, Cederbaum 1988",
    .most_parts = MOST_PARTS,
    .build = optimal_build,
};
