/* Communicators of all ranks, nodes, their links, and the order of parts. join.h says what the
 * problem is; what becomes of components is in join_divide.c.
 *
 * Steps: find which communicators of the ranks' files are one (same members, same ordinal); make a
 * node of each call of each file; link nodes; make parts of components; sort them.
 *
 * Cost: O(n log n + m) time for n nodes with m messages, 72 bytes for each node and 56 for each
 * part. */
#include "capture/join.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
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

/* Large ones first, so that the world is number 0; then by members and ordinal. 0: they are the
 * same communicator. */
static int order_of_groups(const struct nuce_raw_communicator *x,
                           const struct nuce_raw_communicator *y)
{
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    for (int i = 0; i < x->size; i++) {
        int a = nuce_raw_members(x)[i], b = nuce_raw_members(y)[i];

        if (a != b)
            return a < b ? -1 : 1;
    }
    return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

/* The file's index makes the order one that depends on nothing else. */
static int order_of_locals(const void *a, const void *b)
{
    const struct local_communicator *x = a, *y = b;
    int order = order_of_groups(x->record, y->record);

    return order != 0 ? order : (x->file > y->file) - (x->file < y->file);
}

/* Which communicators of the ranks' files are one: sorted, those are neighbours. */
static void join_communicators(struct nuce_join *join)
{
    struct local_communicator *locals;
    int64_t count = 0, capacity = 0;

    for (int i = 0; i < join->file_count; i++)
        count += join->files[i].communicator_count;
    locals = nuce_allocate(count, sizeof *locals);
    count = 0;
    for (int i = 0; i < join->file_count; i++) {
        for (int64_t k = 0; k < join->files[i].communicator_count; k++)
            locals[count++] = (struct local_communicator){join->files[i].communicators[k], i};
    }
    qsort(locals, (size_t)count, sizeof *locals, order_of_locals);
    for (int64_t i = 0; i < count; i++) {
        const struct nuce_raw_communicator *record = locals[i].record;
        struct nuce_join_communicator *owner;

        if (i == 0 || order_of_groups(locals[i - 1].record, record) != 0) {
            nuce_allocate_more((void **)&join->communicators, &capacity,
                               join->communicator_count + 1, sizeof *owner);
            owner = &join->communicators[join->communicator_count++];
            *owner = (struct nuce_join_communicator){.size = record->size,
                                                     .ordinal = record->ordinal,
                                                     .members = nuce_raw_members(record)};
            owner->file = nuce_allocate(record->size, sizeof *owner->file);
            owner->local = nuce_allocate(record->size, sizeof *owner->local);
            for (int k = 0; k < record->size; k++)
                owner->file[k] = -1;
        }
        owner = &join->communicators[join->communicator_count - 1];
        owner->file[record->own] = locals[i].file;
        owner->local[record->own] = record->id;
    }
    free(locals);
}

/* Counters while the calls of one file are gone through, one for each of its communicators. Rounds
 * are counted anew in each epoch: what lies before a collective call cannot shift what comes after
 * it. */
struct node_counts {
    int rounds, epoch; /* rounds in epoch */
    int collectives;
    int number; /* of the communicator of all ranks that this one is */
};

/* The calls of one file, in their order, as the next nodes. */
static void add_nodes(struct nuce_join *join, int file, struct node_counts *counts)
{
    const struct nuce_raw_rank *rank = &join->files[file];

    for (int64_t i = 0; i < rank->call_count; i++) {
        const struct nuce_raw_call *call = rank->calls[i];
        const struct nuce_raw_definition *definition = rank->definitions[call->definition - 1];
        const struct nuce_raw_message *message = nuce_raw_messages(definition);
        struct node_counts *count = &counts[definition->communicator];
        struct nuce_join_node *node = &join->nodes[join->node_count];

        *node = (struct nuce_join_node){
            .parent = join->node_count++,
            .call = call,
            .definition = definition,
            .file = file,
            .communicator = count->number,
            .own = rank->communicators[definition->communicator]->own,
        };
        if (definition->kind != NUCE_RAW_KIND_exchange) {
            node->ordinal = count->collectives++;
            continue;
        }
        if (call->epoch != count->epoch)
            count->rounds = 0;
        count->epoch = call->epoch;
        node->ordinal = count->rounds++;
        node->only_receives = 1;
        for (int k = 0; k < definition->count; k++, message++) {
            if (message->direction == NUCE_RAW_SEND)
                node->only_receives = 0;
            else
                node->has_any |= message->bytes != NUCE_RAW_KNOWN;
        }
    }
}

/* Nodes of all files, file by file, which add_to_component relies on. */
static void make_nodes(struct nuce_join *join)
{
    int64_t count = 0;

    for (int i = 0; i < join->file_count; i++)
        count += join->files[i].call_count;
    join->nodes = nuce_allocate(count, sizeof *join->nodes);
    for (int file = 0; file < join->file_count; file++) {
        struct node_counts *counts =
            nuce_allocate(join->files[file].communicator_count, sizeof *counts);

        for (int i = 0; i < join->communicator_count; i++) {
            const struct nuce_join_communicator *communicator = &join->communicators[i];

            for (int k = 0; k < communicator->size; k++) {
                if (communicator->file[k] == file)
                    counts[communicator->local[k]].number = i;
            }
        }
        add_nodes(join, file, counts);
        free(counts);
    }
}

/* Communicator by communicator, in the order of its epochs; rounds of an epoch before the
 * collective call that ends it; no time is looked at, so that the order of calls is that of the
 * program. */
static int order_of_parts(const void *a, const void *b)
{
    const struct nuce_join_part *x = a, *y = b;

    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    if (x->epoch != y->epoch)
        return x->epoch < y->epoch ? -1 : 1;
    if (x->is_collective != y->is_collective)
        return x->is_collective < y->is_collective ? -1 : 1;
    if (x->ordinal != y->ordinal)
        return x->ordinal < y->ordinal ? -1 : 1;
    if (x->tie != y->tie)
        return x->tie < y->tie ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

int nuce_join_is_same(const struct nuce_join_part *a, const struct nuce_join_part *b)
{
    return a->communicator == b->communicator && a->epoch == b->epoch &&
           a->is_collective == b->is_collective && a->ordinal == b->ordinal && a->tie == b->tie;
}

void nuce_join_init(struct nuce_join *out, struct nuce_raw_rank *files, int count, int epochs)
{
    *out = (struct nuce_join){.files = files, .file_count = count};
    join_communicators(out);
    make_nodes(out);
    nuce_join_link(out);
    nuce_join_divide(out, epochs);
    if (out->part_count > 0)
        qsort(out->parts, (size_t)out->part_count, sizeof *out->parts, order_of_parts);
}

/* Which local rounds belong together. Sends and receives of one source, destination, tag and
 * communicator meet in a queue: the oldest of those that came first, sends or receives, waits at
 * its head, for messages do not overtake each other (MPI 4.1, 3.5). Whoever meets is united.
 *
 * Cost: about O(m) time for m messages (hashing, and union-find with halved paths), O(m log m) for
 * those of rounds that only receive; memory for each (source, destination, tag), for what waits,
 * which is little as all ranks are gone through side by side, and 24 bytes for each of those. */

/* The queue of one (communicator, source, destination, tag). Those that wait are all of one
 * direction. */
struct meeting {
    /* Indices of the waiting list's elements; -1: nobody waits. */
    int64_t first, last; /* of those that wait; -1: nobody */
    int direction;       /* of those that wait */
};

/* Somebody who waits, or a free element; both are chained by next. */
struct waiting {
    int64_t node, next;
};

/* A message that the round of `receiver`, which only receives, got from the round of `sender`. */
struct reception {
    int64_t receiver, sender;
    int own; /* the sender's rank */
};

/* All queues. Elements of `waiting` are used again: first_free is the first of those. */
struct meetings {
    struct nuce_pair_map map; /* -> index in list */
    struct meeting *list;
    int64_t count, capacity;
    struct waiting *waiting;
    int64_t waiting_count, waiting_capacity, first_free;
    struct reception *receptions;
    int64_t reception_count, reception_capacity;
};

int64_t nuce_join_root(struct nuce_join *join, int64_t node)
{
    struct nuce_join_node *nodes = join->nodes;

    while (nodes[node].parent != node) {
        nodes[node].parent = nodes[nodes[node].parent].parent;
        node = nodes[node].parent;
    }
    return node;
}

/* Unites two components. The earlier root stays, so that the root is the first node and does not
 * depend on the order of links. */
static void unite(struct nuce_join *join, int64_t a, int64_t b)
{
    a = nuce_join_root(join, a);
    b = nuce_join_root(join, b);
    if (a < b)
        join->nodes[b].parent = a;
    else
        join->nodes[a].parent = b;
}

/* The queue, found or made. Valid until the next is made. */
static struct meeting *meeting_of(struct meetings *meetings, int source, int destination, int tag,
                                  int communicator)
{
    int64_t *index =
        nuce_pair_map_at(&meetings->map, ((uint64_t)(uint32_t)source << 32) | (uint32_t)destination,
                         ((uint64_t)(uint32_t)communicator << 32) | (uint32_t)tag, -1);

    if (*index >= 0)
        return &meetings->list[*index];
    nuce_allocate_more((void **)&meetings->list, &meetings->capacity, meetings->count + 1,
                       sizeof *meetings->list);
    *index = meetings->count;
    meetings->list[meetings->count] = (struct meeting){.first = -1, .last = -1};
    return &meetings->list[meetings->count++];
}

/* The node waits at the end of the queue. */
static void wait_there(struct meetings *meetings, struct meeting *meeting, int64_t node)
{
    int64_t place = meetings->first_free;

    if (place >= 0) {
        meetings->first_free = meetings->waiting[place].next;
    } else {
        nuce_allocate_more((void **)&meetings->waiting, &meetings->waiting_capacity,
                           meetings->waiting_count + 1, sizeof *meetings->waiting);
        place = meetings->waiting_count++;
    }
    meetings->waiting[place] = (struct waiting){.node = node, .next = -1};
    if (meeting->first < 0)
        meeting->first = place;
    else
        meetings->waiting[meeting->last].next = place;
    meeting->last = place;
}

static int order_of_receptions(const void *a, const void *b)
{
    const struct reception *x = a, *y = b;

    if (x->receiver != y->receiver)
        return x->receiver < y->receiver ? -1 : 1;
    if (x->own != y->own)
        return x->own < y->own ? -1 : 1;
    return (x->sender > y->sender) - (x->sender < y->sender);
}

/* Rounds that only receive are united with their senders', unless these are several of one rank. */
static void link_receptions(struct nuce_join *join, const struct meetings *meetings)
{
    struct reception *all = meetings->receptions;
    int64_t count = meetings->reception_count;

    if (count > 0)
        qsort(all, (size_t)count, sizeof *all, order_of_receptions);
    for (int64_t first = 0, end; first < count; first = end) {
        int is_of_several = 0;

        for (end = first + 1; end < count && all[end].receiver == all[first].receiver; end++)
            is_of_several |=
                all[end].own == all[end - 1].own && all[end].sender != all[end - 1].sender;
        for (int64_t i = first; i < end && !is_of_several; i++)
            unite(join, all[i].sender, all[i].receiver);
    }
}

/* A message of the node: unites it with the oldest that waits for it, later where the receiver only
 * receives; or lets it wait. */
static void meet(struct nuce_join *join, struct meetings *meetings, int64_t number,
                 const struct nuce_raw_message *message)
{
    const struct nuce_join_node *node = &join->nodes[number];
    int is_send = message->direction == NUCE_RAW_SEND;
    struct meeting *meeting =
        meeting_of(meetings, is_send ? node->own : message->peer,
                   is_send ? message->peer : node->own, message->tag, node->communicator);
    int64_t other = meeting->first, sender, receiver;

    if (other < 0 || meeting->direction == message->direction) {
        meeting->direction = message->direction;
        wait_there(meetings, meeting, number);
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

/* The n-th collective call on a communicator is the same call on all ranks, for MPI wants all
 * members to make them in one order; where kinds differ all the same, a rank's file is not what it
 * seems. */
static void link_collectives(struct nuce_join *join)
{
    struct nuce_pair_map firsts = {0};

    for (int64_t i = 0; i < join->node_count; i++) {
        struct nuce_join_node *node = &join->nodes[i];
        int64_t *first;

        if (node->definition->kind == NUCE_RAW_KIND_exchange)
            continue;
        first = nuce_pair_map_at(&firsts, (uint64_t)node->communicator, (uint64_t)node->ordinal, i);
        unite(join, *first, i);
        node->is_mismatched = join->nodes[*first].definition->kind != node->definition->kind;
    }
    nuce_pair_map_fini(&firsts);
}

void nuce_join_link(struct nuce_join *join)
{
    struct meetings meetings = {.first_free = -1};
    int64_t *first = nuce_allocate((int64_t)join->file_count + 1, sizeof *first);
    int is_left = 1;

    for (int i = 0; i < join->file_count; i++)
        first[i + 1] = first[i] + join->files[i].call_count;
    /* The k-th nodes of all files, then the next: ranks that run alike meet soon, so that few
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
    link_receptions(join, &meetings);
    /* Of those that still wait the other end was not seen. */
    for (int64_t i = 0; i < meetings.count; i++) {
        for (int64_t at = meetings.list[i].first; at >= 0; at = meetings.waiting[at].next) {
            join->nodes[meetings.waiting[at].node].is_unmatched = 1;
            join->unmatched++;
        }
    }
    link_collectives(join);
    nuce_pair_map_fini(&meetings.map);
    free(meetings.list);
    free(meetings.waiting);
    free(meetings.receptions);
    free(first);
}
