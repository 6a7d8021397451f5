/* Links: startup, bandwidth, ports and contention of a machine. Each short step is a sample.
 *
 * The problem: make a network file of P ranks in time that does not grow with P^2 unless it
 * must. The file has startup and bandwidth of each pair, the throughput of a rank's port, and
 * the throughput of several partners at once.
 *
 * Steps: all pairs meet in the rounds of a tournament (P - 1, or P), each at several sizes, both
 * ways. A rank meets one other at a time, so no two pairs share a port. All ranks then learn the
 * fits, and some centres exchange with 1, 2, 4, ... others at once. Everything is repeated, in
 * turns, so that a disturbance affects few of the compared times. links_found.c computes the
 * results.
 *
 * Cost: O(P x sizes x repetitions) steps of round trips for pairs, O(centres log P) for fans;
 * memory O(P^2) doubles.
 *
 * Limits: only the other pairs of a round use the links during a measurement. The effect of a
 * shared switch on those pairs is part of the results. Times are from the leader's clock alone. */
#include "programs/links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "programs/calibrate.h"
#include "run/check.h"
#include "run/fault.h"
#include "schedules/tournament.h"

/* Numbers the steps of `links`, so that all ranks agree on their roles without communication:
 * first pairs, in the rounds of a tournament, then fans around some centres. The size changes
 * fastest, then the round, then the repetition, so two repetitions of a measurement are far
 * apart in time. */

struct nuce_links_plan nuce_links_plan(const struct nuce_links_params *params, int ranks)
{
    struct nuce_links_plan plan = {.ranks = ranks,
                                   .rounds = nuce_tournament_rounds(ranks),
                                   .sizes = (int)params->sizes,
                                   .repetitions = (int)params->repetitions,
                                   .fan_repetitions = (int)(params->repetitions + 1) / 2,
                                   .centres =
                                       params->centres < ranks ? (int)params->centres : ranks};

    nuce_links_sizes(params, plan.bytes);
    plan.degrees = nuce_fan_degrees(ranks, plan.degree);
    return plan;
}

static int64_t pair_steps(const struct nuce_links_plan *plan)
{
    return (int64_t)plan->repetitions * plan->rounds * plan->sizes;
}

int64_t nuce_links_steps(const struct nuce_links_plan *plan)
{
    return pair_steps(plan) + 1 +
           (int64_t)plan->fan_repetitions * plan->centres * 2 * plan->degrees;
}

struct nuce_links_step nuce_links_step(const struct nuce_links_plan *plan, int64_t number)
{
    int64_t pairs = pair_steps(plan), fan = number - pairs - 1;

    if (number < pairs)
        return (struct nuce_links_step){.kind = NUCE_LINKS_PAIRS,
                                        .size = (int)(number % plan->sizes),
                                        .round = (int)(number / plan->sizes % plan->rounds),
                                        .repetition = (int)(number / plan->sizes / plan->rounds)};
    if (number == pairs)
        return (struct nuce_links_step){.kind = NUCE_LINKS_SHARE};
    return (struct nuce_links_step){.kind = NUCE_LINKS_FAN,
                                    .degree = (int)(fan % plan->degrees),
                                    .is_out = (int)(fan / plan->degrees % 2),
                                    .centre = (int)(fan / plan->degrees / 2 % plan->centres),
                                    .repetition = (int)(fan / plan->degrees / 2 / plan->centres)};
}

int nuce_links_centre(const struct nuce_links_plan *plan, int index)
{
    return (int)((int64_t)index * plan->ranks / plan->centres);
}

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

/* Round trips. Out: messages, each answered by an empty one. In: empty messages, each answered
 * by a message. Only the leader's clock is read, so clocks need not agree. A trip of either kind
 * has one startup of data and one of an empty message. Receives are posted first. */

enum { TAG_DATA = 1, TAG_EMPTY };

/* Posts one direction of the laid-out messages, in the requests from `first`, and returns their
 * number. The messages have data, or are the empty ones of the opposite direction. Sizes are
 * below 2^31: the plan's largest fits an int (nuce_links_sizes). */
static int post(struct nuce_links *links, int first, int is_send, int has_data)
{
    const struct nuce_payload *p = &links->payload;
    const struct nuce_payload_side *side = is_send == has_data ? &p->send : &p->receive;

    for (int k = 0; k < side->count; k++) {
        unsigned char *data = side->data + side->at[k];
        int bytes = has_data ? (int)(side->at[k + 1] - side->at[k]) : 0, peer = side->peer[k];
        int tag = has_data ? TAG_DATA : TAG_EMPTY;
        MPI_Request *request = &links->requests[first + k];

        if (is_send)
            NUCE_MPI(MPI_Isend(data, bytes, MPI_BYTE, peer, tag, links->world->comm, request));
        else
            NUCE_MPI(MPI_Irecv(data, bytes, MPI_BYTE, peer, tag, links->world->comm, request));
    }
    return side->count;
}

