/* Communicators of all ranks, nodes, their links, and the order of parts. join.h describes the
 * problem.
 *
 * Steps: match the communicators of the ranks' files (same members, same ordinal); make a node
 * of each call of each file; link nodes; make parts of components; sort them.
 *
 * Cost: O(n log n + m) time for n nodes with m messages, 72 bytes for each node and 56 for each
 * part. */
#include "capture/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "capture/builder.h"

/* A communicator as one rank's file has it. */
struct local_communicator {
    const struct nuce_raw_communicator *record;
    int file;
};

void nuce_join_fini(struct nuce_join *join)
{
    for (int i = 0; i < join->communicator_count; i++) {
        free(join->communicators[i].file);
        free(join->communicators[i].local);
    }
    free(join->communicators);
    free(join->nodes);
    free(join->parts);
    nuce_raw_free_ranks(join->files, join->file_count);
    *join = (struct nuce_join){0};
}

/* Large communicators first, so that the world is number 0; then by members and ordinal. 0: they
 * are the same communicator. */
static int order_of_groups(const struct nuce_raw_communicator *x,
                           const struct nuce_raw_communicator *y)
{
    int order = NUCE_INT_ORDER({y->size, x->size});

    for (int i = 0; order == 0 && i < x->size; i++)
        order = NUCE_INT_ORDER({nuce_raw_members(x)[i], nuce_raw_members(y)[i]});
    return order != 0 ? order : NUCE_INT_ORDER({x->ordinal, y->ordinal});
}

/* The file's index makes the order unique. */
static int order_of_locals(const void *a, const void *b)
{
    const struct local_communicator *x = a, *y = b;
    int order = order_of_groups(x->record, y->record);

    return order != 0 ? order : NUCE_INT_ORDER({x->file, y->file});
}

/* Counters for the calls of one file, one for each of its communicators. Rounds are counted from
 * 0 in each epoch: rounds before a collective call cannot shift those after it. */
struct node_counts {
    int rounds, epoch; /* rounds in epoch */
    int collectives;
    int number; /* number of its communicator of all ranks */
};

/* Makes the nodes of all files, file by file; add_to_component relies on that order. */
static void make_nodes(struct nuce_join *join)
{
    int64_t count = 0;

    for (int i = 0; i < join->file_count; i++)
        count += join->files[i].call_count;
    join->nodes = nuce_allocate(count, sizeof *join->nodes);
    for (int file = 0; file < join->file_count; file++) {
        const struct nuce_raw_rank *rank = &join->files[file];
        struct node_counts *counts = nuce_allocate(rank->communicator_count, sizeof *counts);

        for (int i = 0; i < join->communicator_count; i++) {
            const struct nuce_join_communicator *communicator = &join->communicators[i];

            for (int k = 0; k < communicator->size; k++) {
                if (communicator->file[k] == file)
                    counts[communicator->local[k]].number = i;
            }
        }
        for (int64_t i = 0; i < rank->call_count; i++) {
            const struct nuce_raw_call *call = rank->calls[i];
            const struct nuce_raw_definition *definition = rank->definitions[call->definition - 1];
            const struct nuce_raw_message *message = nuce_raw_messages(definition);
            struct node_counts *its = &counts[definition->communicator];
            struct nuce_join_node *node = &join->nodes[join->node_count];

            *node = (struct nuce_join_node){
                .parent = join->node_count++,
                .call = call,
                .definition = definition,
                .file = file,
                .communicator = its->number,
                .own = rank->communicators[definition->communicator]->own,
            };
            if (definition->kind != NUCE_RAW_KIND_exchange) {
                node->ordinal = its->collectives++;
                continue;
            }
            if (call->epoch != its->epoch)
                its->rounds = 0;
            its->epoch = call->epoch;
            node->ordinal = its->rounds++;
            node->only_receives = 1;
            for (int k = 0; k < definition->count; k++, message++) {
                if (message->direction == NUCE_RAW_SEND)
                    node->only_receives = 0;
                else
                    node->has_any |= message->bytes != NUCE_RAW_KNOWN;
            }
        }
        free(counts);
    }
}

