/* A measured network as switches. The nodes are the hosts, in the order of their first ranks (every
 * rank is a node if hosts are not known).
 *
 * The distance of two nodes is a relative time: that of a byte, 1 / B, or the startup T, or both.
 * It is divided by the larger of the least times of the sender and of the receiver, since a slow
 * port makes a node slow, not far. A node that is alone on its leaf is near to no other. For such
 * nodes the distance is divided by the least time of all (are_alone_far decides if such a node is
 * far and not slow).
 *   1. Distances, means of both directions, are clustered by average linkage.
 *   2. A gap between consecutive heights is a level of switches if it is wide and parts the nodes
 *      well. It must be a factor of at least LEAST_GAP, and three times the standard deviation of
 *      the noise. The difference between the two directions of a pair gives the noise. Nodes that
 *      it leaves together must be closer than those that it parts (Baker and Hubert's gamma,
 *      Journal of the American Statistical Association 70, 1975; among the best of 30 criteria in
 *      Milligan and Cooper, Psychometrika 50(2), 1985).
 *   3. The distance with the clearest levels counts: a link may show in the time of a byte or in
 *      the startup, and the other may be noise. Distances relative to the least of all count only
 *      if they leave a node alone.
 * The clusters below the lowest gap are the leaf switches, those below each higher one the switches
 * above, and one is at the top. Without a gap all nodes are on one switch. Time O(nodes^2 log
 * nodes), memory 6 x 8 bytes x nodes^2. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/statistics.h"
#include "mapping/topology_file.h"
#include "schedules/network.h"

/* Distances within this factor are equal. */
#define LEAST_GAP 1.15
#define LEAST_GAMMA 0.9
/* Larger values and NaN are cut to this: sums stay finite. */
#define MOST_RELATIVE 1e100
/* The median of the absolute value of a normal variable, in standard deviations. */
#define NORMAL_MEDIAN 0.6745

/* The times of pairs from which distances are made: relative to the least of the two nodes, or of
 * all. */
enum { STARTUP, BYTE, STARTUP_OF_ALL, BYTE_OF_ALL, TIMES, NONE = -1 };

/* The times that a distance is the sum of. */
struct view {
    int startup, byte; /* times, or NONE */
    int is_of_all;     /* relative to the least of all */
};

/* A merge of two clusters: those with the elements a and b. */
struct linkage_merge {
    int a, b;
    double height; /* mean distance between an element of the one and one of the other */
};

/* Measured pairs during their clustering. */
struct measured {
    int nodes;
    int *node_of;               /* ranks */
    struct nuce_names names;    /* nodes */
    double *time[TIMES];        /* nodes x nodes, by source */
    double *distance;           /* nodes x nodes: symmetric */
    double *pairs;              /* scratch of the same size */
    struct linkage_merge *tree; /* nodes - 1 */
    int *cut;                   /* a level joins this many first merges; ascending */
    int levels;
    int *cluster;            /* nodes: number of a node of the same cluster */
    unsigned char *is_alone; /* nodes: no other node is in its cluster */
};

static double distance_at(const struct measured *m, int i, int j)
{
    return m->distance[(int64_t)i * m->nodes + j];
}

/* Marks the nodes that are alone in their cluster; returns their number. A node that is not its
 * cluster's own number shares it with at least that node: neither of the two is alone. */
static int mark_alone(struct measured *m)
{
    int count = 0;

    memset(m->is_alone, 1, (size_t)m->nodes);
    for (int i = 0; i < m->nodes; i++) {
        if (m->cluster[i] != i)
            m->is_alone[i] = m->is_alone[m->cluster[i]] = 0;
    }
    for (int i = 0; i < m->nodes; i++)
        count += m->is_alone[i];
    return count;
}

/* The nearest node, the lowest of several; -1: there is no other node. */
static int nearest_to(const struct measured *m, int node)
{
    int best = -1;

    for (int i = 0; i < m->nodes; i++) {
        if (i != node && (best < 0 || distance_at(m, node, i) < distance_at(m, node, best)))
            best = i;
    }
    return best;
}

