/* Results from the times of links: pairs by nuce_link_fit, ports by nuce_fan_port, and the curve
 * of contention. The curve has, for each number of partners, the median gain over the centres,
 * relative to one partner. It uses the lesser of the gains out and in, because data that leaves
 * a rank must arrive at another. Each rank fits the pairs that it led, O(pairs x repetitions) in
 * all. Rank 0 gathers the four numbers of each pair and sends the network to all ranks; the fans
 * are judged by it. Memory: 4 ranks^2 doubles on rank 0, 2 ranks^2 on the others. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/statistics.h"
#include "base/text.h"
#include "programs/calibrate.h"
#include "programs/links.h"
#include "schedules/network.h"
#include "schedules/tournament.h"

/* The quantities of a link in links->mine and links->all. Index in links->mine: quantity x ranks
 * + peer; in links->all: (quantity x ranks + destination) x ranks + source. */
enum { STARTUP, STARTUP_ERROR, BANDWIDTH, BANDWIDTH_ERROR, QUANTITIES };

/* Rank 0: a quantity of the link source -> destination. */
static double links_found_quantity(const struct nuce_links *links, int which, int source,
                                   int destination)
{
    int64_t ranks = links->plan.ranks;

    return links->all[(which * ranks + destination) * ranks + source];
}

/* Startup and bandwidth are fitted to the trips that this rank led, pair by pair. */
void nuce_links_share(struct nuce_links *links)
{
    const struct nuce_links_plan *plan = &links->plan;
    int ranks = plan->ranks;
    int64_t bytes = (int64_t)ranks * ranks * (int64_t)sizeof(double);
    struct nuce_network *network = &links->network;

    for (int round = 0; round < plan->rounds; round++) {
        int peer = nuce_tournament_partner(round, links->world->rank, ranks);
        struct nuce_trip trips[NUCE_LINKS_SIZES_MOST];
        struct nuce_link link;

        if (peer == NUCE_TOURNAMENT_NOBODY)
            continue;
        for (int size = 0; size < plan->sizes; size++)
            trips[size] = nuce_trip_summarise(
                plan->bytes[size],
                links->pair_s + ((int64_t)round * plan->sizes + size) * plan->repetitions,
                plan->repetitions);
        link = nuce_link_fit(trips, plan->sizes);
        links->mine[STARTUP * ranks + peer] = link.startup_s;
        links->mine[STARTUP_ERROR * ranks + peer] = link.startup_error_s;
        links->mine[BANDWIDTH * ranks + peer] = link.bandwidth;
        links->mine[BANDWIDTH_ERROR * ranks + peer] = link.bandwidth_error;
    }
    nuce_world_gather(links->world, links->mine, QUANTITIES * ranks, links->all);
    for (int i = 0; links->world->rank == 0 && i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            network->pair_startup[i * ranks + j] = links_found_quantity(links, STARTUP, i, j);
            network->pair_bandwidth[i * ranks + j] = links_found_quantity(links, BANDWIDTH, i, j);
        }
    }
    nuce_world_broadcast(links->world, network->pair_startup, bytes);
    nuce_world_broadcast(links->world, network->pair_bandwidth, bytes);
}

/* Writes the gains of this rank's fans in one direction, by degree, to gains. Returns the
 * throughput of its port. The capacity of a port is the best that it reached, so the shortest
 * repetition counts. Sorts the times of each degree in place. */
static double judge_fans(struct nuce_links *links, int is_out, double *gains)
{
    const struct nuce_links_plan *plan = &links->plan;
    struct nuce_fan_result results[NUCE_FAN_DEGREES_MOST];
    int rank = links->world->rank;
    double best = 0;

    for (int d = 0; d < plan->degrees; d++) {
        struct nuce_fan fan = {.centre = rank, .degree = plan->degree[d], .is_out = is_out};
        double *seconds =
            links->fan_s + ((int64_t)is_out * plan->degrees + d) * plan->fan_repetitions;

        nuce_statistics_sort(seconds, plan->fan_repetitions);
        nuce_fan_sizes(&links->network, &fan, plan->bytes[plan->sizes - 1], links->sizes);
        results[d] = nuce_fan_judge(&links->network, &fan, links->sizes, seconds[0]);
        gains[d] = results[d].gain;
    }
    for (int other = 0; other < plan->ranks; other++) {
        if (other != rank)
            best = fmax(best, is_out ? nuce_network_bandwidth(&links->network, rank, other)
                                     : nuce_network_bandwidth(&links->network, other, rank));
    }
    return nuce_fan_port(results, plan->degrees, best);
}