/* Orders by communicator, then by epoch; rounds of an epoch come before the collective call that
 * ends it. Times are not used, so the order of calls is the program's. */
static int order_of_parts(const void *a, const void *b)
{
    const struct nuce_join_part *x = a, *y = b;

    return NUCE_INT_ORDER({x->communicator, y->communicator}, {x->epoch, y->epoch},
                          {x->is_collective, y->is_collective}, {x->ordinal, y->ordinal},
                          {x->tie, y->tie}, {x->node, y->node});
}

int nuce_join_is_same(const struct nuce_join_part *a, const struct nuce_join_part *b)
{
    return a->communicator == b->communicator && a->epoch == b->epoch &&
           a->is_collective == b->is_collective && a->ordinal == b->ordinal && a->tie == b->tie;
}

/* Finds the local rounds that belong together. Sends and receives of one source, destination,
 * tag and communicator meet in a queue. Messages do not overtake each other (MPI 4.1, 3.5). So
 * the queue holds only sends or only receives, the oldest at its head. Rounds that meet are
 * united.
 *
 * Cost: about O(m) time for m messages (hashing, and union-find with halved paths), O(m log m)
 * for messages of rounds that only receive. Memory: an entry for each (source, destination,
 * tag), and 24 bytes for each waiting message. Few messages wait, because all ranks are
 * processed side by side. */

/* The queue of one (communicator, source, destination, tag). All waiting messages have the same
 * direction. */
struct meeting {
    /* Indices of the waiting list's elements; -1: none. */
    int64_t first, last; /* of waiting messages; -1: none */
    int direction;       /* of waiting messages */
};

/* A waiting message, or a free element; both are chained by next. */
struct waiting {
    int64_t node, next;
};

/* A message from the round of `sender` to the round of `receiver`, which only receives. */
struct reception {
    int64_t receiver, sender;
    int own; /* the sender's rank */
};

/* All queues. Elements of `waiting` are reused: first_free is the first free one. */
struct meetings {
    struct nuce_pair_map map; /* -> index in list */
    struct meeting *list;
    int64_t count, capacity;
    struct waiting *waiting;
    int64_t waiting_count, waiting_capacity, first_free;
    struct reception *receptions;
    int64_t reception_count, reception_capacity;
};

/* The root of the node's component, which is its first node. Shortens the path to it. */
static int64_t root_of(struct nuce_join *join, int64_t node)
{
    struct nuce_join_node *nodes = join->nodes;

    while (nodes[node].parent != node) {
        nodes[node].parent = nodes[nodes[node].parent].parent;
        node = nodes[node].parent;
    }
    return node;
}

/* Unites two components. The earlier root stays, so the root is the first node and does not
 * depend on the order of links. */
static void unite(struct nuce_join *join, int64_t a, int64_t b)
{
    a = root_of(join, a);
    b = root_of(join, b);
    if (a < b)
        join->nodes[b].parent = a;
    else
        join->nodes[a].parent = b;
}

static int order_of_receptions(const void *a, const void *b)
{
    const struct reception *x = a, *y = b;

    return NUCE_INT_ORDER({x->receiver, y->receiver}, {x->own, y->own}, {x->sender, y->sender});
}

/* Matches a message of the node with the oldest message that waits for it, or lets it wait.
 * Matched nodes are united, or noted for later if the receiver only receives. */
