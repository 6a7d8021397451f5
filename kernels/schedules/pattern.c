/* Patterns in compressed rows. All that can be wrong with messages is found here, once, so that
 * schedules need no checks; sorting is by two counting passes, O(ranks + messages), as is
 * transposing.
 *
 * Memory: 8 (ranks + 1) + 12 messages bytes; making one takes twice that for a while. */
#include "schedules/pattern.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

void nuce_pattern_fini(struct nuce_pattern *pattern)
{
    free(pattern->row);
    free(pattern->destination);
    free(pattern->bytes);
    memset(pattern, 0, sizeof *pattern);
}

/* A pattern of ranks rows with room for that many messages, all zero. *out is untouched on
 * failure. */
static nuce_status pattern_allocate(int ranks, int64_t messages, struct nuce_pattern *out,
                                    struct nuce_error *error)
{
    struct nuce_pattern pattern = {.ranks = ranks, .messages = messages};

    if (nuce_allocate_check(messages, sizeof *pattern.destination + sizeof *pattern.bytes, error) !=
        NUCE_OK)
        return error->status;
    pattern.row = nuce_allocate((int64_t)ranks + 1, sizeof *pattern.row);
    pattern.destination = nuce_allocate(messages, sizeof *pattern.destination);
    pattern.bytes = nuce_allocate(messages, sizeof *pattern.bytes);
    *out = pattern;
    return NUCE_OK;
}

/* From counts of row i in start[i + 1] to where each row begins, shifted by one row: start[i + 1]
 * is where row i begins and moves to its end, which is where row i + 1 begins, as it is filled. */
static void begin_rows(int64_t *start, int rows)
{
    int64_t sum = 0;

    for (int i = 1; i <= rows; i++) {
        int64_t count = start[i];

        start[i] = sum;
        sum += count;
    }
}

/* Sources are gone through in ascending order, so that each row of the result ascends without being
 * sorted: nuce_pattern_init relies on it. */
nuce_status nuce_pattern_transpose(const struct nuce_pattern *pattern, struct nuce_pattern *out,
                                   struct nuce_error *error)
{
    struct nuce_pattern columns;

    if (pattern_allocate(pattern->ranks, pattern->messages, &columns, error) != NUCE_OK)
        return error->status;
    for (int64_t k = 0; k < pattern->messages; k++)
        columns.row[pattern->destination[k] + 1]++;
    begin_rows(columns.row, pattern->ranks);
    for (int source = 0; source < pattern->ranks; source++) {
        for (int64_t k = pattern->row[source]; k < pattern->row[source + 1]; k++) {
            int64_t place = columns.row[pattern->destination[k] + 1]++;

            columns.destination[place] = source;
            columns.bytes[place] = pattern->bytes[k];
        }
    }
    *out = columns;
    return NUCE_OK;
}

/* keeps is asked twice for each message and must say the same both times. */
int64_t nuce_pattern_rank_bytes(const struct nuce_pattern *pattern, int rank)
{
    int64_t bytes = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            bytes += i == rank || pattern->destination[k] == rank ? pattern->bytes[k] : 0;
    }
    return bytes;
}

nuce_status nuce_pattern_filter(const struct nuce_pattern *pattern,
                                int (*keeps)(const void *context, int source, int destination),
                                const void *context, struct nuce_pattern *out,
                                struct nuce_error *error)
{
    struct nuce_pattern kept;
    int64_t count = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            count += keeps(context, i, pattern->destination[k]);
    }
    if (pattern_allocate(pattern->ranks, count, &kept, error) != NUCE_OK)
        return error->status;
    count = 0;
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            if (!keeps(context, i, pattern->destination[k]))
                continue;
            kept.destination[count] = pattern->destination[k];
            kept.bytes[count++] = pattern->bytes[k];
        }
        kept.row[i + 1] = count;
    }
    *out = kept;
    return NUCE_OK;
}

/* The messages by destination, in the order given within each. */
static nuce_status bucket_by_destination(int ranks, const struct nuce_message *messages,
                                         int64_t count, struct nuce_pattern *out,
                                         struct nuce_error *error)
{
    if (pattern_allocate(ranks, count, out, error) != NUCE_OK)
        return error->status;
    for (int64_t k = 0; k < count; k++)
        out->row[messages[k].destination + 1]++;
    begin_rows(out->row, ranks);
    for (int64_t k = 0; k < count; k++) {
        int64_t place = out->row[messages[k].destination + 1]++;

        out->destination[place] = messages[k].source;
        out->bytes[place] = messages[k].bytes;
    }
    return NUCE_OK;
}

/* The rows are sorted: two messages of a pair stand side by side. */
static nuce_status pattern_check_twice(const struct nuce_pattern *pattern, struct nuce_error *error)
{
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i] + 1; k < pattern->row[i + 1]; k++) {
            if (pattern->destination[k] == pattern->destination[k - 1])
                return nuce_error_set(error, NUCE_BAD_INPUT,
                                      "two messages from rank %d to rank %d: expected at most one",
                                      i, pattern->destination[k]);
        }
    }
    return NUCE_OK;
}