/* Value number `which` (NUCE_LINKS_FAN_VALUES) of the index-th centre. Rank 0. */
static double told_throughput(const struct nuce_links *links, int which, int index)
{
    return links->fans[(int64_t)which * links->plan.ranks + nuce_links_centre(&links->plan, index)];
}

/* The median of that value over the centres. scratch has as many doubles as centres. */
static double median_told(const struct nuce_links *links, int which, double *scratch)
{
    for (int k = 0; k < links->plan.centres; k++)
        scratch[k] = told_throughput(links, which, k);
    nuce_statistics_sort(scratch, links->plan.centres);
    return nuce_statistics_median(scratch, links->plan.centres);
}

/* Fills the network's curve, and the record's rows with [partners, relative, gain out, gain in].
 * relative is the lesser of both gains over those of one partner. */
static void add_contention(struct nuce_links *links, json_t *rows)
{
    const struct nuce_links_plan *plan = &links->plan;
    struct nuce_network *network = &links->network;
    double *scratch = nuce_allocate(plan->centres, sizeof *scratch);
    double one_out, one_in;

    network->contention = nuce_allocate(plan->degrees, sizeof *network->contention);
    one_out = median_told(links, 2, scratch);
    one_in = median_told(links, 2 + plan->degrees, scratch);
    for (int d = 0; d < plan->degrees; d++) {
        double out = median_told(links, 2 + d, scratch);
        double in = median_told(links, 2 + plan->degrees + d, scratch);
        double relative = fmin(out / one_out, in / one_in);

        network->contention[d] = (struct nuce_contention){plan->degree[d], relative};
        json_array_append_new(rows, json_pack("[i, f, f, f]", plan->degree[d], relative, out, in));
    }
    network->contentions = plan->degrees;
    free(scratch);
}

/* Unknown numbers become null. */
static json_t *links_found_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Rank 0: completes the network, writes its file, and keeps the lists for the record. Ports of
 * ranks that were no centre are unknown: infinite, no limit. A network file names the host of
 * each rank, by which a later run finds its numbers. */
static nuce_status links_found_finish(struct nuce_links *links, struct nuce_error *error)
{
    struct nuce_network *network = &links->network;
    int ranks = network->ranks;
    json_t *pairs, *ports, *curve;

    nuce_record_time_now(network->measured);
    network->out = nuce_allocate(ranks, sizeof(double));
    network->in = nuce_allocate(ranks, sizeof(double));
    network->host = nuce_allocate(ranks, sizeof *network->host);
    for (int i = 0; i < ranks; i++) {
        const char *name = json_string_value(json_array_get(links->world->hosts, (size_t)i));

        network->out[i] = network->in[i] = INFINITY;
        if (name == NULL || !nuce_network_is_host(name, (int)strlen(name)))
            return nuce_error_set(
                error, NUCE_FAILED,
                "the host of rank %d, '%s', has a name that a network file cannot "
                "hold",
                i, name == NULL ? "" : name);
        memcpy(network->host[i].name, name, strlen(name) + 1);
    }
    pairs = json_array(); /* [source, destination, startup, its error, bandwidth, its error] */
    ports = json_array(); /* [rank, bytes per second out, in] for each centre */
    curve = json_array();
    for (int k = 0; k < links->plan.centres; k++) {
        int centre = nuce_links_centre(&links->plan, k);

        network->out[centre] = told_throughput(links, 0, k);
        network->in[centre] = told_throughput(links, 1, k);
        json_array_append_new(ports, json_pack("[i, o, o]", centre,
                                               links_found_number(network->out[centre]),
                                               links_found_number(network->in[centre])));
    }
    for (int k = 0; k < ranks * ranks; k++) {
        json_t *link = k / ranks == k % ranks ? NULL : json_pack("[i, i]", k / ranks, k % ranks);

        for (int which = 0; link != NULL && which < QUANTITIES; which++)
            json_array_append_new(
                link, links_found_number(links_found_quantity(links, which, k / ranks, k % ranks)));
        if (link != NULL)
            json_array_append_new(pairs, link);
    }
    add_contention(links, curve);
    links->lists =
        json_pack("{s:o, s:o, s:o}", "links", pairs, "ports", ports, "contention", curve);
    return nuce_links_write(network, links->world->networks, &links->file, error);
}