static void meet(struct nuce_join *join, struct meetings *meetings, int64_t number,
                 const struct nuce_raw_message *message)
{
    const struct nuce_join_node *node = &join->nodes[number];
    int is_send = message->direction == NUCE_RAW_SEND;
    uint32_t source = (uint32_t)(is_send ? node->own : message->peer);
    uint32_t destination = (uint32_t)(is_send ? message->peer : node->own);
    int64_t *index = nuce_pair_map_at(
        &meetings->map, ((uint64_t)source << 32) | destination,
        ((uint64_t)(uint32_t)node->communicator << 32) | (uint32_t)message->tag, -1);
    int64_t other, sender, receiver, place = meetings->first_free;
    struct meeting *meeting;

    if (*index < 0) {
        nuce_allocate_more((void **)&meetings->list, &meetings->capacity, meetings->count + 1,
                           sizeof *meetings->list);
        *index = meetings->count++;
        meetings->list[*index] = (struct meeting){.first = -1, .last = -1};
    }
    meeting = &meetings->list[*index];
    other = meeting->first;
    if (other < 0 || meeting->direction == message->direction) {
        /* The node waits at the end of the queue. */
        if (place >= 0) {
            meetings->first_free = meetings->waiting[place].next;
        } else {
            nuce_allocate_more((void **)&meetings->waiting, &meetings->waiting_capacity,
                               meetings->waiting_count + 1, sizeof *meetings->waiting);
            place = meetings->waiting_count++;
        }
        meetings->waiting[place] = (struct waiting){.node = number, .next = -1};
        if (other < 0)
            meeting->first = place;
        else
            meetings->waiting[meeting->last].next = place;
        meeting->last = place;
        meeting->direction = message->direction;
        return;
    }
    meeting->first = meetings->waiting[other].next;
    meetings->waiting[other].next = meetings->first_free;
    meetings->first_free = other;
    sender = is_send ? number : meetings->waiting[other].node;
    receiver = is_send ? meetings->waiting[other].node : number;
    if (!join->nodes[receiver].only_receives) {
        unite(join, sender, receiver);
        return;
    }
    nuce_allocate_more((void **)&meetings->receptions, &meetings->reception_capacity,
                       meetings->reception_count + 1, sizeof *meetings->receptions);
    meetings->receptions[meetings->reception_count++] =
        (struct reception){receiver, sender, join->nodes[sender].own};
}

static void link_nodes(struct nuce_join *join)
{
    struct meetings meetings = {.first_free = -1};
    int64_t *first = nuce_allocate((int64_t)join->file_count + 1, sizeof *first), count;
    struct nuce_pair_map firsts = {0};
    struct reception *all;
    int is_left = 1;

    for (int i = 0; i < join->file_count; i++)
        first[i + 1] = first[i] + join->files[i].call_count;
    /* The k-th nodes of all files, then the next: ranks that run alike meet soon, so few
     * messages wait at a time. */
    for (int64_t k = 0; is_left; k++) {
        is_left = 0;
        for (int i = 0; i < join->file_count; i++) {
            int64_t number = first[i] + k;
            const struct nuce_raw_definition *definition;

            if (number >= first[i + 1])
                continue;
            is_left = 1;
            definition = join->nodes[number].definition;
            for (int m = 0; definition->kind == NUCE_RAW_KIND_exchange && m < definition->count;
                 m++)
                meet(join, &meetings, number, &nuce_raw_messages(definition)[m]);
        }
    }
    /* Rounds that only receive are united with their senders' rounds, unless these are several
     * of one rank. */
    all = meetings.receptions;
    count = meetings.reception_count;
    if (count > 0)
        qsort(all, (size_t)count, sizeof *all, order_of_receptions);
    for (int64_t begin = 0, end; begin < count; begin = end) {
        int is_of_several = 0;

        for (end = begin + 1; end < count && all[end].receiver == all[begin].receiver; end++)
            is_of_several |=
                all[end].own == all[end - 1].own && all[end].sender != all[end - 1].sender;
        for (int64_t i = begin; i < end && !is_of_several; i++)
            unite(join, all[i].sender, all[i].receiver);
    }
    /* Messages that still wait have only one end. */
    for (int64_t i = 0; i < meetings.count; i++) {
        for (int64_t at = meetings.list[i].first; at >= 0; at = meetings.waiting[at].next) {
            join->nodes[meetings.waiting[at].node].is_unmatched = 1;
            join->unmatched++;
        }
    }
    /* The n-th collective call on a communicator is the same call on all ranks, because MPI
     * requires one order from all members. If the kinds differ nevertheless, a rank's file is
     * inconsistent. */
    for (int64_t i = 0; i < join->node_count; i++) {
        struct nuce_join_node *node = &join->nodes[i];
        int64_t *same;

        if (node->definition->kind == NUCE_RAW_KIND_exchange)
            continue;
        same = nuce_pair_map_at(&firsts, (uint64_t)node->communicator, (uint64_t)node->ordinal, i);
        unite(join, *same, i);
        node->is_mismatched = join->nodes[*same].definition->kind != node->definition->kind;
    }
    nuce_pair_map_fini(&firsts);
    nuce_pair_map_fini(&meetings.map);
    free(meetings.list);
    free(meetings.waiting);
    free(meetings.receptions);
    free(first);
}

