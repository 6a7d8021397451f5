/* COM files. Numbers are read by hand, since strtol takes signs, blanks and newlines before a
 * number.
 *
 * O(characters + messages); the text is in memory, beside 24 bytes a message and its line until the
 * pattern is made. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schedules/pattern.h"
#include "support/allocate.h"
#include "support/data.h"
#include "support/int.h"

/* Where the reader is. Lines and columns count from 1; columns are bytes. */
struct com_cursor {
    const char *name;
    const char *at, *end;
    const char *line_start;
    int64_t line;
};

/* Every error is at name:line:column of `place` in the current line. */
#define FAIL_AT(error, cursor, place, format, ...)                                                 \
    ((void)nuce_error_set((error), NUCE_BAD_INPUT, format, ##__VA_ARGS__),                         \
     nuce_error_at((error), (cursor)->name, (cursor)->line, (place) - (cursor)->line_start + 1))

static bool com_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* And a comment, up to the end of its line. */
static void com_skip_blanks(struct com_cursor *cursor)
{
    while (cursor->at < cursor->end && com_is_blank(*cursor->at))
        cursor->at++;
    if (cursor->at < cursor->end && *cursor->at == '#') {
        while (cursor->at < cursor->end && *cursor->at != '\n')
            cursor->at++;
    }
}

static bool at_line_end(const struct com_cursor *cursor)
{
    return cursor->at == cursor->end || *cursor->at == '\n';
}

/* Moves to the next line that has something on it; false at the end of the text. */
static bool next_content(struct com_cursor *cursor)
{
    for (;;) {
        com_skip_blanks(cursor);
        if (cursor->at == cursor->end)
            return false;
        if (*cursor->at != '\n')
            return true;
        cursor->at++;
        cursor->line++;
        cursor->line_start = cursor->at;
    }
}

/* Of a word in a message: at most 28 characters and "...". */
#define WORD_BYTES 32

/* The word at place for a message: shortened, and nothing in it that a terminal would obey. */
static const char *show_word(const struct com_cursor *cursor, const char *place,
                             char word[WORD_BYTES])
{
    int length = 0;

    while (place < cursor->end && !com_is_blank(*place) && *place != '\n' &&
           length < WORD_BYTES - 4) {
        word[length++] = *place > ' ' && *place < '\x7f' ? *place : '?';
        place++;
    }
    (void)strcpy(word + length, length == WORD_BYTES - 4 ? "..." : "");
    return word;
}

/* A whole number in least .. most, named `what` in messages, with what blanks follow it. */
static nuce_status read_number(struct com_cursor *cursor, const char *what, int64_t least,
                               int64_t most, int64_t *out, struct nuce_error *error)
{
    const char *start = cursor->at;
    char word[WORD_BYTES];
    int64_t value = 0;
    bool fits = true;

    if (at_line_end(cursor))
        return FAIL_AT(error, cursor, start, "the line ends here: expected %s", what);
    while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
        fits = fits && !__builtin_mul_overflow(value, 10, &value) &&
               !__builtin_add_overflow(value, *cursor->at - '0', &value);
        cursor->at++;
    }
    if (cursor->at == start ||
        (!at_line_end(cursor) && !com_is_blank(*cursor->at) && *cursor->at != '#') || !fits ||
        value < least || value > most)
        return FAIL_AT(error, cursor, start, "'%s': expected %s, a whole number in %lld .. %lld",
                       show_word(cursor, start, word), what, (long long)least, (long long)most);
    com_skip_blanks(cursor);
    *out = value;
    return NUCE_OK;
}

/* Nothing more on this line. */
static nuce_status end_line(struct com_cursor *cursor, struct nuce_error *error)
{
    char word[WORD_BYTES];

    if (at_line_end(cursor))
        return NUCE_OK;
    return FAIL_AT(error, cursor, cursor->at, "'%s': expected the end of the line",
                   show_word(cursor, cursor->at, word));
}

/* The line with the rank count; ranks > 0: which it must be. */
static nuce_status com_read_header(struct com_cursor *cursor, int ranks, int *out,
                                   struct nuce_error *error)
{
    const char *start;
    int64_t value;

    if (!next_content(cursor))
        return FAIL_AT(error, cursor, cursor->at, "the file ends here: expected a rank count");
    start = cursor->at;
    if (read_number(cursor, "the rank count", 1, NUCE_PATTERN_MAX_RANKS, &value, error) != NUCE_OK)
        return error->status;
    if (end_line(cursor, error) != NUCE_OK)
        return error->status;
    if (ranks > 0 && value != ranks)
        return FAIL_AT(error, cursor, start, "a pattern of %lld ranks: expected %d",
                       (long long)value, ranks);
    *out = nuce_int(value);
    return NUCE_OK;
}

