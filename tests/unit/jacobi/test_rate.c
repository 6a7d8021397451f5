/* Rates of samples that are long enough to see a processor taken away. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "instances/rate.h"

/* However short a sweep is, and however long: a sample is of one at least. */
static void test_sample(void **state)
{
    static const int64_t sides[] = {4, 3000};
    const struct nuce_jacobi_ops *jacobi = nuce_jacobi_find(5, "double");

    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct nuce_plane plane;
        struct nuce_error error;
        double begin;
        int64_t sweeps;

        assert_int_equal(nuce_plane_init(jacobi, sides[i], sides[i], 1, &plane, &error), NUCE_OK);
        begin = nuce_clock();
        sweeps = nuce_rate_sample(&plane, 0);
        assert_true(nuce_clock() - begin >= 0.1);
        assert_true(sweeps >= (i == 0 ? 2 : 1));
        nuce_plane_fini(&plane);
    }
}

static void test_measure(void **state)
{
    struct nuce_rate rate;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_rate_measure(nuce_jacobi_find(9, "float"), 20, 0, 0, &rate, &error),
                     NUCE_OK);
    assert_int_equal(rate.samples, 5);
    assert_true(rate.median > 0 && isnan(rate.low) && isnan(rate.high));
    assert_int_equal(nuce_rate_measure(nuce_jacobi_find(9, "float"), 20, 0, 0.75, &rate, &error),
                     NUCE_OK);
    assert_true(rate.samples >= 5);
    if (rate.samples >= 6)
        assert_true(rate.low <= rate.median && rate.median <= rate.high);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_measure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
