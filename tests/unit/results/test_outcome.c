/* What the points and their mean come to: the exit status of nuce compare. */

#include "../test.h"

#include "results/compare_print.h"

/* The outcome where two points have the verdict of one, the mean the other, and intervals that end
 * below the threshold or beyond it. */
static enum nuce_compare_outcome outcome_of(enum nuce_comparison_verdict points,
                                            enum nuce_comparison_verdict mean, double high)
{
    const struct nuce_comparison result = {.verdict = points, .high = high, .detectable = 0.01};
    struct nuce_contrast_point all[2] = {{.result = result}, {.result = result}};
    struct nuce_contrast contrast = {
        .points = all,
        .rule = {.points = 2, .threshold = 0.05, .confidence = 0.95},
        .mean = {.verdict = mean, .high = high},
    };

    return nuce_compare_outcome(&contrast, 0.1);
}

static void test_outcome(void **state)
{
    assert_int_equal(outcome_of(NUCE_VERDICT_WORSE, NUCE_VERDICT_SLOWER, 1.2), NUCE_COMPARE_WORSE);
    assert_int_equal(outcome_of(NUCE_VERDICT_SLOWER, NUCE_VERDICT_WORSE, 1.2), NUCE_COMPARE_WORSE);
    assert_int_equal(outcome_of(NUCE_VERDICT_SLOWER, NUCE_VERDICT_SLOWER, 1.2),
                     NUCE_COMPARE_UNKNOWN);
    assert_int_equal(outcome_of(NUCE_VERDICT_SAME, NUCE_VERDICT_SAME, 1.01), NUCE_COMPARE_FINE);
}

RUN_TESTS(NULL, NULL, CASE(test_outcome))
