/* largest-first: phases in which messages of similar size travel together.
 *
 * Problem: a phase lasts as long as its longest message, so long ones should share phases.
 * Steps: sort the messages by cost, the longest first; give each the first phase in which its
 * sender and its receiver are both free.
 * Cost: to build, O(m log m + m D / 64) for m messages, at most D of them from or to a rank. To
 * run, up to 2 D - 1 phases, on random patterns about 1.2 D, each of tau + phi times its longest.
 * Limits: if a few ranks have many small messages and others few large ones, few phases hold both,
 * but balance is ignored.
 * Source: first-fit edge colouring in the order of size; papers/ALGORITHMS.md, exchange ("unsplit
 * largest-first phases"). */
#include <limits.h>
#include <stdlib.h>

#include "schedules/phase_table.h"
#include "schedules/schedule.h"

static void largest_first_fill(const struct nuce_schedule_input *input,
                               struct nuce_schedule_builder *builder)
{
    struct nuce_ordered_message *messages;
    struct nuce_phase_table table;
    int64_t count;

    nuce_phase_table_longest_first(input->pattern, input->network, &messages, &count);
    nuce_phase_table_init(input->pattern, &table);
    /* First fit: each message gets the first phase in which both of its ports are free; there
     * always is one. */
    nuce_schedule_add_own(builder, input->pattern);
    for (int64_t i = 0; i < count; i++) {
        int source = messages[i].source;
        int64_t k = input->pattern->row[source] + messages[i].position;
        int receiver = input->pattern->ranks + input->pattern->destination[k];
        int phase = nuce_phase_table_common(&table, source, receiver, INT_MAX);

        nuce_phase_table_take(&table, source, phase, 0);
        nuce_phase_table_take(&table, receiver, phase, 0);
        nuce_schedule_add(builder, source, input->pattern->destination[k], phase, 0,
                          input->pattern->bytes[k]);
    }
    nuce_phase_table_fini(&table);
    free(messages);
}

const struct nuce_schedule_ops nuce_schedule_largest_first = {
    .name = "largest-first",
    .summary = "phases by first fit, the longest message first",
    .source = "first-fit edge colouring by size",
    .discipline = NUCE_LOCKSTEP,
    .fill = largest_first_fill,
};
