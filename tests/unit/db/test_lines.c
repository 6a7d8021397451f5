/* The lines of a record file: read ahead by another thread they are the same, in the same order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "db/collect_ahead.h"
#include "support/jsonl.h"
#include "support/record.h"

/* More than several batches hold; one of LONG_LINE is longer than a batch's text. */
enum { LINES = 1000, LONG_LINE = 500, LONG_BYTES = 1 << 20 };

static void add_line(FILE *file, int number)
{
    char job[32], *line;
    struct nuce_error error;
    json_t *record;

    (void)snprintf(job, sizeof job, "job-%d", number);
    record = nuce_record_create("begin", job, &error);
    if (number == LONG_LINE)
        (void)json_object_set_new(record, "long", json_sprintf("%*d", LONG_BYTES, 1));
    line = nuce_jsonl_sealed(record, &error);
    assert_non_null(line);
    (void)fprintf(file, "%s%s\n", line, number % 3 == 0 ? "\r" : "");
    free(line);
    json_decref(record);
}

/* Lines 1 to LINES, and a torn one behind them. Freed by the caller. */
static char *make_text(size_t *length)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, length);

    assert_non_null(file);
    for (int number = 1; number <= LINES; number++)
        add_line(file, number);
    (void)fputs("{\"record\":\"be", file);
    (void)fclose(file);
    return text;
}

static struct nuce_collect_lines *begin_lines(const char *text, size_t length, int is_ahead)
{
    struct nuce_error error;
    struct nuce_collect_lines *lines = nuce_collect_lines_create(text, length, is_ahead, &error);

    assert_non_null(lines);
    return lines;
}

/* The job that line names is that of its number: what was read is the line's own. */
static void check_line(struct nuce_collect_line *line, int number)
{
    char job[32];

    nuce_collect_line_read(line);
    (void)snprintf(job, sizeof job, "job-%d", number);
    assert_int_equal(line->status, NUCE_OK);
    assert_string_equal(json_string_value(json_object_get(line->record, "job")), job);
}

static void check_same(struct nuce_collect_line *line, const struct nuce_collect_line *other,
                       int number)
{
    assert_int_equal(line->number, number);
    assert_int_equal(other->number, number);
    assert_ptr_equal(line->text, other->text);
    assert_int_equal(line->length, other->length);
    assert_int_equal(line->is_torn, number > LINES);
    assert_int_equal(other->is_torn, number > LINES);
    if (line->is_torn)
        return;
    assert_string_equal(line->hash, other->hash);
    check_line(line, number);
}

static void test_same_lines(void **state)
{
    size_t length = 0;
    char *text = make_text(&length);
    struct nuce_collect_lines *ahead = begin_lines(text, length, 1),
                              *plain = begin_lines(text, length, 0);

    (void)state;
    for (int number = 1; number <= LINES + 1; number++) {
        struct nuce_collect_line *line = nuce_collect_lines_next(ahead);
        const struct nuce_collect_line *other = nuce_collect_lines_next(plain);

        assert_non_null(line);
        assert_non_null(other);
        check_same(line, other, number);
    }
    for (int i = 0; i < 2; i++) {
        assert_null(nuce_collect_lines_next(ahead));
        assert_null(nuce_collect_lines_next(plain));
    }
    nuce_collect_lines_destroy(ahead);
    nuce_collect_lines_destroy(plain);
    free(text);
}

/* A file is left where it is refused, wherever the thread is then. */
static void test_left(void **state)
{
    size_t length = 0;
    char *text = make_text(&length);

    (void)state;
    for (int taken = 0; taken < LINES; taken += 37) {
        struct nuce_collect_lines *lines = begin_lines(text, length, 1);

        for (int number = 1; number <= taken; number++)
            check_line(nuce_collect_lines_next(lines), number);
        nuce_collect_lines_destroy(lines);
    }
    free(text);
}

static void test_nothing(void **state)
{
    (void)state;
    for (int is_ahead = 0; is_ahead < 2; is_ahead++) {
        struct nuce_collect_lines *lines = begin_lines("", 0, is_ahead);

        assert_null(nuce_collect_lines_next(lines));
        nuce_collect_lines_destroy(lines);
    }
    nuce_collect_lines_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_lines),
        cmocka_unit_test(test_left),
        cmocka_unit_test(test_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
