/* The edge-isoperimetric problem: how few edges can leave any k processes. Exact on meshes of up to
 * two sides by the argument at mesh_cut; on meshes of three by what their layers leave
 * (layers_cut), which is a bound and mostly exact (Bollobas and Leader, Combinatorica 11, 1991,
 * have it for cubes); else by degrees alone, which is weak for large k but a bound for any pattern.
 */
#include <math.h>
#include <stdlib.h>

#include "mapping/cardinality_bound.h"
#include "support/allocate.h"

/* Ascending. */
static int least_cuts_compare_reals(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Weights of each process' entries, descending. An array freed by the caller. */
static double *sort_weights(const struct nuce_processes *processes, struct nuce_error *error)
{
    int64_t entries = processes->start[processes->ranks];
    double *sorted = nuce_allocate(entries, sizeof *sorted, error);

    for (int64_t k = 0; sorted != NULL && k < entries; k++)
        sorted[k] = -processes->weight[k];
    for (int i = 0; sorted != NULL && i < processes->ranks; i++)
        qsort(sorted + processes->start[i], (size_t)(processes->start[i + 1] - processes->start[i]),
              sizeof *sorted, least_cuts_compare_reals);
    for (int64_t k = 0; sorted != NULL && k < entries; k++)
        sorted[k] = -sorted[k];
    return sorted;
}

/* How many others the process with the most of them talks to. */
static int most_neighbors(const struct nuce_processes *processes)
{
    int64_t most = 0;

    for (int i = 0; i < processes->ranks; i++) {
        int64_t degree = processes->start[i + 1] - processes->start[i];

        most = degree > most ? degree : most;
    }
    return (int)most;
}

/* Fills least[1 .. most degree]. Of k processes each has at most the k - 1 heaviest of its edges
 * among them, and there are no k that leave less than the k which leave the least. Above the
 * largest degree nothing is certain: 0. */
static nuce_status by_degrees(const struct nuce_processes *processes, double *least,
                              struct nuce_error *error)
{
    double *sorted = sort_weights(processes, error);
    double *leaves = nuce_allocate(processes->ranks, sizeof *leaves, error);
    int most = most_neighbors(processes);

    if (sorted == NULL || leaves == NULL) {
        free(sorted);
        free(leaves);
        return error->status;
    }
    for (int k = 1; k <= processes->ranks && k <= most; k++) {
        for (int i = 0; i < processes->ranks; i++) {
            leaves[i] = 0;
            for (int64_t e = processes->start[i] + k - 1; e < processes->start[i + 1]; e++)
                leaves[i] += sorted[e];
        }
        qsort(leaves, (size_t)processes->ranks, sizeof *leaves, least_cuts_compare_reals);
        least[k] = 0;
        for (int i = 0; i < k; i++)
            least[k] += leaves[i];
    }
    free(sorted);
    free(leaves);
    return NUCE_OK;
}

/* The least half perimeter of a rectangle of whole sides, the shorter at most `sides`, with room
 * for k. */
static int least_cuts_corner(int k, int sides)
{
    int root = (int)sqrt((double)k);
    int low = root < 1 ? 1 : root > sides ? sides : root;
    int high = low < sides ? low + 1 : low;
    int first = low + (k + low - 1) / low, second = high + (k + high - 1) / high;

    return first < second ? first : second;
}

/* The fewest edges that leave k of a x b processes, a <= b. A row or column that has some of them
 * and not all is cut. Where none is full, all that have some are: as many as the sides of a
 * rectangle with room for k. Where a line along one side is full, every line across it has some,
 * and the k can be such lines alone, or one more is cut. Where lines along both sides are full,
 * none of the others' is. */
static int mesh_cut(int k, int a, int b)
{
    int64_t all = (int64_t)a * b;
    int least = least_cuts_corner(k, a), other = least_cuts_corner((int)(all - k), a);

    if (k == 0 || k == all)
        return 0;
    least = other < least ? other : least;
    if (k >= a && a + (k % a != 0) < least)
        least = a + (k % a != 0);
    if (k >= b && b + (k % b != 0) < least)
        least = b + (k % b != 0);
    return least;
}

/* Whether processes are a mesh of two sides, *a <= *b, the one or both of which may be 1. */
static int is_flat(const struct nuce_processes *processes, int *a, int *b)
{
    int count = 0, side[NUCE_SIDES] = {1, 1, 1};

    for (int k = 0; k < NUCE_SIDES; k++) {
        if (processes->side[k] > 1)
            side[count++] = processes->side[k];
    }
    *a = side[0] < side[1] ? side[0] : side[1];
    *b = side[0] < side[1] ? side[1] : side[0];
    return processes->at == NULL && count <= 2;
}

/* Of more steps the layers are not looked at: about a second. */
#define MOST_STEPS 100000000

/* A mesh of three sides as so many layers of a x b, the longest side across them: the fewest layers
 * of the fewest processes. 0: it isn't one, or it is too large. */
static int is_layered(const struct nuce_processes *processes, int *a, int *b, int *layers)
{
    int side[NUCE_SIDES];

    for (int k = 0; k < NUCE_SIDES; k++) {
        int place = k;

        for (; place > 0 && side[place - 1] > processes->side[k]; place--)
            side[place] = side[place - 1];
        side[place] = processes->side[k];
    }
    *a = side[0];
    *b = side[1];
    *layers = side[2];
    return processes->at == NULL && side[0] > 1 &&
           (int64_t)side[0] * side[1] * processes->ranks <= MOST_STEPS / side[2];
}

/* One layer more: to[s][k] from from[s][k], the least that layers which have s processes in all
 * leave, the last of them k; the one that is added has no more than the last. Tables are (n + 1) x
 * (area + 1). */
static void layers_add(const double *from, double *to, const double *cut, int n, int area)
{
    int64_t width = (int64_t)area + 1;

    for (int s = 0; s <= n; s++) {
        for (int k = 0; k <= area; k++)
            to[s * width + k] = INFINITY;
    }
    for (int s = 0; s <= n; s++) {
        double least = INFINITY; /* of those whose last has k or more */

        for (int k = area; k >= 0; k--) {
            least = fmin(least, from[s * width + k]);
            if (s + k <= n)
                to[(s + k) * width + k] = least + cut[k];
        }
    }
}

/* Fills least[]. A layer of k_j leaves what mesh_cut says within itself, and between layers in a
 * row at least |k_j - k_j+1| edges, so the largest k_j less the smallest in all: the least of the
 * sum, over all k_j that make k, is a bound. In falling order it is a sum over the layers. */
static nuce_status layers_cut(int a, int b, int layers, double *least, struct nuce_error *error)
{
    int area = a * b, n = area * layers;
    int64_t width = (int64_t)area + 1;
    double *from = nuce_allocate((n + 1) * width, sizeof *from, error);
    double *to = nuce_allocate((n + 1) * width, sizeof *to, error);
    double *cut = nuce_allocate(width, sizeof *cut, error);
    nuce_status status = from == NULL || to == NULL || cut == NULL ? error->status : NUCE_OK;

    for (int k = 0; status == NUCE_OK && k <= area; k++)
        cut[k] = mesh_cut(k, a, b);
    for (int64_t i = 0; status == NUCE_OK && i < (n + 1) * width; i++)
        from[i] = INFINITY;
    for (int k = 0; status == NUCE_OK && k <= area; k++)
        from[k * width + k] = cut[k] + k;
    for (int layer = 1; status == NUCE_OK && layer < layers; layer++) {
        double *kept = from;

        layers_add(from, to, cut, n, area);
        from = to;
        to = kept;
    }
    for (int s = 0; status == NUCE_OK && s <= n; s++) {
        least[s] = INFINITY;
        for (int k = 0; k <= area; k++)
            least[s] = fmin(least[s], from[s * width + k] - k);
    }
    free(from);
    free(to);
    free(cut);
    return status;
}

double *nuce_processes_least_cuts(const struct nuce_processes *processes, struct nuce_error *error)
{
    int n = processes->ranks, a, b, layers;
    nuce_status status;
    double *least = nuce_allocate((int64_t)n + 1, sizeof *least, error);

    if (least == NULL)
        return NULL;
    if (is_flat(processes, &a, &b)) {
        for (int k = 0; k <= n; k++)
            least[k] = mesh_cut(k, a, b);
        return least;
    }
    status = is_layered(processes, &a, &b, &layers) ? layers_cut(a, b, layers, least, error)
                                                    : by_degrees(processes, least, error);
    if (status != NUCE_OK) {
        free(least);
        return NULL;
    }
    /* What joins k to the others joins the others to them. */
    least[n] = 0;
    for (int k = 0; k <= n / 2; k++)
        least[k] = least[n - k] = fmax(least[k], least[n - k]);
    return least;
}

int nuce_processes_least_perimeter(const struct nuce_processes *processes, int k)
{
    int a, b;

    if (!is_flat(processes, &a, &b) || b < 2 || k == 0)
        return 0;
    return a < 2 ? 2 : 2 * least_cuts_corner(k, a);
}

int nuce_processes_corners(const struct nuce_processes *processes)
{
    int a, b;

    return is_flat(processes, &a, &b) && a > 1 ? 4 : 0;
}

int nuce_processes_border(const struct nuce_processes *processes)
{
    int a, b;

    if (!is_flat(processes, &a, &b) || b < 2)
        return 0;
    return a > 1 ? 2 * (a + b) : 2;
}
