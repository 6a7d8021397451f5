#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "schedules/pattern.h"

static nuce_status parse(const char *text, int ranks, struct nuce_pattern *out,
                         struct nuce_error *error)
{
    return nuce_pattern_parse("x.com", text, strlen(text), ranks, out, error);
}

static void test_good(void **state)
{
    static const char text[] = "# a comment\n\n  3 # ranks\n2 0 7\r\n\t0 1 0\n\n0 2 5#five\n1 1 1";
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(parse(text, 3, &pattern, &error), NUCE_OK);
    assert_int_equal(pattern.ranks, 3);
    assert_int_equal(pattern.messages, 3);
    assert_int_equal(pattern.destination[0], 2);
    assert_int_equal(pattern.bytes[0], 5);
    assert_int_equal(pattern.destination[1], 1);
    assert_int_equal(pattern.bytes[1], 1);
    assert_int_equal(pattern.destination[2], 0);
    assert_int_equal(pattern.bytes[2], 7);
    nuce_pattern_fini(&pattern);
}

static const struct bad {
    const char *text;
    const char *message;
} bad_inputs[] = {
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
    {"3\n0 1 5\n0 1 0\n", "x.com:3:1: a second message from rank 0 to rank 1"},
    {"3\n0 1 9223372036854775807\n  1 2 1\n",
     "x.com:3:3: with these 1 bytes the messages amount to more than 2^63 - 1"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_inputs / sizeof *bad_inputs; i++) {
        const struct bad *bad = &bad_inputs[i];
        struct nuce_pattern pattern = {.messages = 42};
        struct nuce_error error = {0};

        assert_int_equal(parse(bad->text, 3, &pattern, &error), NUCE_BAD_INPUT);
        if (strncmp(nuce_error_flatten(&error), bad->message, strlen(bad->message)) != 0)
            fail_msg("input %zu: '%s' does not begin '%s'", i, nuce_error_flatten(&error),
                     bad->message);
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

    (void)state;
    assert_int_equal(nuce_pattern_parse("x.com", text, 7, 0, &pattern, &error), NUCE_OK);
    assert_int_equal(pattern.bytes[0], 5);
    nuce_pattern_fini(&pattern);
    assert_int_equal(nuce_pattern_parse("x.com", zero, sizeof zero - 1, 0, &pattern, &error),
                     NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "x.com:2:5: '5' is not"));
}

static void test_file(void **state)
{
    char path[] = "pattern_read_XXXXXX";
    struct nuce_pattern pattern;
    struct nuce_error error = {0};
    int descriptor = mkstemp(path);
    FILE *file;

    (void)state;
    assert_true(descriptor >= 0);
    file = fdopen(descriptor, "w");
    assert_non_null(file);
    fprintf(file, "500\n");
    for (int i = 0; i < 500; i++)
        fprintf(file, "%d %d %d\n", i, (i + 7) % 500, i + 1);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(nuce_pattern_read(path, 0, &pattern, &error), NUCE_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(pattern.messages, 500);
    for (int i = 0; i < 500; i++) {
        assert_int_equal(pattern.destination[i], (i + 7) % 500);
        assert_int_equal(pattern.bytes[i], i + 1);
    }
    nuce_pattern_fini(&pattern);
}

static void test_no_file(void **state)
{
    struct nuce_pattern pattern;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_pattern_read("no/such.com", 0, &pattern, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), "no/such.com: "));
    assert_int_equal(nuce_pattern_read(".", 0, &pattern, &error), NUCE_BAD_INPUT);
    assert_non_null(strstr(nuce_error_flatten(&error), ".: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good), cmocka_unit_test(test_bad),     cmocka_unit_test(test_length),
        cmocka_unit_test(test_file), cmocka_unit_test(test_no_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
