/* Recursive coordinate bisection: cuts the longest extent of the nodes so that each side gets its
 * share, then both sides. An odd number of parts is split into floor and ceiling. Node numbers
 * break ties, so the result depends only on the mesh. Sizes differ by at most one.
 *
 * Cost: O(nodes log parts) expected.
 * Source: Berger, Bokhari: "A partitioning strategy for nonuniform problems on multiprocessors",
 * IEEE Transactions on Computers 36(5), 1987. */
#include <stdbool.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "instances/partition.h"

/* The state of the cutting: order is a permutation of the nodes, in which those of parts first ..
 * last - 1 are adjacent at share_before(first) .. share_before(last) - 1. */
struct rcb_bisection {
    const struct nuce_mesh *mesh;
    int parts;
    int32_t *order; /* nodes; a part's nodes are adjacent */
    int *part;
};

/* The number of nodes in the parts before part: all parts together share them evenly. */
static int64_t share_before(const struct rcb_bisection *bisection, int part)
{
    return bisection->mesh->nodes * part / bisection->parts;
}

/* True if node a comes before node b along axis. */
static bool rcb_before(const struct nuce_mesh *mesh, int axis, int32_t a, int32_t b)
{
    double left = mesh->coordinates[a * (int64_t)mesh->dimensions + axis];
    double right = mesh->coordinates[b * (int64_t)mesh->dimensions + axis];

    return left != right ? left < right : a < b;
}

static void rcb_swap(int32_t *a, int32_t *b)
{
    int32_t kept = *a;

    *a = *b;
    *b = kept;
}

/* Reorders order[first .. last - 1] so that those before middle come before the others along axis
 * (Hoare: "Algorithm 65: find", CACM 4(7), 1961). */
static void select_nodes(const struct rcb_bisection *bisection, int axis, int64_t first,
                         int64_t last, int64_t middle)
{
    const struct nuce_mesh *mesh = bisection->mesh;
    int32_t *order = bisection->order;

    last--;
    while (first < last) {
        /* Median of the first, middle and last: sorted input stays cheap. */
        int32_t a = order[first], pivot = order[first + (last - first) / 2], c = order[last];
        int64_t i = first, j = last;

        if (rcb_before(mesh, axis, pivot, a))
            rcb_swap(&a, &pivot);
        if (rcb_before(mesh, axis, c, pivot))
            pivot = rcb_before(mesh, axis, c, a) ? a : c;

        while (i <= j) {
            while (rcb_before(mesh, axis, order[i], pivot))
                i++;
            while (rcb_before(mesh, axis, pivot, order[j]))
                j--;
            if (i <= j)
                rcb_swap(&order[i++], &order[j--]);
        }
        if (middle <= j)
            last = j;
        else if (middle >= i)
            first = i;
        else
            return;
    }
}

/* Cuts the nodes of parts first .. last - 1 across the direction of their largest extent, the first
 * of equal ones. The depth is log2 of the number of parts. */
static void rcb_bisect(struct rcb_bisection *bisection, int first, int last)
{
    const struct nuce_mesh *mesh = bisection->mesh;
    int64_t begin = share_before(bisection, first), end = share_before(bisection, last);
    int middle = first + (last - first) / 2, axis = 0;
    double longest = -1;

    if (last - first == 1) {
        for (int64_t k = begin; k < end; k++)
            bisection->part[bisection->order[k]] = first;
        return;
    }
    for (int d = 0; d < mesh->dimensions; d++) {
        double low = mesh->coordinates[bisection->order[begin] * (int64_t)mesh->dimensions + d];
        double high = low;

        for (int64_t k = begin + 1; k < end; k++) {
            double x = mesh->coordinates[bisection->order[k] * (int64_t)mesh->dimensions + d];

            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (high - low > longest) {
            longest = high - low;
            axis = d;
        }
    }
    select_nodes(bisection, axis, begin, end, share_before(bisection, middle));
    rcb_bisect(bisection, first, middle);
    rcb_bisect(bisection, middle, last);
}

static nuce_status rcb_assign(const struct nuce_mesh *mesh, int parts, int64_t seed, int *part,
                              struct nuce_error *error)
{
    struct rcb_bisection bisection = {.mesh = mesh, .parts = parts, .part = part};

    (void)error;
    (void)seed;
    bisection.order = nuce_allocate(mesh->nodes, sizeof *bisection.order);
    for (int64_t i = 0; i < mesh->nodes; i++)
        bisection.order[i] = (int32_t)i;
    rcb_bisect(&bisection, 0, parts);
    free(bisection.order);
    return NUCE_OK;
}

const struct nuce_partition_ops nuce_partition_rcb = {
    .name = "rcb",
    .summary = "recursive coordinate bisection across the longest extent",
    .source = "Berger, Bokhari: IEEE Transactions on Computers 36(5), 1987",
    .needs_coordinates = true,
    .assign = rcb_assign,
};