/* Classifies components: exact rounds, merged ones, or messages of epochs.
 *
 * A component is the nodes that messages link. It is exact if each rank has one node in it and
 * every message has both ends. It is merged if a rank has several nodes or an end is missing.
 * Its messages are taken epoch by epoch if it spans epochs with several nodes of a rank, or if
 * one of its epochs is flagged (capture/raw.h has the reasons). Cost: O(nodes + messages +
 * flagged epochs). */

/* The properties of a component, stored at its root. */
struct component {
    int64_t members; /* nodes in it */
    /* least and greatest epoch of its nodes; least ordinal */
    int first_epoch, last_epoch, ordinal;
    int is_uneven;   /* its ranks disagree on its number among the rounds */
    int is_multiple; /* a rank has several nodes in it */
    /* last_own: the rank of the last added node; -1: none */
    int is_flagged, is_unmatched, is_mismatched, has_any, last_own;
};

/* Used for a source: there were several. */
#define SEVERAL (NUCE_RAW_MOST_RANKS - 1)

/* Finds receives from any source that might have come in another order. Such receives have one
 * tag and one epoch but different sources, and a rank saw them end between different sends.
 * Their epochs are flagged. A turn is a round that sends, or the receive-only rounds between two
 * such rounds. */
static void flag_swaps(struct nuce_join *join, struct nuce_pair_map *flags)
{
    int64_t *turns = nuce_allocate(join->communicator_count, sizeof *turns);
    struct nuce_pair_map last = {0}; /* (communicator, rank), (epoch, tag) -> turn and source */

    for (int64_t i = 0; i < join->node_count; i++) {
        const struct nuce_join_node *node = &join->nodes[i];
        const struct nuce_raw_message *message = nuce_raw_messages(node->definition);
        int64_t *turn = &turns[node->communicator];

        if (i > 0 && node->file != node[-1].file)
            memset(turns, 0, (size_t)join->communicator_count * sizeof *turns);
        if (node->definition->kind != NUCE_RAW_KIND_exchange)
            continue;
        *turn += node->only_receives ? *turn % 2 : 1 + *turn % 2;
        for (int k = 0; node->has_any && k < node->definition->count; k++, message++) {
            int epoch = node->call->epoch + message->epoch;
            int tag = message->bytes == NUCE_RAW_ANY ? -1 : message->tag;
            int64_t *before, source = message->peer;

            if (message->direction == NUCE_RAW_SEND || message->bytes == NUCE_RAW_KNOWN)
                continue;
            before = nuce_pair_map_at(
                &last, ((uint64_t)(uint32_t)node->communicator << 32) | (uint32_t)node->own,
                ((uint64_t)(uint32_t)epoch << 32) | (uint32_t)tag, -1);
            if (*before >= 0 && (*before % NUCE_RAW_MOST_RANKS != source || source == SEVERAL)) {
                if (*before / NUCE_RAW_MOST_RANKS == *turn)
                    source = SEVERAL;
                else
                    nuce_pair_map_at(flags, (uint64_t)node->communicator, (uint64_t)epoch, 1);
            }
            *before = *turn * NUCE_RAW_MOST_RANKS + source;
        }
    }
    free(turns);
    nuce_pair_map_fini(&last);
}

/* A lookup adds the pair with 0 to the map, which changes no result. */
static int is_flagged(struct nuce_pair_map *flags, int communicator, int epoch)
{
    return flags->count > 0 &&
           *nuce_pair_map_at(flags, (uint64_t)communicator, (uint64_t)epoch, 0) != 0;
}

