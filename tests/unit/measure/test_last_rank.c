/* The middle half of made-up samples, by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "points/results.h"
#include "run/last_rank.h"

enum { SAMPLES = 8 };

static double real_of(const struct nuce_found *found, const char *name)
{
    const json_t *value = json_object_get(found->values, name);

    return value != NULL ? json_number_value(value) : NAN;
}

static void assert_near(double value, double wanted)
{
    assert_true(fabs(value - wanted) < 1e-12);
}

/* Steps 8, 1, 7, 2, 6, 3, 5, 4: the middle half are 3 to 6, numbers 5, 7, 6, 4. */
static void test_middle(void **state)
{
    static const struct nuce_result *const tables[] = {nuce_results_run, NULL};
    static const double steps[SAMPLES] = {8, 1, 7, 2, 6, 3, 5, 4};
    int ranks[SAMPLES] = {0, 0, 0, 0, 3, 2, 2, 9};
    double seconds[SAMPLES * NUCE_SAMPLE_PARTS] = {0}, last[SAMPLES * NUCE_SAMPLE_PARTS] = {0};
    struct nuce_samples samples = {
        .count = SAMPLES, .seconds = seconds, .last = last, .last_rank = ranks};
    struct nuce_found found;

    (void)state;
    for (int i = 0; i < SAMPLES; i++) {
        seconds[i * NUCE_SAMPLE_PARTS + NUCE_PART_STEP] = steps[i];
        last[i * NUCE_SAMPLE_PARTS + NUCE_PART_OWN] = steps[i] - 0.5;
        last[i * NUCE_SAMPLE_PARTS + NUCE_PART_PACK] = 0.25;
        last[i * NUCE_SAMPLE_PARTS + NUCE_PART_COMMUNICATION] = steps[i] / 2;
    }
    nuce_found_init(tables, &found);
    nuce_last_rank_describe(&samples, 1U << NUCE_PART_PACK | 1U << NUCE_PART_COMMUNICATION, &found);
    assert_int_equal(json_integer_value(json_object_get(found.values, "last_rank")), 2);
    assert_near(real_of(&found, "last_share"), 0.5);
    assert_near(real_of(&found, "last_step_s"), 4.5);
    assert_near(real_of(&found, "last_late_s"), 0.5);
    assert_near(real_of(&found, "last_pack_s"), 0.25);
    assert_near(real_of(&found, "last_communication_s"), 2.25);
    assert_near(real_of(&found, "last_other_s"), 1.5);
    assert_true(isnan(real_of(&found, "last_unpack_s")));
    nuce_found_fini(&found);
}

static void test_none(void **state)
{
    static const struct nuce_result *const tables[] = {nuce_results_run, NULL};
    struct nuce_samples samples = {.count = 0};
    struct nuce_found found;

    (void)state;
    nuce_found_init(tables, &found);
    nuce_last_rank_describe(&samples, ~0U, &found);
    assert_int_equal(json_object_size(found.values), 0);
    nuce_found_fini(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_middle), cmocka_unit_test(test_none)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
