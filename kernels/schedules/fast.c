/* fast: balance inside the nodes, then stages between them in which no node idles.
 *
 * Problem: every rank has a port of its own to other nodes (a NIC), slower than the paths inside a
 * node. One rank has more to send than the others. Then all wait for that one.
 * Steps:
 *   1. The bytes of node S for node D are divided equally among the ranks of S. A rank keeps its
 *      own bytes up to its share; the rest moves to ranks with fewer.
 *   2. The matrix of nodes is decomposed into stages (birkhoff.h). In each a node sends to one
 *      other and receives from one, with all its ranks: rank number l to rank number l. A long
 *      stage is cut, so that the transfers inside overlap with it.
 *   3. Bytes that arrived at another rank of their node move to their destination.
 * A phase has the transfers of a stage and transfers inside the nodes. The latter are step 1 for
 * the next stage, step 3 for the previous one, and parts of the messages that stay on their node.
 * Messages are cut where shares and stages end.
 * Cost: the time of the busiest node's off-node bytes by all of its ports, and a startup for each
 * stage; O(messages + stages (nodes^2 + ranks)) to make. The work for one node is small compared
 * with the stages: a twentieth with 40 nodes.
 * Limits: ports of one node count as alike. If nodes have different numbers of ranks, a rank's
 * share goes to the ranks whose places it overlaps.
 * Nodes: as given (node_ranks), else those of the network, else those that the ranks run on. If
 * none is known each rank is a node, and only the stages remain.
 * Source: Lei and others, "FAST: an efficient scheduler for all-to-all GPU communication", 2025
 * (arXiv 2505.09764), whose stages are Birkhoff's as well. */
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "schedules/birkhoff.h"
#include "schedules/groups.h"
#include "schedules/store_forward.h"

/* Most stages for each node; fewer if their matrix is large. */
#define STAGES_A_NODE 4
#define STAGES_ENTRIES 0x1p27

/* Consecutive parts of messages. */
struct fast_lane {
    int64_t first, end; /* range of the segments */
    int64_t bytes, done;
};

/* The bytes of one node for another. */
struct fast_pair {
    int64_t total; /* bytes */
    int64_t sent;  /* the part sent in the stages so far */
    double cost;   /* cost of a byte, in units of work; 1 for the fastest pair */
};

struct fast {
    const struct nuce_schedule_input *input;
    struct nuce_groups nodes;
    struct fast_pair *pair; /* nodes x nodes, by source */
    int64_t *work;          /* the same: the input of nuce_birkhoff */
    int64_t *bucket;        /* nodes x nodes + 1: each pair's range in `message` */
    int64_t *message;       /* messages, by pair of nodes */
    int *source;            /* messages of the pattern */
    struct fast_lane *lane; /* ranks x nodes: a rank's sends to each node */
    int64_t segments, segment_capacity;
    struct nuce_parcel *segment;
    struct nuce_stages stages;
    double chunk; /* work: longer stages are cut */
    struct nuce_hops hops;
    int round; /* round of the current stage */
};

static int64_t pair_of(const struct fast *f, int from, int to)
{
    return (int64_t)from * f->nodes.count + to;
}

/* Sorts messages by pair of nodes, within each by source, then destination. */
static void sort_messages(struct fast *f)
{
    const struct nuce_pattern *pattern = f->input->pattern;
    int64_t pairs = (int64_t)f->nodes.count * f->nodes.count;

    /* The bytes of all pairs of nodes, from which the stages are made, and the number of messages
     * of the wanted nodes. */
    NUCE_EACH_MESSAGE (pattern, i, k) {
        int from = f->nodes.group_of[i], to = f->nodes.group_of[pattern->destination[k]];
        int64_t pair = pair_of(f, from, to);

        if (pattern->destination[k] != i)
            f->pair[pair].total += pattern->bytes[k];
        f->source[k] = i;
        f->bucket[pair] += nuce_groups_make(&f->nodes, from, to);
    }
    for (int64_t pair = 0, before = 0; pair <= pairs; pair++) {
        int64_t count = f->bucket[pair];

        f->bucket[pair] = before;
        before += count;
    }
    for (int n = 0; n < pattern->ranks; n++) {
        int i = f->nodes.rank[n], from = f->nodes.group_of[i];

        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            int to = f->nodes.group_of[pattern->destination[k]];

            if (nuce_groups_make(&f->nodes, from, to))
                f->message[f->bucket[pair_of(f, from, to)]++] = k;
        }
    }
    /* Each bucket's beginning has moved to its end. */
    for (int64_t pair = pairs; pair > 0; pair--)
        f->bucket[pair] = f->bucket[pair - 1];
    f->bucket[0] = 0;
}

