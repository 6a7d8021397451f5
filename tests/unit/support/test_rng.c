#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rng.h"

/* Bounded numbers stay in range and reach every value; streams of one seed differ. */
static void test_below(void **state)
{
    struct nuce_rng rng = nuce_rng_create(1, 0);
    int seen[7] = {0};

    (void)state;
    for (int i = 0; i < 7000; i++) {
        uint64_t value = nuce_rng_below(&rng, 7);

        assert_in_range(value, 0, 6);
        seen[value]++;
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(seen[i], 800, 1200);
}

static void test_streams(void **state)
{
    struct nuce_rng a = nuce_rng_create(1, 0), b = nuce_rng_create(1, 1), c = nuce_rng_create(1, 0);
    uint64_t first = nuce_rng_next(&a);

    (void)state;
    assert_true(first != nuce_rng_next(&b));
    assert_true(first == nuce_rng_next(&c));
}

/* The authors' reference implementation from the state 1, 2, 3, 4. */
static void test_reference(void **state)
{
    static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240};
    struct nuce_rng rng = {
        {1, 2, 3, 4}
    };

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_true(nuce_rng_next(&rng) == expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_below),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_reference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