nuce_status nuce_pattern_init(int ranks, const struct nuce_message *messages, int64_t count,
                              struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_pattern columns = {0}, pattern = {0};
    int64_t sum = 0, kept = 0, begin = 0;

    /* Ranks in range, sizes not negative, and their sum an int64_t, so that no sum of sizes of this
     * pattern can overflow. */
    if (ranks < 1 || ranks > NUCE_PATTERN_MAX_RANKS)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "a pattern of %d ranks: expected 1 .. %d ranks", ranks,
                              NUCE_PATTERN_MAX_RANKS);
    for (int64_t k = 0; k < count; k++) {
        const struct nuce_message *m = &messages[k];

        if (m->source < 0 || m->source >= ranks || m->destination < 0 || m->destination >= ranks)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "a message from rank %d to rank %d: expected ranks 0 .. %d",
                                  m->source, m->destination, ranks - 1);
        if (m->bytes < 0)
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "a message of %lld bytes from rank %d to rank %d: expected at "
                                  "least 0",
                                  (long long)m->bytes, m->source, m->destination);
        if (__builtin_add_overflow(sum, m->bytes, &sum))
            return nuce_error_set(error, NUCE_BAD_INPUT,
                                  "the messages amount to more than 2^63 - 1 bytes with the one "
                                  "from rank %d to rank %d",
                                  m->source, m->destination);
    }
    /* Transposing what is bucketed by destination leaves the destinations of each row ascending:
     * a sort without comparisons, O(ranks + messages). */
    if (bucket_by_destination(ranks, messages, count, &columns, error) != NUCE_OK)
        goto fail;
    if (nuce_pattern_transpose(&columns, &pattern, error) != NUCE_OK)
        goto fail;
    nuce_pattern_fini(&columns);
    if (pattern_check_twice(&pattern, error) != NUCE_OK)
        goto fail;
    /* Leaves out messages of no bytes, which need no send. In place: what is kept never stands
     * behind where it was. */
    for (int i = 0; i < pattern.ranks; i++) {
        int64_t end = pattern.row[i + 1];

        for (int64_t k = begin; k < end; k++) {
            if (pattern.bytes[k] == 0)
                continue;
            pattern.destination[kept] = pattern.destination[k];
            pattern.bytes[kept] = pattern.bytes[k];
            kept++;
        }
        begin = end;
        pattern.row[i + 1] = kept;
    }
    pattern.messages = kept;
    *out = pattern;
    return NUCE_OK;
fail:
    nuce_pattern_fini(&columns);
    nuce_pattern_fini(&pattern);
    return error->status;
}

/* Which half to go on with cannot be foretold, so it is computed instead of branched on. Invariant:
 * destination, if it is in the row, is among base[0 .. count - 1]. */
int64_t nuce_pattern_find(const struct nuce_pattern *pattern, int source, int destination)
{
    const int *base = pattern->destination + pattern->row[source];
    int64_t count = pattern->row[source + 1] - pattern->row[source];

    if (count == 0)
        return -1;
    while (count > 1) {
        int64_t half = count / 2;

        base += (base[half] <= destination) * half;
        count -= half;
    }
    return *base == destination ? base - pattern->destination : -1;
}

nuce_status nuce_pattern_scale(struct nuce_pattern *pattern, int64_t unit, struct nuce_error *error)
{
    int64_t sum = 0, scaled;

    if (unit < 1)
        return nuce_error_set(error, NUCE_BAD_INPUT, "a unit of %lld bytes: expected at least 1",
                              (long long)unit);
    for (int64_t k = 0; k < pattern->messages; k++)
        sum += pattern->bytes[k]; /* checked when the pattern was made */
    if (__builtin_mul_overflow(sum, unit, &scaled))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "a unit of %lld bytes: the %lld units of this pattern amount to more "
                              "than 2^63 - 1 bytes",
                              (long long)unit, (long long)sum);
    for (int64_t k = 0; k < pattern->messages; k++)
        pattern->bytes[k] *= unit;
    return NUCE_OK;
}

/* What one rank sends or receives, without its message to itself. */
struct pattern_port {
    int64_t bytes;
    int messages;
};

static void pattern_busier(const struct pattern_port *port, struct nuce_pattern_summary *out)
{
    if (port->bytes > out->busiest_port)
        out->busiest_port = port->bytes;
    if (port->messages > out->degree)
        out->degree = port->messages;
}

/* A rank's message to itself counts as a message and its bytes, but goes through no port. */
void nuce_pattern_summarise(const struct nuce_pattern *pattern, struct nuce_pattern_summary *out)
{
    struct nuce_pattern_summary summary = {.messages = pattern->messages};
    struct pattern_port *receives = nuce_allocate(pattern->ranks, sizeof *receives);

    for (int i = 0; i < pattern->ranks; i++) {
        int64_t begin = pattern->row[i], end = pattern->row[i + 1];
        struct pattern_port sends = {0};

        for (int64_t k = begin; k < end; k++) {
            int destination = pattern->destination[k];
            int64_t bytes = pattern->bytes[k];

            summary.bytes += bytes;
            if (bytes > summary.largest)
                summary.largest = bytes;
            if (destination == i) {
                summary.self_messages++;
                summary.self_bytes += bytes;
                continue;
            }
            sends.bytes += bytes;
            sends.messages++;
            receives[destination].bytes += bytes;
            receives[destination].messages++;
        }
        pattern_busier(&sends, &summary);
    }
    for (int i = 0; i < pattern->ranks; i++)
        pattern_busier(&receives[i], &summary);
    free(receives);
    *out = summary;
}
