/* Patterns in compressed rows. All checks of messages are here, once, so that schedules need none.
 * Sorting uses two counting passes, O(ranks + messages), as does transposing.
 *
 * Memory: 8 (ranks + 1) + 12 messages bytes; making one takes twice that for a while. */
#include "schedules/pattern.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/int.h"
#include "base/scanner.h"
#include "base/text_file.h"

void nuce_pattern_fini(struct nuce_pattern *pattern)
{
    free(pattern->row);
    free(pattern->destination);
    free(pattern->bytes);
    memset(pattern, 0, sizeof *pattern);
}

/* Allocates a pattern of ranks rows with room for that many messages, all zero. *out is untouched
 * on failure. */
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

void nuce_pattern_begin_rows(int64_t *start, int rows)
{
    int64_t sum = 0;

    for (int i = 1; i <= rows; i++) {
        int64_t count = start[i];

        start[i] = sum;
        sum += count;
    }
}

/* Goes through the sources in ascending order, so that each row of the result ascends without being
 * sorted. nuce_pattern_init relies on it. */
nuce_status nuce_pattern_transpose(const struct nuce_pattern *pattern, struct nuce_pattern *out,
                                   struct nuce_error *error)
{
    struct nuce_pattern columns;

    if (pattern_allocate(pattern->ranks, pattern->messages, &columns, error) != NUCE_OK)
        return error->status;
    for (int64_t k = 0; k < pattern->messages; k++)
        columns.row[pattern->destination[k] + 1]++;
    nuce_pattern_begin_rows(columns.row, pattern->ranks);
    NUCE_EACH_MESSAGE (pattern, source, k) {
        int64_t place = columns.row[pattern->destination[k] + 1]++;

        columns.destination[place] = source;
        columns.bytes[place] = pattern->bytes[k];
    }
    *out = columns;
    return NUCE_OK;
}

int64_t nuce_pattern_rank_bytes(const struct nuce_pattern *pattern, int rank)
{
    int64_t bytes = 0;

    NUCE_EACH_MESSAGE (pattern, i, k)
        bytes += i == rank || pattern->destination[k] == rank ? pattern->bytes[k] : 0;
    return bytes;
}

nuce_status nuce_pattern_filter(const struct nuce_pattern *pattern,
                                int (*keeps)(const void *context, int source, int destination),
                                const void *context, struct nuce_pattern *out,
                                struct nuce_error *error)
{
    struct nuce_pattern kept;
    int64_t count = 0;

    NUCE_EACH_MESSAGE (pattern, i, k)
        count += keeps(context, i, pattern->destination[k]);
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

nuce_status nuce_pattern_init(int ranks, const struct nuce_message *messages, int64_t count,
                              struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_pattern columns = {0}, pattern;
    int64_t sum = 0, kept = 0, begin = 0;
    nuce_status status;

    /* Checks that ranks are in range, sizes are not negative, and their sum is an int64_t, so that
     * no sum of sizes of this pattern can overflow. */
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
    /* Transposing the buckets by destination leaves the destinations of each row ascending: a sort
     * without comparisons, O(ranks + messages). */
    if (pattern_allocate(ranks, count, &columns, error) != NUCE_OK)
        return error->status;
    for (int64_t k = 0; k < count; k++)
        columns.row[messages[k].destination + 1]++;
    nuce_pattern_begin_rows(columns.row, ranks);
    for (int64_t k = 0; k < count; k++) {
        int64_t place = columns.row[messages[k].destination + 1]++;

        columns.destination[place] = messages[k].source;
        columns.bytes[place] = messages[k].bytes;
    }
    status = nuce_pattern_transpose(&columns, &pattern, error);
    nuce_pattern_fini(&columns);
    if (status != NUCE_OK)
        return status;
    /* Two messages of a pair are adjacent. Drops messages of no bytes, which need no send. In
     * place: a kept message never moves backwards. */
    for (int i = 0; i < pattern.ranks; i++) {
        int64_t end = pattern.row[i + 1];
        int before = -1;

        for (int64_t k = begin; k < end; k++) {
            if (pattern.destination[k] == before) {
                nuce_pattern_fini(&pattern);
                return nuce_error_set(error, NUCE_BAD_INPUT,
                                      "two messages from rank %d to rank %d: expected at most one",
                                      i, before);
            }
            before = pattern.destination[k];
            pattern.destination[kept] = before;
            pattern.bytes[kept] = pattern.bytes[k];
            kept += pattern.bytes[k] > 0;
        }
        begin = end;
        pattern.row[i + 1] = kept;
    }
    pattern.messages = kept;
    *out = pattern;
    return NUCE_OK;
}

/* The next half is computed instead of branched on, because it cannot be predicted. Invariant:
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

nuce_status nuce_pattern_scale(struct nuce_pattern *pattern, int64_t item_bytes,
                               struct nuce_error *error)
{
    int64_t sum = 0, scaled;

    if (item_bytes < 1)
        return nuce_error_set(error, NUCE_BAD_INPUT, "an item of %lld bytes: expected at least 1",
                              (long long)item_bytes);
    for (int64_t k = 0; k < pattern->messages; k++)
        sum += pattern->bytes[k]; /* checked when the pattern was made */
    if (__builtin_mul_overflow(sum, item_bytes, &scaled))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "items of %lld bytes: the %lld items of this pattern amount to more "
                              "than 2^63 - 1 bytes",
                              (long long)item_bytes, (long long)sum);
    for (int64_t k = 0; k < pattern->messages; k++)
        pattern->bytes[k] *= item_bytes;
    return NUCE_OK;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A rank's message to itself counts in messages and bytes, but goes through no port. */
