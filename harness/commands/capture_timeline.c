/* Stamps of calls as a table: a row for each rank in each call, by start. start_ns counts by rank
 * 0's clock since the first rank began; a call that was not seen to end has no duration, and a rank
 * that had no part in a call no row. */
#include "commands/capture_timeline.h"

#include <stdlib.h>

#include "base/allocate.h"

static const char *const timeline_columns[] = {
    "start_ns", "duration_ns", "rank", "communicator", "call", "pattern", "kind",
};
enum { TIMELINE_COLUMNS = sizeof timeline_columns / sizeof *timeline_columns };

/* A rank in a call. */
struct timeline_entry {
    const struct nuce_capture_stamp *stamp;
    int rank, communicator, pattern;
    int64_t call; /* of the communicator, from 1 on */
};

/* By start; what began in one nanosecond stays in a fixed order, so that the same capture gives the
 * same table. */
static int order_of_entries(const void *a, const void *b)
{
    const struct timeline_entry *x = a, *y = b;

    if (x->stamp->start_ns != y->stamp->start_ns)
        return x->stamp->start_ns < y->stamp->start_ns ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->communicator != y->communicator)
        return x->communicator - y->communicator;
    return (x->call > y->call) - (x->call < y->call);
}

/* Those of a communicator's calls, behind *count; there is room. */
static void add_entries(const struct nuce_capture *capture, int number,
                        struct timeline_entry *entries, int64_t *count)
{
    const struct nuce_capture_communicator *communicator = &capture->communicator[number];
    const struct nuce_capture_sequence *sequence = &capture->sequence[number];
    int *patterns = nuce_capture_sequence_calls(sequence);

    for (int64_t call = 0; call < sequence->count; call++) {
        for (int i = 0; i < communicator->size; i++) {
            const struct nuce_capture_stamp *stamp =
                &sequence->stamp[call * communicator->size + i];

            if (stamp->start_ns >= 0)
                entries[(*count)++] = (struct timeline_entry){.stamp = stamp,
                                                              .rank = communicator->members[i],
                                                              .communicator = number,
                                                              .pattern = patterns[call],
                                                              .call = call + 1};
        }
    }
    free(patterns);
}

/* In the order of timeline_columns. */
static void add_entry_row(const struct nuce_capture *capture, const struct timeline_entry *entry,
                          struct nuce_grid *grid)
{
    const struct nuce_capture_pattern *pattern = &capture->pattern[entry->pattern];
    struct nuce_cell *cell;

    nuce_grid_add_row(grid, &cell);
    nuce_cell_set_integer(&cell[0], entry->stamp->start_ns);
    if (entry->stamp->duration_ns >= 0)
        nuce_cell_set_integer(&cell[1], entry->stamp->duration_ns);
    nuce_cell_set_integer(&cell[2], entry->rank);
    nuce_cell_set_integer(&cell[3], entry->communicator);
    nuce_cell_set_integer(&cell[4], entry->call);
    nuce_cell_copy(&cell[5], NUCE_CELL_TEXT, pattern->id);
    nuce_cell_copy(&cell[6], NUCE_CELL_TEXT, nuce_raw_kind_name(pattern->kind));
}

/* room is the most that there can be: a stamp for each rank in each call. */
nuce_status nuce_capturing_timeline(const struct nuce_capture *capture, const char *path,
                                    struct nuce_grid *out, struct nuce_error *error)
{
    struct timeline_entry *entries;
    int64_t room = 0, count = 0;

    if (!capture->has_stamps)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: says nothing of single calls: expected one of 'nuce capture "
                              "--trace'",
                              path);
    for (int i = 0; i < capture->communicators; i++)
        room += capture->sequence[i].count * capture->communicator[i].size;
    entries = nuce_allocate(room, sizeof *entries);
    for (int i = 0; i < capture->communicators; i++)
        add_entries(capture, i, entries, &count);
    if (count > 0)
        qsort(entries, (size_t)count, sizeof *entries, order_of_entries);
    nuce_grid_init(TIMELINE_COLUMNS, timeline_columns, out);
    for (int64_t i = 0; i < count; i++)
        add_entry_row(capture, &entries[i], out);
    free(entries);
    return NUCE_OK;
}