/* The rate of all ranks of a node together to (side 0), or from (1), another one, in bytes per
 * second. */
static double fast_node_rate(const struct fast *f, int node, int other, int side)
{
    const struct nuce_network *network = f->input->network;
    int partner = f->nodes.rank[f->nodes.start[other]], ranks = network->ranks;
    double sum = 0;

    for (int k = f->nodes.start[node]; k < f->nodes.start[node + 1]; k++) {
        int rank = f->nodes.rank[k];
        double rate = side == 0 ? nuce_network_bandwidth(network, rank, partner)
                                : nuce_network_bandwidth(network, partner, rank);

        rate = fmin(rate, nuce_network_capacity(network, side * ranks + rank)); /* its port, */
        if (network->tiers.nodes > 0)                                           /* and rail */
            rate = fmin(rate, network->tiers.limit[NUCE_RAIL + side][rank]);
        sum += rate;
    }
    if (network->tiers.nodes == f->nodes.count)
        sum = fmin(sum, network->tiers.limit[NUCE_NODE + side][node]);
    return sum;
}

/* Sets the work of each pair of nodes, and the most work of a stage. Returns the startup between
 * nodes in work. */
static double set_work(struct fast *f)
{
    int nodes = f->nodes.count;
    double fastest = 0, startup = 0, inside = 0, most = 0, moved = 0;
    const struct nuce_network *network = f->input->network;

    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++) {
            double rate = i == j ? 0 : fmin(fast_node_rate(f, i, j, 0), fast_node_rate(f, j, i, 1));

            f->pair[pair_of(f, i, j)].cost = rate;
            fastest = fmax(fastest, rate);
        }
    }
    for (int i = 0; i < nodes; i++) {
        double row = 0;

        for (int j = 0; j < nodes; j++) {
            int64_t pair = pair_of(f, i, j);

            if (i == j)
                continue;
            f->pair[pair].cost = fastest / f->pair[pair].cost;
            f->work[pair] = (int64_t)ceil((double)f->pair[pair].total * f->pair[pair].cost);
            row += (double)f->work[pair];
            startup = fmax(startup, nuce_network_startup(network, f->nodes.rank[f->nodes.start[i]],
                                                         f->nodes.rank[f->nodes.start[j]]));
        }
        most = fmax(most, row);
        if (nuce_groups_size(&f->nodes, i) > 1) {
            int first = f->nodes.rank[f->nodes.start[i]];

            inside = fmax(inside, nuce_network_bandwidth(network, first,
                                                         f->nodes.rank[f->nodes.start[i] + 1]));
            moved = fmax(moved, row / nuce_groups_size(&f->nodes, i));
        }
    }
    /* A stage cut into n shows the inside transfers of the first and last part, moved / inside / n
     * seconds, and n startups. The sum is least if both are equal. */
    f->chunk = inside > 0 && startup > 0 ? most / fmax(sqrt(moved / inside / startup), 1) : most;
    return startup * fastest;
}

/* A place in the messages of one rank for one node: a byte of message number `at` of f->message. */
struct fast_cursor {
    int64_t at, offset;
};

/* The bytes of one rank of a node for another node. */
struct fast_own {
    struct fast_cursor next, over; /* in its share; in its excess */
    int64_t bytes, more;
};

/* Advances the cursor by that many bytes, which exist. If lane is not NULL, they are added to it;
 * it is the last lane. */
static void take_bytes(struct fast *f, struct fast_cursor *cursor, int64_t bytes,
                       struct fast_lane *lane)
{
    const struct nuce_pattern *pattern = f->input->pattern;

    while (bytes > 0) {
        int64_t k = f->message[cursor->at], left = pattern->bytes[k] - cursor->offset;
        struct nuce_parcel parcel = {f->source[k], pattern->destination[k],
                                     left < bytes ? left : bytes, cursor->offset};

        if (lane != NULL) {
            nuce_allocate_more((void **)&f->segment, &f->segment_capacity, f->segments + 1,
                               sizeof *f->segment);
            f->segment[f->segments++] = parcel;
        }
        bytes -= parcel.bytes;
        cursor->offset += parcel.bytes;
        if (parcel.bytes == left)
            *cursor = (struct fast_cursor){cursor->at + 1, 0};
    }
    if (lane != NULL)
        lane->end = f->segments;
}

/* The share of place l of that many places in total bytes. */
static int64_t fast_share(int64_t total, int64_t l, int64_t places)
{
    return total / places * (l + 1) + total % places * (l + 1) / places -
           (total / places * l + total % places * l / places);
}