/* Each word goes through the mixer of splitmix64 on top of those before it; the increment keeps a
 * chain of zeros from staying zero. */
uint64_t nuce_pattern_fingerprint_message(int source, int destination, int64_t bytes)
{
    const uint64_t words[] = {(uint64_t)source, (uint64_t)destination, (uint64_t)bytes};
    uint64_t state = 0;

    for (int i = 0; i < 3; i++)
        state = nuce_rng_mix(state + UINT64_C(0x9e3779b97f4a7c15) + words[i]);
    return state;
}

uint64_t nuce_pattern_fingerprint(const struct nuce_pattern *pattern)
{
    uint64_t sum = 0;

    NUCE_EACH_MESSAGE (pattern, i, k)
        sum += nuce_pattern_fingerprint_message(i, pattern->destination[k], pattern->bytes[k]);
    return sum;
}

void nuce_pattern_summary_message(struct nuce_pattern_summary *summary, int source, int destination,
                                  int64_t bytes)
{
    int is_own = source == destination;

    summary->fingerprint = (int64_t)((uint64_t)summary->fingerprint +
                                     nuce_pattern_fingerprint_message(source, destination, bytes));
    summary->messages++;
    summary->bytes += bytes;
    summary->self_messages += is_own;
    summary->self_bytes += is_own ? bytes : 0;
    summary->largest = larger(summary->largest, bytes);
}

void nuce_pattern_summary_port(struct nuce_pattern_summary *summary, struct nuce_pattern_port port)
{
    summary->busiest_port = larger(summary->busiest_port, port.bytes);
    summary->degree = larger(summary->degree, port.messages);
}

void nuce_pattern_summarise(const struct nuce_pattern *pattern, struct nuce_pattern_summary *out)
{
    struct nuce_pattern_summary summary = {0};
    int64_t ports = 2 * (int64_t)pattern->ranks; /* of the senders, then of the receivers */
    struct nuce_pattern_port *port = nuce_allocate(ports, sizeof *port);

    NUCE_EACH_MESSAGE (pattern, i, k) {
        struct nuce_pattern_port *ends[] = {&port[i],
                                            &port[pattern->ranks + pattern->destination[k]]};
        int is_own = pattern->destination[k] == i;

        nuce_pattern_summary_message(&summary, i, pattern->destination[k], pattern->bytes[k]);
        for (int end = 0; !is_own && end < 2; end++) {
            ends[end]->bytes += pattern->bytes[k];
            ends[end]->messages++;
        }
    }
    for (int64_t p = 0; p < ports; p++)
        nuce_pattern_summary_port(&summary, port[p]);
    free(port);
    *out = summary;
}

/* The content of a pattern as one number.
 *
 * The hash is over the text of a COM file, so that users can check it with sha256sum. Two patterns
 * have one hash if and only if their COM files are equal. O(messages) time and text: some 20 bytes
 * a message. */

/* The rows first .. end - 1, below a head line if there is one: a new string. Rows and destinations
 * ascend, so a pattern has one text. */
static char *print_rows(const struct nuce_pattern *pattern, int first, int end, const char *head,
                        size_t *length)
{
    struct nuce_text_print rows;

    nuce_text_print_begin(&rows);
    fputs(head, rows.file);
    for (int source = first; source < end; source++) {
        for (int64_t k = pattern->row[source]; k < pattern->row[source + 1]; k++)
            fprintf(rows.file, "%d %d %" PRId64 "\n", source, pattern->destination[k],
                    pattern->bytes[k]);
    }
    nuce_text_print_end(&rows);
    *length = rows.length;
    return rows.text;
}

void nuce_pattern_head(int ranks, char head[NUCE_PATTERN_HEAD_BYTES])
{
    snprintf(head, NUCE_PATTERN_HEAD_BYTES, "%d\n", ranks);
}

char *nuce_pattern_row_text(const struct nuce_pattern *pattern, int source, size_t *length)
{
    return print_rows(pattern, source, source + 1, "", length);
}

