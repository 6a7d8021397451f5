/* What the components are: exact rounds, merged ones, or messages of epochs.
 *
 * A component is the nodes that messages link. It is exact where each rank has one node in it and
 * every message both ends; merged where a rank has several or an end is missing; and where it spans
 * epochs with several nodes of a rank, or an epoch in it is flagged (capture/raw.h says why), its
 * messages are taken epoch by epoch instead. Cost: O(nodes + messages + flagged epochs). */
#include "capture/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "capture/builder.h"

/* What is known of a component, by its root. */
struct component {
    int64_t members; /* nodes in it */
    /* least and most of its nodes' epochs; least ordinal */
    int first_epoch, last_epoch, ordinal;
    int is_uneven;   /* its ranks do not agree on which round it is */
    int is_multiple; /* of a rank there are several */
    /* last_own: the rank of the node that was added last; -1: none */
    int is_flagged, is_unmatched, is_mismatched, has_any, last_own;
};

/* Puts each flagged (communicator, epoch) into the map, whichever member flagged it: its rounds may
 * be undecided for all. */
static void collect_flags(struct nuce_join *join, struct nuce_pair_map *flags)
{
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
                    nuce_pair_map_at(flags, (uint64_t)i, (uint64_t)epoch, 1);
            }
        }
    }
}

/* In place of a source: there were several. */
#define SEVERAL (NUCE_RAW_MOST_RANKS - 1)

/* Receives from any source with one tag that a rank saw end between different sends of its, from
 * different sources and in one epoch: they might have come the other way round. Flags those epochs.
 * A turn is a round that sends, or those that only receive between two such. */
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

/* Asking adds the pair with 0 to the map, which changes nothing. */
static int is_flagged(struct nuce_pair_map *flags, int communicator, int epoch)
{
    return flags->count > 0 &&
           *nuce_pair_map_at(flags, (uint64_t)communicator, (uint64_t)epoch, 0) != 0;
}

/* Whether an epoch that the node begins in, or sends or receives in, is flagged. */
static int touches_flagged(struct nuce_pair_map *flags, const struct nuce_join_node *node)
{
    const struct nuce_raw_message *messages = nuce_raw_messages(node->definition);

    if (is_flagged(flags, node->communicator, node->call->epoch))
        return 1;
    for (int i = 0; flags->count > 0 && i < node->definition->count; i++) {
        if (messages[i].epoch > 0 &&
            is_flagged(flags, node->communicator, node->call->epoch + messages[i].epoch))
            return 1;
    }
    return 0;
}

/* Nodes come in their order, file by file, so several nodes of one rank in a component come one
 * after the other: last_own is enough to see them. */
static void add_to_component(struct component *component, const struct nuce_join_node *node,
                             int flagged)
{
    int epoch = node->call->epoch;

    if (component->members++ == 0) {
        component->first_epoch = component->last_epoch = epoch;
        component->ordinal = node->ordinal;
        component->last_own = -1;
    }
    component->is_uneven |= epoch != component->first_epoch || node->ordinal != component->ordinal;
    component->first_epoch = epoch < component->first_epoch ? epoch : component->first_epoch;
    component->last_epoch = epoch > component->last_epoch ? epoch : component->last_epoch;
    component->ordinal = node->ordinal < component->ordinal ? node->ordinal : component->ordinal;
    /* Nodes come file by file. */
    component->is_multiple |= component->last_own == node->own;
    component->last_own = node->own;
    component->is_flagged |= flagged;
    component->has_any |= node->has_any;
    component->is_unmatched |= node->is_unmatched;
    component->is_mismatched |= node->is_mismatched;
}

static void add_part(struct nuce_join *join, const struct nuce_join_part *part)
{
    nuce_allocate_more((void **)&join->parts, &join->part_capacity, join->part_count + 1,
                       sizeof *part);
    join->parts[join->part_count++] = *part;
}

/* One part for each epoch in which the node sent anything, and one, of its first epoch, for its
 * time. `seen` has (node, epoch) of parts that were added. */
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

/* Two passes, as what becomes of a node depends on all of its component: the first one adds up the
 * components, the second one divides the nodes. */
void nuce_join_divide(struct nuce_join *join, int epochs)
{
    struct component *components = nuce_allocate(join->node_count, sizeof *components);
    struct nuce_pair_map flags = {0}, seen = {0};

    collect_flags(join, &flags);
    flag_swaps(join, &flags);
    for (int64_t i = 0; i < join->node_count; i++)
        add_to_component(&components[nuce_join_root(join, i)], &join->nodes[i],
                         touches_flagged(&flags, &join->nodes[i]));
    for (int64_t i = 0; i < join->node_count; i++) {
        const struct nuce_join_node *node = &join->nodes[i];
        int64_t root = nuce_join_root(join, i);
        const struct component *component = &components[root];
        struct nuce_join_part part = {.communicator = node->communicator,
                                      .epoch = component->first_epoch,
                                      .node = i,
                                      .only_epoch = -1,
                                      .is_timed = 1};
        int is_exact;

        if (node->definition->kind != NUCE_RAW_KIND_exchange) {
            /* A collective call is exact if all members were seen in it, with calls of one kind. A
             * call of another kind than the first member's is a call of its own. */
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
            /* Where each rank says that it is the k-th of its epoch, all components of which that
             * is true are put together (tie 0): ranks that do not talk to each other in a round are
             * of the same call all the same. Others stay calls of their own, as do those that took
             * what came first: which of its rounds it is depends on time. */
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
