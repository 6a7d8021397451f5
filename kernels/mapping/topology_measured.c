/* A measured network as switches. The nodes are the hosts, in the order of their first ranks (every
 * rank is one where hosts are not known). How far apart two of them are is what a byte between them
 * takes, 1 / B, or the startup T, or both: beside the least of what the sender has to anyone and of
 * what anyone has to the receiver, since a slow port makes a node slow, not far; and, for nodes
 * that are alone on their leaf, which are not near to anyone, beside the least of all (alone.h says
 * when such a node is far and not slow).
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "mapping/alone.h"
#include "mapping/linkage.h"
#include "mapping/topology_file.h"
#include "schedules/network.h"

#define LEAST_GAP NUCE_ALONE_GAP
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

/* Numbers the hosts in the order of their first ranks. */
static void distances_find_nodes(const struct nuce_network *network, struct measured *out)
{
    out->node_of = nuce_allocate(network->ranks, sizeof *out->node_of);
    for (int i = 0; i < network->ranks; i++) {
        char name[NUCE_HOST_BYTES];

        /* Hosts have no blanks in their names. */
        if (network->host == NULL || network->host[i].name[0] == '\0')
            snprintf(name, sizeof name, "rank %d", i);
        else
            memcpy(name, network->host[i].name, sizeof name);
        nuce_names_add(&out->names, name, nuce_int((int64_t)strlen(name)), &out->node_of[i]);
    }
    out->nodes = out->names.count;
}

/* Matrices of doubles, nodes x nodes; what was allocated before a failure is freed by
 * measured_fini. */
static void distances_allocate(struct measured *measured)
{
    int64_t nodes = measured->nodes, pairs = nodes * nodes;

    measured->startup = nuce_allocate(pairs, sizeof(double));
    measured->byte = nuce_allocate(pairs, sizeof(double));
    measured->startup_all = nuce_allocate(pairs, sizeof(double));
    measured->byte_all = nuce_allocate(pairs, sizeof(double));
    measured->distance = nuce_allocate(pairs, sizeof(double));
    measured->pairs = nuce_allocate(pairs, sizeof(double));
    measured->tree = nuce_allocate(nodes, sizeof *measured->tree);
    measured->cut = nuce_allocate(nodes, sizeof(int));
    measured->cluster = nuce_allocate(nodes, sizeof(int));
    measured->is_alone = nuce_allocate(nodes, 1);
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

/* Whether the level that is joined now is one by a distance beside the least of all: the nodes that
 * it leaves alone are far, and the lowest level does leave some alone. */
static int explains_alone(struct measured *measured, struct view view)
{
    int count = nuce_alone_mark(measured->cluster, measured->nodes, measured->is_alone);

    return (count > 0 || measured->levels > 0) &&
           nuce_alone_all_far(measured->distance, measured->cluster, measured->is_alone,
                              measured->nodes, view.byte != NULL);
}

/* Finds the levels by one distance; how clear they are: the sum of their gaps, as multiples of what
 * a gap must have. */
static void find_levels(struct measured *measured, struct view view, double *clear)
{
    double least = fmax(log(LEAST_GAP), 3 * distances_noise(measured, view));

    *clear = 0;
    measured->levels = 0;
    fill_distances(measured, view);
    nuce_linkage_average(measured->distance, measured->nodes, measured->tree);
    for (int k = 0; k + 2 < measured->nodes; k++) {
        double gap = log(measured->tree[k + 1].height / measured->tree[k].height);

        if (gap < least)
            continue;
        distances_join(measured, k + 1);
        if (gamma_of(measured, view) < LEAST_GAMMA)
            continue;
        if (view.is_of_all && !explains_alone(measured, view))
            continue;
        measured->cut[measured->levels++] = k + 1;
        *clear += gap / least;
    }
}

/* The levels by whichever distance has the clearest. */
static void choose_levels(struct measured *measured)
{
    const double *startup = measured->startup, *byte = measured->byte;
    const double *startup_all = measured->startup_all, *byte_all = measured->byte_all;
    const struct view view[] = {{NULL, byte, 0},        {NULL, byte_all, 1},
                                {startup, NULL, 0},     {startup, byte, 0},
                                {startup_all, NULL, 1}, {startup_all, byte_all, 1}};
    double clear, most = 0;
    int views = 2, best = 0;

    make_of_all(measured->byte, measured->nodes, measured->byte_all);
    make_of_all(measured->startup, measured->nodes, measured->startup_all);
    make_relative(measured->byte, measured->nodes, measured->pairs);
    if (make_relative(measured->startup, measured->nodes, measured->pairs))
        views = sizeof view / sizeof *view;
    for (int i = 0; i < views; i++) {
        find_levels(measured, view[i], &clear);
        if (clear > most) {
            most = clear;
            best = i;
        }
    }
    find_levels(measured, view[best], &clear);
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
        distances_find_nodes(&network, &measured);
    if (status == NUCE_OK)
        distances_allocate(&measured);
    if (status == NUCE_OK && measured.nodes > 2) {
        take_times(&network, &measured);
        choose_levels(&measured);
    }
    nuce_network_fini(&network);
    if (status == NUCE_OK)
        status = add_switches(file, &measured, error);
    measured_fini(&measured);
    return status;
}
