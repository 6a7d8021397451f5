/* two-level: any schedule between the nodes, and any inside them.
 *
 * Problem: the papers' schedules take ranks for nodes. If ranks share nodes, their messages pay for
 * a startup each, and in some phases all ranks of a node have the same partner node, or none.
 * Steps: k leaders of each node of Q ranks, its ranks number l Q / k, carry the bytes between
 * nodes.
 *   1. All bytes of node S for node D are one message, ordered by source, then by destination.
 *      These messages are scheduled by `between`, on the network of the nodes' first leaders. Each
 *      part of a transfer is divided into k equal shares, share l from leader l to leader l, which
 *      forwards it as `between` does.
 *   2. The bytes of a node's ranks for its leaders are a pattern of that node; it is scheduled by
 *      `within` and goes before.
 *   3. So are the bytes of a node's leaders for its ranks; they come after.
 *   4. So are the messages that stay on the node; they go while leaders send.
 * A schedule without phases becomes rounds.
 * Cost: that of its parts, one after the other. Each byte crosses between nodes as often as under
 * `between`, and up to twice more inside them.
 * Limits: refused as parts: library calls and protocols, whose order is not known, and schedules
 * that pad, which are not worth it. If a node has fewer ranks than leaders, some ranks lead twice.
 * Messages are cut where parts and shares end.
 * Nodes: as given (node_ranks), else those of the network, else those that the ranks run on. If
 * none is known each rank is a node, and only `between` remains.
 * Source: three steps as in node-aware communication, Bienz, Gropp and Olson, JPDC 130, 2019;
 * leaders as in multi_leader.c; the parts have sources of their own. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "schedules/groups.h"
#include "schedules/plain.h"
#include "schedules/store_forward.h"

/* The hops of the parts of a pattern's messages. */
struct two_level_ways {
    struct nuce_hops legs; /* of nodes (STAGE_BETWEEN) or ranks */
    int rounds;
};

enum stage { STAGE_BETWEEN, STAGE_GATHER, STAGE_SPREAD, STAGE_STAY, STAGES };

/* A part of a message that stays together all its way. */
struct strand {
    struct nuce_parcel parcel;
    int out, in; /* leaders, ranks; -1: it stays on its node */
    int lane;
    int from, to; /* in the pattern of the current stage; from -1: not in it */
    int node;     /* node of that pattern; 0 between nodes */
    struct {
        int64_t first, count; /* of the level's legs */
    } way[STAGES];
};

struct strands {
    int64_t count, capacity;
    struct strand *strand;
};

struct two_level {
    const struct nuce_schedule_input *input;
    struct nuce_groups nodes;
    int leaders;
    struct two_level_ways level[STAGES];
    struct strands strands;
};

static int leader_of(const struct two_level *t, int node, int lane)
{
    int64_t size = nuce_groups_size(&t->nodes, node);

    return t->nodes.rank[t->nodes.start[node] + lane * size / t->leaders];
}

static void strands_add(struct strands *strands, const struct strand *strand)
{
    nuce_allocate_more((void **)&strands->strand, &strands->capacity, strands->count + 1,
                       sizeof *strands->strand);
    strands->strand[strands->count++] = *strand;
}

/* Sets the ends of each strand in the pattern of a stage. */
static void set_ends(struct two_level *t, enum stage stage)
{
    const int *node = t->nodes.group_of;

    for (int64_t k = 0; k < t->strands.count; k++) {
        struct strand *s = &t->strands.strand[k];
        int source = s->parcel.source, destination = s->parcel.destination;
        int stays = node[source] == node[destination];
        int ends[STAGES][2] = {{node[source], node[destination]},
                               {source, s->out},
                               {s->in, destination},
                               {source, destination}};

        s->from = ends[stage][0];
        s->to = ends[stage][1];
        s->node = stage == STAGE_BETWEEN ? 0 : node[stage == STAGE_SPREAD ? destination : source];
        if (stays != (stage == STAGE_STAY) || s->from == s->to)
            s->from = s->node = -1;
    }
}