/* In a tree of switches the two longest of the distances between three nodes are equal. The
 * distances of a slow node are longer than that to most nodes outside of its nearest's cluster. */
static int has_far_startups(const struct measured *m, int node)
{
    int nearest = nearest_to(m, node), longer = 0, others = 0;

    for (int i = 0; i < m->nodes; i++) {
        if (i == node || m->cluster[i] == m->cluster[nearest])
            continue;
        others++;
        longer += distance_at(m, node, i) >
                  LEAST_GAP * fmax(distance_at(m, node, nearest), distance_at(m, nearest, i));
    }
    return 2 * longer <= others;
}

/* True if all nodes that are alone are far and not slow. By startups: a slow node's are longer to
 * all others by the same amount. A far node's startups to any node beyond its nearest are as long
 * as its nearest's. By bytes (is_byte): a slow port can't be distinguished from a slow link of its
 * switch, unless links between other switches are known and are as slow. O(nodes^2). */
static int are_alone_far(const struct measured *m, int is_byte)
{
    double least = INFINITY, most = 0; /* between clusters of several nodes */

    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j < i; j++) {
            if (m->is_alone[i] || m->is_alone[j] || m->cluster[i] == m->cluster[j])
                continue;
            least = fmin(least, distance_at(m, i, j));
            most = fmax(most, distance_at(m, i, j));
        }
    }
    for (int i = 0; i < m->nodes; i++) {
        double own = m->is_alone[i] ? distance_at(m, i, nearest_to(m, i)) : 0;

        if (m->is_alone[i] &&
            (is_byte ? own * LEAST_GAP < least || own > most * LEAST_GAP : !has_far_startups(m, i)))
            return 0;
    }
    return 1;
}

/* Average linkage (Sokal and Michener, University of Kansas Science Bulletin 38, 1958: UPGMA) by
 * chains of nearest neighbours (Murtagh, The Computer Journal 26(4), 1983): from any cluster to its
 * nearest, on to that one's, until two are each other's nearest. They merge, and the chain
 * continues from its rest. That gives the same tree as merging the nearest pair of all each time,
 * since a mean is never nearer than both of its parts (reducibility), in O(count^2). */

/* A cluster has the number of one of its elements; the others have size 0. */
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

/* Extends the chain until its last two are each other's nearest, and merges them. */
static struct linkage_merge next_merge(struct linkage *linkage)
{
    for (int first = 0; linkage->length == 0; first++) {
        if (linkage->size[first] > 0)
            linkage->chain[linkage->length++] = first;
    }
    for (;;) {
        int a = linkage->chain[linkage->length - 1];
        int before = linkage->length > 1 ? linkage->chain[linkage->length - 2] : -1, next = before;

        /* The nearest; of several the one before a in the chain, or chains would not end. */
        for (int b = 0; b < linkage->count; b++) {
            if (b != a && linkage->size[b] > 0 &&
                (next < 0 || *linkage_at(linkage, a, b) < *linkage_at(linkage, a, next)))
                next = b;
        }
        if (next == before) {
            struct linkage_merge merge = {a, before, *linkage_at(linkage, a, before)};
            double of_a = linkage->size[a], of_b = linkage->size[before];

            /* The one before a absorbs a: distances to others are means over elements. */
            for (int c = 0; c < linkage->count; c++) {
                double from_a = *linkage_at(linkage, a, c),
                       from_b = *linkage_at(linkage, before, c);
                double mean = (of_a * from_a + of_b * from_b) / (of_a + of_b);

                /* Rounded below both, it would come before the clusters of the chain. */
                *linkage_at(linkage, before, c) = *linkage_at(linkage, c, before) =
                    fmax(mean, fmin(from_a, from_b));
            }
            linkage->size[before] += linkage->size[a];
            linkage->size[a] = 0;
            linkage->length -= 2;
            return merge;
        }
        linkage->chain[linkage->length++] = next;
    }
}

/* By ascending height: chains find merges in another order. */
static int compare_merges(const void *left, const void *right)
{
    double a = ((const struct linkage_merge *)left)->height;
    double b = ((const struct linkage_merge *)right)->height;

    return (a > b) - (a < b);
}

