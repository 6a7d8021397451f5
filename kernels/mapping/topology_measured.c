/* A measured network as switches. The nodes are the hosts, in the order of their first ranks (every
 * rank is one where hosts are not known). How far apart two of them are is what a byte between them
 * takes, 1 / B, or the startup T, or both: beside the least of what the sender has to anyone and of
 * what anyone has to the receiver, since a slow port makes a node slow, not far; and, for nodes
 * that are alone on their leaf, which are not near to anyone, beside the least of all
 * (are_alone_far says when such a node is far and not slow).
 *   1. Distances, means of both directions, are clustered by average linkage.
 *   2. A gap between heights that follow one another is a level of switches if it is wide: a factor
 *      of at least LEAST_GAP, and three times the standard deviation that the noise has, which the
 *      difference between the two directions of a pair tells; and if nodes that it leaves together
 *      are closer than those that it parts (Baker and Hubert's gamma, Journal of the American
 *      Statistical Association 70, 1975; of the best of 30 criteria in Milligan and Cooper,
 *      Psychometrika 50(2), 1985).
 *   3. Of the distances the one with the clearest levels counts: a link may be known by the bytes
 * it carries or by the time that it takes, and the other may be noise. Those beside the least of
 *      all count only if they leave a node alone.
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
#include "mapping/topology_file.h"
#include "schedules/network.h"

/* Distances within a factor of this are alike. */
#define LEAST_GAP 1.15
#define LEAST_GAMMA 0.9
/* More, and what is no number, is cut to this: sums stay finite. */
#define MOST_RELATIVE 1e100
/* The median of the absolute value of a normal variable, in standard deviations. */
#define NORMAL_MEDIAN 0.6745

/* Measured pairs on their way to clusters. */
struct measured {
    int nodes;
    int *node_of;            /* ranks */
    struct nuce_names names; /* nodes */
    double *startup, *byte;  /* nodes x nodes, by source: beside the least of the two nodes */
    double *startup_all, *byte_all;  /* the same beside the least of all */
    double *distance, *pairs;        /* nodes x nodes: symmetric; room for as many */
    struct nuce_linkage_merge *tree; /* nodes - 1 */
    int *cut;                        /* a level joins the first so many merges; ascending */
    int levels;
    int *cluster;            /* nodes: one of those that it is with */
    unsigned char *is_alone; /* nodes: nobody is with it */
};

/* What a distance is the sum of: startups, times of a byte, or both; NULL: not of these. */
struct view {
    const double *startup, *byte; /* borrowed from a struct measured */
    int is_of_all;                /* beside the least of all */
};

/* distance is a matrix by rows, nodes x nodes. */
static double alone_distance(const double *distance, int nodes, int i, int j)
{
    return distance[(int64_t)i * nodes + j];
}

/* is_alone[i] becomes whether no other node is in the cluster of node i; returns how many there
 * are. A node that is not its cluster's own number has at least that one beside it: neither of the
 * two is alone. */
static int mark_alone(const int *cluster, int nodes, unsigned char *is_alone)
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
                  LEAST_GAP * fmax(between, alone_distance(distance, nodes, nearest, i));
    }
    return 2 * longer <= others;
}

/* Whether all nodes that are alone are far and not slow. By startups: those of a slow node are
 * longer to everyone, by what it is slow. Those of a far one are, to whoever is farther than its
 * nearest, as long as its nearest's. By bytes (is_byte): a slow port can't be told from a slow link
 * of its switch, but where links between other switches are known and are as slow.
 * O(nodes^2). */
static int are_alone_far(const double *distance, const int *cluster, const unsigned char *is_alone,
                         int nodes, int is_byte)
{
    double least = INFINITY, most = 0; /* between clusters of several nodes */

    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < i; j++) {
            if (is_alone[i] || is_alone[j] || cluster[i] == cluster[j])
                continue;
            least = fmin(least, alone_distance(distance, nodes, i, j));
            most = fmax(most, alone_distance(distance, nodes, i, j));
        }
    }
    for (int i = 0; i < nodes; i++) {
        double own;

        if (!is_alone[i])
            continue;
        own = alone_distance(distance, nodes, i, alone_nearest(distance, nodes, i));
        if (is_byte ? own * LEAST_GAP < least || own > most * LEAST_GAP
                    : !has_far_startups(distance, cluster, nodes, i))
            return 0;
    }
    return 1;
}