static void add_part(struct nuce_join *join, const struct nuce_join_part *part)
{
    nuce_allocate_more((void **)&join->parts, &join->part_capacity, join->part_count + 1,
                       sizeof *part);
    join->parts[join->part_count++] = *part;
}

/* Makes one part for each epoch in which the node sent something, and one, of its first epoch,
 * for its time. `seen` has (node, epoch) of the parts so far. */
static void divide_by_epochs(struct nuce_join *join, int64_t number, struct nuce_pair_map *seen)
{
    const struct nuce_join_node *node = &join->nodes[number];
    struct nuce_join_part part = {
        .communicator = node->communicator,
        .epoch = node->call->epoch,
        .ordinal = -1,
        .node = number,
        .is_timed = 1,
        .quality = NUCE_CAPTURE_EPOCH,
    };

    add_part(join, &part);
    part.is_timed = 0;
    for (int i = 0; i < node->definition->count; i++) {
        const struct nuce_raw_message *message = &nuce_raw_messages(node->definition)[i];
        int64_t *times;

        if (message->epoch == 0 || message->direction != NUCE_RAW_SEND)
            continue;
        times = nuce_pair_map_at(seen, (uint64_t)number, (uint64_t)message->epoch, 0);
        part.only_epoch = message->epoch;
        part.epoch = node->call->epoch + message->epoch;
        if ((*times)++ == 0)
            add_part(join, &part);
    }
}

/* Works in two passes, because the parts of a node depend on its whole component: the first pass
 * adds up the components, the second divides the nodes. */
static void divide_nodes(struct nuce_join *join, int epochs)
{
    struct component *components = nuce_allocate(join->node_count, sizeof *components);
    struct nuce_pair_map flags = {0}, seen = {0};

    /* Each flagged (communicator, epoch), whichever member flagged it: its rounds may be
     * ambiguous for all members. */
    for (int i = 0; i < join->communicator_count; i++) {
        const struct nuce_join_communicator *communicator = &join->communicators[i];

        for (int k = 0; k < communicator->size; k++) {
            const struct nuce_raw_rank *file =
                communicator->file[k] < 0 ? NULL : &join->files[communicator->file[k]];

            for (int64_t f = 0; file != NULL && f < file->flags_count; f++) {
                const struct nuce_raw_flags *record = file->flags[f];

                for (int epoch = record->first;
                     record->communicator == communicator->local[k] && epoch <= record->last;
                     epoch++)
                    nuce_pair_map_at(&flags, (uint64_t)i, (uint64_t)epoch, 1);
            }
        }
    }
    flag_swaps(join, &flags);
    for (int64_t i = 0; i < join->node_count; i++) {
        const struct nuce_join_node *node = &join->nodes[i];
        const struct nuce_raw_message *messages = nuce_raw_messages(node->definition);
        struct component *its = &components[root_of(join, i)];
        int epoch = node->call->epoch;

        if (its->members++ == 0) {
            its->first_epoch = its->last_epoch = epoch;
            its->ordinal = node->ordinal;
            its->last_own = -1;
        }
        its->is_uneven |= epoch != its->first_epoch || node->ordinal != its->ordinal;
        its->first_epoch = epoch < its->first_epoch ? epoch : its->first_epoch;
        its->last_epoch = epoch > its->last_epoch ? epoch : its->last_epoch;
        its->ordinal = node->ordinal < its->ordinal ? node->ordinal : its->ordinal;
        /* Nodes come file by file, so nodes of one rank in a component are consecutive: last_own
         * is enough to detect them. */
        its->is_multiple |= its->last_own == node->own;
        its->last_own = node->own;
        its->has_any |= node->has_any;
        its->is_unmatched |= node->is_unmatched;
        its->is_mismatched |= node->is_mismatched;
        /* A flagged epoch counts if the node begins, sends or receives in it. */
        its->is_flagged |= is_flagged(&flags, node->communicator, epoch);
        for (int k = 0; flags.count > 0 && k < node->definition->count && !its->is_flagged; k++)
            its->is_flagged |= messages[k].epoch > 0 &&
                               is_flagged(&flags, node->communicator, epoch + messages[k].epoch);
    }
    for (int64_t i = 0; i < join->node_count; i++) {
        const struct nuce_join_node *node = &join->nodes[i];
        int64_t root = root_of(join, i);
        const struct component *component = &components[root];
        struct nuce_join_part part = {.communicator = node->communicator,
                                      .epoch = component->first_epoch,
                                      .node = i,
                                      .only_epoch = -1,
                                      .is_timed = 1};
        int is_exact;

        if (node->definition->kind != NUCE_RAW_KIND_exchange) {
            /* A collective call is exact if all members were seen in it, with calls of one kind.
             * A call of another kind than the first member's becomes a separate call. */
            is_exact = component->members == join->communicators[node->communicator].size &&
                       !component->is_mismatched;
            part.is_collective = 1;
            part.ordinal = node->ordinal;
            part.tie = node->is_mismatched ? i : 0;
        } else if (epochs || component->is_flagged ||
                   (component->is_multiple && component->first_epoch != component->last_epoch)) {
            divide_by_epochs(join, i, &seen);
            continue;
        } else {
            /* Components are put together (tie 0) if all of their ranks count them as the k-th
             * of the epoch. Ranks that exchange nothing in a round may still belong to one call.
             * Other components stay separate calls. So do components that received from any
             * source, because their place among the rounds depends on time. */
            is_exact = !component->is_multiple && !component->is_unmatched;
            part.ordinal = component->ordinal;
            part.tie = is_exact && !component->is_uneven && !component->has_any ? 0 : 1 + root;
        }
        part.quality = is_exact ? NUCE_CAPTURE_EXACT : NUCE_CAPTURE_MERGED;
        add_part(join, &part);
    }
    free(components);
    nuce_pair_map_fini(&flags);
    nuce_pair_map_fini(&seen);
}

