/* Chains in one array of entries. A removal is O(length of a chain), which is one unless several
 * requests share a handle.
 *
 * Adding and finding are O(1) on average; removed entries are reused. Memory: 104 bytes an entry
 * with its chain, for up to twice the greatest number of active requests. */
#include "capture/request_table.h"

#include <stdlib.h>
#include <string.h>

/* A power of 2, as is every later size: there are as many chains as entries. */
#define LEAST_ENTRIES 256

void nuce_request_table_fini(struct nuce_request_table *table)
{
    free(table->entries);
    free(table->heads);
    *table = (struct nuce_request_table){0};
}

/* Handles are addresses or small numbers; the high bits of a product depend on all of their
 * bits. */
static int *chain_of(const struct nuce_request_table *table, uint64_t handle)
{
    uint64_t mixed = handle * UINT64_C(0x9e3779b97f4a7c15);

    return &table->heads[(mixed >> 32) & (uint64_t)(table->chains - 1)];
}

/* Doubles the room and rebuilds the chains, oldest last as before. Returns 0, or -1 if memory
 * runs out; the table is then unchanged. */
static int enlarge(struct nuce_request_table *table)
{
    int capacity = table->capacity == 0 ? LEAST_ENTRIES : 2 * table->capacity;
    struct nuce_request *entries =
        capacity > 0 ? realloc(table->entries, (size_t)capacity * sizeof *entries) : NULL;
    int *heads;

    if (entries == NULL)
        return -1;
    table->entries = entries;
    heads = calloc((size_t)capacity, sizeof *heads);
    if (heads == NULL)
        return -1;
    for (int old = 0; old < table->chains; old++) {
        int reversed = 0;

        for (int at = table->heads[old], next; at != 0; at = next) {
            next = entries[at].next;
            entries[at].next = reversed;
            reversed = at;
        }
        for (int at = reversed, next; at != 0; at = next) {
            uint64_t mixed = entries[at].handle * UINT64_C(0x9e3779b97f4a7c15);
            int *head = &heads[(mixed >> 32) & (uint64_t)(capacity - 1)];

            next = entries[at].next;
            entries[at].next = *head;
            *head = at;
        }
    }
    free(table->heads);
    table->heads = heads;
    table->chains = capacity;
    table->capacity = capacity;
    if (table->count == 0)
        table->count = 1; /* entry 0 is not used */
    return 0;
}

/* New entries go to the head of the chain, so the oldest is last. */
struct nuce_request *nuce_request_table_add(struct nuce_request_table *table, uint64_t handle)
{
    int number = table->first_free, *head;

    if (number == 0 && table->count == table->capacity && enlarge(table) != 0)
        return NULL;
    if (number != 0)
        table->first_free = table->entries[number].next;
    else
        number = table->count++;
    head = chain_of(table, handle);
    table->entries[number] =
        (struct nuce_request){.handle = handle, .next = *head, .thread = table->thread};
    *head = number;
    return &table->entries[number];
}

/* Reads the whole chain, because the oldest is last. */
struct nuce_request *nuce_request_table_find(const struct nuce_request_table *table,
                                             uint64_t handle)
{
    struct nuce_request *found = NULL;
    int best = 0;

    if (table->chains == 0)
        return NULL;
    for (int at = *chain_of(table, handle); at != 0; at = table->entries[at].next) {
        struct nuce_request *entry = &table->entries[at];

        int fit = 2 * entry->is_active + (entry->thread == table->thread);

        if (entry->handle == handle && (found == NULL || fit >= best)) {
            found = entry;
            best = fit;
        }
    }
    return found;
}

/* request is an entry of the table; pointers to other entries stay valid. */
void nuce_request_table_remove(struct nuce_request_table *table, struct nuce_request *request)
{
    int number = (int)(request - table->entries), *link = chain_of(table, request->handle);

    while (*link != number)
        link = &table->entries[*link].next;
    *link = request->next;
    request->next = table->first_free;
    table->first_free = number;
}
