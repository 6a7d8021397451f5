/* curve: processes along a space-filling curve through the mesh, onto processors in the order of a
 * walk of the spanning tree. Processes that are close on the curve are close in the mesh, and
 * processors that are close on the walk are close in the tree. O(n + switches). */
#include <stdlib.h>

#include "base/allocate.h"
#include "mapping/placement.h"
#include "mapping/processes.h"

/* A generalised Hilbert curve through a mesh of up to three sides of any length. Three vectors
 * along the axes span a box; the curve enters at a corner, runs along the first vector, and leaves
 * at its end. A box is cut into two along the first vector if that is much the longest. Otherwise
 * it is cut into parts that are entered sideways, so that the curve turns as Hilbert's does. Cuts
 * are at even lengths if possible: then each step goes to a neighbour, else a few cut a corner.
 * Source: Hilbert 1891; the cuts for any side: J. Cerveny, gilbert,
 * https://github.com/jakubcerveny/gilbert */

struct vector {
    int along[NUCE_SIDES]; /* at most one is not 0 */
};

/* The progress of a walk. */
struct curve_order_walk {
    const struct nuce_processes *processes;
    int *order; /* processes in the order of the walk */
    int count;
};

/* The length of a vector along one axis. */
static int length_of(struct vector v)
{
    return abs(v.along[0]) + abs(v.along[1]) + abs(v.along[2]);
}

static struct vector vector_scale(struct vector v, int factor)
{
    return (struct vector){{v.along[0] * factor, v.along[1] * factor, v.along[2] * factor}};
}

static struct vector vector_add(struct vector a, struct vector b)
{
    return (struct vector){
        {a.along[0] + b.along[0], a.along[1] + b.along[1], a.along[2] + b.along[2]}};
}

static struct vector vector_minus(struct vector a, struct vector b)
{
    return vector_add(a, vector_scale(b, -1));
}

/* One step along v. */
static struct vector vector_unit(struct vector v)
{
    struct vector u = v;

    for (int k = 0; k < NUCE_SIDES; k++)
        u.along[k] = (v.along[k] > 0) - (v.along[k] < 0);
    return u;
}

/* Half of v, an even length if v is long enough. */
static struct vector vector_halve(struct vector v)
{
    int half = length_of(v) / 2;

    if (half % 2 != 0 && length_of(v) > 2)
        half++;
    return vector_scale(vector_unit(v), half);
}

/* Appends the length_of(v) processes from `at` on in the direction of v. */
static void walk_line(struct curve_order_walk *walk, struct vector at, struct vector v)
{
    for (int i = length_of(v); i > 0; i--) {
        walk->order[walk->count++] = nuce_processes_at(walk->processes, at.along);
        at = vector_add(at, vector_unit(v));
    }
}

/* Walks the box that a, b and c span from its corner `at`: enters there and leaves at the end of a.
 * A vector that points backwards extends the box backwards. */
static void walk_box(struct curve_order_walk *walk, struct vector at, struct vector a,
                     struct vector b, struct vector c)
{
    int w = length_of(a), h = length_of(b), d = length_of(c);
    struct vector a1 = vector_halve(a), b1 = vector_halve(b), c1 = vector_halve(c);
    struct vector a2 = vector_minus(a, a1), b2 = vector_minus(b, b1), c2 = vector_minus(c, c1);
    struct vector far_a = vector_minus(a, vector_unit(a)), far_b = vector_minus(b1, vector_unit(b)),
                  far_c = vector_minus(c, vector_unit(c));

    if (w == 0 || h == 0 || d == 0)
        return;
    if (h == 1 && d == 1) {
        walk_line(walk, at, a);
    } else if (w == 1 && d == 1) {
        walk_line(walk, at, b);
    } else if (w == 1 && h == 1) {
        walk_line(walk, at, c);
    } else if (w == 1) {
        walk_box(walk, at, b, c, a);
    } else if (2 * w > 3 * h && 2 * w > 3 * d) {
        walk_box(walk, at, a1, b, c);
        walk_box(walk, vector_add(at, a1), a2, b, c);
    } else if (3 * h > 4 * d) {
        walk_box(walk, at, b1, c, a1);
        walk_box(walk, vector_add(at, b1), a, b2, c);
        walk_box(walk, vector_add(vector_add(at, far_a), far_b), vector_scale(b1, -1), c,
                 vector_scale(a2, -1));
    } else if (3 * d > 4 * h) {
        walk_box(walk, at, c1, a1, b);
        walk_box(walk, vector_add(at, c1), a, b, c2);
        walk_box(walk, vector_add(vector_add(at, far_a), vector_minus(c1, vector_unit(c))),
                 vector_scale(c1, -1), vector_scale(a2, -1), b);
    } else {
        walk_box(walk, at, b1, c1, a1);
        walk_box(walk, vector_add(at, b1), c, a1, b2);
        walk_box(walk, vector_add(vector_add(at, far_b), far_c), a, vector_scale(b1, -1),
                 vector_scale(c2, -1));
        walk_box(walk, vector_add(vector_add(vector_add(at, far_a), b1), far_c),
                 vector_scale(c, -1), vector_scale(a2, -1), b2);
        walk_box(walk, vector_add(vector_add(at, far_a), far_b), vector_scale(b1, -1), c1,
                 vector_scale(a2, -1));
    }
}

void nuce_processes_curve(const struct nuce_processes *processes, int *order)
{
    struct curve_order_walk walk = {.processes = processes, .order = order};
    struct vector axis[NUCE_SIDES] = {0};
    struct vector at = {0};

    /* The longest side first. */
    for (int k = 0; k < NUCE_SIDES; k++) {
        struct vector v = {0};
        int place = k;

        v.along[k] = processes->side[k];
        for (; place > 0 && length_of(axis[place - 1]) < length_of(v); place--)
            axis[place] = axis[place - 1];
        axis[place] = v;
    }
    walk_box(&walk, at, axis[0], axis[1], axis[2]);
    NUCE_ASSERT(walk.count == processes->ranks);
}

/* Assigns the k-th process of the curve to the k-th processor of the walk; processors of a switch
 * by number. */
static nuce_status curve_place(const struct nuce_placement_input *input, int *processor,
                               struct nuce_error *error)
{
    const struct nuce_processors *processors = input->processors;
    int switches = processors->routing->topology->switches, count = 0;
    int *order = nuce_allocate(input->processes->ranks, sizeof *order);
    int *where = nuce_allocate(2 * (int64_t)switches, sizeof *where), *walk = where + switches;

    (void)error;
    nuce_routing_walk(processors->routing, where);
    nuce_processes_curve(input->processes, order);
    for (int s = 0; s < switches; s++)
        walk[where[s]] = s;
    for (int i = 0; i < switches; i++) {
        for (int k = processors->start[walk[i]]; k < processors->start[walk[i] + 1]; k++)
            processor[order[count++]] = processors->member[k];
    }
    free(order);
    free(where);
    return NUCE_OK;
}

const struct nuce_placement_ops nuce_placement_curve = {
    .name = "curve",
    .label = "space-filling curve",
    .summary = "a space-filling curve of processes onto a walk of the tree of switches",
    .source = "Hilbert's curve; the tree of up and down routing",
    .place = curve_place,
};
