/* What the times of links come to: pairs by nuce_link_fit, ports by nuce_fan_port, and the curve of
 * contention: for each number of partners the median over the centres of what they gain, out or in,
 * relative to one partner; the lesser of both, since what leaves a rank must arrive at another.
 * Each rank fits the pairs that it led, O(pairs x repetitions) in all; rank 0 gathers the four
 * numbers of each pair and sends all ranks the network, which the fans need to be judged by.
 * Memory: 4 ranks^2 doubles on rank 0, 2 ranks^2 on the others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/statistics.h"
#include "programs/links.h"
#include "schedules/tournament.h"

/* The quantities of a link in links->mine and links->all. Of links->mine: quantity x ranks + peer;
 * of links->all: (quantity x ranks + destination) x ranks + source. */
enum { STARTUP, STARTUP_ERROR, BANDWIDTH, BANDWIDTH_ERROR, QUANTITIES };

/* Fits startup and bandwidth to the trips that this rank led, pair by pair. */
static void fit_mine(struct nuce_links *links)
{
    const struct nuce_links_plan *plan = &links->plan;
    int64_t ranks = plan->ranks;

    for (int round = 0; round < plan->rounds; round++) {
        int peer = nuce_tournament_partner(round, links->world->rank, plan->ranks);
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
}

/* Rank 0: a quantity of the link source -> destination. */
static double links_found_quantity(const struct nuce_links *links, int which, int source,
                                   int destination)
{
    int64_t ranks = links->plan.ranks;

    return links->all[(which * ranks + destination) * ranks + source];
}

void nuce_links_share(struct nuce_links *links)
{
    int ranks = links->plan.ranks;
    int64_t bytes = (int64_t)ranks * ranks * (int64_t)sizeof(double);
    struct nuce_network *network = &links->network;

    fit_mine(links);
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

/* The gains of this rank's fans in one direction, by degree, to gains; returns what its port
 * carries. What a port can do is what it once did: of the repetitions the shortest counts. The
 * times of each degree are sorted in place. */
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

/* Makes the fans of all centres known to rank 0. Collective. A rank that is no centre sends zeros,
 * which nobody reads. */
static void gather_fans(struct nuce_links *links)
{
    double mine[NUCE_LINKS_FAN_VALUES] = {0};
    int degrees = links->plan.degrees, is_centre = 0;

    for (int k = 0; k < links->plan.centres; k++)
        is_centre |= nuce_links_centre(&links->plan, k) == links->world->rank;
    if (is_centre) {
        mine[0] = judge_fans(links, 1, mine + 2);
        mine[1] = judge_fans(links, 0, mine + 2 + degrees);
    }
    nuce_world_gather(links->world, mine, 2 + 2 * degrees, links->fans);
}

/* Value number `which` (NUCE_LINKS_FAN_VALUES) of what the index-th centre told. Rank 0. */
static double told_throughput(const struct nuce_links *links, int which, int index)
{
    return links->fans[(int64_t)which * links->plan.ranks + nuce_links_centre(&links->plan, index)];
}

/* The median of it over the centres. scratch: as many doubles as centres. */
static double median_told(const struct nuce_links *links, int which, double *scratch)
{
    for (int k = 0; k < links->plan.centres; k++)
        scratch[k] = told_throughput(links, which, k);
    nuce_statistics_sort(scratch, links->plan.centres);
    return nuce_statistics_median(scratch, links->plan.centres);
}

/* Ports of ranks that were no centre are not known: infinite, no limit. */
static void add_ports(struct nuce_links *links)
{
    struct nuce_network *network = &links->network;

    network->out = nuce_allocate(network->ranks, sizeof(double));
    network->in = nuce_allocate(network->ranks, sizeof(double));
    for (int i = 0; i < network->ranks; i++)
        network->out[i] = network->in[i] = INFINITY;
    for (int k = 0; k < links->plan.centres; k++) {
        network->out[nuce_links_centre(&links->plan, k)] = told_throughput(links, 0, k);
        network->in[nuce_links_centre(&links->plan, k)] = told_throughput(links, 1, k);
    }
}

/* A network file names the host of each rank, by which a later run finds its numbers. */
static nuce_status add_hosts(struct nuce_links *links, struct nuce_error *error)
{
    struct nuce_network *network = &links->network;

    network->host = nuce_allocate(network->ranks, sizeof *network->host);
    for (int i = 0; i < network->ranks; i++) {
        const char *name = json_string_value(json_array_get(links->world->hosts, (size_t)i));

        if (name == NULL || !nuce_network_is_host(name, (int)strlen(name)))
            return nuce_error_set(
                error, NUCE_FAILED,
                "the host of rank %d, '%s', has a name that a network file cannot "
                "hold",
                i, name == NULL ? "" : name);
        memcpy(network->host[i].name, name, strlen(name) + 1);
    }
    return NUCE_OK;
}

/* Fills the network's curve, and rows with [partners, relative, gain out, gain in] of the record.
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

/* null for what is not known. */
static json_t *links_found_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* [source, destination, startup, its error, bandwidth, its error] of each pair. */
static json_t *links_found_rows(const struct nuce_links *links)
{
    int ranks = links->plan.ranks;
    json_t *all = json_array();

    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < ranks; j++) {
            json_t *link = i == j ? NULL : json_pack("[i, i]", i, j);

            for (int which = 0; i != j && which < QUANTITIES; which++)
                json_array_append_new(link,
                                      links_found_number(links_found_quantity(links, which, i, j)));
            if (i != j)
                json_array_append_new(all, link);
        }
    }
    return all;
}

/* [rank, bytes per second out, in] of each centre; null: no limit was seen. */
static json_t *ports_json(const struct nuce_links *links)
{
    json_t *all = json_array();

    for (int k = 0; k < links->plan.centres; k++)
        json_array_append_new(all, json_pack("[i, o, o]", nuce_links_centre(&links->plan, k),
                                             links_found_number(told_throughput(links, 0, k)),
                                             links_found_number(told_throughput(links, 1, k))));
    return all;
}

/* Rank 0: completes the network, writes its file, and keeps what the record is to say. */
static nuce_status links_found_finish(struct nuce_links *links, struct nuce_error *error)
{
    json_t *rows = json_array();

    nuce_record_time_now(links->network.measured);
    add_ports(links);
    if (add_hosts(links, error) != NUCE_OK) {
        json_decref(rows);
        return error->status;
    }
    add_contention(links, rows);
    if (nuce_links_write(&links->network, links->world->networks, &links->file, error) != NUCE_OK) {
        json_decref(rows);
        return error->status;
    }
    links->lists = json_pack("{s:o, s:o, s:o}", "links", links_found_rows(links), "ports",
                             ports_json(links), "contention", rows);
    return NUCE_OK;
}

nuce_status nuce_links_conclude(void *self, struct nuce_error *error)
{
    struct nuce_links *links = self;

    gather_fans(links);
    return nuce_world_agree(
        links->world, links->world->rank == 0 ? links_found_finish(links, error) : NUCE_OK, error);
}

nuce_status nuce_links_describe(const void *self, struct nuce_found *found, json_t *lists,
                                struct nuce_error *error)
{
    const struct nuce_links *links = self;

    (void)error;
    nuce_found_text(found, "network_file", links->file);
    json_object_update(lists, links->lists);
    return NUCE_OK;
}