/* Fills the lanes of one pair of nodes: each rank's share takes its own bytes first. */
static void share_out(struct fast *f, int from, int to, struct fast_own *own)
{
    const struct nuce_pattern *pattern = f->input->pattern;
    int size = nuce_groups_size(&f->nodes, from), giver = 0;
    int64_t pair = pair_of(f, from, to), at = f->bucket[pair];

    /* The bytes of each rank of node `from` for `to`, and the beginning of the excess over its
     * share. */
    for (int l = 0; l < size; l++) {
        int rank = f->nodes.rank[f->nodes.start[from] + l];
        int64_t share = fast_share(f->pair[pair].total, l, size);

        own[l] = (struct fast_own){.next = {at, 0}, .over = {at, 0}};
        for (; at < f->bucket[pair + 1] && f->source[f->message[at]] == rank; at++)
            own[l].bytes += pattern->bytes[f->message[at]];
        own[l].more = own[l].bytes > share ? own[l].bytes - share : 0;
        take_bytes(f, &own[l].over, own[l].bytes - own[l].more, NULL);
    }
    for (int l = 0; l < size; l++) {
        int64_t share = fast_share(f->pair[pair].total, l, size);
        int64_t kept = own[l].bytes - own[l].more;
        struct fast_lane *lane =
            &f->lane[(int64_t)f->nodes.rank[f->nodes.start[from] + l] * f->nodes.count + to];

        *lane = (struct fast_lane){.first = f->segments, .end = f->segments, .bytes = share};
        take_bytes(f, &own[l].next, kept, lane);
        while (kept < share) {
            int64_t missing = share - kept, bytes;

            while (own[giver].more == 0)
                giver++;
            bytes = own[giver].more < missing ? own[giver].more : missing;
            take_bytes(f, &own[giver].over, bytes, lane);
            own[giver].more -= bytes;
            kept += bytes;
        }
    }
}

/* Sends the next bytes of the lane of rank number l of a node: to the rank with that number on the
 * other node, or to those whose places its own overlaps. */
static void send_lane(struct fast *f, int from, int to, int l)
{
    const struct fast_pair *pair = &f->pair[pair_of(f, from, to)];
    int size = nuce_groups_size(&f->nodes, from), others = nuce_groups_size(&f->nodes, to);
    int via = f->nodes.rank[f->nodes.start[from] + l];
    struct fast_lane *lane = &f->lane[(int64_t)via * f->nodes.count + to];
    /* The part of the lane that corresponds to the bytes of its pair of nodes sent so far. */
    int64_t part =
        pair->sent == pair->total
            ? lane->bytes
            : (int64_t)((double)lane->bytes * ((double)pair->sent / (double)pair->total));
    int64_t bytes = part - lane->done, done = 0;

    for (int64_t j = (int64_t)l * others / size; bytes > done && j < others; j++) {
        int64_t end = (j + 1) * size - (int64_t)l * others;
        int64_t until = end >= others ? bytes : (int64_t)((double)bytes * (double)end / others);
        int other = f->nodes.rank[f->nodes.start[to] + j];

        while (done < until) {
            struct nuce_parcel *segment = &f->segment[lane->first];
            struct nuce_parcel parcel = *segment;

            parcel.bytes = segment->bytes < until - done ? segment->bytes : until - done;
            if (parcel.source != via)
                nuce_hops_add(&f->hops, f->round - 1, parcel.source, via, &parcel);
            nuce_hops_add(&f->hops, f->round, via, other, &parcel);
            if (parcel.destination != other)
                nuce_hops_add(&f->hops, f->round + 1, other, parcel.destination, &parcel);
            done += parcel.bytes;
            segment->bytes -= parcel.bytes;
            segment->offset += parcel.bytes;
            lane->first += segment->bytes == 0;
        }
    }
    lane->done = part;
}

/* Adds one stage, in one round for each chunk of it. */
static void add_fast_stage(struct fast *f, int64_t stage)
{
    const struct nuce_meeting_part *part = &f->stages.part[stage * f->nodes.count];
    int64_t length = f->stages.length[stage];
    int64_t cuts = (int64_t)fmax(1, ceil((double)length / fmax(f->chunk, 1)));

    for (int64_t cut = 0; cut < cuts; cut++, f->round++) {
        for (int i = 0; i < f->nodes.count; i++) {
            int64_t before = part[i].column < 0 ? 0 : part[i].work * cut / cuts;
            int64_t after = part[i].column < 0 ? 0 : part[i].work * (cut + 1) / cuts;

            int64_t bytes, left;
            int to = part[i].column;
            struct fast_pair *pair = to < 0 ? NULL : &f->pair[pair_of(f, i, to)];

            if (after == before || !nuce_groups_make(&f->nodes, i, to))
                continue;
            /* The bytes for that much more work. */
            bytes = (int64_t)ceil((double)(after - before) / pair->cost);
            left = pair->total - pair->sent;
            pair->sent += bytes < left ? bytes : left;
            for (int l = 0; l < nuce_groups_size(&f->nodes, i); l++)
                send_lane(f, i, to, l);
        }
    }
}