/* Average linkage by chains of nearest neighbours: from any cluster to its nearest, on to that
 * one's, until two are each other's nearest; they merge, and the chain goes on from what is left of
 * it. That gives the same tree as merging the nearest pair of all each time, since a mean is never
 * nearer than both of its parts (reducibility), in O(count^2). */

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
void nuce_topology_linkage(double *distance, int count, struct nuce_linkage_merge *merge)
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

static void measured_fini(struct measured *measured)
{
    nuce_names_fini(&measured->names);
    free(measured->node_of);
    free(measured->startup);
    free(measured->byte);
    free(measured->startup_all);
    free(measured->byte_all);
    free(measured->distance);
    free(measured->pairs);
    free(measured->tree);
    free(measured->cut);
    free(measured->cluster);
    free(measured->is_alone);
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
    out->startup = nuce_allocate(pairs, sizeof(double));
    out->byte = nuce_allocate(pairs, sizeof(double));
    out->startup_all = nuce_allocate(pairs, sizeof(double));
    out->byte_all = nuce_allocate(pairs, sizeof(double));
    out->distance = nuce_allocate(pairs, sizeof(double));
    out->pairs = nuce_allocate(pairs, sizeof(double));
    out->tree = nuce_allocate(nodes, sizeof *out->tree);
    out->cut = nuce_allocate(nodes, sizeof(int));
    out->cluster = nuce_allocate(nodes, sizeof(int));
    out->is_alone = nuce_allocate(nodes, 1);
}

/* The times of all pairs of nodes, means over their ranks. */
static void take_times(const struct nuce_network *network, struct measured *measured)
{
    int nodes = measured->nodes;
    double *count = measured->pairs;

    memset(count, 0, (size_t)nodes * (size_t)nodes * sizeof *count);
    for (int i = 0; i < network->ranks; i++) {
        for (int j = 0; j < network->ranks; j++) {
            int64_t pair = (int64_t)measured->node_of[i] * nodes + measured->node_of[j];

            if (measured->node_of[i] == measured->node_of[j])
                continue;
            measured->startup[pair] += nuce_network_startup(network, i, j);
            measured->byte[pair] += 1 / nuce_network_bandwidth(network, i, j);
            count[pair]++;
        }
    }
    for (int64_t pair = 0; pair < (int64_t)nodes * nodes; pair++) {
        if (count[pair] > 0) {
            measured->startup[pair] /= count[pair];
            measured->byte[pair] /= count[pair];
        }
    }
}

/* Divides each time by the larger of two: the least that its sender has to anyone, and the least
 * that anyone has to its receiver. 0 if a time is not above 0, which says nothing of how far nodes
 * are. scratch has room for two values a node. */
static int make_relative(double *time, int nodes, double *scratch)
{
    double *out = scratch, *in = scratch + nodes;

    for (int i = 0; i < nodes; i++)
        out[i] = in[i] = INFINITY;
    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++) {
            if (i == j)
                continue;
            out[i] = fmin(out[i], time[(int64_t)i * nodes + j]);
            in[j] = fmin(in[j], time[(int64_t)i * nodes + j]);
        }
    }
    for (int i = 0; i < nodes; i++) {
        if (!(out[i] > 0))
            return 0;
    }
    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++)
            time[(int64_t)i * nodes + j] =
                fmin(time[(int64_t)i * nodes + j] / fmax(out[i], in[j]), MOST_RELATIVE);
    }
    return 1;
}

/* The times, each divided by the least of all, which is above 0. */
static void make_of_all(const double *time, int nodes, double *out)
{
    double least = INFINITY;

    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++)
            least = i == j ? least : fmin(least, time[(int64_t)i * nodes + j]);
    }
    for (int64_t pair = 0; pair < (int64_t)nodes * nodes; pair++)
        out[pair] = fmin(time[pair] / least, MOST_RELATIVE);
}