/* Merges count elements until one cluster is left: merge[0 .. count - 2], by ascending height.
 * distance, count x count and symmetric, is overwritten. Sorts the merges at the end, because
 * chains find them in another order than that of their distances. */
static void merge_all(double *distance, int count, struct linkage_merge *merge)
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

static void measured_fini(struct measured *m)
{
    nuce_names_fini(&m->names);
    for (int k = 0; k < TIMES; k++)
        free(m->time[k]);
    free(m->node_of);
    free(m->distance);
    free(m->pairs);
    free(m->tree);
    free(m->cut);
    free(m->cluster);
    free(m->is_alone);
}

/* Numbers the hosts in the order of their first ranks, and makes room. */
static void measured_init(const struct nuce_network *network, struct measured *out)
{
    int64_t nodes, pairs;

    out->node_of = nuce_allocate(network->ranks, sizeof *out->node_of);
    for (int i = 0; i < network->ranks; i++) {
        char name[NUCE_HOST_BYTES];

        /* Hosts have no blanks in their names. */
        if (network->host == NULL || network->host[i].name[0] == '\0')
            snprintf(name, sizeof name, "rank %d", i);
        else
            memcpy(name, network->host[i].name, sizeof name);
        out->node_of[i] = nuce_names_add(&out->names, name, nuce_int((int64_t)strlen(name)));
    }
    nodes = out->nodes = out->names.count;
    pairs = nodes * nodes;
    for (int k = 0; k < TIMES; k++)
        out->time[k] = nuce_allocate(pairs, sizeof(double));
    out->distance = nuce_allocate(pairs, sizeof(double));
    out->pairs = nuce_allocate(pairs, sizeof(double));
    out->tree = nuce_allocate(nodes, sizeof *out->tree);
    out->cut = nuce_allocate(nodes, sizeof(int));
    out->cluster = nuce_allocate(nodes, sizeof(int));
    out->is_alone = nuce_allocate(nodes, 1);
}

/* The times of all pairs of nodes, means over their ranks. */
static void take_times(const struct nuce_network *network, struct measured *m)
{
    for (int i = 0; i < network->ranks; i++) {
        for (int j = 0; j < network->ranks; j++) {
            int64_t pair = (int64_t)m->node_of[i] * m->nodes + m->node_of[j];

            if (m->node_of[i] == m->node_of[j])
                continue;
            m->time[STARTUP][pair] += nuce_network_startup(network, i, j);
            m->time[BYTE][pair] += 1 / nuce_network_bandwidth(network, i, j);
            m->pairs[pair]++; /* 0 before */
        }
    }
    for (int64_t pair = 0; pair < (int64_t)m->nodes * m->nodes; pair++) {
        if (m->pairs[pair] > 0) {
            m->time[STARTUP][pair] /= m->pairs[pair];
            m->time[BYTE][pair] /= m->pairs[pair];
        }
    }
}

/* Divides each time by the larger of two: the least time of its sender and the least time of its
 * receiver. of_all: each time divided by the least of all. 0 if a time is not above 0, which shows
 * nothing about distance. scratch has room for two values per node. */
static int make_relative(double *time, int nodes, double *scratch, double *of_all)
{
    double *out = scratch, *in = scratch + nodes, least = INFINITY;

    for (int i = 0; i < nodes; i++)
        out[i] = in[i] = INFINITY;
    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++) {
            if (i == j)
                continue;
            out[i] = fmin(out[i], time[(int64_t)i * nodes + j]);
            in[j] = fmin(in[j], time[(int64_t)i * nodes + j]);
        }
        least = fmin(least, out[i]);
    }
    for (int64_t pair = 0; pair < (int64_t)nodes * nodes; pair++)
        of_all[pair] = fmin(time[pair] / least, MOST_RELATIVE);
    if (!(least > 0))
        return 0;
    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++)
            time[(int64_t)i * nodes + j] =
                fmin(time[(int64_t)i * nodes + j] / fmax(out[i], in[j]), MOST_RELATIVE);
    }
    return 1;
}