/* Adds messages that stay on their node: in parts over the rounds, starting at a different round
 * for each rank, and no part shorter than a startup takes. */
static void add_local(struct fast *f, int64_t k, int rounds)
{
    const struct nuce_pattern *pattern = f->input->pattern;
    const struct nuce_network *network = f->input->network;
    struct nuce_parcel parcel = {f->source[k], pattern->destination[k], 0, 0};
    double least = nuce_network_startup(network, parcel.source, parcel.destination) *
                   nuce_network_bandwidth(network, parcel.source, parcel.destination);
    int64_t parts = (int64_t)fmin(rounds, fmax(1, (double)pattern->bytes[k] / fmax(4 * least, 1)));
    int size = nuce_groups_size(&f->nodes, f->nodes.group_of[parcel.source]);
    int first =
        (f->nodes.number[parcel.destination] - f->nodes.number[parcel.source] + size) % size;

    for (int64_t part = 0; part < parts; part++) {
        parcel.offset += parcel.bytes;
        parcel.bytes = fast_share(pattern->bytes[k], part, parts);
        if (parcel.bytes > 0)
            nuce_hops_add(&f->hops, (int)((first + part) % rounds), parcel.source,
                          parcel.destination, &parcel);
    }
}

/* Stages begin in round 1, since bytes for the first one move inside the nodes in round 0. The
 * bytes of the last one are spread in one more round after it. */
static nuce_status fast_build(const struct nuce_schedule_input *input,
                              struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    const struct nuce_pattern *pattern = input->pattern;
    struct fast f = {.input = input, .round = 1};
    struct fast_own *own;
    int64_t nodes, parts, most;

    if (nuce_groups_init(input, &f.nodes, error) != NUCE_OK)
        return error->status;
    nodes = f.nodes.count;
    most = (int64_t)fmin(STAGES_A_NODE * (double)nodes,
                         fmax(1, STAGES_ENTRIES / ((double)nodes * (double)nodes)));
    f.pair = nuce_allocate(nodes * nodes, sizeof *f.pair);
    f.work = nuce_allocate(nodes * nodes, sizeof *f.work);
    f.bucket = nuce_allocate(nodes * nodes + 1, sizeof *f.bucket);
    f.message = nuce_allocate(pattern->messages, sizeof *f.message);
    f.source = nuce_allocate(pattern->messages, sizeof *f.source);
    f.lane = nuce_allocate(pattern->ranks * nodes, sizeof *f.lane);
    own = nuce_allocate(f.nodes.largest, sizeof *own);
    sort_messages(&f);
    nuce_birkhoff(f.nodes.count, f.work, (int64_t)set_work(&f), most, &f.stages);
    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++) {
            if (i != j && nuce_groups_make(&f.nodes, i, j) && f.pair[pair_of(&f, i, j)].total > 0)
                share_out(&f, i, j, own);
        }
    }
    /* Room for the parts that cross, and that move before and after: a part ends where a segment or
     * a stage does. Growing it step by step took a third of the time, in pages cleared and
     * copied. */
    parts = f.segments + f.stages.count * pattern->ranks;
    nuce_hops_reserve(&f.hops, 3 * parts, parts);
    for (int64_t stage = 0; stage < f.stages.count; stage++)
        add_fast_stage(&f, stage);
    for (int n = 0; n < nodes; n++) {
        int64_t pair = pair_of(&f, n, n); /* empty if it is not wanted */

        for (int64_t at = f.bucket[pair]; at < f.bucket[pair + 1]; at++) {
            int64_t k = f.message[at];

            if (f.source[k] != pattern->destination[k])
                add_local(&f, k, f.round + 1);
        }
    }
    nuce_hops_schedule(pattern, f.round + 1, &f.hops, builder);
    nuce_groups_fini(&f.nodes);
    nuce_stages_fini(&f.stages);
    nuce_hops_fini(&f.hops);
    free(f.pair);
    free(f.work);
    free(f.bucket);
    free(f.message);
    free(f.source);
    free(f.lane);
    free(f.segment);
    free(own);
    return NUCE_OK;
}

const struct nuce_schedule_ops nuce_schedule_fast = {
    .name = "fast",
    .label = "balanced in nodes",
    .summary = "balance inside the nodes, then stages between them in which no node is idle",
    .source = "FAST, arXiv 2505.09764, 2025; stages: Birkhoff 1946",
    .discipline = NUCE_FORWARD,
    .uses = NUCE_USES_NODES,
    .concern = NUCE_CONCERN_NODES,
    .build = fast_build,
};