/* From i to j alone; the two directions differ by what noise there is, and by unequal ports. */
static double ordered_distance(const struct measured *measured, struct view view, int i, int j)
{
    int64_t pair = (int64_t)i * measured->nodes + j;

    return (view.startup != NULL ? view.startup[pair] : 0) +
           (view.byte != NULL ? view.byte[pair] : 0);
}

/* The matrix that is clustered: the mean of both directions. */
static void fill_distances(struct measured *measured, struct view view)
{
    for (int i = 0; i < measured->nodes; i++) {
        for (int j = 0; j < measured->nodes; j++)
            measured->distance[(int64_t)i * measured->nodes + j] =
                (ordered_distance(measured, view, i, j) + ordered_distance(measured, view, j, i)) /
                2;
    }
}

/* Ascending. */
static int distances_compare_reals(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* The standard deviation of the logarithm of a distance, as far as it is noise. Noise is what the
 * two directions of a pair differ by: the median of its absolute value tells the standard deviation
 * of the difference, and that of the mean of both is half of it. */
static double distances_noise(struct measured *measured, struct view view)
{
    int64_t count = 0;

    for (int i = 0; i < measured->nodes; i++) {
        for (int j = 0; j < i; j++)
            measured->pairs[count++] = fabs(log(ordered_distance(measured, view, i, j) /
                                                ordered_distance(measured, view, j, i)));
    }
    qsort(measured->pairs, (size_t)count, sizeof *measured->pairs, distances_compare_reals);
    return measured->pairs[count / 2] / NORMAL_MEDIAN / 2;
}

/* The cluster of node, with path halving. */
static int find_cluster(int *cluster, int node)
{
    while (cluster[node] != node)
        node = cluster[node] = cluster[cluster[node]];
    return node;
}

/* The clusters that the first so many merges make. */
static void distances_join(struct measured *measured, int merges)
{
    for (int node = 0; node < measured->nodes; node++)
        measured->cluster[node] = node;
    for (int k = 0; k < merges; k++)
        measured->cluster[find_cluster(measured->cluster, measured->tree[k].a)] =
            find_cluster(measured->cluster, measured->tree[k].b);
    for (int node = 0; node < measured->nodes; node++)
        measured->cluster[node] = find_cluster(measured->cluster, node);
}

/* How far the distances within clusters are below those between them: (s+ - s-) / (s+ + s-) over
 * all comparisons of one of these with one of those. */
static double gamma_of(struct measured *measured, struct view view)
{
    double *within = measured->pairs, *across;
    int64_t all = (int64_t)measured->nodes * (measured->nodes - 1) / 2, inner = 0, outer = 0;
    int64_t below = 0, equal = 0;
    double less = 0, more = 0;

    across = within + all;
    fill_distances(measured, view);
    for (int i = 0; i < measured->nodes; i++) {
        for (int j = 0; j < i; j++) {
            double distance = measured->distance[(int64_t)i * measured->nodes + j];

            if (measured->cluster[i] == measured->cluster[j])
                within[inner++] = distance;
            else
                across[outer++] = distance;
        }
    }
    qsort(within, (size_t)inner, sizeof *within, distances_compare_reals);
    qsort(across, (size_t)outer, sizeof *across, distances_compare_reals);
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

/* Finds the levels by one distance; how clear they are: the sum of their gaps, as multiples of what
 * a gap must have. */
static double find_levels(struct measured *measured, struct view view)
{
    double least = fmax(log(LEAST_GAP), 3 * distances_noise(measured, view)), clear = 0;

    measured->levels = 0;
    fill_distances(measured, view);
    nuce_topology_linkage(measured->distance, measured->nodes, measured->tree);
    for (int k = 0; k + 2 < measured->nodes; k++) {
        double gap = log(measured->tree[k + 1].height / measured->tree[k].height);

        if (gap < least)
            continue;
        distances_join(measured, k + 1);
        if (gamma_of(measured, view) < LEAST_GAMMA)
            continue;
        /* By a distance beside the least of all: the nodes that the level leaves alone are far, and
         * the lowest level does leave some alone. */
        if (view.is_of_all &&
            ((mark_alone(measured->cluster, measured->nodes, measured->is_alone) == 0 &&
              measured->levels == 0) ||
             !are_alone_far(measured->distance, measured->cluster, measured->is_alone,
                            measured->nodes, view.byte != NULL)))
            continue;
        measured->cut[measured->levels++] = k + 1;
        clear += gap / least;
    }
    return clear;
}

/* The levels by whichever distance has the clearest. */
static void choose_levels(struct measured *measured)
{
    const double *startup = measured->startup, *byte = measured->byte;
    const double *startup_all = measured->startup_all, *byte_all = measured->byte_all;
    const struct view view[] = {{NULL, byte, 0},        {NULL, byte_all, 1},
                                {startup, NULL, 0},     {startup, byte, 0},
                                {startup_all, NULL, 1}, {startup_all, byte_all, 1}};
    double most = 0;
    int views = 2, best = 0;

    make_of_all(measured->byte, measured->nodes, measured->byte_all);
    make_of_all(measured->startup, measured->nodes, measured->startup_all);
    make_relative(measured->byte, measured->nodes, measured->pairs);
    if (make_relative(measured->startup, measured->nodes, measured->pairs))
        views = sizeof view / sizeof *view;
    for (int i = 0; i < views; i++) {
        double clear = find_levels(measured, view[i]);

        if (clear > most) {
            most = clear;
            best = i;
        }
    }
    find_levels(measured, view[best]);
}

/* Gives every node a switch of a level, below those of the level above: above[node] is the switch
 * there and becomes the one here. */
static nuce_status add_level(struct nuce_topology_file *file, struct measured *measured, int level,
                             int *above, struct nuce_error *error)
{
    const char *place = file->scanner.text;
    int *here = nuce_allocate(measured->nodes, sizeof *here);
    int count = 0;

    if (file->switches.count + measured->nodes - measured->cut[level] >
        NUCE_TOPOLOGY_MAX_SWITCHES) {
        free(here);
        return nuce_scanner_fail(&file->scanner, place, error,
                                 "more than %d switches: expected fewer levels",
                                 NUCE_TOPOLOGY_MAX_SWITCHES);
    }
    distances_join(measured, measured->cut[level]);
    for (int node = 0; node < measured->nodes; node++)
        here[node] = -1;
    for (int node = 0; node < measured->nodes; node++) {
        int *number = &here[measured->cluster[node]];
        char name[48];

        if (*number < 0) {
            struct nuce_word word = {name, 0};

            word.length = level == 0 ? snprintf(name, sizeof name, "leaf%d", count++)
                                     : snprintf(name, sizeof name, "level%d-%d", level, count++);
            if (nuce_topology_file_switch(file, word, number, error) != NUCE_OK ||
                nuce_topology_file_link(file, above[node], *number, place, error) != NUCE_OK) {
                free(here);
                return error->status;
            }
            file->place[*number] = place;
        }
        above[node] = *number;
    }
    free(here);
    return NUCE_OK;
}

/* The top switch, then each level below the one above it, then the nodes on the leaves. */
static nuce_status add_switches(struct nuce_topology_file *file, struct measured *measured,
                                struct nuce_error *error)
{
    int *home = nuce_allocate(measured->nodes, sizeof *home);
    struct nuce_word top = {measured->levels == 0 ? "switch" : "top", 0};
    nuce_status status;
    int number;

    top.length = nuce_int((int64_t)strlen(top.text));
    status = nuce_topology_file_switch(file, top, &number, error);
    if (status == NUCE_OK)
        file->place[number] = file->scanner.text;
    for (int level = measured->levels - 1; status == NUCE_OK && level >= 0; level--)
        status = add_level(file, measured, level, home, error);
    for (int node = 0; status == NUCE_OK && node < measured->nodes; node++) {
        const char *name = measured->names.name[node];

        status = nuce_topology_file_node(file, name, nuce_int((int64_t)strlen(name)), home[node],
                                         file->scanner.text, error);
    }
    free(home);
    return status;
}

/* Two nodes have one distance, in which no gap can be seen: they go on one switch, like nodes
 * without levels. */
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