/* Makes round trips with the messages of the payload. lead sends all of them (out) or requests
 * all of them (in), and returns the seconds until all are answered or received. follow is each
 * peer's part. The peers run at the same time. */
static double lead(struct nuce_links *links, int is_out)
{
    struct nuce_payload *p = &links->payload;
    const struct nuce_payload_side *side = is_out ? &p->send : &p->receive;
    double begin = nuce_clock(), seconds;
    int count;

    nuce_watch_set(links->world->watch, NUCE_ACTIVITY_EXCHANGE,
                   side->count == 1 ? side->peer[0] : -1, 0);
    count = post(links, 0, 0, !is_out);
    count += post(links, count, 1, is_out);
    nuce_wait_all(&links->world->wait, count, links->requests);
    seconds = nuce_clock() - begin;
    if (!is_out)
        nuce_fault_after_exchange(p, NULL);
    return seconds;
}

/* A follower has one peer, the leader. Out: it answers when the data has arrived. In: it sends
 * the data when requested. */
static void follow(struct nuce_links *links, int is_out)
{
    struct nuce_payload *p = &links->payload;

    nuce_watch_set(links->world->watch, NUCE_ACTIVITY_EXCHANGE,
                   (is_out ? p->receive : p->send).peer[0], 0);
    for (int is_send = 0; is_send < 2; is_send++)
        nuce_wait_all(&links->world->wait, post(links, 0, is_send, is_send != is_out),
                      links->requests);
    if (is_out)
        nuce_fault_after_exchange(p, NULL);
}

/* Lays out one message each way between this rank and peer in the payload. */
static void lay_out_pair(struct nuce_links *links, int peer, int64_t bytes)
{
    struct nuce_payload *p = &links->payload;

    p->send.count = p->receive.count = 1;
    p->send.peer[0] = p->receive.peer[0] = peer;
    p->send.at[1] = p->receive.at[1] = bytes;
}

/* Lays out this rank's part in a fan whose message k has sizes[k] bytes. Returns true if it has
 * one. */
static int lay_out_fan(struct nuce_links *links, const struct nuce_fan *fan, const int64_t *sizes)
{
    struct nuce_payload *p = &links->payload;
    int is_centre = p->rank == fan->centre, sends_data = is_centre == fan->is_out;
    struct nuce_payload_side *side = sends_data ? &p->send : &p->receive;

    p->send.count = p->receive.count = 0;
    for (int k = 0; k < fan->degree; k++) {
        int partner = nuce_fan_partner(fan, k, links->plan.ranks);

        if (!is_centre && partner != p->rank)
            continue;
        side->peer[side->count] = is_centre ? partner : fan->centre;
        side->at[side->count + 1] = side->at[side->count] + sizes[k];
        side->count++;
    }
    return side->count > 0;
}

/* Runs one pair of a round, first led by the lower rank, then by the higher. The payload is laid
 * out. Returns the seconds of the trip that this rank led. */
static double run_pair(struct nuce_links *links, int peer)
{
    double seconds;

    if (links->world->rank > peer)
        follow(links, 1);
    seconds = lead(links, 1);
    if (links->world->rank < peer)
        follow(links, 1);
    return seconds;
}

/* Returns the seconds of this fan at its centre, which times all its messages; 0 on other ranks. */
static double run_fan(struct nuce_links *links, const struct nuce_fan *fan)
{
    if (fan->centre == links->world->rank)
        return lead(links, fan->is_out);
    follow(links, fan->is_out);
    return 0;
}

/* The fan of a step: its centre, its number of partners, and the direction of the data. */
static struct nuce_fan fan_of(const struct nuce_links *links, const struct nuce_links_step *at)
{
    return (struct nuce_fan){.centre = nuce_links_centre(&links->plan, at->centre),
                             .degree = links->plan.degree[at->degree],
                             .is_out = at->is_out};
}

/* Runs one step of the plan from nuce_links_plan. A pair step is a round of a tournament: every
 * rank meets one other, so no two pairs share a port. With an odd number of ranks, one rank is
 * idle. A fan step has messages sized to end together by the bandwidths of the pairs; only the
 * centre keeps a time. Between the two kinds, a step shares the results of the pairs. Each step
 * differs, so a median over steps has no meaning; nuce_links_conclude sorts the times. */