void nuce_pattern_hash(const struct nuce_pattern *pattern, char hex[NUCE_HASH_BYTES])
{
    char head[NUCE_PATTERN_HEAD_BYTES], *text;
    size_t length;

    nuce_pattern_head(pattern->ranks, head);
    text = print_rows(pattern, 0, pattern->ranks, head, &length);
    nuce_hash(text, length, hex);
    free(text);
}

/* COM files.
 *
 * O(characters + messages). The text is in memory, together with 24 bytes per message and its place
 * until the pattern is made. */

/* The messages with the place of each in the text. */
struct table {
    int64_t count, capacity, place_capacity;
    struct nuce_message *messages;
    const char **places;
};

/* The place of each message in the text is kept until the pattern is made, so that an error between
 * two messages can be reported with a line. */
static nuce_status read_table(struct nuce_scanner *scanner, int ranks, struct table *table,
                              struct nuce_error *error)
{
    int64_t sum = 0;

    while (nuce_scanner_skip_lines(scanner, '#')) {
        const char *start = scanner->at;
        int64_t n = table->count, source, destination, bytes;

        nuce_allocate_more((void **)&table->messages, &table->capacity, n + 1,
                           sizeof *table->messages);
        nuce_allocate_more((void **)&table->places, &table->place_capacity, n + 1,
                           sizeof *table->places);
        /* Reads a line `source destination bytes`. */
        if (nuce_scanner_index(scanner, "the source rank", 0, ranks, &source, error) != NUCE_OK ||
            nuce_scanner_index(scanner, "the destination rank", 0, ranks, &destination, error) !=
                NUCE_OK ||
            nuce_scanner_integer(scanner, "the size in bytes", 0, INT64_MAX, &bytes, error) !=
                NUCE_OK ||
            nuce_scanner_line_end(scanner, "source, destination and bytes", error) != NUCE_OK)
            return error->status;
        table->messages[n] = (struct nuce_message){nuce_int(source), nuce_int(destination), bytes};
        if (__builtin_add_overflow(sum, table->messages[n].bytes, &sum))
            return nuce_scanner_fail(
                scanner, start, error,
                "with these %lld bytes the messages amount to more than 2^63 - 1",
                (long long)table->messages[n].bytes);
        table->places[n] = start;
        table->count++;
    }
    return NUCE_OK;
}

/* qsort_r: places in the table, by entry and then by line. */
static int compare_places(const void *left, const void *right, void *context)
{
    const struct table *table = context;
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    const struct nuce_message *first = &table->messages[a], *second = &table->messages[b];

    return NUCE_INT_ORDER({first->source, second->source},
                          {first->destination, second->destination}, {a, b});
}

/* Names the first line that repeats an entry of an earlier one. Called only if there is one, so
 * that a good file is not sorted twice. */
static nuce_status report_twice(const struct nuce_scanner *scanner, struct table *table,
                                struct nuce_error *error)
{
    int64_t *places = nuce_allocate(table->count, sizeof *places);
    int64_t first = -1, second = table->count;

    for (int64_t k = 0; k < table->count; k++)
        places[k] = k;
    qsort_r(places, (size_t)table->count, sizeof *places, compare_places, table);
    for (int64_t k = 1; k < table->count; k++) {
        const struct nuce_message *a = &table->messages[places[k - 1]];
        const struct nuce_message *b = &table->messages[places[k]];

        if (places[k] < second && a->source == b->source && a->destination == b->destination) {
            first = places[k - 1];
            second = places[k];
        }
    }
    free(places);
    NUCE_ASSERT(first >= 0);
    return nuce_scanner_fail(
        scanner, table->places[second], error,
        "a second message from rank %d to rank %d: expected one, and line %lld has it: "
        "add them up",
        table->messages[second].source, table->messages[second].destination,
        (long long)nuce_scanner_line(scanner, table->places[first], NULL));
}

/* Lists of messages, as codes write them: a line each, with commas, often below a line of names. A
 * pair may stand there several times, once a field. */

static int compare_pairs(const void *left, const void *right)
{
    const struct nuce_message *a = left, *b = right;

    return NUCE_INT_ORDER({a->source, b->source}, {a->destination, b->destination});
}

/* True if the column's name has one of the words in it. */
static int is_named(struct nuce_word word, const char *const *words)
{
    char name[64];

    snprintf(name, sizeof name, "%.*s", nuce_word_quoted(word), word.text);
    while (*words != NULL && strcasestr(name, *words) == NULL)
        words++;
    return *words != NULL;
}

