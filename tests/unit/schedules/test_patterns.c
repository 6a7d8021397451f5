/* Patterns: their rows, refused input, files of them, and their metrics. */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "cases.h"

#define FIVE "2>0:5 0>2:7 0>1:0 0>0:3 2>1:11 0>3:13"

static void assert_pattern(const struct nuce_pattern *pattern, const char *entries)
{
    char text[256] = "";
    size_t length = 0;

    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%d>%d:%lld",
                                       k > 0 ? " " : "", i, pattern->destination[k],
                                       (long long)pattern->bytes[k]);
    }
    assert_string_equal(text, entries);
    assert_int_equal(pattern->row[pattern->ranks], pattern->messages);
}

/* Rows ascend, an entry of 0 bytes is gone, rows may be empty. */
static void test_init(void **state)
{
    struct nuce_pattern pattern = pattern_of(4, FIVE);

    assert_int_equal(pattern.ranks, 4);
    assert_pattern(&pattern, "0>0:3 0>2:7 0>3:13 2>0:5 2>1:11");
    nuce_pattern_fini(&pattern);
    assert_null(pattern.row);
    assert_int_equal(pattern.messages, 0);
}

static void test_find(void **state)
{
    static const int64_t entries[4][4] = {
        {0, -1, 1, 2}, {-1, -1, -1, -1}, {3, 4, -1, -1}, {-1, -1, -1, -1}};
    OWNED(pattern) pattern = pattern_of(4, FIVE);

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            assert_int_equal(nuce_pattern_find(&pattern, i, j), entries[i][j]);
    }
}

static const struct bad {
    int ranks;
    struct nuce_message five[2];
    const char *message;
} bad_messages[] = {
    {0, {{0, 0, 1}, {0, 0, 1}}, "a pattern of 0 ranks"},
    {INT_MAX, {{0, 0, 1}, {0, 1, 1}}, "a pattern of 2147483647 ranks"},
    {3, {{0, 1, 1}, {3, 1, 1}}, "from rank 3 to rank 1"},
    {3, {{0, 1, 1}, {-1, 1, 1}}, "from rank -1 to rank 1"},
    {3, {{0, 1, 1}, {1, 3, 1}}, "from rank 1 to rank 3"},
    {3, {{0, 1, 1}, {1, -1, 1}}, "from rank 1 to rank -1"},
    {3, {{0, 1, 1}, {1, 2, -1}}, "-1 bytes from rank 1 to rank 2"},
    {3, {{1, 2, 1}, {1, 2, 5}}, "two messages from rank 1 to rank 2"},
    {3, {{1, 2, 0}, {1, 2, 5}}, "two messages from rank 1 to rank 2"},
    {3, {{0, 1, 1}, {1, 2, INT64_MAX}}, "more than 2^63 - 1 bytes"},
};

static void test_init_bad(void **state)
{
    for (size_t i = 0; i < COUNT(bad_messages); i++) {
        const struct bad *bad = &bad_messages[i];
        struct nuce_pattern pattern = {.messages = 42};
        struct nuce_error error = {0};

        assert_int_equal(nuce_pattern_init(bad->ranks, bad->five, 2, &pattern, &error),
                         NUCE_BAD_INPUT);
        assert_int_equal(error.status, NUCE_BAD_INPUT);
        assert_says(&error, bad->message);
        assert_int_equal(pattern.messages, 42);
    }
}

static void test_transpose(void **state)
{
    OWNED(pattern) pattern = pattern_of(4, FIVE), columns, back;

    assert_ok(nuce_pattern_transpose(&pattern, &columns, ANY_ERROR));
    assert_pattern(&columns, "0>0:3 0>2:5 1>2:11 2>0:7 3>0:13");
    assert_ok(nuce_pattern_transpose(&columns, &back, ANY_ERROR));
    assert_pattern(&back, "0>0:3 0>2:7 0>3:13 2>0:5 2>1:11");
}

static void test_scale(void **state)
{
    static const char scaled[] = "0>0:48 0>2:112 0>3:208 2>0:80 2>1:176";
    OWNED(pattern) pattern = pattern_of(4, FIVE);
    struct nuce_error error = {0};

    assert_ok(nuce_pattern_scale(&pattern, 16, &error));
    assert_pattern(&pattern, scaled);
    assert_int_equal(nuce_pattern_scale(&pattern, 0, &error), NUCE_BAD_INPUT);
    /* Each size times this fits, their sum does not. */
    assert_int_equal(nuce_pattern_scale(&pattern, INT64_MAX / 300, &error), NUCE_BAD_INPUT);
    assert_pattern(&pattern, scaled);
}