static int by_ends(const void *a, const void *b)
{
    const struct strand *x = a, *y = b;

    return NUCE_INT_ORDER({x->node, y->node}, {x->from, y->from}, {x->to, y->to},
                          {x->parcel.source, y->parcel.source},
                          {x->parcel.destination, y->parcel.destination},
                          {x->parcel.offset, y->parcel.offset});
}

/* The name of a rank; names NULL: its number. */
static int named(const int *names, int rank)
{
    return names == NULL ? rank : names[rank];
}

/* Rounds of pieces: the phases of a schedule that has them. For queues the round is the longest
 * chain of pieces that end with one, each followed by the next of its sender or of its receiver.
 * O(pieces): each piece is taken from the head of its queues once. */

/* The heads of a rank's queues during the execution of streams. */
struct queue_heads {
    int64_t send, receive;         /* the head of each queue */
    int send_round, receive_round; /* of the next piece */
    int is_ready;                  /* it is on the stack of ranks whose send may be the next */
};

static void push_ready(struct queue_heads *heads, int *ready, int *readies, int rank)
{
    if (!heads[rank].is_ready)
        ready[(*readies)++] = rank;
    heads[rank].is_ready = 1;
}

/* One of each queue of a rank at a time; the queues of a valid schedule are executed completely. */
static void rounds_of_streams(const struct nuce_schedule *s, int *round)
{
    struct queue_heads *heads = nuce_allocate(s->ranks, sizeof *heads);
    int *ready = nuce_allocate(s->ranks, sizeof *ready), readies = 0;

    for (int i = 0; i < s->ranks; i++) {
        heads[i].send = s->send_start[i];
        heads[i].receive = s->receive_start[i];
        push_ready(heads, ready, &readies, i);
    }
    while (readies > 0) {
        int i = ready[--readies];
        struct queue_heads *from = &heads[i];

        from->is_ready = 0;
        /* As long as its first send is the first receive of its peer too. */
        while (from->send < s->send_start[i + 1]) {
            int64_t k = from->send;
            int peer = s->sends[k].peer;
            struct queue_heads *to = &heads[peer];

            if (s->receive_of[k] != to->receive)
                break;
            from->send++;
            to->receive++;
            round[k] = from->send_round > to->receive_round ? from->send_round : to->receive_round;
            if (to != from)
                from->send_round = to->receive_round = round[k] + 1;
            /* The next expected sender of the receiver may proceed. */
            if (to->receive < s->receive_start[peer + 1])
                push_ready(heads, ready, &readies, s->receives[to->receive].peer);
        }
    }
    free(heads);
    free(ready);
}

/* Adds to *hops one hop for each transfer of each part of a message, without the ranks' messages to
 * themselves. Ranks are called names[0], names[1], .. (NULL: by their numbers). *rounds is the
 * number of rounds. Rounds are phases. Without phases, a post-all schedule is one round; for
 * blocking sends the round is the place in the rank's list; for streams it is the number of pieces
 * of the two queues that come before. NUCE_BAD_INPUT: the schedule is dynamic, or pads. */
static nuce_status schedule_ways(const struct nuce_schedule *s, const int *names,
                                 struct nuce_hops *hops, int *rounds, struct nuce_error *error)
{
    int *round;
    nuce_status status = NUCE_OK;

    if (s->discipline == NUCE_DYNAMIC)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "has no order before it runs: expected a schedule that has one");
    round = nuce_allocate(s->pieces, sizeof *round);
    if (s->discipline == NUCE_STREAMS)
        rounds_of_streams(s, round);
    for (int i = 0; i < s->ranks; i++) {
        int place = 0;

        for (int64_t k = s->send_start[i]; status == NUCE_OK && k < s->send_start[i + 1]; k++) {
            const struct nuce_transfer *send = &s->sends[k];
            struct nuce_parcel whole = {i, send->peer, send->bytes, send->offset};
            const struct nuce_parcel *parcels =
                s->loads == NULL ? &whole : s->parcels + s->loads[k].first;
            int64_t count = s->loads == NULL ? 1 : s->loads[k].count, bytes = 0;

            if (send->peer == i)
                continue;
            if (s->discipline == NUCE_LOCKSTEP || s->discipline == NUCE_FORWARD)
                round[k] = send->phase;
            else if (s->discipline == NUCE_BLOCKING)
                round[k] = place++;
            *rounds = round[k] >= *rounds ? round[k] + 1 : *rounds;
            for (int64_t n = 0; n < count; n++) {
                struct nuce_parcel parcel = parcels[n];

                bytes += parcel.bytes;
                parcel.source = named(names, parcel.source);
                parcel.destination = named(names, parcel.destination);
                nuce_hops_add(hops, round[k], named(names, i), named(names, send->peer), &parcel);
            }
            if (bytes != send->bytes)
                status = nuce_error_set(error, NUCE_BAD_INPUT,
                                        "pads its messages: expected one that does not");
        }
    }
    free(round);
    return status;
}

