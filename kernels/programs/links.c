/* Links: startup, bandwidth, ports and contention of a machine, in a sample for each short step.
 *
 * The problem: a network file with startup and bandwidth of each pair, what a rank's port carries,
 * and how much several partners at once carry, of P ranks, in time that does not grow with P^2
 * where it need not.
 *
 * Steps: all pairs meet in the rounds of a tournament (P - 1, or P; every rank meets one other at a
 * time, so that no two pairs share a port), each at several sizes, both ways; the fits are made
 * known to all; then some centres exchange with 1, 2, 4, ... others at once. Everything is
 * repeated, in turns, so that a disturbance hits few of what is compared. links_found.c makes the
 * numbers.
 *
 * Cost: O(P x sizes x repetitions) steps of round trips for pairs, O(centres log P) for fans;
 * memory O(P^2) doubles.
 *
 * Limits: links are measured while nothing else runs on them but the other pairs of the round: what
 * a shared switch does to those is in the numbers. Times are of the leader's clock alone. */
#include "programs/links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "programs/calibrate.h"
#include "schedules/tournament.h"

static void links_destroy(void *self)
{
    struct nuce_links *links = self;

    nuce_payload_fini(&links->payload);
    nuce_network_fini(&links->network);
    json_decref(links->lists);
    free(links->file);
    free(links->pair_s);
    free(links->fan_s);
    free(links->sizes);
    free(links->requests);
    free(links->mine);
    free(links->all);
    free(links->fans);
}

/* Lays out one message each way between this rank and peer in the payload. */
static void lay_out_pair(struct nuce_links *links, int peer, int64_t bytes)
{
    struct nuce_payload *p = &links->payload;

    p->sends = p->receives = 1;
    p->destination[0] = p->source[0] = peer;
    p->send_at[1] = p->receive_at[1] = bytes;
}

/* Lays out this rank's part in a fan whose message k has sizes[k] bytes; returns whether it has
 * one. */
static int lay_out_fan(struct nuce_links *links, const struct nuce_fan *fan, const int64_t *sizes)
{
    struct nuce_payload *p = &links->payload;
    int is_centre = p->rank == fan->centre, sends_data = is_centre == fan->is_out;
    int *peers = sends_data ? p->destination : p->source;
    int64_t *at = sends_data ? p->send_at : p->receive_at;
    int count = 0;

    for (int k = 0; k < fan->degree; k++) {
        int partner = nuce_fan_partner(fan, k, links->plan.ranks);

        if (!is_centre && partner != p->rank)
            continue;
        peers[count] = is_centre ? partner : fan->centre;
        at[count + 1] = at[count] + sizes[k];
        count++;
    }
    p->sends = sends_data ? count : 0;
    p->receives = sends_data ? 0 : count;
    return count > 0;
}

/* One pair of a round, first led by the lower rank, then by the higher. The payload is laid out.
 * Returns the seconds of the trip that this rank led. */
static double run_pair(struct nuce_links *links, int peer)
{
    double seconds;

    if (links->world->rank > peer)
        nuce_links_follow(links, 1);
    seconds = nuce_links_lead(links, 1);
    if (links->world->rank < peer)
        nuce_links_follow(links, 1);
    return seconds;
}

/* Returns the seconds of this fan at its centre, which times all its messages; 0 at the others. */
static double run_fan(struct nuce_links *links, const struct nuce_fan *fan)
{
    if (fan->centre == links->world->rank)
        return nuce_links_lead(links, fan->is_out);
    nuce_links_follow(links, fan->is_out);
    return 0;
}

/* The fan of a step: which rank is the centre, with how many others, and which way the data go. */
static struct nuce_fan fan_of(const struct nuce_links *links, const struct nuce_links_step *at)
{
    return (struct nuce_fan){.centre = nuce_links_centre(&links->plan, at->centre),
                             .degree = links->plan.degree[at->degree],
                             .is_out = at->is_out};
}

/* A round of a tournament: every rank meets one other, so that no two pairs share a port. With an
 * odd number of ranks one has nobody to meet. */