/* From i to j alone; the two directions differ by noise, and by unequal ports. */
static double ordered_distance(const struct measured *m, struct view view, int i, int j)
{
    int64_t pair = (int64_t)i * m->nodes + j;

    return (view.startup != NONE ? m->time[view.startup][pair] : 0) +
           (view.byte != NONE ? m->time[view.byte][pair] : 0);
}

/* The matrix to cluster: the mean of both directions. */
static void fill_distances(struct measured *m, struct view view)
{
    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j < m->nodes; j++)
            m->distance[(int64_t)i * m->nodes + j] =
                (ordered_distance(m, view, i, j) + ordered_distance(m, view, j, i)) / 2;
    }
}

/* The standard deviation of the noise in the logarithm of a distance. Noise is the difference
 * between the two directions of a pair. The median of its absolute value gives the standard
 * deviation of the difference; that of the mean of both is half of it. */
static double distances_noise(struct measured *m, struct view view)
{
    int count = 0;

    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j < i; j++)
            m->pairs[count++] =
                fabs(log(ordered_distance(m, view, i, j) / ordered_distance(m, view, j, i)));
    }
    nuce_statistics_sort(m->pairs, count);
    return m->pairs[count / 2] / NORMAL_MEDIAN / 2;
}

/* The cluster of node, with path halving. */
static int find_cluster(int *cluster, int node)
{
    while (cluster[node] != node)
        node = cluster[node] = cluster[cluster[node]];
    return node;
}

/* Makes the clusters of the first merges. */
static void distances_join(struct measured *m, int merges)
{
    for (int node = 0; node < m->nodes; node++)
        m->cluster[node] = node;
    for (int k = 0; k < merges; k++)
        m->cluster[find_cluster(m->cluster, m->tree[k].a)] = find_cluster(m->cluster, m->tree[k].b);
    for (int node = 0; node < m->nodes; node++)
        m->cluster[node] = find_cluster(m->cluster, node);
}

/* The separation of distances within clusters from those between them: (s+ - s-) / (s+ + s-) over
 * all comparisons of one of the former with one of the latter. */
static double gamma_of(struct measured *m, struct view view)
{
    double *within = m->pairs, *across;
    int64_t all = (int64_t)m->nodes * (m->nodes - 1) / 2, inner = 0, outer = 0;
    int64_t below = 0, equal = 0;
    double less = 0, more = 0;

    across = within + all;
    fill_distances(m, view);
    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j < i; j++) {
            if (m->cluster[i] == m->cluster[j])
                within[inner++] = distance_at(m, i, j);
            else
                across[outer++] = distance_at(m, i, j);
        }
    }
    nuce_statistics_sort(within, nuce_int(inner));
    nuce_statistics_sort(across, nuce_int(outer));
    for (int64_t k = 0; k < inner; k++) {
        while (below < outer && across[below] < within[k])
            below++;
        while (equal < outer && across[equal] <= within[k])
            equal++;
        more += (double)below;
        less += (double)(outer - equal);
    }
    return less + more > 0 ? (less - more) / (less + more) : 0;
}

/* Finds the levels by one distance. Returns their clearness: the sum of their gaps, as multiples of
 * the required gap. */
static double find_levels(struct measured *m, struct view view)
{
    double least = fmax(log(LEAST_GAP), 3 * distances_noise(m, view)), clear = 0;

    m->levels = 0;
    fill_distances(m, view);
    merge_all(m->distance, m->nodes, m->tree);
    for (int k = 0; k + 2 < m->nodes; k++) {
        double gap = log(m->tree[k + 1].height / m->tree[k].height);

        if (gap < least)
            continue;
        distances_join(m, k + 1);
        if (gamma_of(m, view) < LEAST_GAMMA)
            continue;
        /* For a distance relative to the least of all: the nodes that the level leaves alone are
         * far, and the lowest level does leave some alone. */
        if (view.is_of_all &&
            ((mark_alone(m) == 0 && m->levels == 0) || !are_alone_far(m, view.byte != NONE)))
            continue;
        m->cut[m->levels++] = k + 1;
        clear += gap / least;
    }
    return clear;
}

