/* COM files.
 *
 * O(characters + messages); the text is in memory, beside 24 bytes a message and its place until
 * the pattern is made. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/int.h"
#include "base/scanner.h"
#include "base/text_file.h"
#include "schedules/pattern.h"

/* The line with the rank count; ranks > 0: which it must be. */
static nuce_status com_read_header(struct nuce_scanner *scanner, int ranks, int *out,
                                   struct nuce_error *error)
{
    const char *start;
    int64_t value;

    nuce_scanner_skip_lines(scanner, '#');
    start = scanner->at;
    if (nuce_scanner_integer(scanner, "the rank count", 1, NUCE_PATTERN_MAX_RANKS, &value, error) !=
            NUCE_OK ||
        nuce_scanner_line_end(scanner, "the rank count", error) != NUCE_OK)
        return error->status;
    if (ranks > 0 && value != ranks)
        return nuce_scanner_fail(scanner, start, error, "a pattern of %lld ranks: expected %d",
                                 (long long)value, ranks);
    *out = nuce_int(value);
    return NUCE_OK;
}

/* The messages with the place of each in the text. */
struct table {
    int64_t count, capacity, place_capacity;
    struct nuce_message *messages;
    const char **places;
};

/* The place of each message in the text is kept until the pattern is made: what is wrong with two
 * messages together can then still be said with a line. */
static nuce_status read_table(struct nuce_scanner *scanner, int ranks, struct table *table,
                              struct nuce_error *error)
{
    int64_t sum = 0;

    while (nuce_scanner_skip_lines(scanner, '#')) {
        const char *start = scanner->at;
        int64_t n = table->count;

        int64_t source, destination, bytes;

        nuce_allocate_more((void **)&table->messages, &table->capacity, n + 1,
                           sizeof *table->messages);
        nuce_allocate_more((void **)&table->places, &table->place_capacity, n + 1,
                           sizeof *table->places);
        /* A line `source destination bytes`. */
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

/* By source, then destination. */
static int com_compare_entries(const struct nuce_message *a, const struct nuce_message *b)
{
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->destination > b->destination) - (a->destination < b->destination);
}

/* qsort_r: places in the table, by entry and then by line. */
static int compare_places(const void *left, const void *right, void *context)
{
    const struct table *table = context;
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    int order = com_compare_entries(&table->messages[a], &table->messages[b]);

    return order != 0 ? order : (a > b) - (a < b);
}

/* Names the first line that repeats an entry of an earlier one. Called only when there is one: a
 * good file is not sorted twice. */
static nuce_status report_twice(const struct nuce_scanner *scanner, struct table *table,
                                struct nuce_error *error)
{
    int64_t *places = nuce_allocate(table->count, sizeof *places);
    int64_t first = -1, second = table->count;

    for (int64_t k = 0; k < table->count; k++)
        places[k] = k;
    qsort_r(places, (size_t)table->count, sizeof *places, compare_places, table);
    for (int64_t k = 1; k < table->count; k++) {
        if (places[k] < second && com_compare_entries(&table->messages[places[k - 1]],
                                                      &table->messages[places[k]]) == 0) {
            first = places[k - 1];
            second = places[k];
        }
    }
    free(places);
    NUCE_ASSERT(first >= 0);
    return nuce_scanner_fail(
        scanner, table->places[second], error,
        "a second message from rank %d to rank %d: expected one, and line %lld has it",
        table->messages[second].source, table->messages[second].destination,
        (long long)nuce_scanner_line(scanner, table->places[first], NULL));
}

nuce_status nuce_pattern_parse(const char *name, const char *text, size_t length, int ranks,
                               struct nuce_pattern *out, struct nuce_error *error)
{
    struct nuce_scanner scanner;
    struct table table = {0};
    nuce_status status;

    nuce_scanner_init(&scanner, name, text, length);
    scanner.comment = '#';
    status = com_read_header(&scanner, ranks, &ranks, error);
    if (status == NUCE_OK)
        status = read_table(&scanner, ranks, &table, error);
    if (status == NUCE_OK) {
        status = nuce_pattern_init(ranks, table.messages, table.count, out, error);
        /* All that can be wrong with a message alone has been checked: what is left is a pair. */
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