/* Adds the hops of a pattern under the part of the stage to its level. slot: the places of its
 * ranks; names: their names there. */
static nuce_status add_ways(struct two_level *t, enum stage stage,
                            const struct nuce_pattern *pattern, const int *slot, const int *names,
                            struct nuce_error *error)
{
    struct nuce_tuning tuning = *t->input->tuning;
    struct nuce_network network;
    struct nuce_schedule_input input = {
        .pattern = pattern, .network = &network, .tuning = &tuning, .rng = t->input->rng};
    struct nuce_schedule schedule = {0};
    const char *name = stage == STAGE_BETWEEN ? tuning.between : tuning.within;
    nuce_status status;

    if (nuce_network_pick(t->input->network, slot, pattern->ranks, &network, error) != NUCE_OK)
        return error->status;
    tuning.node_ranks = tuning.leaders = tuning.group_ranks = 0;
    tuning.in_flight = 0;
    status = nuce_schedule_create(nuce_schedule_find(name), &input, &schedule, error);
    if (status == NUCE_OK)
        status =
            schedule_ways(&schedule, names, &t->level[stage].legs, &t->level[stage].rounds, error);
    nuce_schedule_fini(&schedule);
    nuce_network_fini(&network);
    if (status == NUCE_OK)
        return NUCE_OK;
    nuce_error_prefix(error, "'%s'", name);
    return nuce_error_about(error, stage == STAGE_BETWEEN ? "between" : "within");
}

/* Makes the patterns of the strands of a stage, which are first .. : one between the leaders of
 * nodes, or one inside each node. */
static nuce_status plan_patterns(struct two_level *t, enum stage stage, int64_t first,
                                 struct nuce_error *error)
{
    const struct nuce_groups *nodes = &t->nodes;
    int is_between = stage == STAGE_BETWEEN;
    int *leaders = nuce_allocate(nodes->count, sizeof *leaders);
    struct nuce_message *messages = nuce_allocate(t->strands.count - first, sizeof *messages);
    nuce_status status = NUCE_OK;

    for (int n = 0; n < nodes->count; n++)
        leaders[n] = leader_of(t, n, 0);
    for (int64_t end = first; status == NUCE_OK && end < t->strands.count; first = end) {
        int node = t->strands.strand[first].node;
        int size = is_between ? nodes->count : nuce_groups_size(nodes, node);
        const int *number = is_between ? NULL : nodes->number;
        const int *ranks = nodes->rank + nodes->start[node];
        struct nuce_pattern pattern = {0};
        int64_t count = 0;

        for (; end < t->strands.count && t->strands.strand[end].node == node; end++) {
            const struct strand *s = &t->strands.strand[end];
            int from = named(number, s->from), to = named(number, s->to);

            if (count == 0 || messages[count - 1].source != from ||
                messages[count - 1].destination != to)
                messages[count++] = (struct nuce_message){from, to, 0};
            messages[count - 1].bytes += s->parcel.bytes;
        }
        status = nuce_pattern_init(size, messages, count, &pattern, error);
        if (status == NUCE_OK)
            status = add_ways(t, stage, &pattern, is_between ? leaders : ranks,
                              is_between ? NULL : ranks, error);
        nuce_pattern_fini(&pattern);
    }
    free(leaders);
    free(messages);
    return status;
}

