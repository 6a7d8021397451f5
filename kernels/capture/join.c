/* Communicators of all ranks, nodes, and the order of parts. join.h says what the problem is; the
 * links are in join_links.c, what becomes of components in join_divide.c.
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
#include "capture/join_links.h"

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

/* Adds a communicator of the record's members, of which no file is known yet. */
static void add_communicator(struct nuce_join *join, int64_t *capacity,
                             const struct nuce_raw_communicator *record)
{
    struct nuce_join_communicator *added;
    void *list = join->communicators;

    nuce_allocate_more(&list, capacity, join->communicator_count + 1, sizeof *added);
    join->communicators = list;
    added = &join->communicators[join->communicator_count++];
    *added = (struct nuce_join_communicator){
        .size = record->size, .ordinal = record->ordinal, .members = nuce_raw_members(record)};
    added->file = nuce_allocate(record->size, sizeof *added->file);
    added->local = nuce_allocate(record->size, sizeof *added->local);
    for (int i = 0; i < record->size; i++)
        added->file[i] = -1;
}

/* locals are in order: those of the same communicator are neighbours. */
static void group_locals(struct nuce_join *join, const struct local_communicator *locals,
                         int64_t count)
{
    int64_t capacity = 0;

    for (int64_t i = 0; i < count; i++) {
        const struct nuce_raw_communicator *record = locals[i].record;
        struct nuce_join_communicator *owner;

        if (i == 0 || order_of_groups(locals[i - 1].record, record) != 0)
            add_communicator(join, &capacity, record);
        owner = &join->communicators[join->communicator_count - 1];
        owner->file[record->own] = locals[i].file;
        owner->local[record->own] = record->id;
    }
}

static void join_communicators(struct nuce_join *join)
{
    struct local_communicator *locals;
    int64_t count = 0;

    for (int i = 0; i < join->file_count; i++)
        count += join->files[i].communicator_count;
    locals = nuce_allocate(count, sizeof *locals);
    count = 0;
    for (int i = 0; i < join->file_count; i++) {
        for (int64_t k = 0; k < join->files[i].communicator_count; k++)
            locals[count++] = (struct local_communicator){join->files[i].communicators[k], i};
    }
    qsort(locals, (size_t)count, sizeof *locals, order_of_locals);
    group_locals(join, locals, count);
    free(locals);
}

/* Which communicator of all ranks each of one file's is: a new array by the file's numbers; NULL
 * with *error. */
static int *numbers_of(const struct nuce_join *join, int file)
{
    int *numbers = nuce_allocate(join->files[file].communicator_count, sizeof *numbers);

    for (int i = 0; i < join->communicator_count; i++) {
        const struct nuce_join_communicator *communicator = &join->communicators[i];

        for (int k = 0; k < communicator->size; k++) {
            if (communicator->file[k] == file)
                numbers[communicator->local[k]] = i;
        }
    }
    return numbers;
}

/* Counters while the calls of one file are gone through, one for each of its communicators. Rounds
 * are counted anew in each epoch: what lies before a collective call cannot shift what comes after
 * it. */
struct node_counts {
    int rounds, epoch; /* rounds in epoch */
    int collectives;
};

static void look_at_messages(struct nuce_join_node *node)
{
    const struct nuce_raw_message *message = nuce_raw_messages(node->definition);

    node->only_receives = 1;
    for (int i = 0; i < node->definition->count; i++, message++) {
        if (message->direction == NUCE_RAW_SEND)
            node->only_receives = 0;
        else
            node->has_any |= message->bytes != NUCE_RAW_KNOWN;
    }
}

/* The calls of one file, in their order, as the next nodes. */
static void add_nodes(struct nuce_join *join, int file, const int *numbers,
                      struct node_counts *counts)
{
    const struct nuce_raw_rank *rank = &join->files[file];

    for (int64_t i = 0; i < rank->call_count; i++) {
        const struct nuce_raw_call *call = rank->calls[i];
        const struct nuce_raw_definition *definition = rank->definitions[call->definition - 1];
        struct node_counts *count = &counts[definition->communicator];
        struct nuce_join_node *node = &join->nodes[join->node_count];

        *node = (struct nuce_join_node){
            .parent = join->node_count,
            .call = call,
            .definition = definition,
            .file = file,
            .communicator = numbers[definition->communicator],
            .own = rank->communicators[definition->communicator]->own,
        };
        join->node_count++;
        if (definition->kind != NUCE_RAW_KIND_exchange) {
            node->ordinal = count->collectives++;
            continue;
        }
        if (call->epoch != count->epoch)
            *count = (struct node_counts){.epoch = call->epoch, .collectives = count->collectives};
        node->ordinal = count->rounds++;
        look_at_messages(node);
    }
}

/* Nodes of all files, file by file, which add_to_component relies on. */
static void make_nodes(struct nuce_join *join)
{
    int64_t count = 0;

    for (int i = 0; i < join->file_count; i++)
        count += join->files[i].call_count;
    join->nodes = nuce_allocate(count, sizeof *join->nodes);
    for (int i = 0; i < join->file_count; i++) {
        int *numbers = numbers_of(join, i);
        struct node_counts *counts =
            nuce_allocate(join->files[i].communicator_count, sizeof *counts);

        add_nodes(join, i, numbers, counts);
        free(numbers);
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