/* Gathers the fans of all centres on rank 0; a rank that is not a centre sends zeros, which are not
 * read. */
nuce_status nuce_links_conclude(void *self, struct nuce_error *error)
{
    struct nuce_links *links = self;
    double mine[NUCE_LINKS_FAN_VALUES] = {0};
    int degrees = links->plan.degrees, is_centre = 0;

    for (int k = 0; k < links->plan.centres; k++)
        is_centre |= nuce_links_centre(&links->plan, k) == links->world->rank;
    if (is_centre) {
        mine[0] = judge_fans(links, 1, mine + 2);
        mine[1] = judge_fans(links, 0, mine + 2 + degrees);
    }
    nuce_world_gather(links->world, mine, 2 + 2 * degrees, links->fans);
    return nuce_world_agree(
        links->world, links->world->rank == 0 ? links_found_finish(links, error) : NUCE_OK, error);
}

void nuce_links_describe(const void *self, struct nuce_metrics *found, json_t *lists)
{
    const struct nuce_links *links = self;

    nuce_metrics_text(found, "network_file", links->file);
    json_object_update(lists, links->lists);
}

/* The NETWORK FILE that `links` writes into a folder. Its name has the time of the measurement. */

/* Digits of the bandwidths' SHA-256 in the name, so that two measurements of one second are two
 * files. */
#define HASH_SHOWN 8

nuce_status nuce_links_check_folder(const char *folder, struct nuce_error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--networks '%s': cannot make the folder: %s",
                              folder, strerror(errno));
    if (access(folder, W_OK | X_OK) != 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--networks '%s': %s: expected a folder that network files can be "
                              "written to",
                              folder, strerror(errno));
    return NUCE_OK;
}

/* An existing file is not replaced, because points name network files, whose content must stay.
 * The name has the time without separators: 20250131T120000Z. */
nuce_status nuce_links_write(const struct nuce_network *network, const char *folder, char **path,
                             struct nuce_error *error)
{
    size_t pairs = (size_t)network->ranks * (size_t)network->ranks;
    char time[NUCE_TIME_BYTES], hash[NUCE_HASH_BYTES];
    char *file, *end = time;

    for (const char *at = network->measured; *at != '\0'; at++) {
        if (*at != '-' && *at != ':')
            *end++ = *at;
    }
    *end = '\0';
    nuce_hash(network->pair_bandwidth, pairs * sizeof(double), hash);
    file = nuce_text_format("%s/%s-%.*s.network", folder, time, HASH_SHOWN, hash);
    error->status = NUCE_OK;
    if (access(file, F_OK) == 0)
        nuce_error_set(error, NUCE_FAILED, "%s: is there already", file);
    if (error->status != NUCE_OK || nuce_network_write(network, file, error) != NUCE_OK) {
        free(file);
        return error->status;
    }
    *path = file;
    return NUCE_OK;
}

/* A run of links summarised for the table. */

/* Columns of record.h's links, ports and contention. */
enum { OF_STARTUP = 2, OF_BANDWIDTH = 4, OF_BANDWIDTH_ERROR = 5 };
enum { PORT_OUT = 1, PORT_IN = 2 };
enum { PARTNERS, RELATIVE, GAIN_OUT, GAIN_IN };

