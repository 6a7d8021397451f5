/* Whether a node is far or slow, from what it is like beside its nearest node (startups) or beside
 * what lies between the other switches (bytes). */
#include "mapping/alone.h"

#include <math.h>
#include <stdint.h>

/* distance is a matrix by rows, nodes x nodes. */
static double alone_distance(const double *distance, int nodes, int i, int j)
{
    return distance[(int64_t)i * nodes + j];
}

/* A node that is not its cluster's own number has at least that one beside it: neither of the two
 * is alone. */
int nuce_alone_mark(const int *cluster, int nodes, unsigned char *is_alone)
{
    int count = 0;

    for (int i = 0; i < nodes; i++)
        is_alone[i] = 1;
    for (int i = 0; i < nodes; i++) {
        if (cluster[i] != i)
            is_alone[i] = is_alone[cluster[i]] = 0;
    }
    for (int i = 0; i < nodes; i++)
        count += is_alone[i];
    return count;
}

/* The lowest of equally near nodes; -1: there is no other node. */
static int alone_nearest(const double *distance, int nodes, int node)
{
    int best = -1;

    for (int i = 0; i < nodes; i++) {
        if (i != node && (best < 0 || alone_distance(distance, nodes, node, i) <
                                          alone_distance(distance, nodes, node, best)))
            best = i;
    }
    return best;
}

/* In a tree of switches the two longest of the distances between three nodes are equal. A slow
 * node's are longer than that to most of those that are outside of its nearest's cluster. */
static int has_far_startups(const double *distance, const int *cluster, int nodes, int node)
{
    int nearest = alone_nearest(distance, nodes, node), longer = 0, others = 0;
    double between = alone_distance(distance, nodes, node, nearest);

    for (int i = 0; i < nodes; i++) {
        if (i == node || cluster[i] == cluster[nearest])
            continue;
        others++;
        longer += alone_distance(distance, nodes, node, i) >
                  NUCE_ALONE_GAP * fmax(between, alone_distance(distance, nodes, nearest, i));
    }
    return 2 * longer <= others;
}

/* The least and the largest distance between clusters of several nodes. */
static void find_between(const double *distance, const int *cluster, const unsigned char *is_alone,
                         int nodes, double *least, double *most)
{
    *least = INFINITY;
    *most = 0;
    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < i; j++) {
            if (is_alone[i] || is_alone[j] || cluster[i] == cluster[j])
                continue;
            *least = fmin(*least, alone_distance(distance, nodes, i, j));
            *most = fmax(*most, alone_distance(distance, nodes, i, j));
        }
    }
}

int nuce_alone_all_far(const double *distance, const int *cluster, const unsigned char *is_alone,
                       int nodes, int is_byte)
{
    double least, most;

    find_between(distance, cluster, is_alone, nodes, &least, &most);
    for (int i = 0; i < nodes; i++) {
        double own;

        if (!is_alone[i])
            continue;
        own = alone_distance(distance, nodes, i, alone_nearest(distance, nodes, i));
        if (is_byte ? own * NUCE_ALONE_GAP < least || own > most * NUCE_ALONE_GAP
                    : !has_far_startups(distance, cluster, nodes, i))
            return 0;
    }
    return 1;
}
