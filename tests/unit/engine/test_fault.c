/* What the faulty programs of the tests do to a step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/record.h"
#include "run/fault.h"

/* A step that is slow lasts a tenth longer at least, and its parts just that. */
static void test_slow(void **state)
{
    double begin = nuce_clock() - 1e-3, before, after;
    double parts[NUCE_SAMPLE_PARTS];

    (void)state;
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        parts[i] = i;
    assert_int_equal(setenv("NUCE_FAULT", "slow", 1), 0);
    before = nuce_clock() - begin;
    after = nuce_fault_ended(begin, parts, 0) - begin;
    assert_true(after >= 1.1 * before);
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        assert_true(parts[i] >= 1.0999 * i && parts[i] <= 1.1001 * i);
}

static void test_not_slow(void **state)
{
    double parts[NUCE_SAMPLE_PARTS];

    (void)state;
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        parts[i] = i;
    assert_int_equal(setenv("NUCE_FAULT", "corrupt", 1), 0);
    assert_true(nuce_fault_ended(nuce_clock() - 1e-3, parts, 0) <= nuce_clock());
    for (int i = 0; i < NUCE_SAMPLE_PARTS; i++)
        assert_true(parts[i] >= i && parts[i] <= i);
}

/* The second contender is late by as much as is asked for, the others are not. */
static void test_late(void **state)
{
    (void)state;
    assert_int_equal(setenv("NUCE_FAULT", "late 50", 1), 0);
    for (int entrant = -1; entrant <= 2; entrant++) {
        double begin = nuce_clock() - 1e-3, before = nuce_clock() - begin;
        double parts[NUCE_SAMPLE_PARTS] = {1};
        double ended = nuce_fault_ended(begin, parts, entrant);

        assert_true(entrant == 1 ? parts[0] > 1.49 && parts[0] < 1.51
                                 : parts[0] > 0.99 && parts[0] < 1.01);
        assert_true(entrant != 1 || ended - begin >= 1.5 * before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow),
        cmocka_unit_test(test_not_slow),
        cmocka_unit_test(test_late),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