static void test_summarise(void **state)
{
    struct nuce_pattern_summary summary;
    OWNED(pattern) pattern = pattern_of(4, FIVE);

    nuce_pattern_summarise(&pattern, &summary);
    assert_int_equal(summary.messages, 5);
    assert_int_equal(summary.bytes, 39);
    assert_int_equal(summary.self_messages, 1);
    assert_int_equal(summary.self_bytes, 3);
    assert_int_equal(summary.largest, 13);
    assert_int_equal(summary.busiest_port, 20);
    assert_int_equal(summary.degree, 2);
}

/* The busiest port and the degree may be those of a receiver. */
static void test_summarise_receiver(void **state)
{
    struct nuce_pattern_summary summary;
    OWNED(pattern) pattern = pattern_of(4, "0>3:4 1>3:5 2>3:6 3>3:9");

    nuce_pattern_summarise(&pattern, &summary);
    assert_int_equal(summary.busiest_port, 15);
    assert_int_equal(summary.self_messages, 1);
    assert_int_equal(summary.self_bytes, 9);
    assert_int_equal(summary.degree, 3);
}

static nuce_status parse(const char *text, int ranks, struct nuce_pattern *out,
                         struct nuce_error *error)
{
    return nuce_pattern_parse("x.com", text, strlen(text), ranks, out, error);
}

static void test_read(void **state)
{
    static const char text[] = "# a comment\n\n  3 # ranks\n2 0 7\r\n\t0 1 0\n\n0 2 5#five\n1 1 1";
    OWNED(pattern) pattern;

    assert_ok(parse(text, 3, &pattern, ANY_ERROR));
    assert_int_equal(pattern.ranks, 3);
    assert_pattern(&pattern, "0>2:5 1>1:1 2>0:7");
}

/* A list with commas, with or without names, for as many ranks as it needs or as are asked for. */
static void test_list(void **state)
{
    OWNED(pattern) named;
    OWNED(pattern) bare;

    assert_ok(parse("src,dst,bytes\n2,0,7\n0, 2,5\n2,0,1\n", 0, &named, ANY_ERROR));
    assert_int_equal(named.ranks, 3);
    assert_pattern(&named, "0>2:5 2>0:8");
    assert_ok(parse("# of a step\n0,1,4\n", 4, &bare, ANY_ERROR));
    assert_int_equal(bare.ranks, 4);
    assert_pattern(&bare, "0>1:4");
}

static const struct bad_text {
    const char *text;
    const char *message;
} bad_texts[] = {
    {"", "x.com:1:1: the file ends; expected the rank count"},
    {"# 4\n\n", "x.com:3:1: the file ends; expected the rank count"},
    {"0\n", "x.com:1:1: 0 is out of range; expected the rank count, 1 to 16777216"},
    {"-3\n", "x.com:1:1: -3 is out of range; expected the rank count"},
    {"three\n", "x.com:1:1: 'three' is not a whole number; expected the rank count, 1 to 16777216"},
    {"2147483648\n", "x.com:1:1: 2147483648 is out of range; expected the rank count"},
    {"99999999999999999999999\n", "x.com:1:1: 99999999999999999999999 is out of range; expected"},
    {"3 4\n", "x.com:1:3: '4' is too much; expected the rank count only"},
    {"3.5\n", "x.com:1:1: '3.5' is not a whole number; expected the rank count"},
    {"4\n0 1 5\n", "x.com:1:1: a pattern of 4 ranks: expected 3"},
    {"3\n0 1 -5\n",
     "x.com:2:5: -5 is out of range; expected the size in bytes, 0 to 9223372036854775807"},
    {"3\n0 1 9223372036854775808\n",
     "x.com:2:5: 9223372036854775808 is out of range; expected the size"},
    {"3\n0 1 18446744073709551617\n",
     "x.com:2:5: 18446744073709551617 is out of range; expected the size"},
    {"3\n0 1 187876131233047068208\n",
     "x.com:2:5: 187876131233047068208 is out of range; expected the size"},
    {"3\n0 1 1e3\n", "x.com:2:5: '1e3' is not a whole number; expected the size in bytes"},
    {"3\n\n  3 1 5\n", "x.com:3:3: 3 is out of range; expected the source rank, 0 to 2"},
    {"3\n0 7 5\n", "x.com:2:3: 7 is out of range; expected the destination rank, 0 to 2"},
    {"3\n0 -1 5\n", "x.com:2:3: -1 is out of range; expected the destination rank"},
    {"3\n4294967296 1 5\n", "x.com:2:1: 4294967296 is out of range; expected the source rank"},
    {"3\n0\n", "x.com:2:2: the line ends; expected the destination rank"},
    {"3\n0 1 5\n1 2", "x.com:3:4: the file ends; expected the size in bytes"},
    {"3\n0 1 # 5\n", "x.com:2:5: the line ends; expected the size in bytes"},
    {"3\n0 1 5 6\n", "x.com:2:7: '6' is too much; expected source, destination and bytes only"},
    {"3\n0 1 5\nend", "x.com:3:1: 'end' is not a whole number; expected the source rank"},
    {"3\n0 1 5\x1b[2J\n", "x.com:2:5: '5?[2J' is not a whole number; expected the size in bytes"},
    {"3\n0 1 abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq\n",
     "x.com:2:5: 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn' is not a whole number"},
    {"3\n0 1 5\n1 2 3\n1 2 4\n0 1 9\n",
     "x.com:4:1: a second message from rank 1 to rank 2: expected one, and line 3 has it"},
    {"3\n0 1 5\n0 1 0\n",
     "x.com:3:1: a second message from rank 0 to rank 1: expected one, and line 2 "
     "has it: add them up"},
    {"bytes,src,dst\n5,0,1\n",
     "x.com:1:7: 'src': expected the columns source, destination and bytes"},
    {"src,dst,count\n0,1,5\n",
     "x.com:1:9: 'count': expected the columns source, destination and bytes"},
    {"destination,source,bytes\n0,1,5\n",
     "x.com:1:1: 'destination': expected the columns source, destination and bytes"},
    {"stage,source,bytes\n0,1,5\n",
     "x.com:1:7: 'source': expected the columns source, destination and bytes"},
    {"src,dst,bytes\n0,3,5\n",
     "x.com:2:3: 3 is out of range; expected the destination rank, 0 to 2"},
    {"src,dst,bytes\n", "x.com:2:1: no message"},
    {"3\n0 1 9223372036854775807\n  1 2 1\n",
     "x.com:3:3: with these 1 bytes the messages amount to more than 2^63 - 1"},
};