static void pair_step(struct nuce_links *links, const struct nuce_links_step *at)
{
    const struct nuce_links_plan *plan = &links->plan;
    int peer = nuce_tournament_partner(at->round, links->world->rank, plan->ranks);
    int64_t slot =
        ((int64_t)at->round * plan->sizes + at->size) * plan->repetitions + at->repetition;

    if (peer == NUCE_TOURNAMENT_NOBODY)
        return;
    lay_out_pair(links, peer, plan->bytes[at->size]);
    links->pair_s[slot] = run_pair(links, peer);
}

/* The messages are as long as the pairs' bandwidths, measured before, would have them end together.
 * Only the centre keeps a time. */
static void fan_step(struct nuce_links *links, const struct nuce_links_step *at)
{
    const struct nuce_links_plan *plan = &links->plan;
    struct nuce_fan fan = fan_of(links, at);
    int64_t slot =
        ((int64_t)at->is_out * plan->degrees + at->degree) * plan->fan_repetitions + at->repetition;

    nuce_fan_sizes(&links->network, &fan, plan->bytes[plan->sizes - 1], links->sizes);
    if (!lay_out_fan(links, &fan, links->sizes))
        return;
    if (fan.centre == links->world->rank)
        links->fan_s[slot] = run_fan(links, &fan);
    else
        run_fan(links, &fan);
}

/* One step of the plan that nuce_links_plan laid out: a pair, a fan, or the sharing of what was
 * found between the two kinds. Every step does something else, so that no median over them means
 * anything; nuce_links_conclude sorts them out. */
static void links_step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct nuce_links *links = self;
    struct nuce_links_step at = nuce_links_step(&links->plan, links->next);
    double begin = nuce_clock();

    nuce_counters_begin(links->counters);
    if (at.kind == NUCE_LINKS_PAIRS)
        pair_step(links, &at);
    else if (at.kind == NUCE_LINKS_FAN)
        fan_step(links, &at);
    else
        nuce_links_share(links);
    parts[NUCE_PART_COMMUNICATION] = nuce_clock() - begin;
    nuce_counters_end(links->counters, NUCE_PART_COMMUNICATION);
    links->next = (links->next + 1) % nuce_links_steps(&links->plan);
}

/* Keeps the first complaint; the others go on, as their peers do. A rank that left would let its
 * peers wait. */
static void check_payload(struct nuce_links *links, uint64_t salt, struct nuce_error *error)
{
    struct nuce_error found;

    if (nuce_payload_check(&links->payload, salt, &found) != NUCE_OK && error->status == NUCE_OK)
        *error = found;
}

/* Every pair, both ways; the rounds take turns at the sizes. */
static void verify_pairs(struct nuce_links *links, uint64_t salt, struct nuce_error *error)
{
    const struct nuce_links_plan *plan = &links->plan;

    for (int round = 0; round < plan->rounds; round++) {
        int peer = nuce_tournament_partner(round, links->world->rank, plan->ranks);

        nuce_world_barrier(links->world);
        if (peer == NUCE_TOURNAMENT_NOBODY)
            continue;
        lay_out_pair(links, peer, plan->bytes[plan->sizes - 1 - round % plan->sizes]);
        nuce_payload_fill(&links->payload, salt);
        run_pair(links, peer);
        check_payload(links, salt, error);
    }
}

/* Every centre with all others, both ways, in messages of the smallest size that there is room for.
 */
static void verify_fans(struct nuce_links *links, uint64_t salt, struct nuce_error *error)
{
    const struct nuce_links_plan *plan = &links->plan;
    int64_t most = links->capacity / plan->ranks;

    for (int k = 0; k < plan->ranks; k++)
        links->sizes[k] = plan->bytes[0] < most ? plan->bytes[0] : most;
    for (int k = 0; k < 2 * plan->centres; k++) {
        struct nuce_fan fan =
            fan_of(links, &(struct nuce_links_step){
                              .centre = k / 2, .is_out = k % 2, .degree = plan->degrees - 1});

        nuce_world_barrier(links->world);
        if (!lay_out_fan(links, &fan, links->sizes))
            continue;
        nuce_payload_fill(&links->payload, salt);
        run_fan(links, &fan);
        check_payload(links, salt, error);
    }
}