void nuce_join_init(struct nuce_join *out, struct nuce_raw_rank *files, int count, int epochs)
{
    struct local_communicator *locals;
    int64_t local_count = 0, capacity = 0;

    *out = (struct nuce_join){.files = files, .file_count = count};
    /* Matches the communicators of the ranks' files: after sorting, equal ones are adjacent. */
    for (int i = 0; i < count; i++)
        local_count += files[i].communicator_count;
    locals = nuce_allocate(local_count, sizeof *locals);
    local_count = 0;
    for (int i = 0; i < count; i++) {
        for (int64_t k = 0; k < files[i].communicator_count; k++)
            locals[local_count++] = (struct local_communicator){files[i].communicators[k], i};
    }
    qsort(locals, (size_t)local_count, sizeof *locals, order_of_locals);
    for (int64_t i = 0; i < local_count; i++) {
        const struct nuce_raw_communicator *record = locals[i].record;
        struct nuce_join_communicator *owner;

        if (i == 0 || order_of_groups(locals[i - 1].record, record) != 0) {
            nuce_allocate_more((void **)&out->communicators, &capacity, out->communicator_count + 1,
                               sizeof *owner);
            owner = &out->communicators[out->communicator_count++];
            *owner = (struct nuce_join_communicator){.size = record->size,
                                                     .ordinal = record->ordinal,
                                                     .members = nuce_raw_members(record)};
            owner->file = nuce_allocate(record->size, sizeof *owner->file);
            owner->local = nuce_allocate(record->size, sizeof *owner->local);
            for (int k = 0; k < record->size; k++)
                owner->file[k] = -1;
        }
        owner = &out->communicators[out->communicator_count - 1];
        owner->file[record->own] = locals[i].file;
        owner->local[record->own] = record->id;
    }
    free(locals);
    make_nodes(out);
    link_nodes(out);
    divide_nodes(out, epochs);
    if (out->part_count > 0)
        qsort(out->parts, (size_t)out->part_count, sizeof *out->parts, order_of_parts);
}
