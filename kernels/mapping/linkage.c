/* Average linkage by chains of nearest neighbours: from any cluster to its nearest, on to that
 * one's, until two are each other's nearest; they merge, and the chain goes on from what is left of
 * it. That gives the same tree as merging the nearest pair of all each time, since a mean is never
 * nearer than both of its parts (reducibility), in O(count^2). */
#include "mapping/linkage.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"

/* A cluster goes by the number of one of its elements; the others have size 0. */
struct linkage {
    double *distance;
    int *size, *chain; /* elements of each cluster; the chain, nearest last */
    int count, length; /* of the chain */
};

/* The distance between clusters a and b, to be read or written. */
static double *linkage_at(const struct linkage *linkage, int a, int b)
{
    return &linkage->distance[(int64_t)a * linkage->count + b];
}

/* The cluster nearest to a; of several the one before a in the chain, or chains would not end.
 * before: -1 at the start of a chain. */
static int linkage_nearest(const struct linkage *linkage, int a, int before)
{
    int best = before;

    for (int b = 0; b < linkage->count; b++) {
        if (b != a && linkage->size[b] > 0 &&
            (best < 0 || *linkage_at(linkage, a, b) < *linkage_at(linkage, a, best)))
            best = b;
    }
    return best;
}

/* Cluster b takes in cluster a: distances to others are means over elements. */
static void linkage_join(struct linkage *linkage, int a, int b)
{
    double of_a = linkage->size[a], of_b = linkage->size[b];

    for (int c = 0; c < linkage->count; c++) {
        double from_a = *linkage_at(linkage, a, c), from_b = *linkage_at(linkage, b, c);
        double mean = (of_a * from_a + of_b * from_b) / (of_a + of_b);

        /* Rounded below both it would come before what the chain holds. */
        *linkage_at(linkage, b, c) = *linkage_at(linkage, c, b) = fmax(mean, fmin(from_a, from_b));
    }
    linkage->size[b] += linkage->size[a];
    linkage->size[a] = 0;
}

/* Extends the chain until its last two are each other's nearest, and merges them. */
static struct nuce_linkage_merge next_merge(struct linkage *linkage)
{
    for (int first = 0; linkage->length == 0; first++) {
        if (linkage->size[first] > 0)
            linkage->chain[linkage->length++] = first;
    }
    for (;;) {
        int last = linkage->chain[linkage->length - 1];
        int before = linkage->length > 1 ? linkage->chain[linkage->length - 2] : -1;
        int next = linkage_nearest(linkage, last, before);

        if (next == before) {
            struct nuce_linkage_merge merge = {last, before, *linkage_at(linkage, last, before)};

            linkage_join(linkage, last, before);
            linkage->length -= 2;
            return merge;
        }
        linkage->chain[linkage->length++] = next;
    }
}

/* By ascending height: chains find merges in another order than heights. */
static int compare_merges(const void *left, const void *right)
{
    double a = ((const struct nuce_linkage_merge *)left)->height;
    double b = ((const struct nuce_linkage_merge *)right)->height;

    return (a > b) - (a < b);
}

/* Chains find the merges in another order than that of their distances, so they are sorted
 * behind. */
void nuce_linkage_average(double *distance, int count, struct nuce_linkage_merge *merge)
{
    struct linkage linkage = {.distance = distance, .count = count};

    linkage.size = nuce_allocate(count, sizeof *linkage.size);
    linkage.chain = nuce_allocate(count, sizeof *linkage.chain);
    for (int i = 0; i < count; i++)
        linkage.size[i] = 1;
    for (int k = 0; k < count - 1; k++)
        merge[k] = next_merge(&linkage);
    if (count > 1)
        qsort(merge, (size_t)count - 1, sizeof *merge, compare_merges);
    free(linkage.size);
    free(linkage.chain);
}
