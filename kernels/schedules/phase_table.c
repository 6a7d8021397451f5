/* The common part of colourings: the order of their messages, and the table of phases. */
#include "schedules/phase_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"

/* The order in which colourings take messages. It is by cost and not by size: on an uneven network
 * a short message over a slow pair lasts longer than a long one over a fast pair.
 *
 * O(messages log messages), 16 bytes per message. A rank's message to itself uses no wire and is
 * excluded. */

/* Descending; equal ones in the order of the pattern, so that all ranks agree. */
static int longest_first_compare(const void *left, const void *right)
{
    const struct nuce_ordered_message *a = left, *b = right;

    if (a->seconds > b->seconds || a->seconds < b->seconds)
        return a->seconds > b->seconds ? -1 : 1;
    return NUCE_INT_ORDER({a->source, b->source}, {a->position, b->position});
}

void nuce_phase_table_longest_first(const struct nuce_pattern *pattern,
                                    const struct nuce_network *network,
                                    struct nuce_ordered_message **out, int64_t *count)
{
    struct nuce_ordered_message *messages = nuce_allocate(pattern->messages, sizeof *messages);
    int64_t found = 0;

    NUCE_EACH_MESSAGE (pattern, i, k) {
        int j = pattern->destination[k];

        if (j != i)
            messages[found++] = (struct nuce_ordered_message){
                nuce_network_seconds(network, i, j, pattern->bytes[k]), i,
                nuce_int(k - pattern->row[i])};
    }
    qsort(messages, (size_t)found, sizeof *messages, longest_first_compare);
    *out = messages;
    *count = found;
}

/* A port has a bit for each of the first phases, about as many as it has messages: most searches
 * end there, 64 phases at a time. All its phases, later ones too, are in a hash table of its own,
 * with open addressing and linear probing (Knuth, "The Art of Computer Programming" 3, 6.4), at
 * most half full. The hash is the phase itself, so a port with at least half as many messages as
 * there are phases has a plain table. */

#define WORD 64 /* phases per word */

void nuce_phase_table_fini(struct nuce_phase_table *table)
{
    free(table->degree);
    free(table->word); /* frees first, too */
    free(table->bits);
    free(table->slots);
    memset(table, 0, sizeof *table);
}

void nuce_phase_table_init(const struct nuce_pattern *pattern, struct nuce_phase_table *out)
{
    int ports = nuce_int(2 * (int64_t)pattern->ranks);
    struct nuce_phase_table table = {.ports = ports};

    table.degree = nuce_allocate(ports, sizeof *table.degree);
    table.word = nuce_allocate(2 * ((int64_t)ports + 1), sizeof *table.word);
    table.first = table.word + ports + 1;
    NUCE_EACH_MESSAGE (pattern, i, k) {
        if (pattern->destination[k] == i)
            continue;
        table.degree[i]++;
        table.degree[pattern->ranks + pattern->destination[k]]++;
    }
    for (int p = 0; p < ports; p++) {
        /* A power of two, at most half full; none for a port without messages. */
        int64_t slots = table.degree[p] > 0 ? 2 : 0;

        table.word[p + 1] = table.word[p] + (table.degree[p] + WORD - 1) / WORD;
        while (slots < 2 * (int64_t)table.degree[p])
            slots *= 2;
        table.first[p + 1] = table.first[p] + slots;
    }
    table.bits = nuce_allocate(table.word[ports], sizeof *table.bits);
    table.slots = nuce_allocate(table.first[ports], sizeof *table.slots);
    *out = table;
}

/* The slot of port that holds phase, or the empty one to put it into. */
static int64_t phase_table_locate(const struct nuce_phase_slot *slots, int64_t count, int phase)
{
    int64_t place = phase & (count - 1);

    while (slots[place].taken != 0 && slots[place].taken != phase + 1)
        place = (place + 1) & (count - 1);
    return place;
}

int nuce_phase_table_find(const struct nuce_phase_table *table, int port, int phase)
{
    const struct nuce_phase_slot *slots = table->slots + table->first[port];
    int64_t place = phase_table_locate(slots, table->first[port + 1] - table->first[port], phase);

    return slots[place].taken != 0 ? slots[place].value : -1;
}

/* Flips the bit of phase, if there is one. */
static void phase_table_turn(struct nuce_phase_table *table, int port, int phase)
{
    int64_t word = table->word[port] + phase / WORD;

    if (word < table->word[port + 1])
        table->bits[word] ^= UINT64_C(1) << phase % WORD;
}

/* The port must not have phase yet; nuce_phase_table_find returns value. */
void nuce_phase_table_take(struct nuce_phase_table *table, int port, int phase, int value)
{
    struct nuce_phase_slot *slots = table->slots + table->first[port];
    int64_t place = phase_table_locate(slots, table->first[port + 1] - table->first[port], phase);

    slots[place] = (struct nuce_phase_slot){phase + 1, value};
    phase_table_turn(table, port, phase);
}

/* Closes the gap by moving back entries that would no longer be found (Knuth, 6.4, algorithm R). */
void nuce_phase_table_release(struct nuce_phase_table *table, int port, int phase)
{
    struct nuce_phase_slot *slots = table->slots + table->first[port];
    int64_t mask = table->first[port + 1] - table->first[port] - 1;
    int64_t gap = phase_table_locate(slots, mask + 1, phase), place = gap;

    phase_table_turn(table, port, phase);
    for (;;) {
        int64_t home;

        place = (place + 1) & mask;
        if (slots[place].taken == 0)
            break;
        home = (slots[place].taken - 1) & mask;
        if (((place - home) & mask) >= ((place - gap) & mask)) {
            slots[gap] = slots[place];
            gap = place;
        }
    }
    slots[gap].taken = 0;
}

/* There is a free bit: a port has at least as many bits as messages, and callers ask only while a
 * message has no phase. */
int nuce_phase_table_first(const struct nuce_phase_table *table, int port)
{
    int64_t word = table->word[port];

    while (~table->bits[word] == 0)
        word++;
    return nuce_int((word - table->word[port]) * WORD + __builtin_ctzll(~table->bits[word]));
}

/* The bits of 64 phases from word on, as far as port has them; *known is true if it has. */
static uint64_t bits_of(const struct nuce_phase_table *table, int port, int64_t word, int *known)
{
    *known = table->word[port] + word < table->word[port + 1];
    return *known ? table->bits[table->word[port] + word] : 0;
}

/* Bits first. A candidate beyond the bits of one of the ports is looked up in that port's table. */
int nuce_phase_table_common(const struct nuce_phase_table *table, int a, int b, int limit)
{
    for (int64_t word = 0; word * WORD < limit; word++) {
        int known_a, known_b;
        uint64_t free_bits =
            ~(bits_of(table, a, word, &known_a) | bits_of(table, b, word, &known_b));

        for (; free_bits != 0; free_bits &= free_bits - 1) {
            int64_t phase = word * WORD + __builtin_ctzll(free_bits);

            if (phase >= limit)
                return -1;
            if ((known_a || nuce_phase_table_find(table, a, (int)phase) < 0) &&
                (known_b || nuce_phase_table_find(table, b, (int)phase) < 0))
                return (int)phase;
        }
    }
    return -1;
}