/* qsort_r: legs by row and place in it, then in their order, so that those of a part of a message
 * are a run. */
static int by_part_of_row(const void *a, const void *b, void *parcels)
{
    const struct nuce_hop *x = a, *y = b;
    const struct nuce_parcel *of_x = (const struct nuce_parcel *)parcels + x->parcel;
    const struct nuce_parcel *of_y = (const struct nuce_parcel *)parcels + y->parcel;

    return NUCE_INT_ORDER({of_x->source, of_y->source}, {of_x->destination, of_y->destination},
                          {of_x->offset, of_y->offset}, {x->round, y->round});
}

static const struct nuce_parcel *parcel_of(const struct nuce_hops *legs, int64_t leg)
{
    return &legs->parcel[legs->hop[leg].parcel];
}

/* Gives every strand of the stage its hops there: places it along its row, cut where a part, or
 * between nodes a share of one, ends. A part has equal shares; the first ones are a byte longer if
 * necessary. */
static void lay_stage(struct two_level *t, enum stage stage)
{
    const struct nuce_hops *legs = &t->level[stage].legs;
    struct strands laid = {0};
    int64_t at = 0, l = 0; /* the place in the row; the first leg of the last part */

    for (int64_t k = 0; k < t->strands.count; k++) {
        struct strand strand = t->strands.strand[k];
        int64_t left = strand.parcel.bytes;

        if (k == 0 || strand.from != t->strands.strand[k - 1].from ||
            strand.to != t->strands.strand[k - 1].to)
            at = 0;
        if (strand.from < 0) {
            strands_add(&laid, &strand);
            at += left;
            continue;
        }
        while (left > 0) {
            const struct nuce_parcel *part;
            int64_t count = 1, end;

            while (parcel_of(legs, l)->source != strand.from ||
                   parcel_of(legs, l)->destination != strand.to ||
                   parcel_of(legs, l)->offset + parcel_of(legs, l)->bytes <= at)
                l++;
            part = parcel_of(legs, l);
            while (l + count < legs->count &&
                   memcmp(parcel_of(legs, l + count), part, sizeof *part) == 0)
                count++;
            end = part->offset + part->bytes;
            if (stage == STAGE_BETWEEN) {
                int64_t share = part->bytes / t->leaders, longer = part->bytes % t->leaders;
                int64_t place = at - part->offset, border = longer * (share + 1);

                strand.lane =
                    (int)(place < border ? place / (share + 1) : longer + (place - border) / share);
                strand.out = leader_of(t, strand.from, strand.lane);
                strand.in = leader_of(t, strand.to, strand.lane);
                end = part->offset + (strand.lane + 1) * share +
                      (strand.lane < longer ? strand.lane + 1 : longer);
            }
            strand.parcel.bytes = end - at < left ? end - at : left;
            strand.way[stage].first = l;
            strand.way[stage].count = count;
            strands_add(&laid, &strand);
            at += strand.parcel.bytes;
            left -= strand.parcel.bytes;
            strand.parcel.offset += strand.parcel.bytes;
        }
    }
    free(t->strands.strand);
    t->strands = laid;
}

/* Schedules the patterns of the strands in a stage, and places the strands along the result. */
static nuce_status plan_stage(struct two_level *t, enum stage stage, struct nuce_error *error)
{
    struct nuce_hops *legs = &t->level[stage].legs;
    int64_t first = 0;

    if (t->strands.count == 0)
        return NUCE_OK;
    set_ends(t, stage);
    qsort(t->strands.strand, (size_t)t->strands.count, sizeof *t->strands.strand, by_ends);
    while (first < t->strands.count && t->strands.strand[first].from < 0)
        first++;
    if (first == t->strands.count)
        return NUCE_OK;
    if (plan_patterns(t, stage, first, error) != NUCE_OK)
        return error->status;
    for (int64_t k = 0; k < t->strands.count; k++) /* the legs of all nodes are one list */
        t->strands.strand[k].node = 0;
    qsort(t->strands.strand, (size_t)t->strands.count, sizeof *t->strands.strand, by_ends);
    qsort_r(legs->hop, (size_t)legs->count, sizeof *legs->hop, by_part_of_row, legs->parcel);
    lay_stage(t, stage);
    return NUCE_OK;
}