/* Chooses the levels of the distance with the clearest ones. */
static void choose_levels(struct measured *m)
{
    static const struct view view[] = {{NONE, BYTE, 0},           {NONE, BYTE_OF_ALL, 1},
                                       {STARTUP, NONE, 0},        {STARTUP, BYTE, 0},
                                       {STARTUP_OF_ALL, NONE, 1}, {STARTUP_OF_ALL, BYTE_OF_ALL, 1}};
    double most = 0;
    int views = 2, best = 0;

    make_relative(m->time[BYTE], m->nodes, m->pairs, m->time[BYTE_OF_ALL]);
    if (make_relative(m->time[STARTUP], m->nodes, m->pairs, m->time[STARTUP_OF_ALL]))
        views = sizeof view / sizeof *view;
    for (int i = 0; i < views; i++) {
        double clear = find_levels(m, view[i]);

        if (clear > most) {
            most = clear;
            best = i;
        }
    }
    find_levels(m, view[best]);
}

/* Adds the top switch, then each level below the one above it, then the nodes on the leaves.
 * home[node] is the switch of a node in the last level so far. */
static nuce_status add_switches(struct nuce_topology_file *file, struct measured *m,
                                struct nuce_error *error)
{
    const char *place = file->scanner.text;
    int *home = nuce_allocate(2 * (int64_t)m->nodes, sizeof *home);
    int *here = home + m->nodes; /* clusters: the switch, or -1 */
    struct nuce_word word = {m->levels == 0 ? "switch" : "top", 0};
    nuce_status status;
    int number;

    word.length = nuce_int((int64_t)strlen(word.text));
    status = nuce_topology_file_switch(file, word, &number, error);
    if (status == NUCE_OK)
        file->place[number] = place;
    for (int level = m->levels - 1; status == NUCE_OK && level >= 0; level--) {
        int count = 0;

        if (file->switches.count + m->nodes - m->cut[level] > NUCE_TOPOLOGY_MAX_SWITCHES)
            status = nuce_scanner_fail(&file->scanner, place, error,
                                       "more than %d switches: expected fewer levels",
                                       NUCE_TOPOLOGY_MAX_SWITCHES);
        distances_join(m, m->cut[level]);
        for (int node = 0; node < m->nodes; node++)
            here[node] = -1;
        for (int node = 0; status == NUCE_OK && node < m->nodes; node++) {
            int *cluster = &here[m->cluster[node]];
            char name[48];

            if (*cluster < 0) {
                word.text = name;
                word.length = level == 0
                                  ? snprintf(name, sizeof name, "leaf%d", count++)
                                  : snprintf(name, sizeof name, "level%d-%d", level, count++);
                status = nuce_topology_file_switch(file, word, cluster, error);
                if (status != NUCE_OK)
                    break;
                file->place[*cluster] = place;
                status = nuce_topology_file_link(file, home[node], *cluster, place, error);
            }
            home[node] = *cluster;
        }
    }
    for (int node = 0; status == NUCE_OK && node < m->nodes; node++) {
        const char *name = m->names.name[node];

        status = nuce_topology_file_node(file, name, nuce_int((int64_t)strlen(name)), home[node],
                                         place, error);
    }
    free(home);
    return status;
}

/* Two nodes have one distance, which shows no gap: they go on one switch, like nodes without
 * levels. */
nuce_status nuce_topology_file_measured(struct nuce_topology_file *file, struct nuce_error *error)
{
    const struct nuce_scanner *scanner = &file->scanner;
    struct measured measured = {0};
    struct nuce_network network = {0};
    nuce_status status = nuce_network_parse(
        scanner->path, scanner->text, (size_t)(scanner->end - scanner->text), 0, &network, error);

    if (status == NUCE_OK)
        measured_init(&network, &measured);
    if (measured.nodes > 2) {
        take_times(&network, &measured);
        choose_levels(&measured);
    }
    nuce_network_fini(&network);
    if (status == NUCE_OK)
        status = add_switches(file, &measured, error);
    measured_fini(&measured);
    return status;
}