static void links_step(void *self, double parts[NUCE_SAMPLE_PARTS])
{
    struct nuce_links *links = self;
    const struct nuce_links_plan *plan = &links->plan;
    struct nuce_links_step at = nuce_links_step(plan, links->next);
    int rank = links->world->rank;
    double begin = nuce_clock();

    nuce_counters_begin(links->counters);
    if (at.kind == NUCE_LINKS_SHARE) {
        nuce_links_share(links);
    } else if (at.kind == NUCE_LINKS_PAIRS) {
        int peer = nuce_tournament_partner(at.round, rank, plan->ranks);
        int64_t slot =
            ((int64_t)at.round * plan->sizes + at.size) * plan->repetitions + at.repetition;

        if (peer != NUCE_TOURNAMENT_NOBODY) {
            lay_out_pair(links, peer, plan->bytes[at.size]);
            links->pair_s[slot] = run_pair(links, peer);
        }
    } else {
        struct nuce_fan fan = fan_of(links, &at);
        int64_t slot = ((int64_t)at.is_out * plan->degrees + at.degree) * plan->fan_repetitions +
                       at.repetition;
        double seconds = 0;

        nuce_fan_sizes(&links->network, &fan, plan->bytes[plan->sizes - 1], links->sizes);
        if (lay_out_fan(links, &fan, links->sizes))
            seconds = run_fan(links, &fan);
        if (fan.centre == rank)
            links->fan_s[slot] = seconds;
    }
    parts[NUCE_PART_COMMUNICATION] = nuce_clock() - begin;
    nuce_counters_end(links->counters, NUCE_PART_COMMUNICATION);
    links->next = (links->next + 1) % nuce_links_steps(plan);
}

/* Keeps the first error and goes on, because a rank that left would block its peers. */
static void check_payload(struct nuce_links *links, uint64_t salt, struct nuce_error *error)
{
    struct nuce_error found;

    if (nuce_payload_check(&links->payload, salt, &found) != NUCE_OK && error->status == NUCE_OK)
        *error = found;
}

/* Checks every pair, both ways, with sizes in turn by round. Then checks every centre with all
 * others, both ways, in messages of the smallest size that fits. Counts from the warm-up are
 * dropped: the first sample is step 0. */
static nuce_status links_verify(void *self, uint64_t salt, struct nuce_error *error)
{
    struct nuce_links *links = self;
    const struct nuce_links_plan *plan = &links->plan;
    int64_t most = links->capacity / plan->ranks;

    links->next = 0;
    error->status = NUCE_OK;
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
    return error->status;
}

/* The plan fixes the number of steps, and all are needed (is_whole): the measure's limits on
 * samples do not apply. One payload is laid out again for each step, without an allocation
 * during timing. Rank 0 also checks that the network file can be written at the end, to fail
 * early. */
static nuce_status links_build(void *self, void *session, const struct nuce_point *point,
                               struct nuce_counters *counters, struct nuce_run_info *info,
                               struct nuce_error *error)
{
    struct nuce_links *links = self;
    const struct nuce_links_plan *plan = &links->plan;
    struct nuce_payload *p = &links->payload;
    int64_t ranks, messages;
    nuce_status status;

    links->world = session;
    links->counters = counters;
    links->plan = nuce_links_plan(point->params, links->world->size);
    info->parts = 1U << NUCE_PART_COMMUNICATION;
    info->criterion = NUCE_PART_COMMUNICATION;
    info->samples = nuce_links_steps(&links->plan);
    info->is_whole = 1;
    nuce_metrics_integer(&info->found, "max_degree", links->plan.ranks - 1);
    ranks = plan->ranks;
    messages = ranks < NUCE_FAN_TOTAL ? ranks : NUCE_FAN_TOTAL;
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
    /* A fan's messages have at least one byte each. */
    links->capacity = plan->bytes[plan->sizes - 1] * messages + ranks;
    p->rank = links->world->rank;
    for (int i = 0; i < 2; i++) {
        struct nuce_payload_side *side = i == 0 ? &p->send : &p->receive;

        side->peer = nuce_allocate(ranks, sizeof *side->peer);
        side->at = nuce_allocate(ranks + 1, sizeof *side->at);
        side->data = nuce_allocate(links->capacity, 1);
    }
    status = nuce_network_allocate_pairs(&links->network, error);
    if (status == NUCE_OK && links->world->rank == 0)
        status = nuce_links_check_folder(links->world->networks, error);
    return nuce_world_agree(links->world, status, error);
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