/* Adds the stages: those between nodes and on one node at the same time, the others before and
 * after. */
static void two_level_emit(const struct two_level *t, struct nuce_schedule_builder *builder)
{
    const struct two_level_ways *level = t->level;
    int middle = level[STAGE_GATHER].rounds;
    int last = middle + (level[STAGE_BETWEEN].rounds > level[STAGE_STAY].rounds
                             ? level[STAGE_BETWEEN].rounds
                             : level[STAGE_STAY].rounds);
    const int base[STAGES] = {middle, 0, last, middle};
    struct nuce_hops hops = {0};

    for (int64_t k = 0; k < t->strands.count; k++) {
        const struct strand *strand = &t->strands.strand[k];

        for (int s = 0; s < STAGES; s++) {
            for (int64_t n = 0; n < strand->way[s].count; n++) {
                const struct nuce_hop *leg = &level[s].legs.hop[strand->way[s].first + n];
                int is_between = s == STAGE_BETWEEN;
                int from = is_between ? leader_of(t, leg->from, strand->lane) : leg->from;
                int to = is_between ? leader_of(t, leg->to, strand->lane) : leg->to;

                nuce_hops_add(&hops, base[s] + leg->round, from, to, &strand->parcel);
            }
        }
    }
    nuce_hops_schedule(t->input->pattern, last + level[STAGE_SPREAD].rounds, &hops, builder);
    nuce_hops_fini(&hops);
}

static nuce_status two_level_build(const struct nuce_schedule_input *input,
                                   struct nuce_schedule_builder *builder, struct nuce_error *error)
{
    const struct nuce_tuning *tuning = input->tuning;
    struct two_level t = {.input = input};
    nuce_status status = nuce_schedule_check_part("between", tuning->between, error);

    if (status == NUCE_OK)
        status = nuce_schedule_check_part("within", tuning->within, error);
    if (status == NUCE_OK)
        status = nuce_groups_init(input, &t.nodes, error);
    if (status == NUCE_OK)
        status = nuce_groups_leaders(&t.nodes, tuning->leaders, &t.leaders, error);
    /* If no message can pass another rank, the one part that sends is the whole schedule: ac, if it
     * is that. */
    if (status == NUCE_OK && nuce_groups_are_flat(&t.nodes) &&
        strcmp(t.nodes.count == 1 ? tuning->within : tuning->between, "ac") == 0)
        status = nuce_schedule_as_ac(input, builder, error);
    else if (status == NUCE_OK) {
        /* Whole messages, without those of ranks to themselves. */
        NUCE_EACH_MESSAGE (input->pattern, i, k) {
            struct strand strand = {
                .parcel = {i, input->pattern->destination[k], input->pattern->bytes[k], 0},
                .out = -1,
                .in = -1};

            if (strand.parcel.destination != i)
                strands_add(&t.strands, &strand);
        }
        for (int s = 0; status == NUCE_OK && s < STAGES; s++)
            status = plan_stage(&t, (enum stage)s, error);
        if (status == NUCE_OK)
            two_level_emit(&t, builder);
    }
    nuce_groups_fini(&t.nodes);
    for (int s = 0; s < STAGES; s++)
        nuce_hops_fini(&t.level[s].legs);
    free(t.strands.strand);
    return status;
}

const struct nuce_schedule_ops nuce_schedule_two_level = {
    .name = "two-level",
    .summary = "one schedule between the nodes' leaders, one inside the nodes",
    .source = "Bienz, Gropp and Olson, JPDC 130, 2019 (three steps); its parts' own",
    .discipline = NUCE_FORWARD,
    .uses = NUCE_USES_NODES | NUCE_USES_LEADERS | NUCE_USES_PARTS | NUCE_USES_RADIX |
            NUCE_USES_STARTUP | NUCE_USES_LAMBDA,
    .build = two_level_build,
};