static void test_read_bad(void **state)
{
    for (size_t i = 0; i < COUNT(bad_texts); i++) {
        const struct bad_text *bad_text = &bad_texts[i];
        struct nuce_pattern pattern = {.messages = 42};
        struct nuce_error error = {0};

        assert_int_equal(parse(bad_text->text, 3, &pattern, &error), NUCE_BAD_INPUT);
        if (strncmp(nuce_error_flatten(&error), bad_text->message, strlen(bad_text->message)) != 0)
            fail_msg("input %zu: '%s' does not begin '%s'", i, nuce_error_flatten(&error),
                     bad_text->message);
        assert_int_equal(pattern.messages, 42);
    }
}

/* The end of the text, not a zero byte, ends it. */
static void test_length(void **state)
{
    static const char text[] = {'2', '\n', '0', ' ', '1', ' ', '5', '7'};
    static const char zero[] = "2\n0 1 5\0 6\n";
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    assert_ok(nuce_pattern_parse("x.com", text, 7, 0, &pattern, &error));
    assert_int_equal(pattern.bytes[0], 5);
    nuce_pattern_fini(&pattern);
    assert_int_equal(nuce_pattern_parse("x.com", zero, sizeof zero - 1, 0, &pattern, &error),
                     NUCE_BAD_INPUT);
    assert_says(&error, "x.com:2:5: '5' is not");
}

static void test_file(void **state)
{
    char path[] = "pattern_read_XXXXXX";
    OWNED(pattern) pattern;
    int descriptor = mkstemp(path);
    FILE *file;

    assert_true(descriptor >= 0);
    file = fdopen(descriptor, "w");
    assert_non_null(file);
    fprintf(file, "500\n");
    for (int i = 0; i < 500; i++)
        fprintf(file, "%d %d %d\n", i, (i + 7) % 500, i + 1);
    assert_int_equal(fclose(file), 0);
    assert_ok(nuce_pattern_read(path, 0, &pattern, ANY_ERROR));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(pattern.messages, 500);
    for (int i = 0; i < 500; i++) {
        assert_int_equal(pattern.destination[i], (i + 7) % 500);
        assert_int_equal(pattern.bytes[i], i + 1);
    }
}

static void test_no_file(void **state)
{
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    assert_int_equal(nuce_pattern_read("no/such.com", 0, &pattern, &error), NUCE_BAD_INPUT);
    assert_says(&error, "no/such.com: ");
    assert_int_equal(nuce_pattern_read(".", 0, &pattern, &error), NUCE_BAD_INPUT);
    assert_says(&error, ".: ");
}

RUN(test_init, test_find, test_init_bad, test_transpose, test_scale, test_summarise,
    test_summarise_receiver, test_read, test_list, test_read_bad, test_length, test_file,
    test_no_file)
