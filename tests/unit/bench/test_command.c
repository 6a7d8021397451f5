/* The runs of nuce-bench, and commands in their place. */
#include "../test.h"

#include <stdlib.h>

#include "bench.h"

/* Medians of each and of the ratio turn by turn, and whether the budget is met. */
static void test_evaluate(void **state)
{
    static const struct {
        double budget_s, budget_ratio;
        int met;
    } budgets[] = {{2.5, 0, 1}, {1.5, 0, 0}, {0, 0.5, 1}, {0, 0.49, 0}};
    const char *argv[] = {"echo", "{\"ours\":[1,2,4],\"reference\":[2,8,4]}", NULL};
    OWNED(bench_samples) samples;

    nuce_bench_run_command(argv, &samples);
    for (size_t i = 0; i < COUNT(budgets); i++) {
        struct nuce_bench bench = {.budget_s = budgets[i].budget_s,
                                   .budget_ratio = budgets[i].budget_ratio};
        struct nuce_bench_result result;

        nuce_bench_evaluate(&bench, &samples, &result);
        assert_near(result.ours.median, 2, 1e-12);
        assert_near(result.reference.median, 4, 1e-12);
        assert_near(result.ratio.median, 0.5, 1e-12);
        assert_near(result.ratio.low, 0.25, 1e-12);
        assert_near(result.ratio.high, 1, 1e-12);
        assert_int_equal(result.turns, 3);
        assert_int_equal(result.met, budgets[i].met);
    }
}

/* How often a bench ran ours and the reference, and the bytes that it says ours holds. */
struct counts {
    int ours, reference;
    int64_t held_bytes;
};

static void create_counts(const void *of, struct nuce_bench_case *out)
{
    static const int64_t reference_bytes = 9000;
    struct counts *counts = calloc(1, sizeof *counts);

    assert_non_null(counts);
    out->self = counts;
    out->reference_units = 0.5;
    out->held_bytes = &counts->held_bytes;
    out->reference_bytes = &reference_bytes;
}

static void count_ours(void *self)
{
    struct counts *counts = self;

    assert_int_equal(counts->ours++, counts->reference);
    counts->held_bytes = 2000;
}

static void count_reference(void *self)
{
    struct counts *counts = self;

    assert_int_equal(counts->ours, ++counts->reference);
}

static void check_counts(void *self)
{
    struct counts *counts = self;

    assert_int_equal(counts->ours, counts->reference);
    assert_true(counts->ours == 1 || counts->ours == 4);
    free(self);
}

/* In turns, after one that is not counted; a single one is neither warmed up nor repeated. */
static void test_turns(void **state)
{
    struct nuce_bench bench = {.name = "x",
                               .least_turns = 3,
                               .create = create_counts,
                               .run_ours = count_ours,
                               .run_reference = count_reference,
                               .destroy = check_counts};
    OWNED(bench_samples) samples;

    nuce_bench_measure(&bench, 0, &samples);
    assert_int_equal(samples.count, 3);
    assert_int_equal(samples.peak_bytes, 2000);
    assert_int_equal(samples.reference_bytes, 9000);
    nuce_bench_samples_fini(&samples);
    bench.is_single = 1;
    nuce_bench_measure(&bench, 10, &samples);
    assert_int_equal(samples.count, 1);
}

RUN(test_evaluate, test_turns)