/* NaN if it is unknown. */
static double row_value(const json_t *rows, size_t row, size_t column)
{
    const json_t *found = json_array_get(json_array_get(rows, row), column);

    return json_is_number(found) ? json_number_value(found) : NAN;
}

/* Sorts the known numbers of a column into values, as a fraction of the bandwidth if
 * is_relative. Returns their number. */
static int64_t row_collect(const json_t *rows, size_t column, int is_relative, double *values)
{
    int64_t count = 0;

    for (size_t i = 0; i < json_array_size(rows); i++) {
        double found = row_value(rows, i, column);

        if (is_relative)
            found /= row_value(rows, i, OF_BANDWIDTH);
        if (!isnan(found))
            values[count++] = found;
    }
    nuce_statistics_sort(values, count);
    return count;
}

static void row_set_real(json_t *row, const char *key, double number)
{
    json_object_set_new(row, key, json_real(number));
}

/* "2 of 8": the limits of 2 of 8 ports are known. */
static void add_port(const json_t *ports, size_t column, const char *key, json_t *row)
{
    int known = 0;

    for (size_t i = 0; i < json_array_size(ports); i++)
        known += !isnan(row_value(ports, i, column));
    json_object_set_new(row, key, json_sprintf("%d of %d", known, (int)json_array_size(ports)));
}

/* Removes the median step time from the row, because each step times something else. The depth
 * is the one that `in-flight: auto` takes from the curve. The regime follows from the gains with
 * all others, which are medians over the centres without an interval. */
void nuce_links_summarise(const json_t *record, json_t *row)
{
    static const char *const times[] = {
        "step_s",          "step_low_s",          "step_high_s",
        "communication_s", "communication_low_s", "communication_high_s"};
    json_t *links = json_object_get(record, "links"), *ports = json_object_get(record, "ports");
    json_t *curve = json_object_get(record, "contention");
    int count = (int)json_array_size(curve);
    int64_t pairs, fitted;
    struct nuce_contention *points;
    struct nuce_network network;
    double *values, partners, out, in;

    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        json_object_del(row, times[i]);
    if (json_array_size(links) == 0 || count == 0)
        return;
    values = nuce_allocate((int64_t)json_array_size(links), sizeof *values);
    pairs = row_collect(links, OF_STARTUP, 0, values);
    json_object_set_new(row, "pairs", json_integer(pairs));
    row_set_real(row, "startup_s", nuce_statistics_median(values, pairs));
    row_collect(links, OF_BANDWIDTH, 0, values);
    row_set_real(row, "bandwidth_least", values[0]);
    row_set_real(row, "bandwidth_median", nuce_statistics_median(values, pairs));
    row_set_real(row, "bandwidth_most", values[pairs - 1]);
    fitted = row_collect(links, OF_BANDWIDTH_ERROR, 1, values);
    if (fitted > 0)
        row_set_real(row, "bandwidth_error", nuce_statistics_median(values, fitted));
    json_object_set_new(row, "unfitted", json_integer(pairs - fitted));
    free(values);
    add_port(ports, PORT_OUT, "ports_out", row);
    add_port(ports, PORT_IN, "ports_in", row);
    partners = row_value(curve, (size_t)count - 1, PARTNERS);
    out = row_value(curve, (size_t)count - 1, GAIN_OUT);
    in = row_value(curve, (size_t)count - 1, GAIN_IN);
    if (!(partners < 2))
        json_object_set_new(
            row, "regime",
            json_string(nuce_contention_regime(nuce_contention_growth(out, out, partners),
                                               nuce_contention_growth(in, in, partners))));
    json_object_set(row, "links", links);
    json_object_set(row, "ports", ports);
    json_object_set(row, "contention", curve);
    points = nuce_allocate(count, sizeof *points);
    for (int i = 0; i < count; i++)
        points[i] = (struct nuce_contention){(int)row_value(curve, (size_t)i, PARTNERS),
                                             row_value(curve, (size_t)i, RELATIVE)};
    network = (struct nuce_network){.contention = points, .contentions = count};
    json_object_set_new(row, "in_flight_auto", json_integer(nuce_network_depth(&network)));
    free(points);
}