/* What was counted while warming up is forgotten: the first sample is step 0. */
static nuce_status links_verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct nuce_links *links = self;

    links->next = 0;
    error->status = NUCE_OK;
    verify_pairs(links, salt, error);
    verify_fans(links, salt, error);
    return error->status;
}

/* Allocates all that the steps need. One payload serves all: it is laid out anew for each, with no
 * memory asked for while times are taken. Also looks, on rank 0, whether the network can be written
 * at the end: better now than after an hour. Local. */
static nuce_status links_set_up(struct nuce_links *links, struct nuce_error *error)
{
    const struct nuce_links_plan *plan = &links->plan;
    struct nuce_payload *p = &links->payload;
    int64_t ranks = plan->ranks, messages = ranks < NUCE_FAN_TOTAL ? ranks : NUCE_FAN_TOTAL;

    links->network.ranks = plan->ranks;
    links->pair_s = nuce_allocate((int64_t)plan->rounds * plan->sizes * plan->repetitions,
                                  sizeof *links->pair_s);
    links->fan_s =
        nuce_allocate((int64_t)2 * plan->degrees * plan->fan_repetitions, sizeof *links->fan_s);
    links->sizes = nuce_allocate(ranks, sizeof *links->sizes);
    links->requests = nuce_allocate(2 * ranks, sizeof(MPI_Request));
    links->mine = nuce_allocate(4 * ranks, sizeof *links->mine);
    if (links->world->rank == 0)
        links->all = nuce_allocate(4 * ranks * ranks, sizeof *links->all);
    if (links->world->rank == 0)
        links->fans = nuce_allocate(NUCE_LINKS_FAN_VALUES * ranks, sizeof *links->fans);
    /* A fan's messages are of one byte each at least. */
    links->capacity = plan->bytes[plan->sizes - 1] * messages + ranks;
    p->rank = links->world->rank;
    p->destination = nuce_allocate(ranks, sizeof *p->destination);
    p->source = nuce_allocate(ranks, sizeof *p->source);
    p->send_at = nuce_allocate(ranks + 1, sizeof *p->send_at);
    p->receive_at = nuce_allocate(ranks + 1, sizeof *p->receive_at);
    p->send = nuce_allocate(links->capacity, 1);
    p->receive = nuce_allocate(links->capacity, 1);
    if (nuce_network_allocate_pairs(&links->network, error) != NUCE_OK)
        return error->status;
    return links->world->rank == 0 ? nuce_links_check_folder(links->world->networks, error)
                                   : NUCE_OK;
}

/* The plan has so many steps and all of them are needed (is_whole): the measure's limits on samples
 * do not hold. */
static nuce_status links_build(void *self, void *session, const struct nuce_point *point,
                               struct nuce_counters *counters, struct nuce_run_info *info,
                               struct nuce_error *error)
{
    struct nuce_links *links = self;

    links->world = session;
    links->counters = counters;
    links->plan = nuce_links_plan(point->params, links->world->size);
    info->parts = 1U << NUCE_PART_COMMUNICATION;
    info->criterion = NUCE_PART_COMMUNICATION;
    info->samples = nuce_links_steps(&links->plan);
    info->is_whole = 1;
    nuce_found_integer(&info->found, "degree", links->plan.ranks - 1);
    return nuce_world_agree(links->world, links_set_up(links, error), error);
}

const struct nuce_workload_run nuce_links_run = {
    .name = "links",
    .self_size = sizeof(struct nuce_links),
    .build = links_build,
    .step = links_step,
    .verify = links_verify,
    .destroy = links_destroy,
    .conclude = nuce_links_conclude,
    .describe = nuce_links_describe,
    .summarise = nuce_links_summarise,
};
