/* Which local rounds belong together. Sends and receives of one source, destination, tag and
 * communicator meet in a queue: the oldest of those that came first, sends or receives, waits at
 * its head, for messages do not overtake each other (MPI 4.1, 3.5). Whoever meets is united.
 *
 * Cost: about O(m) time for m messages (hashing, and union-find with halved paths), O(m log m) for
 * those of rounds that only receive; memory for each (source, destination, tag), for what waits,
 * which is little as all ranks are gone through side by side, and 24 bytes for each of those. */
#include "capture/join_links.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "capture/pair_map.h"

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
    void *list = meetings->list;

    if (*index >= 0)
        return &meetings->list[*index];
    nuce_allocate_more(&list, &meetings->capacity, meetings->count + 1, sizeof *meetings->list);
    meetings->list = list;
    *index = meetings->count;
    meetings->list[meetings->count] = (struct meeting){.first = -1, .last = -1};
    return &meetings->list[meetings->count++];
}

/* The node waits at the end of the queue. */
static void wait_there(struct meetings *meetings, struct meeting *meeting, int64_t node)
{
    int64_t place = meetings->first_free;
    void *list = meetings->waiting;

    if (place >= 0) {
        meetings->first_free = meetings->waiting[place].next;
    } else {
        nuce_allocate_more(&list, &meetings->waiting_capacity, meetings->waiting_count + 1,
                           sizeof *meetings->waiting);
        meetings->waiting = list;
        place = meetings->waiting_count++;
    }
    meetings->waiting[place] = (struct waiting){.node = node, .next = -1};
    if (meeting->first < 0)
        meeting->first = place;
    else
        meetings->waiting[meeting->last].next = place;
    meeting->last = place;
}

/* Unites two rounds by a message; later, where the receiver only receives. */
static void link_rounds(struct nuce_join *join, struct meetings *meetings, int64_t sender,
                        int64_t receiver)
{
    void *list = meetings->receptions;

    if (!join->nodes[receiver].only_receives) {
        unite(join, sender, receiver);
        return;
    }
    nuce_allocate_more(&list, &meetings->reception_capacity, meetings->reception_count + 1,
                       sizeof *meetings->receptions);
    meetings->receptions = list;
    meetings->receptions[meetings->reception_count++] =
        (struct reception){receiver, sender, join->nodes[sender].own};
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

/* A message of the node: unites it with the oldest that waits for it, or lets it wait. */
static void meet(struct nuce_join *join, struct meetings *meetings, int64_t number,
                 const struct nuce_raw_message *message)
{
    const struct nuce_join_node *node = &join->nodes[number];
    int is_send = message->direction == NUCE_RAW_SEND;
    struct meeting *meeting =
        meeting_of(meetings, is_send ? node->own : message->peer,
                   is_send ? message->peer : node->own, message->tag, node->communicator);
    int64_t other;

    if (meeting->first < 0 || meeting->direction == message->direction) {
        meeting->direction = message->direction;
        wait_there(meetings, meeting, number);
        return;
    }
    other = meeting->first;
    meeting->first = meetings->waiting[other].next;
    meetings->waiting[other].next = meetings->first_free;
    meetings->first_free = other;
    link_rounds(join, meetings, is_send ? number : meetings->waiting[other].node,
                is_send ? meetings->waiting[other].node : number);
}

/* Those that still wait never met: their other end was not seen. */
static void note_unmatched(struct nuce_join *join, const struct meetings *meetings)
{
    for (int64_t i = 0; i < meetings->count; i++) {
        for (int64_t at = meetings->list[i].first; at >= 0; at = meetings->waiting[at].next) {
            join->nodes[meetings->waiting[at].node].is_unmatched = 1;
            join->unmatched++;
        }
    }
}

/* The index of the first node of each file, and one beyond the last: a new array; NULL with
 * *error. */
static int64_t *first_nodes(const struct nuce_join *join)
{
    int64_t *first = nuce_allocate((int64_t)join->file_count + 1, sizeof *first);

    for (int i = 0; i < join->file_count; i++)
        first[i + 1] = first[i] + join->files[i].call_count;
    return first;
}

/* Goes through the k-th nodes of all files, then the next: ranks that run alike meet soon, so that
 * few messages wait at a time. */
static void link_messages(struct nuce_join *join, struct meetings *meetings, const int64_t *first)
{
    int is_left = 1;

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
                meet(join, meetings, number, &nuce_raw_messages(definition)[m]);
        }
    }
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
    int64_t *first = first_nodes(join);

    link_messages(join, &meetings, first);
    link_receptions(join, &meetings);
    note_unmatched(join, &meetings);
    link_collectives(join);
    nuce_pair_map_fini(&meetings.map);
    free(meetings.list);
    free(meetings.waiting);
    free(meetings.receptions);
    free(first);
}