/* A line `source destination bytes`. */
static nuce_status read_message(struct com_cursor *cursor, int ranks, struct nuce_message *out,
                                struct nuce_error *error)
{
    int64_t source, destination, bytes;

    if (read_number(cursor, "the source rank", 0, ranks - 1, &source, error) != NUCE_OK)
        return error->status;
    if (read_number(cursor, "the destination rank", 0, ranks - 1, &destination, error) != NUCE_OK)
        return error->status;
    if (read_number(cursor, "the size in bytes", 0, INT64_MAX, &bytes, error) != NUCE_OK)
        return error->status;
    if (end_line(cursor, error) != NUCE_OK)
        return error->status;
    *out = (struct nuce_message){nuce_int(source), nuce_int(destination), bytes};
    return NUCE_OK;
}

/* The messages with the line of each. */
struct table {
    int64_t count, capacity, line_capacity;
    struct nuce_message *messages;
    int64_t *lines;
};

static void free_table(struct table *table)
{
    free(table->messages);
    free(table->lines);
}

static nuce_status read_table(struct com_cursor *cursor, int ranks, struct table *table,
                              struct nuce_error *error)
{
    int64_t sum = 0;

    while (next_content(cursor)) {
        const char *start = cursor->at;
        int64_t n = table->count;

        if (nuce_allocate_more((void **)&table->messages, &table->capacity, n + 1,
                               sizeof *table->messages, error) != NUCE_OK)
            return error->status;
        if (nuce_allocate_more((void **)&table->lines, &table->line_capacity, n + 1,
                               sizeof *table->lines, error) != NUCE_OK)
            return error->status;
        if (read_message(cursor, ranks, &table->messages[n], error) != NUCE_OK)
            return error->status;
        if (__builtin_add_overflow(sum, table->messages[n].bytes, &sum))
            return FAIL_AT(error, cursor, start,
                           "with these %lld bytes the messages amount to more than 2^63 - 1",
                           (long long)table->messages[n].bytes);
        table->lines[n] = cursor->line;
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
static nuce_status report_twice(const char *name, struct table *table, struct nuce_error *error)
{
    int64_t *places = nuce_allocate(table->count, sizeof *places, error);
    int64_t first = -1, second = table->count;

    if (places == NULL)
        return error->status;
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
    (void)nuce_error_set(error, NUCE_BAD_INPUT,
                         "a second message from rank %d to rank %d: expected one, and line %lld "
                         "has it",
                         table->messages[second].source, table->messages[second].destination,
                         (long long)table->lines[first]);
    return nuce_error_at(error, name, table->lines[second], 1);
}

/* NUL bytes are no digits and so are refused where a number is expected. */
nuce_status nuce_pattern_parse(const char *name, const char *text, size_t length, int ranks,
                               struct nuce_pattern *out, struct nuce_error *error)
{
    struct com_cursor cursor = {name, text, text + length, text, 1};
    struct table table = {0};
    nuce_status status = com_read_header(&cursor, ranks, &ranks, error);

    if (status == NUCE_OK)
        status = read_table(&cursor, ranks, &table, error);
    if (status == NUCE_OK) {
        status = nuce_pattern_init(ranks, table.messages, table.count, out, error);
        /* All that can be wrong with a message alone has been checked: what is left is a pair. */
        if (status == NUCE_BAD_INPUT)
            status = report_twice(name, &table, error);
    }
    free_table(&table);
    return status;
}

/* The whole file, which may be a pipe; *text for the caller to free, whatever the status. */
static nuce_status com_read_all(FILE *file, const char *path, char **text, int64_t *length,
                                struct nuce_error *error)
{
    int64_t capacity = 0;
    size_t got;

    do {
        if (nuce_allocate_more((void **)text, &capacity, *length + 1, 1, error) != NUCE_OK)
            return error->status;
        got = fread(*text + *length, 1, (size_t)(capacity - *length), file);
        *length += (int64_t)got;
    } while (got > 0);
    if (ferror(file))
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: cannot be read: %s", path,
                              strerror(errno));
    return NUCE_OK;
}

nuce_status nuce_pattern_read(const char *path, int ranks, struct nuce_pattern *out,
                              struct nuce_error *error)
{
    FILE *file;
    char *text = NULL;
    int64_t length = 0;
    nuce_status status;

    if (nuce_data_check_file(path, "a COM file", error) != NUCE_OK)
        return error->status;
    file = fopen(path, "rbe");
    if (file == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: expected a COM file: %s", path,
                              strerror(errno));
    status = com_read_all(file, path, &text, &length, error);
    (void)fclose(file);
    if (status == NUCE_OK)
        status = nuce_pattern_parse(path, text, (size_t)length, ranks, out, error);
    free(text);
    return status;
}
