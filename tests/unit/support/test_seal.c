/* The checksum of a record's line: every altered bit and every lost byte is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/seal.h"

#define SEALED_BYTES 64

static void seal_example(char line[SEALED_BYTES])
{
    struct nuce_error error;

    strcpy(line, "{\"a\":1.25,\"b\":[]}");
    assert_int_equal(nuce_seal_add(line, strlen(line), &error), NUCE_OK);
}

/* printf '{"a":1.25,"b":[]' | sha256sum | cut -c 1-16 */
static void test_example(void **state)
{
    char line[SEALED_BYTES];

    (void)state;
    seal_example(line);
    assert_string_equal(line, "{\"a\":1.25,\"b\":[],\"sum\":\"77912768a918805c\"}");
}

static void test_unaltered(void **state)
{
    char line[SEALED_BYTES];
    struct nuce_error error;

    (void)state;
    seal_example(line);
    assert_int_equal(nuce_seal_check(line, strlen(line), &error), NUCE_OK);
    strcat(line, "\r");
    assert_int_equal(nuce_seal_check(line, strlen(line), &error), NUCE_OK);
}

static void test_each_bit(void **state)
{
    char line[SEALED_BYTES];
    struct nuce_error error;
    size_t length;

    (void)state;
    seal_example(line);
    length = strlen(line);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        line[bit / 8] = (char)(line[bit / 8] ^ (1 << bit % 8));
        assert_int_equal(nuce_seal_check(line, length, &error), NUCE_BAD_INPUT);
        assert_non_null(strstr(error.message, "damaged"));
        line[bit / 8] = (char)(line[bit / 8] ^ (1 << bit % 8));
    }
    assert_int_equal(nuce_seal_check(line, length, &error), NUCE_OK);
}

static void test_each_length(void **state)
{
    char line[SEALED_BYTES];
    struct nuce_error error;

    (void)state;
    seal_example(line);
    for (size_t length = 0; length < strlen(line); length++)
        assert_int_equal(nuce_seal_check(line, length, &error), NUCE_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_unaltered),
        cmocka_unit_test(test_each_bit),
        cmocka_unit_test(test_each_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
