/* The table of definitions, found by their sums.
 *
 * A program repeats few rounds often. A round or call is looked up by its sum in O(its
 * messages); only a new one is sorted and written, in O(messages log messages). Memory of the
 * table: 24 bytes a slot, of which at most half are in use; the messages themselves are only in
 * the file. */
#include "capture/definitions.h"

#include <stdlib.h>
#include <string.h>

/* Slots of a new table; a power of 2, as is every later size, so the low bits of a sum give a
 * slot. */
#define LEAST_DEFINITIONS 64

/* Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, the finaliser of
 * SplitMix64. */
static uint64_t recorder_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Messages are added up, so their order does not matter: posts of a round may come in any order.
 * All five numbers of the message go through the mixer together. The second sum mixes once more,
 * so that the two are independent. */
void nuce_recorder_sum_add(struct nuce_recorder_sum *sum, const struct nuce_raw_message *message)
{
    uint64_t who = ((uint64_t)(uint32_t)message->peer << 32) | (uint32_t)message->tag;
    uint64_t how = ((uint64_t)(uint32_t)message->epoch << 1) | (uint64_t)message->direction;
    uint64_t mixed =
        recorder_mix(who + recorder_mix((uint64_t)message->bytes ^ recorder_mix(how + 1)));

    sum->a += mixed;
    sum->b += recorder_mix(mixed + UINT64_C(0x9e3779b97f4a7c15));
}

/* Sends before receives, then by peer, tag, epoch and bytes: the same order for every rank. */
static int message_order(const void *a, const void *b)
{
    const struct nuce_raw_message *x = a, *y = b;

    if (x->direction != y->direction)
        return x->direction < y->direction ? -1 : 1;
    if (x->peer != y->peer)
        return x->peer < y->peer ? -1 : 1;
    if (x->tag != y->tag)
        return x->tag < y->tag ? -1 : 1;
    if (x->epoch != y->epoch)
        return x->epoch < y->epoch ? -1 : 1;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* The entry of that sum, or the free entry where it belongs. One exists, because the table is
 * never full. */
static struct nuce_recorder_definition *
definition_at(const struct nuce_recorder_definitions *definitions, struct nuce_recorder_sum sum)
{
    uint64_t mask = (uint64_t)definitions->capacity - 1, at = sum.a & mask;

    while (definitions->entries[at].id != 0 &&
           (definitions->entries[at].sum.a != sum.a || definitions->entries[at].sum.b != sum.b))
        at = (at + 1) & mask;
    return &definitions->entries[at];
}

/* Communicator, kind and bytes go into the sum as one message more: equal rounds of two
 * communicators are two definitions. id is the number of stored definitions, from 1. */
int nuce_recorder_define(struct nuce_recorder_definitions *definitions,
                         struct nuce_raw_writer *writer, struct nuce_recorder_sum sum,
                         int communicator, int kind, int64_t bytes,
                         const struct nuce_raw_message *messages, int64_t place, int count)
{
    struct nuce_raw_message about = {.peer = communicator, .tag = kind, .bytes = bytes};
    struct nuce_recorder_definition *entry;
    struct nuce_raw_definition *record;

    nuce_recorder_sum_add(&sum, &about);
    /* At most half of the table is in use. */
    if (2 * (definitions->count + 1) > definitions->capacity) {
        struct nuce_recorder_definitions larger = {
            .count = definitions->count,
            .capacity = definitions->capacity == 0 ? LEAST_DEFINITIONS : 2 * definitions->capacity};

        larger.entries = calloc((size_t)larger.capacity, sizeof *larger.entries);
        if (larger.entries == NULL) {
            writer->header->counters[NUCE_RAW_FULL]++;
            return 0;
        }
        for (int i = 0; i < definitions->capacity; i++) {
            if (definitions->entries[i].id != 0)
                *definition_at(&larger, definitions->entries[i].sum) = definitions->entries[i];
        }
        free(definitions->entries);
        *definitions = larger;
    }
    entry = definition_at(definitions, sum);
    if (entry->id != 0)
        return entry->id;
    record = nuce_raw_reserve(writer, NUCE_RAW_DEFINITION,
                              (int64_t)sizeof *record + count * (int64_t)sizeof *messages);
    if (record == NULL)
        return 0;
    record->id = definitions->count + 1;
    record->communicator = communicator;
    record->kind = kind;
    record->count = count;
    record->bytes = bytes;
    /* Only now: reserving may have moved the file. */
    if (messages == NULL)
        messages = nuce_raw_at(writer, place);
    if (count > 0) {
        memcpy(record + 1, messages, (size_t)count * sizeof *messages);
        qsort(record + 1, (size_t)count, sizeof *messages, message_order);
    }
    nuce_raw_commit(writer);
    *entry = (struct nuce_recorder_definition){.sum = sum, .id = ++definitions->count};
    return entry->id;
}