/* The names must not say that the columns are others; without names they are taken to be these. */
static nuce_status skip_names(struct nuce_scanner *scanner, struct nuce_error *error)
{
    static const char *const sources[] = {"source", "src", "from", "send", NULL};
    static const char *const destinations[] = {"dest", "dst", "target", "recv", "receive", NULL};
    static const char *const sizes[] = {"byte", "size", NULL};
    struct nuce_word word = {0};

    if (!isalpha((unsigned char)*scanner->at) && *scanner->at != '"')
        return NUCE_OK;
    for (int i = 0; i < 3; i++) {
        if (nuce_scanner_word(scanner, "the columns source, destination and bytes", &word, error) !=
            NUCE_OK)
            return error->status;
        if (i == 0   ? is_named(word, destinations)
            : i == 1 ? is_named(word, sources)
                     : !is_named(word, sizes))
            return nuce_scanner_fail(scanner, word.text, error,
                                     "'%.*s': expected the columns source, destination and bytes",
                                     nuce_word_quoted(word), word.text);
    }
    return nuce_scanner_line_end(scanner, "source, destination and bytes", error);
}

/* Commas are blanks in a copy, so that places stay what they are. Without a line that says how many
 * ranks there are, as many as are asked for, else as many as the messages need. */
static nuce_status parse_list(const char *name, const char *text, size_t length, int ranks,
                              struct nuce_pattern *out, struct nuce_error *error)
{
    char *copy = nuce_allocate((int64_t)length + 1, 1);
    struct nuce_scanner scanner;
    struct table table = {0};
    int64_t pairs = 0;
    int most = 0;

    for (size_t i = 0; i < length; i++)
        copy[i] = text[i] == ',' ? ' ' : text[i];
    nuce_scanner_init(&scanner, name, copy, length);
    scanner.comment = '#';
    nuce_scanner_skip_lines(&scanner, '#');
    error->status = skip_names(&scanner, error);
    if (error->status == NUCE_OK)
        error->status =
            read_table(&scanner, ranks > 0 ? ranks : NUCE_PATTERN_MAX_RANKS, &table, error);
    if (error->status == NUCE_OK && table.count > 0)
        qsort(table.messages, (size_t)table.count, sizeof *table.messages, compare_pairs);
    for (int64_t k = 0; error->status == NUCE_OK && k < table.count; k++) {
        const struct nuce_message *message = &table.messages[k];
        int highest =
            message->source > message->destination ? message->source : message->destination;

        most = highest + 1 > most ? highest + 1 : most;
        if (pairs > 0 && compare_pairs(&table.messages[pairs - 1], message) == 0)
            table.messages[pairs - 1].bytes += message->bytes;
        else
            table.messages[pairs++] = *message;
    }
    if (error->status == NUCE_OK && pairs == 0)
        nuce_scanner_fail(&scanner, scanner.at, error, "no message");
    if (error->status == NUCE_OK)
        error->status =
            nuce_pattern_init(ranks > 0 ? ranks : most, table.messages, pairs, out, error);
    free(table.messages);
    free(table.places);
    free(copy);
    return error->status;
}

nuce_status nuce_pattern_parse(const char *name, const char *text, size_t length, int ranks,
                               struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_scanner scanner;
    struct table table = {0};
    const char *start;
    int64_t count;
    nuce_status status;

    nuce_scanner_init(&scanner, name, text, length);
    scanner.comment = '#';
    nuce_scanner_skip_lines(&scanner, '#');
    start = scanner.at;
    for (const char *at = start; at < scanner.end && *at != '\n' && *at != '#'; at++) {
        if (*at == ',')
            return parse_list(name, text, length, ranks, out, error);
    }
    if (nuce_scanner_integer(&scanner, "the rank count", 1, NUCE_PATTERN_MAX_RANKS, &count,
                             error) != NUCE_OK ||
        nuce_scanner_line_end(&scanner, "the rank count", error) != NUCE_OK)
        return error->status;
    if (ranks > 0 && count != ranks)
        return nuce_scanner_fail(&scanner, start, error, "a pattern of %lld ranks: expected %d",
                                 (long long)count, ranks);
    ranks = nuce_int(count);
    status = read_table(&scanner, ranks, &table, error);
    if (status == NUCE_OK) {
        status = nuce_pattern_init(ranks, table.messages, table.count, out, error);
        /* Single messages have been checked before, so the error is about a repeated pair. */
        if (status == NUCE_BAD_INPUT)
            status = report_twice(&scanner, &table, error);
    }
    free(table.messages);
    free(table.places);
    return status;
}

nuce_status nuce_pattern_read(const char *path, int ranks, struct nuce_pattern *out,
                              struct nuce_error *error)
{
    char *text;
    size_t length;
    nuce_status status;

    if (nuce_data_check_file(path, "a COM file", error) != NUCE_OK ||
        nuce_text_read(path, &text, &length, error) != NUCE_OK)
        return error->status;
    status = nuce_pattern_parse(path, text, length, ranks, out, error);
    free(text);
    return status;
}
